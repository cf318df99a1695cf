#!/bin/sh
# tables.sh PROGRAM: measures the first tables of performance.md and that of README.md, which is a part of one of them,
# and writes them there, between their marks.  Takes about a minute; needs jq.  All steppers of a table are timed in one run.
set -eu
program=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

formats='
function power(x) { if (x == "") return "-"; x = sprintf ("%.1e", x); sub (/e\+00/, "", x); sub (/e-0/, "e-", x); return x }
function times(x) { return x == "" ? "-" : x >= 99.5 ? grouped(sprintf ("%.0f", x)) : sprintf (x < 9.95 ? "%.1f" : "%.0f", x) }
function ratio(a, b) { return a == "" ? "-" : a / b >= 99.5 ? grouped(sprintf ("%.0f", a / b)) : sprintf (a / b < 9.95 ? "%.2f" : "%.0f", a / b) }
function grouped(x) { return length (x) > 3 ? grouped(substr (x, 1, length (x) - 3)) " " substr (x, length (x) - 2) : x }
function row() { line = "|"; for (i = 1; i <= n; i++) line = line " " cell[i] " |"; print line; n = 0 }
function put(text) { cell[++n] = text }
'

# Five runs, of which the fastest counts: a run of 10 s takes some milliseconds.
for run in 1 2 3 4 5; do "$program" compare bricard --dt 1/60,0.01,0.001 --json - 2>/dev/null; done >"$work/runs"
jq -rs '[range (.[0] | length) as $i | .[0][$i] + {us_per_step: ([.[][$i].us_per_step] | min)}] | sort_by (- .dt)[] |
    [.dt, .stepper, .probes.P2.min[0], ([.probes[].reference_error_max_m] | max), .energy.drift_max_J,
     .violation.position_m, .violation.angle_rad, .us_per_step] | @tsv' "$work/runs" | awk -F '\t' "$formats"'
BEGIN {
    name["ode"] = "dWorldStep"; name["quick"] = "dWorldQuickStep, 20 sweeps"; name["rls"] = "**ode-rls**"
    print "| h (s) | stepper | x reached (m) | error (m) | energy drift (J) | joints open (m) | (rad) | µs a step |"
    print "|---|---|---|---|---|---|---|---|"
}
{
    put($1 > 0.011 ? "1/60" : $1); put(name[$2]); put(sprintf ("%.3f", $3))
    for (k = 4; k <= 7; k++) put(power($k))
    put(times($8)); row()
}' >"$work/bricard"

"$program" bench bricard chain:10 chain:100 chain:1000 fourbar:1 fourbar:10 fourbar:40 net:10 net:20 | jq -r '
    (reduce .results[] as $r ({}; .[$r.stepper] = $r)) as $by | [.benchmark, .rows,
    ($by["ode", "quick", "rls"] | .cpu_us_per_step),
    ($by["quick", "rls"] | if .position_m then [.position_m, .angle_rad] | max else null end)] | @tsv' |
    awk -F '\t' "$formats"'
BEGIN {
    print "| scene | rows | dWorldStep | QuickStep, 20 sweeps | **ode-rls** | dWorldStep / ode-rls | QuickStep / ode-rls | joints open, QuickStep (m, rad) | ode-rls |"
    print "|---|---|---|---|---|---|---|---|---|"
}
{
    put($1); put($2)
    for (k = 3; k <= 5; k++) put(times($k))
    put(ratio($3, $5)); put(ratio($4, $5)); put(power($6)); put(power($7)); row()
}' >"$work/speed"

# fill DOCUMENT MARK TABLE
fill ()
{
    awk -v mark="<!-- table: $2 -->" -v file="$3" '
        $0 == mark { print; while ((getline line < file) > 0) print line; skipping = 1; next }
        $0 == "<!-- end -->" { skipping = 0 }
        !skipping' "$1" >"$work/filled"
    cat "$work/filled" >"$1"
}
grep -E '^\| (h \(s\)|0\.01) |^\|---' "$work/bricard" >"$work/short"
fill "$top/README.md" bricard "$work/short"
fill "$top/plugin/doc/performance.md" bricard "$work/bricard"
fill "$top/plugin/doc/performance.md" speed "$work/speed"
