#!/bin/sh
# check.sh threads|recorded|record PROGRAM SOURCES: trajectories bit for bit.
#     threads    the same for 1 to 8 threads
#     recorded   the same as in golden.txt, if these are the sources and this is a platform that it was recorded for
#     record     writes golden.txt
set -eu
what=$1 program=$2 top=$3
golden=$top/tests/golden/golden.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sources ()
{
    (cd "$top" && LC_ALL=C && export LC_ALL &&
        cat plugin/src/*.h plugin/src/*/*.[ch] demos/scene/*.[ch] demos/scenes/*.sdf tests/golden/*.[ch] |
        sha256sum | cut -c 1-16)
}

skip ()
{
    echo "skipped: $1"
    exit 77
}

case $what in
threads)
    "$program" 1 > "$work/1"
    for n in 2 3 4 5 6 7 8
    do
        "$program" $n > "$work/$n"
        diff "$work/1" "$work/$n" || { echo "$n threads differ from one"; exit 1; }
    done
    cat "$work/1" ;;
record)
    { echo "$(sources) sources"; "$program"; } > "$work/golden"
    cp "$work/golden" "$golden" ;;
recorded)
    [ "$(sources) sources" = "$(head -n 1 "$golden")" ] ||
        skip "the sources have changed since the hashes were recorded; $0 record PROGRAM SOURCES records them anew"
    "$program" > "$work/now"
    sed 1d "$golden" > "$work/golden"
    [ "$(head -n 1 "$work/now")" = "$(head -n 1 "$work/golden")" ] ||
        skip "another mathematical library, ODE or processor than the hashes were recorded with"
    diff "$work/golden" "$work/now" ;;
esac
