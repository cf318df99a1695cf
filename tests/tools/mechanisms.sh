#!/bin/sh
# mechanisms.sh [FOLDER [NAME ...]]: the special mechanisms of the step taken out one at a time, and which test fails first.
#
# mechanisms.txt lists them.  The tests that a line names are run first, then all others, those that end soonest first, up to one
# that fails.  Of each mechanism it tells that test and the recorded trajectories that differ.  Exits with 1 if one can be taken
# out and no test fails: it should go, or a test is missing.
set -eu
programs=all
# shellcheck source=tests/tools/switches.sh
. "$(dirname "$0")/switches.sh"
kinds='(unit|compare|fuzz|oracle|reference|soak)'
ctest --test-dir "$copy/build" -R "^$kinds\\." >"$copy/run.log" 2>&1 || true
sed -n 's/.* Test *#[0-9]*: \([a-z_.0-9]*\) \.* *Passed *\([0-9.]*\) sec/\2 \1/p' "$copy/run.log" | sort -n |
    sed 's/.* //' >"$copy/ordered"

# The first of the given tests that fails.  A test that does not end in a quarter of an hour has failed.
first_failing ()
{
    for test in "$@"; do
        ctest --test-dir "$copy/build" -R "^$test\$" --timeout 900 >"$copy/run.log" 2>&1 || { echo "$test"; return; }
    done
}

number=0 idle=0
while IFS='|' read -r name file _ purpose; do
    number=$((number + 1))
    case $name in '' | '#'*) continue ;; esac
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    export RLS_OFF=$number
    named=$(echo "$purpose" | grep -oE "$kinds\\.[a-z_0-9]+" || true)
    # shellcheck disable=SC2046,SC2086
    fails=$(first_failing $named $(cat "$copy/ordered"))
    [ -n "$fails" ] || idle=$((idle + 1))
    echo "$name ($file): ${fails:-NO TEST}; $(moved)"
done <"$list"
exit $((idle > 0))
