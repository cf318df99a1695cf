#!/bin/sh
# run.sh [--headless | arguments of ode-rls]: installs what is missing, builds, and runs the main job: the
# viewer where there is a display, otherwise (or with --headless) the comparison of the three steppers on the
# rectangular Bricard mechanism.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
program=$top/build/bin/ode-rls

"$top/third_party/install.sh" build viewer
# A new build tree leaves out the tests and their packages; tests/run.sh adds them.
if [ -f "$top/build/build.ninja" ] || [ -f "$top/build/Makefile" ]
then "$top/third_party/build.sh" ode-rls
else "$top/third_party/build.sh" ode-rls -DODE_RLS_TESTS=OFF
fi

headless ()
{
    out=$top/build/demo
    mkdir -p "$out"
    "$program" compare bricard --dt 1/60,0.01,0.001 --csv "$out/bricard.csv" --json "$out/bricard.json" \
        --plot "$out/bricard-work-precision.png"
    "$program" compare bricard --dt 0.01 --plot "$out/bricard.png" >/dev/null
    echo
    echo "Written:"
    for file in "$out"/bricard*; do echo "    build/demo/${file##*/}"; done
}

if [ $# = 1 ] && [ "$1" = --headless ]
then headless
elif [ $# -gt 0 ]
then exec "$program" "$@"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && "$program" --version | grep -q 'with viewer'
then exec "$program" view
else headless
fi
