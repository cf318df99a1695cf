# Folders of the user's choice: an absolute library folder outside the prefix, of any name, and staging by DESTDIR.
# The library alone, unoptimised, in a build of its own.
. "$(dirname "$0")/lib.sh"
rm -rf "$scratch"
mkdir -p "$scratch"
own=$scratch/build elsewhere="$scratch/else where é/libraries"
quiet "$CMAKE" -S "$source" -B "$own" -G "$generator" -DCMAKE_BUILD_TYPE=Debug -DODE_RLS_TOOLS=OFF -DODE_RLS_TESTS=OFF \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR="$elsewhere"
quiet "$CMAKE" --build "$own"

stage=$scratch/stage
quiet env DESTDIR="$stage" "$CMAKE" --install "$own"
holds "staged: nothing outside the stage" test ! -e "$prefix" -a ! -e "$elsewhere"
holds "staged: the library" test -f "$stage$elsewhere/libode_rls.so.$version"
holds "staged: the header" test -f "$stage$prefix/include/ode_rls/ode_rls.h"
holds "staged: the stage is named nowhere" sh -c '! grep -rqF "$0" "$0"' "$stage"
pc=$stage$elsewhere/pkgconfig/ode-rls.pc
holds "the absolute folder in the pkg-config file" grep -qx "libdir=$elsewhere" "$pc"
holds "the prefix in it" grep -qx "prefix=$prefix" "$pc"
PKG_CONFIG_PATH=${pc%/*}
export PKG_CONFIG_PATH
eval "set -- $(pkg-config --cflags --libs ode-rls)" # blanks in names of folders are quoted
holds "pkg-config gives both" test "$*" = "-I$prefix/include -L$elsewhere -lode_rls -lode"
unset PKG_CONFIG_PATH
quiet env DESTDIR="$stage" "$CMAKE" --build "$own" --target uninstall
holds "staged: uninstalled" test -z "$(find "$stage" -type f -o -type l)"

quiet "$CMAKE" --install "$own"
build_consumer by_folders -Dode_rls_DIR="$elsewhere/cmake/ode_rls"
holds "the consumer finds header and library" sh -c 'ldd "$0" | grep -qF "$1/"' "$scratch/by_folders/c_ode_rls" "$elsewhere"
