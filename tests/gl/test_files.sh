# What is written: nothing is overwritten, numbers go on, films stopped by a signal can be played.
. "$2/lib.sh"

cat >twice.txt <<'END'
wait 0.1
do picture
frames 2
do csv
wait 0.1
do csv
END
for run in 1 2
do
    env -u DISPLAY "$program" view --headless --size 640x360 --script twice.txt >out 2>err
    pass_or_fail $? "files of run $run: $(cat err)"
    [ "$run" = 1 ] && cp bricard-001.png first.png && cp bricard-001.csv first.csv
done
holds "pictures go on" test -s bricard-002.png
holds "tables go on" test -s bricard-002.csv
holds "the first picture is untouched" cmp first.png bricard-001.png
holds "the first table is untouched" cmp first.csv bricard-001.csv

# A scene of a name that is no file name.
printf 'open chain:10\nframes 2\ndo picture\nframes 2\n' >name.txt
env -u DISPLAY "$program" view --headless --size 640x360 --script name.txt >out 2>err
holds "a name without colons" test -s chain-10-001.png

# Pipes and devices are written to and stay what they are; a link stays, and leads to the new file.
mkfifo pipe
ln -s linked.json link.json
echo old >linked.json
timeout 60 cat pipe >piped &
env -u DISPLAY "$program" view --headless --size 640x360 --frames 10 --csv pipe --state link.json >out 2>err
pass_or_fail $? "a pipe and a link: $(cat err)"
wait $!
holds "the pipe is one" test -p pipe
holds "the table went through it" test "$(head -c 6 piped)" = side,t
holds "the link is one" test -L link.json
json linked.json '.scene == "bricard"'
if [ -c /dev/full ]
then
    # /dev may be written to by whoever runs this: through a link, so that no fault can replace the device
    ln -s /dev/full full.png
    env -u DISPLAY "$program" view --headless --size 640x360 --frames 2 --png full.png >out 2>err
    holds "a full disk is noticed" grep -q 'cannot be written: No space left on device' err
fi
if command -v ffmpeg >/dev/null
then
    env -u DISPLAY "$program" view --headless --size 640x360 --frames 2 --mp4 pipe >out 2>err
    holds "no film into a pipe" grep -q 'is no file, and films need one' err
fi

# Scenes of the command line come in their order.
printf 'frames 2\nstate 1.json\ndo next\nframes 2\nstate 2.json\ndo next\nframes 2\nstate 3.json\ndo next\nframes 2\nstate 4.json\n' >list.txt
env -u DISPLAY "$program" view scissor_lift chain:10 bricard --headless --size 640x360 --script list.txt >out 2>err
pass_or_fail $? "a playlist: $(cat err)"
for i in 1:scissor_lift 2:chain:10 3:bricard 4:scissor_lift
do json "${i%%:*}.json" ".scene == \"${i#*:}\""
done

if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null
then
    frames () { ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 "$1"; }
    # a film that is stopped by a signal is whole, and so is the table
    for signal in INT TERM HUP
    do
        # shells start what is in the background with Ctrl-C ignored
        env --default-signal=INT -u DISPLAY "$program" view --headless --frames 20000 --size 640x360 --quality low --mp4 $signal.mp4 --csv $signal.csv >out 2>err &
        pid=$!
        tries=0
        until [ -s $signal.mp4.part.mp4 ] || [ $tries -gt 300 ]
        do
            sleep 0.1
            tries=$((tries + 1))
        done
        sleep 1
        kill -$signal $pid
        wait $pid
        holds "a film that ended by SIG$signal" [ "$(frames $signal.mp4)" -gt 10 ]
        holds "a table that ended by SIG$signal" [ "$(wc -l <$signal.csv)" -gt 10 ]
        holds "nothing is left of SIG$signal" [ ! -e $signal.mp4.part.mp4 ]
    done

    # the film to share: six seconds, as a film and as an animated picture, no panels, and the settings come back
    printf 'set labels 1\nset panel 1\ndo share\nframes 100\nstate sharing.json\nwait 5\nstate shared.json\n' >share.txt
    for run in 1 2
    do env -u DISPLAY "$program" view --headless --size 640x360 --quality low --script share.txt >out 2>err
    done
    pass_or_fail $? "a film to share: $(cat err)"
    [ "$(frames bricard-001.mp4)" = 360 ]
    pass_or_fail $? "six seconds at sixty frames: $(frames bricard-001.mp4)"
    holds "the next film has the next number" test -s bricard-002.mp4
    holds "an animated picture of it" test -s bricard-001.webp
    json sharing.json '.sharing > 200 and .settings.panel == "0" and .settings.plots == "0" and .settings.heat == "fitted"'
    json shared.json '.sharing == 0 and .settings.panel == "1" and .settings.plots == "1" and .settings.labels == "1"'
fi

# Names in tables are quoted where they contain what ends a field.
cat >comma.sdf <<'END'
<sdf version="1.9" xmlns:rls="urn:ode-rls"><model name="m"><link name="a"/><rls:probe name="P,1" link="a">0 0 0</rls:probe></model></sdf>
END
run 0 view comma.sdf --headless --frames 3 --csv comma.csv
holds "a comma in a name" sh -c 'head -n 1 comma.csv | grep -q "^side,t,\"P,1_x\",\"P,1_y\",\"P,1_z\",kinetic_J"'
finish
