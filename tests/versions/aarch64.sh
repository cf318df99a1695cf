#!/bin/bash
# aarch64.sh [BUILD [TESTS [SOURCE]]]: the library and its tests on another processor.
#
# Cross-builds for aarch64 with Debian's compiler and Debian's own libraries for it, which are unpacked into
# BUILD/aarch64/root (nothing is installed), runs the unit tests, those that TESTS names (a regular expression of ctest),
# under qemu-user, and compares trajectories bit for bit with those of this machine's build in BUILD.  Ends with 77 where
# a compiler, qemu or the packages cannot be had, with 1 if a test fails or a trajectory differs.
#
# Emulation takes some fifty times as long: tests that take more than AARCH64_SECONDS (2) of processor time here are left out,
# and named.  AARCH64_SECONDS=1000 leaves out none.
#
# Debian's ODE has fused multiply-adds on aarch64, which round once where x86-64 rounds twice.  With SOURCE, an unpacked ODE
# (0.16.x), that is built for both processors without them, the same library and programs are compared once more, and states that
# this machine has written are read there and go on: then this decides.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=${1:-$top/build} tests=${2:-^unit\\.} source=${3:-}
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

# What ends here in the time; a test that is not built here is not left out.
kept=
for target in $targets; do
    (ulimit -t "${AARCH64_SECONDS:-2}" && exec "$build/bin/$target") >/dev/null 2>&1
    if [ $? -gt 128 ]; then echo "left out, too slow to be emulated: $target"; else kept="$kept $target"; fi
done
targets=$kept
chosen="\\.($(echo $kept | tr ' ' '|'))\$"
# shellcheck disable=SC2086
cmake --build "$work/build" -j "$(getconf _NPROCESSORS_ONLN)" --target $targets trajectories >>"$work/build.log" 2>&1 ||
    { echo "does not build: $work/build.log"; exit 1; }

# Where ODE and what it needs lie there; a test that starts itself anew is emulated again.
emulate () { echo "qemu-aarch64-static -L $root -E LD_LIBRARY_PATH=$1$root/usr/lib/$triple:$root/usr/lib/$triple/blas:$root/usr/lib/$triple/lapack"; }
failed=0
ODE_RLS_OTHER_PROCESS="$(emulate "") $work/build/bin/test_state_file" \
    ctest --test-dir "$work/build" -j "$(getconf _NPROCESSORS_ONLN)" --timeout 1800 -R "$chosen" --output-on-failure || failed=1

# compare WHAT HERE THERE: trajectories, a hash a line, the platform's first, of two programs.
compare ()
{
    $2 "$build/bin/trajectories" | sed 1d >"$work/here"
    $3 "$work/build/bin/trajectories" | sed 1d >"$work/there"
    echo "trajectories, $1: $(wc -l <"$work/here"), of them $(diff "$work/here" "$work/there" | grep -c '^<') differ from this machine's"
    diff "$work/here" "$work/there"
}

[ -x "$build/bin/trajectories" ] || exit $failed
compare "ODE of the distribution" env "$(emulate "")" || [ -n "$source" ] || failed=1
[ -n "$source" ] || exit $failed

# build_ode PROCESSOR [OPTION ...]: SOURCE without fused multiply-adds.
build_ode ()
{
    to=$work/ode-$1 flags="-O2 -ffp-contract=off -w"
    shift
    [ ! -e "$to/lib/libode.so" ] || return 0
    (cmake -S "$source" -B "$to/build" "$@" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
        -DODE_WITH_DEMOS=OFF -DODE_WITH_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$to" -DCMAKE_INSTALL_LIBDIR=lib &&
        cmake --build "$to/build" -j "$(getconf _NPROCESSORS_ONLN)" && cmake --install "$to/build") >"$to.log" 2>&1
}
build_ode here && build_ode there -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" || { echo "ODE does not build: $work/ode-*.log"; exit 1; }
compare "ODE without fused multiply-adds" "env LD_LIBRARY_PATH=$work/ode-here/lib" "$(emulate "$work/ode-there/lib:")" || failed=1
if [ -x "$build/bin/test_state_file" ] && [ -x "$work/build/bin/test_state_file" ]; then
    ODE_RLS_OTHER_PROCESS="$(emulate "$work/ode-there/lib:") $work/build/bin/test_state_file" LD_LIBRARY_PATH=$work/ode-here/lib \
        "$build/bin/test_state_file" || failed=1
fi
exit $failed
