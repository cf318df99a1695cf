#!/bin/sh
# mechanisms.sh [FOLDER [NAME ...]]: the special mechanisms of the step taken out one at a time, and which test fails.
#
# mechanisms.txt lists them.  Exits with 1 if one can be taken out and no test fails and no recorded trajectory differs: it should
# go, or a test is missing.
set -eu
# shellcheck source=tests/tools/switches.sh
. "$(dirname "$0")/switches.sh"
echo "usual: $(effects)"
number=0 idle=0
while IFS='|' read -r name file _; do
    number=$((number + 1))
    case $name in '' | '#'*) continue ;; esac
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    seen=$(export RLS_OFF=$number && effects)
    [ -n "$seen" ] || idle=$((idle + 1))
    echo "$name ($file): ${seen:-NOTHING}"
done <"$list"
exit $((idle > 0))
