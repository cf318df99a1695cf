#!/bin/sh
# scale.sh PROGRAM [REPETITIONS]: measures the table of performance.md that shows how a step grows with the size of
# a scene, writes it there, between its marks, and draws it (pictures/scale.svg).  Takes some minutes; needs jq.
set -eu
program=$1 repetitions=${2:-5}
page=$(cd "$(dirname "$0")" && pwd)/performance.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for scene in chain:100 chain:1000 chain:10000 fourbar:10 fourbar:40 fourbar:200 net:10 net:20 net:30 net:100 \
    hub:50 hub:100 hub:200 hub:400
do
    "$program" bench $scene --repetitions "$repetitions" --dense-limit 0.1
done | jq -r '(reduce .results[] as $r ({}; .[$r.stepper] = $r)) as $by |
    [.benchmark, .rows, ($by["quick", "rls"] | .cpu_us_per_step), $by.rls.memory_bytes,
    ([$by.rls.position_m, $by.rls.angle_rad] | max)] | @tsv' | awk -F '\t' '
BEGIN {
    print "| scene | rows | QuickStep, 20 sweeps (µs) | ode-rls (µs) | µs a row | exponent | bytes a row | joints open (m, rad) |"
    print "|---|---|---|---|---|---|---|---|"
}
{
    split ($1, name, ":")
    exponent = name[1] == kind ? sprintf ("%.2f", log ($4 / time) / log ($2 / rows)) : "-"
    kind = name[1]; rows = $2; time = $4
    printf "| %s | %d | %.0f | %.0f | %.2f | %s | %.0f | %.1e |\n", $1, $2, $3, $4, $4 / $2, exponent, $5 / $2, $6
}' >"$work/scale"

awk -v mark="<!-- table: scale -->" -v file="$work/scale" '
    $0 == mark { print; while ((getline line < file) > 0) print line; skipping = 1; next }
    $0 == "<!-- end -->" { skipping = 0 }
    !skipping' "$page" >"$work/page"
cat "$work/page" >"$page"
awk -f "$(dirname "$page")/scale_plot.awk" "$page" >"$(dirname "$page")/pictures/scale.svg"
