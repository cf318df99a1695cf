# The consumer by pkg-config, without CMake: C and C++, shared and static, and with a static ODE.
. "$(dirname "$0")/lib.sh"
PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
export PKG_CONFIG_PATH
out=$scratch/by_pkg_config
mkdir -p "$out"
cd "$source/tests/consumer"

holds "version" test "$(pkg-config --modversion ode-rls)" = "$version"
holds "precision" test "$(pkg-config --variable=precision ode-rls)" = "$(pkg-config --variable=precision ode)"
holds "the include folder" test "$(pkg-config --variable=includedir ode-rls)" = "$prefix/include"

# ODE as a static library, where there is one.  Debian's needs libccd, of which its pkg-config file does not know.
archive=$(pkg-config --variable=libdir ode)/libode.a beneath=
if [ -f "$archive" ] && nm "$archive" 2>/dev/null | grep -q ' U ccdMPRIntersect'; then beneath=-l:libccd.so.2; fi

# build FLAGS COMMAND ...: the flags are as pkg-config quotes them, for folders with blanks in their names.
build ()
{
    flags=$1
    shift
    eval "quiet \"\$@\" $flags"
}

for language in c cpp
do
    compiler=$CC
    if [ $language = cpp ]; then compiler=$CXX; fi
    build "$(pkg-config --cflags --libs ode-rls) -lm" $compiler consumer.$language -Wall -Wextra -Werror -o "$out/${language}_shared"
    quiet with_library "$prefix/$libdir" "$out/${language}_shared"
    holds "$language, shared" sh -c 'LD_LIBRARY_PATH=$1 ldd "$0" | grep -qF "$1/libode_rls.so"' \
        "$out/${language}_shared" "$prefix/$libdir"

    # The linker takes the static library where it is told to, the rest as it comes.
    static=$(pkg-config --static --libs ode-rls | sed 's/-lode_rls\b/-l:libode_rls.a/')
    build "$(pkg-config --cflags ode-rls) $static -lm" $compiler consumer.$language -o "$out/${language}_static"
    quiet "$out/${language}_static"
    holds "$language, static" sh -c '! ldd "$0" | grep -q libode_rls' "$out/${language}_static"

    if [ -f "$archive" ]
    then
        inside=$(echo "$static" | sed 's/-lode\b/-l:libode.a/')
        build "$(pkg-config --cflags ode-rls) $inside $beneath -lm" $compiler consumer.$language -o "$out/${language}_inside"
        quiet "$out/${language}_inside"
        holds "$language, with ODE inside the program" sh -c '! ldd "$0" | grep -q libode' "$out/${language}_inside"
    fi
done
