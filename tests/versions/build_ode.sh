#!/bin/bash
# build_ode.sh SOURCE PRECISION TARGET: builds an ODE, shared and static, without its demos, into TARGET/lib.
# Of a configured one, config.h is kept in TARGET.
#
# PRECISION is double or single.  Later versions are built by their CMake files, earlier ones by their configure script,
# which wants autoconf, automake and libtool.  What is there already is left.
set -eu
source=$1 precision=$2 target=$3
[ -e "$target/done" ] && exit 0
mkdir -p "$target"
log=$target/log
flags="-O1 -fPIC -w"
jobs=$(getconf _NPROCESSORS_ONLN)

by_cmake ()
{
    local double=OFF kind
    if [ "$precision" = double ]; then double=ON; fi
    for kind in ON OFF; do
        cmake -S "$source" -B "$target/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
            -DODE_WITH_DEMOS=OFF -DODE_WITH_TESTS=OFF -DODE_WITH_TRIMESH=OFF -DODE_DOUBLE_PRECISION=$double \
            -DBUILD_SHARED_LIBS=$kind -DCMAKE_INSTALL_PREFIX="$target" -DCMAKE_INSTALL_LIBDIR=lib
        cmake --build "$target/build" -j "$jobs"
        cmake --install "$target/build"
    done
}

by_configure ()
{
    cp -r "$source" "$target/build"
    cd "$target/build"
    [ -x configure ] || sh bootstrap
    local double=disable
    if [ "$precision" = double ]; then double=enable; fi
    ./configure --prefix="$target" --$double-double-precision --enable-shared --enable-static --disable-demos --disable-asserts \
        CFLAGS="$flags" CXXFLAGS="$flags -std=gnu++98"
    make -j "$jobs"
    make install
    cp ode/src/config.h "$target/" # what its private headers ask for
}

if [ -f "$source/CMakeLists.txt" ]; then by_cmake >"$log" 2>&1; else (by_configure) >"$log" 2>&1; fi
rm -rf "$target/build"
touch "$target/done"
