# compare: its table, lists, and the Bricard mechanism on which the three steppers differ.
. "$2/lib.sh"
scene=$here/pendulum.sdf

run 0 compare "$scene" --dt 0.01
for heading in stepper 'h (s)' 'tip ' 'error (m)' 'drift (J)' 'gap (m)' 'angle (rad)' us/step rank dof redundant
do prints "$heading"; done
holds "a row each" test "$(grep -Ec '^(ode|quick 20|rls auto) ' out)" = 3
run 0 compare "$scene" --quick-iterations 77 --stepper quick
prints 'quick 77'

# Lists multiply for rls; ODE's steppers know no integrator.
run 0 compare "$scene" --stepper ode,rls --integrator euler,auto --dt 0.01,0.02 --json c.json
json c.json 'length == 6 and ([.[] | select (.stepper == "rls") | .integrator] == ["euler","euler","auto","auto"])'
run 0 compare "$scene" --stepper all --json c.json
json c.json '[.[].stepper] == ["rls","ode","quick"]'
"$program" compare "$scene" --stepper rls --integrator euler --correction all --duration 0.02 --dt 0.01 --json c.json >out 2>err
json c.json 'length == 16 and ([.[].correction] | unique | length) == 16'
holds "corrections are named" grep -q 'rls euler, erp' out

# Methods bring their own steppers and integrators; a correction's variant is another run.
run 0 compare "$scene" --methods ode,none,embedded,symplectic4,conserving-bare --dt 0.01,0.02 --json c.json
json c.json 'length == 10 and [.[0,2,4,6,8].integrator] == [null,"rk4","rk4","symplectic4","auto"]'
json c.json '[.[0,2,4,6,8].correction] == [null,"none","embedded","projection","conserving-bare"]'
run 2 compare "$scene" --methods nothing

# One dt is a run over time, several are error against time: both pictures have the colours of the steppers.
run 0 compare bricard --dt 0.01 --duration 3 --plot time.png --json b.json
run 0 compare bricard --dt 0.01,0.02 --duration 1 --plot work.png
no_leftovers

# The three measured by the same code: ours keeps the joints closed and the rank, in every step.
json b.json '.[2].violation.position_m <= 1e-13 and .[2].violation.angle_rad <= 1e-13'
json b.json '.[2].rank == {"min": 29, "max": 29} and .[2].dof == {"min": 1, "max": 1}'
json b.json '.[0].violation.position_m > 1e-6 and .[1].violation.position_m > 1e-4'
json b.json '.[2].energy.drift_max_J < .[0].energy.drift_max_J'
finish
