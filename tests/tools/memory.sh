#!/bin/sh
# memory.sh SOURCE [FOLDER [REGEX]]: the unit tests, and the fuzz targets' corpus with mutants, under clang's MemorySanitizer, or
# those whose name matches; a line for each with its result and seconds.  Ends with 1 if one has failed.
#
# SOURCE is an unpacked ODE (0.16.x; without a configure script autoconf, automake and libtool make it), which is built with the sanitizer as well: so every read of memory
# that nobody has written is found, whoever wrote around it.  It is a hundred times as fast as valgrind and takes half an hour
# of processor time.  Two functions are taken as writing what they say: AMD, of SuiteSparse, which is not built anew, and ODE's
# dQfromR, which reads what its caller did not write.  Tests of scene files stay valgrind's (libxml2 is not built anew).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
source=$(cd "$1" && pwd)
work=${2:-$(mktemp -d)}
wanted=${3:-.}
mkdir -p "$work"
work=$(cd "$work" && pwd)
jobs=$(getconf _NPROCESSORS_ONLN)
flags="-O1 -g1 -fPIC -fsanitize=memory"

# ---- ODE ----

if [ ! -f "$work/ode/lib/libode.so" ]
then
    cp -r "$source" "$work/source"
    echo 'fun:*dQfromR*' > "$work/ignored"
    cd "$work/source"
    [ -x configure ] || sh bootstrap > "$work/ode.log" 2>&1
    ./configure CC=clang CXX=clang++ --prefix="$work/ode" --enable-double-precision --enable-shared --disable-demos \
        CFLAGS="$flags -w -fsanitize-ignorelist=$work/ignored" LDFLAGS=-fsanitize=memory \
        CXXFLAGS="$flags -w -std=gnu++98 -fsanitize-ignorelist=$work/ignored" >> "$work/ode.log" 2>&1
    make -j "$jobs" install >> "$work/ode.log" 2>&1
    cd "$top"
fi

# ---- the library and its tests ----

cat > "$work/amd.c" <<'END'
#include <sanitizer/msan_interface.h>
int __real_amd_order (int n, const int *start, const int *row, int *order, double *control, double *info);
int __wrap_amd_order (int n, const int *start, const int *row, int *order, double *control, double *info)
{
    __msan_check_mem_is_initialized (start, (size_t)(n + 1) * sizeof (int));
    __msan_check_mem_is_initialized (row, (size_t)start[n] * sizeof (int));
    const int status = __real_amd_order (n, start, row, order, control, info);
    __msan_unpoison (order, (size_t)n * sizeof (int));
    return status;
}
END
# shellcheck disable=SC2086
clang $flags -c "$work/amd.c" -o "$work/amd.o"
wrapped="-Wl,--wrap=amd_order $work/amd.o -lamd"
PKG_CONFIG_PATH=$work/ode/lib/pkgconfig cmake -S "$top" -B "$work/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER=clang \
    -DCMAKE_CXX_COMPILER=clang++ -DODE_RLS_SANITIZE=memory -DCMAKE_C_FLAGS="$flags -DRLS_ONE_COPY" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_EXE_LINKER_FLAGS="$wrapped" -DCMAKE_SHARED_LINKER_FLAGS="$wrapped" \
    -DCMAKE_BUILD_RPATH="$work/ode/lib" > "$work/configure.log"
tests="fuzz_calls fuzz_bounded fuzz_factor fuzz_contacts"
for test in "$top"/tests/unit/test_*.c; do tests="$tests $(basename "$test" .c)"; done
# shellcheck disable=SC2086
cmake --build "$work/build" --parallel "$jobs" --target $tests > "$work/build.log" 2>&1

failed=0
printf '%-28s %-7s %8s\n' test result seconds
for test in $(echo "$tests" | tr ' ' '\n' | grep -E "$wanted")
do
    case $test in
    fuzz_*) set -- 200 "$top/tests/fuzz/corpus/${test#fuzz_}" ;;
    *) set -- ;;
    esac
    start=$(date +%s)
    result=passed
    MSAN_OPTIONS=exit_code=66 timeout "${LIMIT:-1800}" "$work/build/bin/$test" "$@" > "$work/log.$test" 2>&1 < /dev/null ||
        result=failed
    printf '%-28s %-7s %8s\n' "$test" "$result" $(($(date +%s) - start))
    [ $result = passed ] || { failed=1; tail -n 30 "$work/log.$test" >&2; }
done
exit $failed
