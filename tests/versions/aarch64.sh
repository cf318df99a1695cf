#!/bin/bash
# aarch64.sh [BUILD [TESTS]]: the library and its tests on another processor.
#
# Cross-builds for aarch64 with Debian's compiler and Debian's own libraries for it, which are unpacked into
# BUILD/aarch64/root (nothing is installed), runs the unit tests, those that TESTS names (a regular expression of ctest),
# under qemu-user, and compares trajectories bit for bit with those of this machine's build in BUILD.  Ends with 77 where
# a compiler, qemu or the packages cannot be had, with 1 if a test fails or a trajectory differs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=${1:-$top/build} tests=${2:-^unit\\.}
mkdir -p "$build/aarch64"
work=$(cd "$build/aarch64" && pwd)
root=$work/root
triple=aarch64-linux-gnu

for program in $triple-gcc $triple-g++ qemu-aarch64-static apt-get; do
    command -v $program >/dev/null ||
        { echo "skipped: no $program (packages gcc-$triple, g++-$triple, qemu-user-static)"; exit 77; }
done

# Debian's libraries for aarch64, by a package index of their own.
if [ ! -e "$root/done" ]; then
    rm -rf "$root"
    mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$root"
    : >"$work/state/status"
    apt="apt-get -o Dir::State=$work/state -o Dir::Cache=$work/cache -o Dir::State::status=$work/state/status"
    apt="$apt -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root"
    $apt update >"$work/apt.log" 2>&1 &&
        $apt install -y --download-only --no-install-recommends libode-dev libsuitesparse-dev libcmocka-dev libxml2-dev libpng-dev \
            libcairo2-dev >>"$work/apt.log" 2>&1 || { echo "skipped: no packages for arm64: $work/apt.log"; exit 77; }
    for package in "$work"/cache/archives/*.deb; do dpkg-deb -x "$package" "$root" || exit 1; done
    touch "$root/done"
fi

cat >"$work/toolchain.cmake" <<END
set (CMAKE_SYSTEM_NAME Linux)
set (CMAKE_SYSTEM_PROCESSOR aarch64)
set (CMAKE_C_COMPILER $triple-gcc)
set (CMAKE_CXX_COMPILER $triple-g++)
set (CMAKE_LIBRARY_ARCHITECTURE $triple)
set (CMAKE_FIND_ROOT_PATH $root)
set (CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set (CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set (CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set (CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L $root -E LD_LIBRARY_PATH=$root/usr/lib/$triple:$root/usr/lib/$triple/blas:$root/usr/lib/$triple/lapack)
set (CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,$root/usr/lib/$triple:$root/lib/$triple")
set (CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-rpath-link,$root/usr/lib/$triple:$root/lib/$triple")
END
export PKG_CONFIG_LIBDIR=$root/usr/lib/$triple/pkgconfig:$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
cmake -S "$top" -B "$work/build" -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" -DODE_RLS_TESTS=ON >"$work/build.log" 2>&1 ||
    { echo "cannot be configured: $work/build.log"; exit 1; }
targets=$(ctest --test-dir "$work/build" -N -R "$tests" | sed -n 's/.*: [a-z]*\.\(test_[a-z0-9_]*\).*/\1/p')
# shellcheck disable=SC2086
cmake --build "$work/build" -j "$(getconf _NPROCESSORS_ONLN)" --target $targets trajectories >>"$work/build.log" 2>&1 ||
    { echo "does not build: $work/build.log"; exit 1; }

failed=0
ctest --test-dir "$work/build" -j "$(getconf _NPROCESSORS_ONLN)" --timeout 1200 -R "$tests" --output-on-failure || failed=1

# Trajectories: a hash a line, the platform's first.
emulator="qemu-aarch64-static -L $root -E LD_LIBRARY_PATH=$root/usr/lib/$triple"
if [ -x "$build/bin/trajectories" ]; then
    $emulator "$work/build/bin/trajectories" | sed 1d >"$work/there"
    "$build/bin/trajectories" | sed 1d >"$work/here"
    echo "trajectories: $(wc -l <"$work/here"), of them $(diff "$work/here" "$work/there" | grep -c '^<') differ from this machine's"
    diff "$work/here" "$work/there" || failed=1
fi
exit $failed
