#!/bin/sh
# run.sh [ctest arguments]: installs what is missing, builds everything and runs the tests.  With CI in the
# environment, compiler warnings are errors.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

"$top/third_party/install.sh" build viewer test optional
if [ -n "${CI:-}" ]
then "$top/third_party/build.sh" all -DODE_RLS_TESTS=ON -DODE_RLS_WERROR=ON
else "$top/third_party/build.sh" all -DODE_RLS_TESTS=ON
fi
exec ctest --test-dir "$top/build" --output-on-failure \
    --parallel "$(getconf _NPROCESSORS_ONLN)" "$@"
