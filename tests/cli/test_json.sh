# JSON: every key of the contract, types, numbers that agree with the CSV.
. "$2/lib.sh"
scene=$here/pendulum.sdf

run_keys='["bodies","correction","cpu_s","dof","dt","duration","energy","integrator","joints","messages","order","probes",
"rank","redundant","redundant_rows","rows","scene","status","stepper","steps","us_per_step","violation","wall_s"]'
nested='(.rank, .dof, .redundant | keys == ["max","min"]) and
(.violation | keys == ["angle_rad","position_m","velocity_m_s","velocity_rad_s"]) and
(.energy | keys == ["drift_final_J","drift_max_J","initial_J"]) and
(.probes.tip | keys == ["final","max","min","reference_error_max_m"]) and
(.probes.tip | [.min, .max, .final] | all (length == 3))'

run 0 run "$scene" --dt 0.01 --json r.json --csv r.csv
json r.json "keys == $run_keys"
json r.json "[$nested] | all"
json r.json '.scene == "pendulum" and .bodies == 1 and .joints == 1 and .rows == 5 and .status == "ok"'
json r.json '.rank == {"min": 5, "max": 5} and .dof == {"min": 1, "max": 1} and .redundant == {"min": 0, "max": 0}'
json r.json '.redundant_rows == [] and .messages == []'
json r.json '.energy.drift_max_J >= (.energy.drift_final_J | fabs)'
json r.json '(.us_per_step * .steps / 1e6 - .wall_s | fabs) < 1e-9 and .wall_s > 0 and .cpu_s > 0'
holds "the final position is that of the CSV" test "$(jq -r '.probes.tip.final[0] | . * 1e12 | round' r.json)" = \
    "$(tail -n 1 r.csv | awk -F, '{ printf "%.0f", $2 * 1e12 }')"
# The reference stands still at x = 1.5 m, the tip starts at x = 1 m and falls away from it.
json r.json '.probes.tip.reference_error_max_m > 0.5 and .probes.tip.reference_error_max_m < 3'
json r.json '.probes.tip.max[0] == 1 and .probes.tip.min[2] < -0.5'

run 0 run "$scene" --json -
json out "keys == $run_keys"
holds "the table is on standard error" grep -q 'degrees of freedom' err

run 0 compare "$scene" --dt 0.01,0.02 --json c.json
json c.json 'type == "array" and length == 6'
json c.json "all (.[]; keys == $run_keys)"
json c.json '[.[].stepper] == ["ode","ode","quick","quick","rls","rls"] and [.[].dt] == [0.01,0.02,0.01,0.02,0.01,0.02]'
run 0 compare "$scene" --json -
json out 'length == 3'

run 0 inspect bricard --json i.json
json i.json 'keys == ["bodies","body_list","bounded_rows","conflicting","dof","islands","joint_list","joints","rank",
"redundant","redundant_rows","rows","scene","smallest_kept_pivot","soft_rows","violation"]'
json i.json '.bodies == 5 and .joints == 6 and .rows == 30 and .rank == 29 and .dof == 1 and .redundant == 1'
json i.json '.redundant_rows | length == 1 and (.[0] | keys == ["joint","meaning","pivot","residual","row","status"])'
json i.json '(.joint_list | length == 6) and (.body_list | length == 5)'
json i.json 'all (.joint_list[]; keys == ["angle_rad","body1","body2","name","position_m","reaction_unique","rows","type"])'
json i.json 'all (.body_list[]; keys == ["mass_kg","name","position_m"] and .mass_kg > 0)'
run 0 inspect bricard --json -
json out '.rank == 29'
holds "inspect prints JSON alone" test ! -s err
finish
