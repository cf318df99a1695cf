#!/bin/bash
# unit_tests.sh SOURCE ODE SHIM [WORK]: ODE's own unit tests, with its own step and under the shim.
#
# SOURCE is ODE's source (0.16 or later, unpacked), ODE where build_ode.sh has built it in double precision (its shared library is
# used).  Prints how many pass with either; ends with 1 if one fails under the shim and not without it,
# but for two that ask a body at rest to move.
set -u
source=$1 ode=$2 shim=$3 work=${4:-$(mktemp -d)}
mkdir -p "$work/ode"

# The tests include headers beside their own folder: those of the sources, with a config.h.
if [ ! -x "$work/unit" ]; then
    cp -r "$source/tests" "$source/ou" "$work/"
    cp -r "$source/ode/src" "$source/ode/demo" "$work/ode/"
    if [ -e "$ode/config.h" ]; then cp "$ode/config.h" "$work/ode/src/"; else echo "#define dDOUBLE" >"$work/ode/src/config.h"; fi
    (cd "$work" && c++ -w -O0 -fpermissive -DdIDEDOUBLE -I"$ode/include" -Itests/UnitTest++/src -Iode/src -Iou/include tests/*.cpp \
        tests/joints/*.cpp tests/UnitTest++/src/*.cpp tests/UnitTest++/src/Posix/*.cpp -o unit -L"$ode/lib" -lode \
        -Wl,-rpath,"$ode/lib" -lm -lpthread) >"$work/log" 2>&1 || { echo "the unit tests do not build: $work/log"; exit 1; }
fi

failures () { grep 'error: Failure' "$1" | sort; }

"$work/unit" >"$work/own" 2>&1
LD_PRELOAD=$shim ODE_RLS_STATS=1 "$work/unit" >"$work/rls" 2>&1
status=$?
echo "unit tests, own step: $(grep -E '^(Success|FAILURE)' "$work/own")"
echo "under the shim:       $(grep -E '^(Success|FAILURE)' "$work/rls")"
grep -q 'steps by rls' "$work/rls" || { echo "the shim was not reached"; exit 1; }
# Asked of a body that has come to rest at its stop: that its rate be other than zero.
at_rest='test_Limit_minus1_025_One_Body_on_(left|right): dJointGetPUPositionRate'
comm -13 <(failures "$work/own") <(failures "$work/rls") | grep -E "$at_rest" | sed 's/^/not counted, the body rests: /'
new=$(comm -13 <(failures "$work/own") <(failures "$work/rls") | grep -vE "$at_rest")
echo "$new"
[ $status -lt 128 ] && [ -z "$new" ]
