# The CSV file: header, columns, digits, standard output.
. "$2/lib.sh"
scene=$here/pendulum.sdf

run 0 run "$scene" --dt 0.01 --csv r.csv
holds "the header" test "$(head -n 1 r.csv)" = "t,tip_x,tip_y,tip_z,kinetic_J,potential_J,energy_J,violation_m,violation_rad,violation_m_s,violation_rad_s,rank,dof,redundant,step_us"
holds "15 numbers in each of 51 rows" awk -F, 'NR > 1 && (NF != 15 || /nan|inf/) { exit 1 } END { if (NR != 52) exit 1 }' r.csv
holds "the start" sh -c 'sed -n 2p r.csv | grep -q "^0,1,0,0,0,"'
holds "time runs to 0.5" sh -c 'tail -n 1 r.csv | grep -q "^0.5,"'
holds "energy is the sum of its parts" awk -F, 'NR > 1 { d = $5 + $6 - $7; if (d > 1e-12 || d < -1e-12) exit 1 }' r.csv
holds "rank 5, one degree of freedom, nothing redundant" awk -F, 'NR > 1 && ($12 != 5 || $13 != 1 || $14 != 0) { exit 1 }' r.csv
holds "steps are timed, the start is not" awk -F, 'NR == 2 && $15 != 0 || NR > 2 && $15 <= 0 { exit 1 }' r.csv
holds "17 significant digits" grep -Eq ',-?0\.[1-9][0-9]{15,16},' r.csv

# Standard output holds the CSV alone; the table goes to standard error.
run 0 run "$scene" --dt 0.01 --csv -
holds "the same header" test "$(head -n 1 out)" = "$(head -n 1 r.csv)"
cut -d, -f1-14 out >a
cut -d, -f1-14 r.csv >b
holds "the same numbers, run after run" cmp a b
holds "the table is on standard error" grep -q 'degrees of freedom' err

# compare: one file a run, named after what differs.
run 0 compare "$scene" --dt 0.01 --csv c.csv
for stepper in rls ode quick; do holds "c-$stepper.csv" test "$(wc -l <c-$stepper.csv)" = 52; done
mkdir dotted.d
run 0 compare "$scene" --stepper ode,rls --integrator euler --dt 0.01,1/50 --csv dotted.d/plain
holds "files named by stepper and step" test "$(ls dotted.d | tr '\n' ' ')" = "plain-ode-0.01 plain-ode-0.02 plain-rls-0.01 plain-rls-0.02 "
no_leftovers
# All poses: seven columns a body; the pendulum's quaternion keeps its length.
run 0 run "$here/pendulum.sdf" --duration 0.1 --csv p.csv --poses
holds "columns of the poses" test "$(head -n 1 p.csv | tr , '\n' | grep -c '_q[wxyz]$')" = 4
holds "unit quaternions" awk -F, 'NR > 1 { q = $(NF-3)^2 + $(NF-2)^2 + $(NF-1)^2 + $NF^2; if (q < 1 - 1e-12 || q > 1 + 1e-12) exit 1 }' p.csv
finish
