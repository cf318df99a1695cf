# The consumer by CMake: against the installation, against the build folder, and refused where it must be.
. "$(dirname "$0")/lib.sh"

build_consumer by_prefix -DCMAKE_PREFIX_PATH="$prefix"
holds "against the installation" test -x "$scratch/by_prefix/cpp_ode_rls_static"
holds "its programs are linked to the installed library" sh -c 'ldd "$0" | grep -qF "$1/"' \
    "$scratch/by_prefix/c_ode_rls" "$prefix"
holds "the static one is not" sh -c '! ldd "$0" | grep -q libode_rls' "$scratch/by_prefix/c_ode_rls_static"

build_consumer by_build_folder -Dode_rls_DIR="$build"
holds "against the build folder" sh -c 'ldd "$0" | grep -qF "$1/"' "$scratch/by_build_folder/c_ode_rls" "$build"

# The same prefix after a move: nothing in it names the place it was installed to.
moved=$scratch/moved
rm -rf "$moved"
cp -a "$prefix" "$moved"
build_consumer by_moved -DCMAKE_PREFIX_PATH="$moved"
holds "against the installation after a move" sh -c 'ldd "$0" | grep -qF "$1/"' "$scratch/by_moved/c_ode_rls" "$moved"

# The examples are a project of their own.
quiet "$CMAKE" -S "$source/demos/examples" -B "$scratch/examples" -DCMAKE_PREFIX_PATH="$prefix"
quiet "$CMAKE" --build "$scratch/examples"
holds "the examples by themselves" "$scratch/examples/drop_in"

refused () # WHY PATTERN [cmake option ...]
{
    why=$1 pattern=$2
    shift 2
    rm -rf "$scratch/refused"
    if "$CMAKE" -S "$source/tests/consumer" -B "$scratch/refused" "$@" >"$scratch/log" 2>&1; then fail "$why: accepted"; fi
    tr -s ' \n' ' ' <"$scratch/log" | grep -q "$pattern" || { cat "$scratch/log"; fail "$why: without saying '$pattern'"; }
    echo "ok: $why"
}

# An ODE of the other precision, by pkg-config's own means.
mkdir -p "$scratch/other_ode"
sed 's/^precision=.*/precision=dSINGLE/' "$(pkg-config --variable=pcfiledir ode)/ode.pc" >"$scratch/other_ode/ode.pc"
PKG_CONFIG_PATH=$scratch/other_ode
export PKG_CONFIG_PATH
refused "an ODE of another precision is refused" "built for an ODE with dDOUBLE; pkg-config finds one with dSINGLE" \
    -DCMAKE_PREFIX_PATH="$prefix"
unset PKG_CONFIG_PATH
PKG_CONFIG_LIBDIR=$scratch/nowhere
export PKG_CONFIG_LIBDIR
refused "a missing ODE is named" "does not find ode" -DCMAKE_PREFIX_PATH="$prefix"
