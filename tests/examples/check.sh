#!/bin/sh
# check.sh NAME PROGRAM [SHIM or ode-rls]: runs an example and looks at what it prints.
set -eu
name=$1 program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out

unset ODE_RLS_STEPPER ODE_RLS_INTEGRATOR ODE_RLS_CORRECTION ODE_RLS_ORDER ODE_RLS_INTERPOSE

fail () { echo "FAILED: $*"; echo "-- output:"; cat "$out"; exit 1; }
run () { "$@" >"$out" || fail "exit status $?"; }

# holds WHAT AWK-PROGRAM: the program sets good
holds () { awk "$2 END { exit !good }" "$out" || fail "$1"; echo "ok: $1"; }
lines () { [ "$(wc -l <"$out")" = "$1" ] || fail "$1 lines wanted"; }

case $name in
drop_in)
    run "$program"
    lines 2
    holds "dWorldStep stops on the way" '$1 == "dWorldStep" { good = $NF > -0.5 }'
    holds "the exact step swings through" '$1 == "dRLSStepperStep" { good = $NF < -0.98 && $NF >= -1.0005 }'
    ;;
redundancy)
    run "$program"
    lines 11
    holds "the good door" '/ 0 mm/ { good = /10 rows, rank 5, degrees of freedom 1, redundant 5, conflicting 0$/ }'
    holds "the bad door" '/ 2 mm/ { good = /10 rows, rank 6, degrees of freedom 0, redundant 4, conflicting 1$/ }'
    holds "the gap is the one that was made" \
        '/hinge, row/ && / conflicting/ { gap = $(NF - 3); count++; good = gap * gap > 3.8e-6 && gap * gap < 4.2e-6 && count == 1 }'
    ;;
reactions)
    run "$program"
    lines 5
    holds "three equal shares" '/shared$/ { count += $4 > 49.9999 && $4 < 50.0001; good = count == 3 }'
    holds "the lamp's weight" '/unique$/ { count++; good = count == 1 && $1 == "ball" && $4 > 49.9999 && $4 < 50.0001 }'
    holds "the sum of all weights" '$1 == "hinges" { good = $3 > 149.9999 && $3 < 150.0001 }'
    ;;
force_callback)
    run "$program"
    lines 6
    holds "a constant force spoils every order" 'NR > 2 { bad += $2 < 1; good = NR == 6 && !bad }'
    holds "a callback keeps it" '{ error[$1] = $4 }
        END { good = error["symplectic"] < 3e-2 && error["symplectic4"] < 1e-5 && error["symplectic6"] < 1e-7 && error["rk4"] < 1e-4 &&
              error["symplectic6"] > 0 }'
    ;;
iltis)
    run "$program"
    lines 10
    holds "the mechanism" '/^13 bodies, 20 joints, 68 rows, 10 degrees of freedom$/ { good = 1 }'
    holds "rest as in the benchmark" '/^at rest/ { height = $4 - 0.562917; pitch = $9 - 0.0025575
        good = height * height < 1e-12 && pitch * pitch < 1e-12 }'
    holds "projected methods drive to the end" '/projected|projection|symplectic/ { count += / 8\.00 s / && $(NF - 7) < 1e-10 }
        END { good = count == 4 }'
    ;;
ragdoll_loop)
    run "$program"
    lines 2
    holds "quick steps tear joints" '$1 == "dWorldQuickStep" { good = $7 > 1e-3 }'
    holds "exact steps do not" '$1 == "dRLSStepperStep" { good = $7 < 1e-6 }'
    holds "the dolls lie on the floor" '$1 == "dRLSStepperStep" { good = $(NF - 2) > 0.04 && $(NF - 2) < 0.8 }'
    ;;
robot_pd)
    run "$program"
    lines 2
    holds "rank and freedom" '{ count += /rank 22 of 25 rows, 2 degrees of freedom, 2 motors/; good = count == 2 }'
    holds "the loop stays closed" '{ closed += $(NF - 1) < 1e-12; good = closed == 2 }'
    holds "strong motors follow, weak ones slip" '{ off[$1] = $(NF - 8) } END { good = off[20] > 0 && off[20] < 1e-3 && off[8] > 1e-2 }'
    ;;
many_worlds)
    "$program" 1 >"$work/one"
    run "$program" 3
    cmp "$work/one" "$out" || fail "the threads change the numbers"
    lines 82
    holds "a table" 'BEGIN { FS = "," } NR == 1 { columns = NF } NF != columns || columns != 5 || /nan|inf/ { bad = 1 } { good = !bad }'
    holds "every variant moves and is exact" 'BEGIN { FS = "," } NR > 1 { bad += !($2 > 0.1 && $3 > 1 && $4 < 0.1 && $5 < 1e-12) }
        { good = NR == 82 && !bad }'
    if "$program" 0 2>/dev/null || "$program" words 2>/dev/null; then fail "no threads are accepted"; fi
    ;;
learn)
    "$program" 1 4 >"$work/one"
    run "$program" 3 4
    cmp "$work/one" "$out" || fail "the threads change the numbers"
    lines 5
    holds "it learns" 'BEGIN { FS = "," } NR == 2 { first = $3 } NR == 5 { good = $3 > first + 0.5 && $2 < 2.0001 }'
    if "$program" 0 2>/dev/null; then fail "no threads are accepted"; fi
    ;;
many_worlds_mpi)
    # started as root, or with more ranks than cores, OpenMPI wants to be told that this is meant
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
    if ! "$4" -n 2 true >/dev/null 2>&1; then echo "left out: mpiexec does not start programs here"; exit 77; fi
    "$3" 2 40 >"$work/threads" 2>/dev/null
    for ranks in 1 3; do
        "$4" -n $ranks "$program" 40 >"$out" 2>/dev/null || fail "$ranks ranks"
        cmp "$work/threads" "$out" || fail "$ranks ranks change the numbers"
    done
    ;;
own_scene)
    "$program" 12 >"$work/ring.sdf"
    run "$3" inspect "$work/ring.sdf"
    holds "the ring is read" 'NR == 1 { good = /^ring: 12 bodies, 13 joints, 63 rows$/ }'
    holds "and closed, with three rows too many" 'NR == 2 { good = /^rank 60, 12 degrees of freedom, 3 redundant rows$/ }'
    if "$program" 3 >/dev/null 2>&1; then fail "three bars are accepted"; fi
    ;;
pyode)
    if ! /usr/bin/python3 -c 'import ode' 2>/dev/null; then echo "left out: there is no pyode"; exit 77; fi
    run /usr/bin/python3 "$program"
    holds "ODE alone opens the joints" '{ good = $6 > 1e-5 }'
    ODE_RLS_STATS=1 LD_PRELOAD=$3 /usr/bin/python3 "$program" >"$out" 2>"$work/errors" || fail "under the shim"
    holds "the shim keeps them closed" '{ good = $6 < 1e-9 }'
    grep -q '500 steps by rls' "$work/errors" || fail "no statistics"
    ;;
*)
    fail "no checks for $name"
    ;;
esac
