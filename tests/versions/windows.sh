#!/bin/bash
# windows.sh SOURCE [BUILD [TESTS]]: the static library on Windows.
#
# Cross-builds for x86-64 with mingw-w64, all linked statically: ODE from its sources, the folder SOURCE (0.16 or later), ode_rls inside
# it, program.c and the unit tests that TESTS names (a regular expression of ctest).  AMD and cmocka, which Debian has for no
# Windows, are built from the sources of Debian's packages; nothing is installed.  All of it lies in BUILD/windows.  Runs them
# under wine; where there is none says so, and that it all builds.  Ends with 77 where the compiler or the sources cannot be had, with 1 if
# something does not build or fails.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
[ -f "${1:-}/CMakeLists.txt" ] || { sed -n '2,/^set/{s/^# \{0,1\}//p}' "$0"; exit 1; }
source=$(cd "$1" && pwd)
build=${2:-$top/build} tests=${3:-'^unit\.test_(factor|order|project|joint_frame|bounded|measure|seam|stepper_(api|semantics|linkages))'}
mkdir -p "$build/windows"
work=$(cd "$build/windows" && pwd)
root=$work/root
triple=x86_64-w64-mingw32

for program in $triple-gcc-posix $triple-g++-posix apt-get; do
    command -v $program >/dev/null || { echo "skipped: no $program (packages gcc-mingw-w64-x86-64-posix, g++-mingw-w64-x86-64-posix)"; exit 77; }
done

# fetch_sources: of Debian's packages, by a package index of their own
fetch_sources ()
{
    mkdir -p "$work/state/lists/partial" "$work/cache" "$work/source"
    : >"$work/state/status"
    echo "deb-src http://deb.debian.org/debian bookworm main" >"$work/sources.list"
    local apt="apt-get -o Dir::State=$work/state -o Dir::Cache=$work/cache -o Dir::State::status=$work/state/status"
    apt="$apt -o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=- -o APT::Sandbox::User=root"
    (cd "$work/source" && $apt update && $apt source --download-only suitesparse cmocka) >"$work/apt.log" 2>&1 ||
        { echo "skipped: no sources of AMD and cmocka: $work/apt.log"; exit 77; }
    for archive in "$work"/source/*.orig.tar.*z; do tar -xf "$archive" -C "$work/source" || exit 1; done
}

# build_libraries: AMD, whose files are compiled once for either size of integer, and cmocka
build_libraries ()
{
    local amd cmocka file long
    amd=$(echo "$work"/source/SuiteSparse-*) cmocka=$(echo "$work"/source/cmocka-*)
    mkdir -p "$root/include/suitesparse" "$root/lib/pkgconfig" "$work/objects"
    cp "$amd"/AMD/Include/*.h "$amd"/SuiteSparse_config/*.h "$root/include/suitesparse/"
    cp "$cmocka"/include/*.h "$root/include/"
    for file in "$amd"/AMD/Source/*.c; do
        for long in "" -DDLONG; do
            $triple-gcc-posix -O2 -w $long -I"$root/include/suitesparse" -c "$file" -o "$work/objects/$(basename "$file" .c)$long.o" || return 1
        done
    done
    $triple-gcc-posix -O2 -w -I"$root/include/suitesparse" -c "$amd/SuiteSparse_config/SuiteSparse_config.c" -o "$work/objects/config.o" &&
        $triple-ar rcs "$root/lib/libamd.a" "$work"/objects/*.o &&
        $triple-gcc-posix -O2 -w -DHAVE_STRUCT_TIMESPEC -DHAVE__SNPRINTF_S -DHAVE__VSNPRINTF_S -DHAVE_MALLOC_H -DHAVE_IO_H \
            -I"$cmocka/include" -c "$cmocka/src/cmocka.c" -o "$work/cmocka.o" &&
        $triple-ar rcs "$root/lib/libcmocka.a" "$work/cmocka.o" || return 1
    printf '%s\n' "Name: cmocka" "Description: unit tests" "Version: 1.1" "Cflags: -I$root/include" \
        "Libs: -L$root/lib -lcmocka" >"$root/lib/pkgconfig/cmocka.pc"
    touch "$root/done"
}

if [ ! -e "$root/done" ]; then
    fetch_sources
    build_libraries >"$work/libraries.log" 2>&1 || { echo "AMD or cmocka does not build: $work/libraries.log"; exit 1; }
fi

wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null)
export WINEPREFIX=$work/wine WINEDEBUG=-all
cat >"$work/toolchain.cmake" <<END
set (CMAKE_SYSTEM_NAME Windows)
set (CMAKE_C_COMPILER $triple-gcc-posix)
set (CMAKE_CXX_COMPILER $triple-g++-posix)
set (CMAKE_FIND_ROOT_PATH $root)
set (CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set (CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set (CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set (CMAKE_EXE_LINKER_FLAGS_INIT -static)
set (CMAKE_CROSSCOMPILING_EMULATOR $wine)
END
PKG_CONFIG_LIBDIR=$root/lib/pkgconfig cmake -S "$top" -B "$work/build" -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DODE_RLS_ODE_SOURCE="$source" -DODE_RLS_TOOLS=OFF -DODE_RLS_TESTS=ON -DODE_DOUBLE_PRECISION=ON >"$work/build.log" 2>&1 ||
    { echo "cannot be configured: $work/build.log"; exit 1; }

# Each target by itself: what does not build is named, and the rest is run.
failed=0 built=
targets=$(ctest --test-dir "$work/build" -N -R "$tests" | sed -n 's/.*: unit\.\(test_[a-z0-9_]*\).*/\1/p')
for target in ode_rls_static versions_shared $targets; do
    if cmake --build "$work/build" -j "$(getconf _NPROCESSORS_ONLN)" --target "$target" >>"$work/build.log" 2>&1; then
        case $target in test_*) built="$built|$target" ;; esac
    else
        echo "does not build: $target ($work/build.log)"
        failed=1
        case $target in test_*) ;; *) exit 1 ;; esac
    fi
done
echo "built: library, program,$(echo "$built" | tr '|' ' ')"
[ -n "$wine" ] || { echo "not run: there is no wine (package wine64)"; exit $failed; }

# A joint of the loop that is wider open than rounding, or a box that slides, is a failure.
"$wine" "$work/build/bin/versions_shared.exe" 0 | tr -d '\r' | tee "$work/program"
awk '$1 == "gap" && $2 < 1e-12 || $1 == "rest" && $2 < 1e-6 || $1 == "stop" && $2 < 0.1 { ++good } END { exit good != 3 }' "$work/program" ||
    { echo "wrong: program.c"; failed=1; }
[ -z "$built" ] || ctest --test-dir "$work/build" --timeout 600 -R "^unit\\.(${built#|})\$" --output-on-failure || failed=1
exit $failed
