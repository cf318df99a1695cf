#!/bin/sh
# layers.sh SOURCE: the direction of includes in plugin/src, and who knows ODE.
#
# A file includes from its own folder and from those before it in the list.  The last three, the adapter to ODE, the
# corrections and the step that holds all together, share the workspace of an island and may know each other; no header
# leads back to itself.  Nothing below them names anything of ODE.
set -eu
cd "$1/plugin/src"
layers="kernels order factor island bounded integrators"
together="corrections ode stepper"
failed=0
fail () { echo "FAILED: $*"; failed=1; }

known=""
work=$(mktemp)
trap 'rm -f "$work"' EXIT
for layer in $layers $together; do [ -d "$layer" ] || fail "there is no folder $layer"; done
for folder in */; do
    case " $layers $together " in *" ${folder%/} "*) ;; *) fail "layers.sh does not know the folder $folder" ;; esac
done

for layer in $layers; do
    known="$known $layer"
    for file in "$layer"/*.[ch]; do
        for target in $(sed -n 's/^#include "\([a-z_]*\)\/.*/\1/p' "$file"); do
            case " $known " in *" $target "*) ;; *) fail "$file includes from $target, which is above $layer" ;; esac
        done
        if grep -nE '\b(d(Body|Joint|World|Geom|Space)[A-Z]\w*|d(Body|Joint|World)ID|dReal)\b|<ode/' "$file" |
            grep -vE '^[0-9]+: \*|^[0-9]+:/\*|/\*.*\b(d(Body|Joint|World))' >/dev/null; then
            fail "$file knows ODE: $(grep -nE '\b(d(Body|Joint|World)[A-Z]\w*|dReal)\b|<ode/' "$file" | head -1)"
        fi
    done
done

# No header leads back to itself: headers whose includes are all done are taken away until none is left.
for file in */*.h; do
    sed -n 's/^#include "\(.*\)"/\1/p' "$file" | while read -r target; do
        case $target in */*) echo "$file $target" ;; *) echo "$file ${file%/*}/$target" ;; esac
    done
done | tsort >/dev/null 2>"$work" || { cat "$work"; fail "headers form a circle"; }


[ $failed = 0 ] && echo "ok: no include points upwards, no header leads back to itself, ODE is known in $together alone"
exit $failed
