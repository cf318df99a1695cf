# compare: each stepper in a process of its own; what one of them suffers leaves the others' results.
. "$2/lib.sh"

# dWorldStep takes seconds a step here and comes last: it is killed.
"$program" compare chain:400 --stepper ode,rls,quick --duration 0.5 --dt 0.01 --json a.json --csv a.csv >out 2>err &
compare=$!
child=
for try in $(seq 1200)
do
    # Two results are there when the third run begins.
    [ -s a-quick.csv ] && [ -s a-rls.csv ] && child=$(awk -v parent="$compare" '$4 == parent { print $1 }' /proc/[0-9]*/stat 2>/dev/null | head -n 1)
    [ -n "$child" ] && break
    sleep 0.1
done
holds "the third run goes on" test -n "$child"
kill -9 "$child"
wait "$compare"
holds "it has failed" test $? = 1
json a.json 'map (.stepper) == ["ode","rls","quick"] and map (.status) == ["error","ok","ok"]'
json a.json '.[0].steps == 0 and .[1].steps == 50 and .[2].steps == 50'
holds "how it ended is told" grep -q 'ode, h = 0.01 s: the program was ended there: Killed' err
holds "the others have their rows" sh -c '[ "$(grep -Ec "^(rls auto|quick 20) " out)" = 2 ]'
no_leftovers

# The same when all go well: the order of the table is that of the list.
run 0 compare bricard --stepper rls,quick,ode --duration 0.1 --dt 0.01 --json b.json --plot b.png
json b.json 'map (.stepper) == ["rls","quick","ode"] and map (.status) == ["ok","ok","ok"]'
finish
