#!/bin/sh
# valgrind.sh BUILD [test ...]: memcheck over the unit and robustness tests, or those named; a line for each with its result,
# errors, bytes definitely lost and seconds.  Ends with 1 if there is any.  Uninitialised reads are what the sanitizers
# miss.  No test is cut: the whole takes an hour or two.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- $(cd "$build" && ctest -N | sed -n 's/.*: \(unit\|robustness\)\.\(test_[a-z0-9_]*\)$/\2/p')
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
printf '%-28s %-7s %7s %6s %8s\n' test result errors lost seconds
for test
do
    start=$(date +%s)
    result=passed
    valgrind --leak-check=full --suppressions="$here/valgrind.supp" --log-file="$log" "$build/bin/$test" > /dev/null 2>&1 ||
        result=failed
    errors=$(sed -n 's/.*ERROR SUMMARY: \([0-9,]*\) errors.*/\1/p' "$log" | tail -1)
    lost=$(sed -n 's/.*definitely lost: \([0-9,]*\) bytes.*/\1/p' "$log" | tail -1)
    printf '%-28s %-7s %7s %6s %8s\n' "$test" "$result" "${errors:--}" "${lost:-0}" $(($(date +%s) - start))
    [ "$result" = passed ] && [ "${errors:-1}" = 0 ] && continue
    failed=1
    cat "$log" >&2
done
exit $failed
