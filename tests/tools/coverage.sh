#!/bin/sh
# coverage.sh BUILD [ctest arguments]: lines and branches of the library that the tests run, file by file; gcc.
# BUILD is made if it is not there.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
shift
[ -f "$build/build.ninja" ] ||
    cmake -S "$top" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DODE_RLS_COVERAGE=ON > "$build.log"
ninja -C "$build" > "$build.log"
find "$build" -name '*.gcda' -delete
ctest --test-dir "$build" --parallel 2 "$@" > "$build/coverage.log" || echo "some tests failed: $build/coverage.log"

# A branch counts as run when it was taken at least once; calls that might throw are none in C.
objects=$build/plugin/CMakeFiles/ode_rls_objects.dir/src
cd "$objects"
gcov --branch-probabilities --branch-counts --no-output ./*/*.gcda 2> /dev/null | awk '
    function percent (line) { sub (/.*:/, "", line); sub (/%.*/, "", line); return line + 0 }
    function count (line) { sub (/.* of /, "", line); return line + 0 }
    /^File / { file = $2; gsub (/'"'"'/, "", file); sub (/.*\//, "", file) }
    /^Lines executed/ { lines = count ($0); run = percent ($0) * lines / 100 }
    /^Taken at least once/ { branches = count ($0); taken = percent ($0) * branches / 100 }
    /^No branches/ { branches = taken = 0 }
    /^(Calls executed|No calls)/ && file ~ /\.c$/ && !(file in seen) {
        seen[file] = 1
        printf "%-26s lines %5.1f %% of %4d   branches %5.1f %% of %4d\n", file, lines ? 100 * run / lines : 100,
            lines, branches ? 100 * taken / branches : 100, branches
        L += lines; R += run; B += branches; T += taken
    }
    END { printf "%-26s lines %5.1f %% of %4d   branches %5.1f %% of %4d\n", "all", 100 * R / L, L, 100 * T / B, B }'
