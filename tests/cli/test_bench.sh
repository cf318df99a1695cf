# bench: one JSON line a benchmark, steppers side by side, ratios, dense steps skipped with a note.
. "$2/lib.sh"

run 0 bench chain:5 fourbar:2 --repetitions 2
holds "two lines" test "$(wc -l <out)" = 2
holds "each line is an object" jq -es 'length == 2 and [.[].benchmark] == ["chain:5","fourbar:2"]' out
holds "keys" jq -es 'all (.[]; keys == ["benchmark","bodies","dt","joints","ratios","results","rows"])' out
holds "steppers" jq -es 'all (.[]; [.results[].stepper] == ["rls","ode","quick"])' out
holds "minimum and median" jq -es 'all (.[].results[]; .us_per_step.min > 0 and .us_per_step.median >= .us_per_step.min and .repetitions == 2 and .steps >= 1)' out
holds "ratios are those of the medians" jq -es 'all (.[]; .ratios["ode/rls"] as $r | .results | .[1].us_per_step.median / .[0].us_per_step.median / $r - 1 | fabs < 1e-12)' out
holds "ratio of quick" jq -es 'all (.[]; .ratios["quick/rls"] > 0)' out

# On a terminal, a table.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null
then
    script -qefc "$program bench chain:5 chain:40 --repetitions 1 --dense-limit 0 2>/dev/null" /dev/null >out 2>err </dev/null
    prints "times rls"
    holds "a line a stepper" test "$(grep -Ec 'rls auto|ode|quick 20' out)" = 6
    holds "dWorldStep is left out" test "$(grep -c 'ode  *left out' out)" = 2
fi

run 0 bench chain:40 --repetitions 1 --dense-limit 0
holds "a note where dWorldStep is skipped" jq -e '.results[1].skipped | test ("dense step of 200 rows")' out
holds "no ratio to it" jq -e '.ratios | keys == ["quick/rls"]' out

run 0 bench chain:3 --repetitions 1 --integrator euler,auto --dt 0.005 --quick-iterations 7
holds "integrators side by side" jq -e '[.results[].integrator] == ["euler","auto",null,null] and .dt == 0.005 and .results[3].iterations == 7' out
finish
