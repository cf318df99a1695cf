#!/bin/bash
# demos.sh SOURCE SHIM [WORK]: ODE's own demos, with their own step and under the shim.
#
# SOURCE is ODE's source (0.16 or later, unpacked); the demos are linked to the ODE of the system, and to drawstuff.c here in
# the place of drawstuff. Prints a line for each demo: what drew at the end, with both. Ends with 1 if a demo crashes, or
# does not come to rest, or draws what is no number, under the shim and not without it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$1 shim=$2 work=${3:-$(mktemp -d)}
mkdir -p "$work"
failed=0
flags="-w -O0 -I$source/include -DdDOUBLE -DdIDEDOUBLE -DdTRIMESH_ENABLED"
cc -O1 -w -c "$here/drawstuff.c" -o "$work/drawstuff.o" || exit 1

# The keys that bring something into demos that begin empty.
keys ()
{
    case $1 in
    demo_boxstack | demo_heightfield | demo_trimesh | demo_moving_trimesh | demo_moving_convex | demo_convex) echo bscxybsc ;;
    *) echo ;;
    esac
}

value () { awk -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name) print $(i + 1) }' "$2" | tail -n 1; }

printf '%-22s %-30s %s\n' demo "own step: moving, farthest" "under the shim"
for demo in "$source"/ode/demo/demo_*.c*; do
    name=$(basename "${demo%.*}")
    [ -x "$work/$name" ] || c++ -x c++ -fpermissive $flags "$demo" -x none "$work/drawstuff.o" -o "$work/$name" -lode -lm -lpthread \
        2>"$work/$name.err" || { echo "$name does not build with the system's ODE"; continue; }
    DEMO_KEYS=$(keys $name) timeout 120 "$work/$name" </dev/null >"$work/own" 2>/dev/null
    own=$?
    DEMO_KEYS=$(keys $name) ODE_RLS_STATS=1 LD_PRELOAD=$shim timeout 300 "$work/$name" </dev/null >"$work/rls" 2>"$work/err"
    rls=$?
    remark=$(grep -E "^  fallbacks|^  warnings|^   +[0-9]+ x|^ode_rls: world" "$work/err" | grep -v ' none$\| 0 steps' | head -n 2 | cut -c 1-90 | tr '\n' ';')
    verdict=
    if [ $rls -ge 124 ] && [ $own -lt 124 ]; then verdict="CRASH ($rls)"; fi
    if awk "BEGIN { exit !(\"$(value moving "$work/own")\" + 0 < 1e-4 && \"$(value moving "$work/rls")\" + 0 > 1e-3) }"; then verdict="$verdict NOT AT REST"; fi
    if [ "$(value not_numbers "$work/rls")" != "$(value not_numbers "$work/own")" ]; then verdict="$verdict NOT A NUMBER"; fi
    [ -z "$verdict" ] || failed=$((failed + 1))
    printf '%-22s %-30s %-30s %s %s\n' $name "$(value moving "$work/own") $(value farthest "$work/own") ($own)" \
        "$(value moving "$work/rls") $(value farthest "$work/rls") ($rls)" "$verdict" "$remark"
done

# Joints: the demo says how far each is off.  Where that asks for more than its joint's own motion does, of which the
# demo is given a hundred steps of ODE for each of its own, the fault is not the step's.
joints () { "$@" -g 2>/dev/null </dev/null | sed -n 's/^\(test [0-9]*\): .*\(passed\|FAILED\)$/\1 \2/p'; }
if [ -x "$work/demo_joints" ]; then
    c++ -x c++ -include "$here/fine_step.h" -fpermissive $flags "$source/ode/demo/demo_joints.cpp" -x none "$work/drawstuff.o" \
        -o "$work/joints_fine" -lode -lm -lpthread || exit 1
    joints "$work/demo_joints" >"$work/joints.own"
    joints "$work/joints_fine" >"$work/joints.fine"
    joints env LD_PRELOAD="$shim" "$work/demo_joints" >"$work/joints.rls"
    for who in own fine rls; do
        echo "demo_joints, $who: $(grep -c passed "$work/joints.$who") passed; failed: $(sed -n 's/test \(.*\) FAILED/\1/p' "$work/joints.$who" | tr '\n' ' ')"
    done
fi
[ $failed = 0 ]
