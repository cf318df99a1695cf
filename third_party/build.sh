#!/bin/sh
# build.sh TARGET [cmake option ...]: configures build/ (Release, Ninja if there is one) and builds the target.
# An existing build tree keeps its settings but for the options given.  All output goes to standard error, so
# that it does not mix with that of the program that is run afterwards.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
target=$1
shift

configured=no
if [ -f "$top/build/build.ninja" ] || [ -f "$top/build/Makefile" ]; then configured=yes; fi

# Without new options the build itself notices what has changed.
if [ $configured = no ] || [ $# -gt 0 ]
then
    if [ $configured = no ]
    then
        rm -f "$top/build/CMakeCache.txt"
        set -- -DCMAKE_BUILD_TYPE=Release "$@"
        if command -v ninja >/dev/null 2>&1; then set -- -G Ninja "$@"; fi
    fi
    mkdir -p "$top/build"
    log=$top/build/configure.log
    if ! cmake -S "$top" -B "$top/build" "$@" >"$log" 2>&1
    then
        cat "$log" >&2
        exit 1
    fi
fi
exec cmake --build "$top/build" --target "$target" --parallel "$(getconf _NPROCESSORS_ONLN)" >&2
