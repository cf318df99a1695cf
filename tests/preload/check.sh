#!/bin/bash
# One test of the LD_PRELOAD shim:  check.sh CASE SHIM PROGRAM
#
# Runs the program (see program.c, loop.py) with and without the shim and looks at what both print.
# Exit status 77 means that the test was left out; the reason is printed.
set -u
case=$1 shim=$2 program=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset "${!ODE_RLS_@}"
export LC_ALL=C # the program speaks the user's language
# LD_PRELOAD is a list with blanks and colons between its members
ln -s "$shim" "$folder/shim.so"
shim=$folder/shim.so
# a shim with sanitizers in it is loaded before their library; leaks are the program's own affair
export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0

fail () { echo "FAILED: $*"; echo "-- output:"; cat "$folder/out"; echo "-- errors:"; cat "$folder/err"; exit 1; }
skip () { echo "left out: $*"; exit 77; }

# run [VARIABLE=VALUE ...] COMMAND ...: its output in out, its errors in err, its status in $status
run () { env "$@" >"$folder/out" 2>"$folder/err"; status=$?; }
shimmed () { run LD_PRELOAD="$shim" "$@"; }

succeeded () { [ "$status" = 0 ] || fail "exit status $status"; }
silent () { [ ! -s "$folder/err" ] || fail "something on standard error"; }
says () { grep -qE -e "$1" "$folder/err" || fail "not on standard error: $1"; }
error_lines () { [ "$(wc -l <"$folder/err")" = "$1" ] || fail "$1 line(s) wanted on standard error"; }

# value NAME: the number that the program printed behind that name
value () { awk -v name="$1" '$1 == name { print $2 }' "$folder/out"; }
holds () { awk "BEGIN { exit !($1) }" || fail "$2: $1"; }

# The loop comes apart under ODE and stays whole under the shim, which says nothing.
check_loop ()
{
    run "$program" loop 300 "$@"
    succeeded
    holds "$(value gap) > 1e-6" "ODE alone opens the loop"
    shimmed "$program" loop 300 "$@"
    succeeded
    silent
    holds "$(value gap) < 1e-13" "the shim keeps the loop whole"
}

# What ODE takes is exactly what it takes alone.
same_as_alone ()
{
    local by_shim
    by_shim=$(cat "$folder/out")
    run "$program" "$@"
    succeeded
    [ "$by_shim" = "$(cat "$folder/out")" ] || fail "with the shim: $by_shim"
}

check_statistics ()
{
    shimmed ODE_RLS_STATS=1 "$program" loop 300
    succeeded
    says '^ode_rls: 1 world, 300 steps by rls \(by-call, projection, mindegree\)$'
    says '^  calls +300 of dWorldStep, 0 of dWorldQuickStep$'
    says '^  time +[0-9.]+ us a step, [0-9.]+ us at most, [0-9.]+ s in all$'
    says '^  bodies +3$'
    says '^  rank +17$'
    says '^  freedom +1$'
    says '^  redundant +3 rows$'
    says '^  violation +[0-9.e+-]+ m, [0-9.e+-]+ rad, [0-9.e+-]+ m/s, [0-9.e+-]+ rad/s at most$'
    says '^  warnings +none$'
    says '^  fallbacks +0 steps left to ODE$'

    shimmed ODE_RLS_STATS=1 "$program" idle
    succeeded
    silent
}

# By default the call decides: dWorldStep is taken by auto, dWorldQuickStep by Euler's method.
check_by_call ()
{
    local call method other by_call
    for call in step quick; do
        if [ "$call" = step ]; then method=auto other=euler; else method=euler other=auto; fi
        shimmed "$program" loop 100 "$call"
        succeeded
        by_call=$(cat "$folder/out")
        shimmed ODE_RLS_INTEGRATOR="$method" "$program" loop 100 "$call"
        [ "$by_call" = "$(cat "$folder/out")" ] || fail "by default $call is not what $method makes of it: $by_call"
        shimmed ODE_RLS_INTEGRATOR="$other" "$program" loop 100 "$call"
        [ "$by_call" != "$(cat "$folder/out")" ] || fail "$method and $other do the same: this test shows nothing"
    done
}

check_settings ()
{
    shimmed ODE_RLS_STATS=1 ODE_RLS_VERBOSE=1 ODE_RLS_INTEGRATOR=euler ODE_RLS_CORRECTION=erp \
        ODE_RLS_ORDER=random:7 ODE_RLS_TOLERANCE=1e-8 "$program" loop 100
    succeeded
    says '^ode_rls: world 1: ode_rls .* euler, erp, order random, rank tolerance 1e-08$'
    says '^ode_rls: 1 world, 100 steps by rls \(euler, erp, random\)$'
    ! grep -q 'is not' "$folder/err" || fail "a good value was refused"
    holds "$(value gap) > 1e-6" "ERP leaves gaps"
}

# A program that speaks a language with decimal commas: the shim's numbers have points all the same.
check_decimal_comma ()
{
    localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1 || skip "no sources of languages (locales)"
    shimmed LOCPATH="$folder" LC_ALL=de_DE.UTF-8 ODE_RLS_STATS=1 ODE_RLS_VERBOSE=1 ODE_RLS_TOLERANCE=0.00025 "$program" loop 100
    succeeded
    grep -q '^gap .*,' "$folder/out" || skip "the program does not speak that language"
    says 'rank tolerance 0.00025$'
    says '^  time +[0-9]+\.[0-9]+ us a step, [0-9.]+ us at most, [0-9]+\.[0-9]+ s in all$'
    ! grep -q 'is not' "$folder/err" || fail "a good value was refused"
}

check_bad_values ()
{
    local variable
    for variable in STEPPER INTEGRATOR CORRECTION ORDER TOLERANCE INTERPOSE STATS VERBOSE; do
        shimmed "ODE_RLS_$variable=nonsense" "$program" loop 10
        succeeded
        error_lines 1
        says "^ode_rls: ODE_RLS_$variable=nonsense is not .*; taking "
        holds "$(value gap) < 1e-13" "the default is taken for $variable"
    done
    shimmed ODE_RLS_STAT=1 ODE_RLS_SCENES=here "$program" loop 10
    succeeded
    error_lines 1
    says '^ode_rls: ODE_RLS_STAT is no variable of the shim; man ode-rls lists them$'
    for variable in ORDER=random: ORDER=random:x ORDER=natural:1 TOLERANCE=0 TOLERANCE=1 TOLERANCE=nan \
        "INTERPOSE=,fast"; do
        shimmed "ODE_RLS_$variable" "$program" loop 10
        succeeded
        error_lines 1
    done
}

check_passing_on ()
{
    shimmed ODE_RLS_STEPPER=ode "$program" loop 300
    succeeded
    silent
    same_as_alone loop 300
    shimmed ODE_RLS_STEPPER=ode "$program" loop 300 quick # one call in the place of the other
    same_as_alone loop 300
    shimmed ODE_RLS_STEPPER=quick "$program" loop 300
    same_as_alone loop 300 quick
    shimmed ODE_RLS_INTERPOSE=step ODE_RLS_STATS=1 "$program" loop 300 quick
    silent
    same_as_alone loop 300 quick
    shimmed ODE_RLS_INTERPOSE=quick "$program" loop 300 quick
    holds "$(value gap) < 1e-13" "a call that is to be replaced"
    shimmed ODE_RLS_STEPPER=ode ODE_RLS_STATS=1 "$program" loop 300
    says '^ode_rls: 1 world, 300 steps by ode$'
    says '^  violation +[0-9.]+e-0[3-6] m,'
}

# A step that we refuse is ODE's, with one line for the world.
check_fallback ()
{
    shimmed ODE_RLS_STATS=1 "$program" nan 20
    succeeded
    says '^ode_rls: world 1: .*  ODE.s own step takes its place\.$'
    [ "$(grep -c '^ode_rls: world' "$folder/err")" = 1 ] || fail "one line wanted for the world"
    says '^  fallbacks +10 steps left to ODE$'
}

check_threads ()
{
    shimmed ODE_RLS_STATS=1 "$program" worlds 200
    succeeded
    says '^ode_rls: 9 worlds, 1800 steps by rls'
    says '^  calls +1200 of dWorldStep, 600 of dWorldQuickStep$'
    says '^  rank +17$'
    says '^  fallbacks +0 steps left to ODE$'
}

# SIGTERM ends the program as ever, but not without the summary; its own handler would be left alone.
check_terminated ()
{
    local started=$SECONDS
    env LD_PRELOAD="$shim" ODE_RLS_STATS=1 "$program" wait 1000 >"$folder/out" 2>"$folder/err" &
    until grep -q gap "$folder/out"; do
        [ $((SECONDS - started)) -lt 30 ] || fail "the program does not come to its wait"
        sleep 0.1
    done
    kill -TERM $!
    wait $!
    status=$?
    [ "$status" = 143 ] || fail "exit status $status instead of 143"
    says '^ode_rls: 1 world, [0-9]+ steps? by rls'
    [ "$(grep -c '^ode_rls' "$folder/err")" = 1 ] || fail "one summary wanted"
}

check_pyode ()
{
    local python=/usr/bin/python3
    "$python" -c 'import ode' 2>/dev/null || skip "python3-pyode is not installed"
    run "$python" "$program" 30
    succeeded
    holds "$(value gap) > 1e-6" "ODE alone opens the loop"
    shimmed ODE_RLS_STATS=1 "$python" "$program" 30
    succeeded
    cat "$folder/out" "$folder/err"
    holds "$(value gap) < 1e-11" "the shim keeps the loop whole"
    says '^ode_rls: 1 world, 3000 steps by rls'
    says '^  freedom +1( to [23])?$' # it folds flat
    says '^  redundant +6( to [78])? rows$'
    says '^  fallbacks +0 steps left to ODE$'
}

# A planner that steps ODE itself finds its way as well, and on the way joints stay closed.
check_ompl ()
{
    [ -x "$program" ] || skip "libompl-dev is not installed"
    run "$program"
    succeeded
    holds "$(value found) == 1" "OMPL finds a way with ODE alone"
    shimmed ODE_RLS_STATS=1 "$program"
    succeeded
    cat "$folder/out" "$folder/err"
    holds "$(value found) == 1" "OMPL finds a way under the shim"
    holds "$(value gap) < 1e-13" "the shim keeps the hinges whole"
    says "^ode_rls: 1 world, $(value steps) steps by rls"
    says '^  fallbacks +0 steps left to ODE$'
}

# A game from the distribution, played blindly for a few seconds on a display of its own.
check_mokomaze ()
{
    local game=/usr/games/mokomaze
    [ -x "$game" ] || skip "mokomaze is not installed"
    command -v Xvfb >/dev/null || skip "Xvfb is not installed"
    ldd "$game" | grep -q libode.so || skip "this mokomaze is not linked to ODE's shared library"
    Xvfb -displayfd 3 -noreset -ac -screen 0 1024x768x24 -nolisten tcp 3>"$folder/display" 2>/dev/null &
    server=$!
    for tries in $(seq 100)
    do
        [ -s "$folder/display" ] && break
        sleep 0.1
    done
    DISPLAY=:$(cat "$folder/display") HOME="$folder" LD_PRELOAD="$shim" ODE_RLS_STATS=1 timeout --preserve-status 6 \
        "$game" -i keyboard -l 1 >"$folder/out" 2>"$folder/err"
    status=$?
    kill $server
    grep -A12 '^ode_rls' "$folder/err"
    succeeded
    says '^ode_rls: 1 world, [0-9]{3,} steps by rls'
    says '^  warnings +none$'
    says '^  fallbacks +0 steps left to ODE$'
    ! grep -q '^ode_rls: world' "$folder/err" || fail "a warning"
}

case $case in
loop) check_loop ;;
quick) check_loop quick ;;
*) "check_$case" ;;
esac
echo "passed: $case"
