# Ctrl-C during a run: it stops, and its files are whole and hold what there is.
. "$2/lib.sh"
scene=$here/pendulum.sdf

interrupt () # SIGNAL ARGUMENTS...
{
    signal=$1
    shift
    "$program" "$@" >out 2>err &
    child=$!
    # Until the run has written something, there is nothing to stop.
    tries=0
    while [ ! -s "$(find . -name '.r*.csv.*.part' | head -n 1)" ] && [ $tries -lt 200 ]
    do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -s "$signal" $child
    wait $child
    status=$?
}

# The shell's numbers: 128 and that of the signal.
for signal in TERM HUP
do
    ended=$([ $signal = TERM ] && echo 143 || echo 129)
    rm -f r.csv r.json
    interrupt $signal run "$scene" --duration 1e6 --dt 0.01 --csv r.csv --json r.json --plot r.png
    holds "exit status $ended after $signal" test $status = $ended
    holds "the CSV is whole" awk -F, 'NF != 15 { exit 1 } END { if (NR < 3) exit 1 }' r.csv
    json r.json '.steps > 0 and .steps < 1e8 and any (.messages[]; test ("interrupted at t = "))'
    holds "the picture is there" test -s r.png
    holds "it says so" grep -q interrupted err
done

# A shell starts background jobs with SIGINT ignored; timeout sends it to one in the foreground.
rm -f r.csv
timeout --preserve-status -s INT 3 "$program" run "$scene" --duration 1e6 --dt 0.01 --csv r.csv >out 2>err
holds "exit status 130 after INT" test $? = 130
holds "the CSV is whole" awk -F, 'NF != 15 { exit 1 } END { if (NR < 3) exit 1 }' r.csv
holds "it says so" grep -q interrupted err

# What is ignored from the start stays so, as nohup wants it.
sh -c 'trap "" TERM; exec "$0" "$@"' "$program" run "$scene" --duration 20 --dt 1e-4 --csv n.csv >out 2>err &
child=$!
sleep 0.3
kill -s TERM $child
wait $child
holds "an ignored signal does not stop it" test $? = 0
holds "all steps were made" test "$(wc -l <n.csv)" = 200002

rm -f r*.csv r.json
interrupt TERM compare "$scene" --stepper ode,rls --duration 1e6 --dt 0.01 --csv r.csv --json r.json
holds "compare: exit status 143" test $status = 143
json r.json 'length == 1 and .[0].stepper == "rls"'
holds "only the run that was on has a file" test "$(ls r-*.csv)" = r-rls.csv
no_leftovers
finish
