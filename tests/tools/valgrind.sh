#!/bin/sh
# valgrind.sh BUILD [REGEX]: memcheck over the unit, robustness and fuzz tests of a build, or those whose name matches; a line for
# each with its result, errors, bytes definitely lost and seconds.  Ends with 1 if there is any.  Uninitialised reads are what
# the sanitizers miss.  No test is cut; fuzz targets take a tenth of their mutants.  The whole takes hours of processor
# time; LIMIT (seconds, 7200) ends a test that takes longer, which counts as failed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
wanted=${2:-'^(unit|robustness|fuzz)\.'}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
ctest --test-dir "$build" -N -V -R "$wanted" > "$work/list"
failed=0
printf '%-36s %-7s %7s %6s %8s\n' test result errors lost seconds

# one line a test: its name and command, with the library that is loaded before it
sed -n 's/.*Test command: //p; s/.*\(LD_PRELOAD=.*\)/\1/p; s/^ *Test *#[0-9]*: \(.*\)/name \1/p' "$work/list" |
    awk '/^name /     {print $2, before, command; before = ""; next}
         /^LD_PRELOAD/ {before = $0; next}
                       {command = $0}' > "$work/tests"
while read -r test command
do
    case $command in LD_PRELOAD=*) preload=${command%% *} command=${command#* } ;; *) preload= ;; esac
    eval "set -- $command"
    case $test in fuzz.*) program=$1 mutants=$2; shift 2; set -- "$program" $((mutants / 10)) "$@" ;; esac
    start=$(date +%s)
    result=passed
    timeout "${LIMIT:-7200}" env $preload valgrind --leak-check=full --suppressions="$here/valgrind.supp" \
        --log-file="$log" "$@" > /dev/null 2>&1 < /dev/null || result=failed
    errors=$(sed -n 's/.*ERROR SUMMARY: \([0-9,]*\) errors.*/\1/p' "$log" | tail -1)
    lost=$(sed -n 's/.*definitely lost: \([0-9,]*\) bytes.*/\1/p' "$log" | tail -1)
    printf '%-36s %-7s %7s %6s %8s\n' "$test" "$result" "${errors:--}" "${lost:-0}" $(($(date +%s) - start))
    [ "$result" = passed ] && [ "${errors:-1}" = 0 ] && continue
    failed=1
    { echo "== $test"; cat "$log"; } >&2
done < "$work/tests"
exit $failed
