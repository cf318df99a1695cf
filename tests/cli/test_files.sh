# Files that cannot be read or written, full disks, existing files, links.
. "$2/lib.sh"
scene=$here/pendulum.sdf

for option in --csv --json --plot
do
    run 2 run "$scene" $option no/such/folder.png
    says "cannot write no/such/folder.png: No such file or directory"
    mkdir -p taken.png
    run 2 run "$scene" $option taken.png
    says "cannot write taken.png: Is a directory"
done
if [ "$(id -u)" != 0 ]
then
    # root may write and read everything
    echo old >locked.csv
    chmod 444 locked.csv
    run 2 run "$scene" --csv locked.csv
    says "cannot write locked.csv: Permission denied"
    cp "$scene" secret.sdf
    chmod 000 secret.sdf
    run 2 run secret.sdf
    says "secret.sdf"
fi

# A bad file name costs no simulation: this one would take hours.
holds "outputs are opened first" timeout 20 sh -c \
    '"$0" run chain:500 --dt 1e-6 --json no/such/file 2>/dev/null; test $? = 2' "$program"

# Results do not take the place of each other, by whatever path, nor of the scene.
cp "$scene" own.sdf
run 2 run own.sdf --csv ./own.sdf
says "'./own.sdf' is the scene; results would take its place"
holds "the scene is as it was" cmp -s "$scene" own.sdf
run 2 run "$scene" --csv both --json ./both
says "'./both' cannot take two outputs"
run 0 run "$scene" --csv both --json "$PWD/other"
rm own.sdf both other

# A full disk: exit status 1, one line, and the run still ends.
for option in --csv --json
do
    run 1 run "$scene" $option /dev/full
    holds "the reason is given" grep -q 'cannot write /dev/full: No space left on device' err
done
run 1 inspect "$scene" --json /dev/full
holds "the reason is given" grep -q 'cannot write /dev/full: No space left on device' err
ln -s /dev/full full.png
run 1 run "$scene" --plot full.png
holds "the reason is given" grep -q 'cannot write full.png' err
run 1 run "$scene" --csv /dev/full --duration 1e5 --dt 1e-2
holds "a long run stops at once" grep -q 'CSV file cannot be written at t = ' err
"$program" inspect "$scene" >/dev/full 2>err
holds "standard output is watched too" test $? = 1
holds "the reason is given" grep -q 'cannot write standard output: No space left on device' err

# A reader that goes away ends the run, and its other files are whole.
"$program" run "$scene" --csv - --json j.json --duration 1e6 --dt 0.01 2>err | head -n 2 >head.csv
holds "two lines were read" test "$(wc -l <head.csv)" = 2
json j.json '.status == "error" and .steps < 1e7'

# What was there is replaced whole, keeps its mode, and a link to it survives.
echo old >real.csv
chmod 640 real.csv
ln -s real.csv link.csv
run 0 run "$scene" --csv link.csv
holds "the link is still one" test -L link.csv
holds "the file behind it is new" sh -c 'head -n 1 real.csv | grep -q ^t,'
holds "its mode is kept" test "$(stat -c %a real.csv)" = 640

# A pipe is written, not replaced.
mkfifo pipe
timeout 60 cat pipe >piped.csv &
run 0 run "$scene" --csv pipe
wait
holds "the pipe is still one" test -p pipe
holds "all went through it" test "$(wc -l <piped.csv)" = "$(wc -l <real.csv)"

# A run that fails leaves whole files too.
run 0 run "$scene" --csv "with space.csv" --json "quo\"te.json" --plot "a'b.png"
holds "odd names" test -s "with space.csv" -a -s 'quo"te.json' -a -s "a'b.png"
no_leftovers
finish
