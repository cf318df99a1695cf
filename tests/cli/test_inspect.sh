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
finish
