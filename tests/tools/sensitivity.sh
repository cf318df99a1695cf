#!/bin/sh
# sensitivity.sh [FOLDER [NAME ...]]: what changes when a constant of tolerances.h is ten times as large, or a tenth.
#
# A constant just below 1 (a cosine, a share) has its distance from 1 multiplied.  Prints a line a constant and factor: the
# tests that fail, and the recorded trajectories that differ.  All of them take an hour or two.  sensitivity.txt: what it found.
set -eu
# shellcheck source=tests/tools/switches.sh
. "$(dirname "$0")/switches.sh"
echo "usual: $(effects)"
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $constants
for name in "$@"; do
    for factor in 10 0.1; do
        echo "$name x$factor: $(export RLS_SCALE="$name $factor" && effects)"
    done
done
