# convert: what was understood, as SDFormat that is read again.
. "$2/lib.sh"
run 0 convert bricard --sdf again.sdf
run 0 inspect again.sdf --json again.json
run 0 inspect bricard --json first.json
holds "the same rank" test "$(jq -c '[.bodies, .joints, .rows, .rank]' again.json)" = "$(jq -c '[.bodies, .joints, .rows, .rank]' first.json)"
run 0 convert fourbar --sdf -
prints '<sdf version="1.10"'
run 2 convert fourbar
says "convert needs a file to write: --sdf FILE, or --sdf -"
run 2 run fourbar --sdf x.sdf
says "run takes no --sdf"
cat >arm.urdf <<'URDF'
<robot name="arm"><link name="a"><inertial><mass value="1"/></inertial></link>
<link name="b"><inertial><mass value="2"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>
URDF
run 0 convert arm.urdf --sdf arm.sdf
run 0 run arm.sdf --duration 0.1
prints "2 bodies, 1 joint"
no_leftovers
finish
