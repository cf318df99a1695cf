#!/bin/sh
# constants.sh SOURCE: every real constant of plugin/src is in tolerances.h, and they are fewer than 80.
#
# Whole numbers and simple fractions (0.5, 0.75, 2.0) are part of a formula, and so are the coefficients of the formulae in the
# files named below.
set -eu
cd "$1/plugin/src"
MOST=80
coefficients="integrators/compose.c integrators/nearby.h stepper/advance.c"
work=$(mktemp)
trap 'rm -f "$work"' EXIT
failed=0

# Real literals of a file, comments and strings aside: those with an exponent, and those that are no multiple of 1/64.
literals ()
{
    "${CC:-cc}" -fpreprocessed -dD -E -P -x c "$1" 2>/dev/null | sed 's/"[^"]*"//g' |
        grep -oE '(^|[^[:alnum:]_.])([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+[eE])([eE]?[-+]?[0-9]+)?' | grep -oE '[0-9.].*' |
        awk '/[eE]/ || $1 * 64 != int ($1 * 64)' || true
}

for file in */*.[ch] */*.cpp; do
    case " $coefficients " in *" $file "*) continue ;; esac
    literals "$file" >"$work"
    [ -s "$work" ] || continue
    echo "FAILED: $file has a real constant of its own: $(tr '\n' ' ' <"$work")"
    failed=1
done

count=$(grep -c '^#define RLS_[A-Z_0-9]* ' tolerances.h)
[ "$count" -lt "$MOST" ] || { echo "FAILED: tolerances.h has $count constants, fewer than $MOST are allowed"; failed=1; }
for name in $(sed -n 's/^#define \(RLS_[A-Z_0-9]*\) .*/\1/p' tolerances.h); do
    grep -qw "$name" */*.[ch] || { echo "FAILED: nobody uses $name"; failed=1; }
done
[ $failed = 0 ] && echo "ok: $count real constants, all of them in tolerances.h"
exit $failed
