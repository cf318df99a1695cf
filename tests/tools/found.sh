#!/bin/sh
# found.sh SOURCE: every mechanism of mechanisms.txt is found where it is said to be, and has a name of its own; no expression
# has a bar, which ends it.
set -eu
failed=0
work=$(mktemp)
trap 'rm -f "$work"' EXIT
while IFS='|' read -r name file edit purpose; do
    case $name in '' | '#'*) continue ;; esac
    case $purpose in '' | *'|'*) echo "$name: not four fields"; failed=1 ;; esac
    if sed -E "$edit" "$1/plugin/src/$file" >"$work" && ! cmp -s "$work" "$1/plugin/src/$file"; then continue; fi
    echo "$name is not found in $file"
    failed=1
done <"$1/tests/tools/mechanisms.txt"
twice=$(sed -n 's/^\([a-z_0-9]*\)|.*/\1/p' "$1/tests/tools/mechanisms.txt" | sort | uniq -d)
[ -z "$twice" ] || { echo "there are two of $twice"; failed=1; }
exit $failed
