# The installed tree: files, links, names, exported functions, what the programs in it find.
. "$(dirname "$0")/lib.sh"
rm -rf "$scratch"
mkdir -p "$scratch"

# An installation that the user made from this build folder stays uninstallable.
manifest=$build/install_manifest.txt
if [ -f "$manifest" ]; then cp "$manifest" "$scratch/users_manifest.txt"; fi

quiet "$CMAKE" --install "$build" --prefix "$prefix"
cd "$prefix"

find . -type f -o -type l | sed 's|^\./||' | sort >"$scratch/found.txt"
sed "s/LIBDIR/$libdir/; s/VERSION/$version/; s/MAJOR/${version%%.*}/" "$source/tests/consumer/installed.txt" | sort >"$scratch/wanted.txt"
for page in "$source"/plugin/doc/*.md; do echo "share/doc/ode-rls/${page##*/}"; done >>"$scratch/wanted.txt"
(cd "$source/demos/scenes" && find . -type f) | sed 's|^\.|share/ode-rls/scenes|' >>"$scratch/wanted.txt"
for file in "$source"/tests/reference/*.csv; do echo "share/ode-rls/reference/${file##*/}"; done >>"$scratch/wanted.txt"
sort -o "$scratch/wanted.txt" "$scratch/wanted.txt"
holds "the installed files are those of installed.txt, the pages, scenes and references" \
    diff "$scratch/wanted.txt" "$scratch/found.txt"

library=$libdir/libode_rls.so
holds "the links of the library" test "$(readlink $library)" = "$(dynamic $library SONAME)" -a \
    "$(readlink "$(readlink -f $library)" || true)" = "" -a "$(basename "$(readlink -f $library)")" = "libode_rls.so.$version"
holds "SONAME" test "$(dynamic $library SONAME)" = "libode_rls.so.${version%%.*}"
holds "the library looks nowhere but where the loader does" test -z "$(dynamic $library RUNPATH)"
for each in $library $libdir/libode_rls_preload.so; do
    holds "$(basename $each) takes the program's ODE, and brings none" test -z "$(dynamic $each NEEDED | grep ode)"
done

grep -o 'dRLS[A-Za-z0-9]* (' include/ode_rls/ode_rls.h | tr -d ' (' | sort -u >"$scratch/in_header.txt"
nm -D --defined-only $library | awk '{ print $3 }' | sort >"$scratch/exported.txt"
holds "every exported symbol is a function of the header" test -z "$(comm -13 "$scratch/in_header.txt" "$scratch/exported.txt")"
grep '^ODE_RLS_API' include/ode_rls/ode_rls.h | grep -o 'dRLS[A-Za-z0-9]* (' | tr -d ' (' | sort -u >"$scratch/declared.txt"
holds "every declared function is exported" test -z "$(comm -23 "$scratch/declared.txt" "$scratch/exported.txt")"

holds "no file names the source or the build folder" test -z "$(grep -rlF -e "$source/plugin" -e "$source/demos" -e "$build/lib" . || true)"

bin/ode-rls --version >"$scratch/version"
holds "the program runs from where it was put" grep -q "$version" "$scratch/version"
for scene in share/ode-rls/scenes/*.sdf
do
    bin/ode-rls inspect "$scene" >/dev/null 2>"$scratch/errors" || { cat "$scratch/errors"; fail "$scene"; }
    # the published moments of the spinning top are those of no body, and the reader says so
    sed -i '/spinning_top.sdf.*is that of no body/d' "$scratch/errors"
    [ ! -s "$scratch/errors" ] || { cat "$scratch/errors"; fail "$scene: warnings"; }
done
echo "ok: every installed scene is read, with its references"

moved=$scratch/moved # the program's own scenes come along
cp -a . "$moved"
mv "$moved/share/ode-rls/scenes/bricard.sdf" "$moved/share/ode-rls/scenes/of_the_moved.sdf"
holds "after a move the program finds the scenes beside it" "$moved/bin/ode-rls" inspect of_the_moved
rm -r "$moved"

if command -v man >/dev/null
then
    LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=100 man --warnings -l share/man/man1/ode-rls.1 >"$scratch/page" 2>"$scratch/errors"
    holds "the manual page has no mistake" test ! -s "$scratch/errors"
    for option in $(bin/ode-rls compare --help | grep -o '^  --[a-z-]*')
    do grep -q -e "$option" "$scratch/page" || fail "the manual page lacks $option"; done
    echo "ok: the manual page knows every option of compare"
fi
