# Every option is accepted and does what it says.
. "$2/lib.sh"
scene=$here/pendulum.sdf

# Steppers, and what does not apply to ODE's.
for stepper in rls ode quick
do
    run 0 run "$scene" --stepper $stepper --json r.json
    json r.json ".stepper == \"$stepper\" and .status == \"ok\""
done
json r.json '.integrator == null and .correction == null and .order == null'
run 0 run "$scene" --stepper=ode --dt=0.01 --json=r.json
json r.json '.stepper == "ode" and .dt == 0.01'

# Step sizes and durations: as many steps as fit.
run 0 run "$scene" --dt 1/60 --duration 1 --json r.json
json r.json '.steps == 60 and .duration == 1 and (.dt - 1 / 60 | fabs) < 1e-16'
run 0 run "$scene" --dt 0.3 --duration 1 --json r.json
json r.json '.steps == 3'
run 0 run "$scene" --dt 0.1 --duration 0.3 --json r.json
json r.json '.steps == 3'
run 0 run "$scene" --dt 0.2 --duration 0.1 --json r.json
json r.json '.steps == 1'
run 0 run "$scene" --dt 1e-3 --json r.json
json r.json '.duration == 0.5 and .steps == 500'

# Words that name a choice are all known: what the stepper cannot do is a failed run with a clear line, not a bad
# argument.
accepts ()
{
    "$program" run "$scene" --duration 0.02 --dt 0.01 "$@" --json r.json >out 2>err
    status=$?
    [ $status = 0 ] || { [ $status = 1 ] && grep -q 'no meaning' err && jq -e '.status == "error"' r.json >/dev/null; }
    pass_or_fail $? "accepted: $* (status $status, $(cat err))"
}
for word in auto euler symplectic symplectic4 symplectic6 symplectic8 rk4
do
    accepts --integrator $word
    json r.json ".integrator == \"$word\""
done
for word in none erp embedded projection simultaneous energy augmented conserving compliant
do
    accepts --correction $word --integrator euler
    json r.json ".correction == \"$word\""
done
run 0 run "$scene" --integrator euler --correction projection --json r.json
json r.json '.violation.position_m < 1e-13'

# The order changes nothing but rounding.
for word in natural mindegree priority random random:7
do
    run 0 run "$scene" --integrator euler --order $word --json order.json
    case $word in random) full=random:0 ;; *) full=$word ;; esac
    json order.json ".order == \"$full\""
    holds "order $word: the same motion" jq -se \
        '[.[].probes.tip.final[0]] | (.[0] - .[1] | fabs) < 1e-10' r.json order.json
done

# --every thins the CSV and keeps its last sample.
run 0 run "$scene" --dt 0.01 --every 8 --csv e.csv --json r.json
holds "0, 0.08 ... 0.48, 0.5: eight rows and the header" test "$(wc -l <e.csv)" = 9
holds "the last row is the last step" sh -c 'tail -n 1 e.csv | grep -q "^0.5,"'
json r.json '.steps == 50'

# Sweeps, ERP and CFM change what they should.
gap () { "$program" run "$@" --duration 1 --dt 0.01 --json - 2>/dev/null | jq .violation.position_m; }
less () { awk "BEGIN { exit !($1 < $2) }"; }
few=$(gap chain:5 --stepper quick --quick-iterations 5)
many=$(gap chain:5 --stepper quick --quick-iterations 300)
holds "more sweeps, smaller gaps" less "$many" "$few"
hard=$(gap chain:5 --stepper ode --cfm 1e-10)
soft=$(gap chain:5 --stepper ode --cfm 1e-3)
holds "more CFM, larger gaps" less "$hard" "$soft"
slow=$(gap chain:5 --stepper ode --erp 0)
fast=$(gap chain:5 --stepper ode --erp 0.8)
holds "more ERP, smaller gaps" less "$fast" "$slow"

# Threads change nothing.
run 0 run chain:5 --duration 0.2 --dt 0.01 --csv one.csv
run 0 run chain:5 --duration 0.2 --dt 0.01 --threads 3 --csv three.csv
cut -d, -f1-12 one.csv >one
cut -d, -f1-12 three.csv >three
holds "the same numbers with three threads" cmp one three
run 0 run chain:5 --duration 0.1 --dt 0.01 --threads 2 --stepper ode

# A tolerance near one calls almost everything redundant.
run 0 run "$scene" --integrator euler --duration 0.01 --dt 0.01 --json r.json
run 0 run "$scene" --integrator euler --duration 0.01 --dt 0.01 --tolerance 0.9 --json t.json
holds "the tolerance reaches the rank" jq -se '.[0].rank.max == 5 and .[1].rank.min < 5' r.json t.json

# "--" ends the options; a bare name finds a scene of the program.
run 0 run --duration 0.01 -- "$scene"
run 0 run bricard --duration 0.01

# What drives do to the energy is no drift.
run 0 run cardan_shaft --duration 0.1
prints 'J at the start, changed by at most'
run 0 run bricard --duration 0.1
prints 'J at the start, drift at most'
finish
