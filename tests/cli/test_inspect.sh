# inspect: what it finds in scenes whose answer is known.
. "$2/lib.sh"

run 0 inspect bricard
prints '5 bodies, 6 joints, 30 rows'
prints 'rank 29, 1 degree of freedom, 1 redundant row'
prints 'redundant'
holds "a row has a meaning" grep -Eq '^.* [0-4]  (rotation across the axis|translation along world [xyz]) +redundant' out

run 0 inspect fourbar:40 --json f.json
json f.json '.rows == 605 and .rank == 485 and .redundant == 120 and (.redundant_rows | length) == 120'
run 0 inspect fourbar:1
prints '3 redundant rows'
run 0 inspect chain:7 --json c.json
json c.json '.rank == 35 and .dof == 7 and .redundant == 0 and .redundant_rows == []'
json c.json 'all (.joint_list[]; .reaction_unique == true and .type == "hinge" and .rows == 5)'
run 0 inspect "$here/pendulum.sdf"
prints '1 body, 1 joint, 5 rows'

# Axes that are almost parallel: a structure, with the tolerance that makes a door of it.
run 0 inspect "$here/askew.sdf" --json a.json
prints 'rank 6, 0 degrees of freedom, 4 redundant rows'
prints 'With --tolerance 1e-07, for axes within 3e-04 rad: rank 5, 1 degree of freedom'
json a.json '.almost_redundant | .tolerance == 1e-7 and .rank == 5 and .dof == 1 and (.redundant_rows | length) == 1'
run 0 run "$here/askew.sdf"
prints 'A structure: 0 degrees of freedom, but 1 with --tolerance 1e-07'
prints 'Velocities at the start part the joints by 0.25 m/s'
run 0 inspect "$here/askew.sdf" --tolerance 1e-6 --json b.json
prints 'rank 5, 1 degree of freedom'
json b.json 'has ("almost_redundant") | not'
prints 'With --tolerance 1e-09: rank 6, 0 degrees of freedom'
json b.json '.barely_redundant | .tolerance == 1e-9 and .rank == 6 and .dof == 0'
json f.json 'has ("barely_redundant") | not'
run 0 run "$here/askew.sdf" --tolerance 1e-6 --json c.json
json c.json '.dof.max == 1 and .violation.angle_rad < 2e-4 and (.messages | all (startswith ("A structure") | not))'
json f.json 'has ("almost_redundant") | not'
finish
