#!/bin/sh
# found.sh SOURCE: every mechanism of mechanisms.txt is found where it is said to be.
set -eu
failed=0
while IFS='|' read -r name file edit _; do
    case $name in '' | '#'*) continue ;; esac
    sed -E "$edit" "$1/plugin/src/$file" | cmp -s - "$1/plugin/src/$file" || continue
    echo "$name is not found in $file"
    failed=1
done <"$1/tests/tools/mechanisms.txt"
exit $failed
