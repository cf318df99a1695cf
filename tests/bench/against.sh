#!/bin/sh
# against.sh BUILD [COMMIT]: contacts, joints and time of this version beside those of an older one, as a table.
#
# BUILD: the folder that this version is built in.  COMMIT, which is built in a folder of its own: version 1.0.0.
set -eu
build=$(cd "$1" && pwd)
commit=${2:-c0ee511}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'git -C "$top" worktree remove --force "$work/old" 2>/dev/null; rm -rf "$work"' EXIT
git -C "$top" worktree add --detach "$work/old" "$commit" >/dev/null 2>&1
(cd "$work/old" && ./third_party/build.sh all >"$work/log" 2>&1) || { tail "$work/log"; exit 1; }

compile () # SOURCES BUILD PROGRAM
{
    cc -O2 -I"$1/plugin/include" -I"$1/demos/scene" "$top/tests/bench/against.c" "$2/lib/libode_rls_scene.a" \
        -L"$2/lib" -Wl,-rpath,"$2/lib" -lode_rls -lode -lxml2 -lm -o "$3"
}
compile "$work/old" "$work/old/build" "$work/before"
compile "$top" "$build" "$work/after"

echo "| scene | h (s) | | depth, median (mm) | 95 % | way in the second half (m) | joints open, 95 % (m) | µs a step |"
echo "|---|---|---|---|---|---|---|---|"
while read -r scene h seconds; do
    path=$scene
    [ ! -e "$work/old/demos/scenes/$scene.sdf" ] || path=$work/old/demos/scenes/$scene.sdf
    echo "| $scene | $h | before | $("$work/before" "$path" "$h" "$seconds") |"
    echo "| | | after | $("$work/after" "$path" "$h" "$seconds") |"
done <<END
wall:100 0.01 5
wall:100 0.0166667 5
stack:10 0.01 5
ragdolls:10 0.01 5
ragdolls:10 0.0166667 5
ragdoll 0.01 5
show_excavator 0.01 5
show_excavator 0.005 5
show_walker 0.01 4
show_walker 0.005 4
END
