# The Debian packages: made, looked at, installed into a root of their own, used there, and removed.
. "$(dirname "$0")/lib.sh"
for tool in dpkg dpkg-deb dpkg-shlibdeps file
do
    command -v $tool >/dev/null || { echo "left out: there is no $tool"; exit 77; }
done

own=$scratch/build
quiet "$CMAKE" -S "$source" -B "$own" -G "$generator" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DODE_RLS_TESTS=OFF
rm -rf "$own/packages"
quiet "$CMAKE" --build "$own" --target package
cd "$own/packages"
architecture=$(dpkg --print-architecture) triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
soversion=${version%%.*}
set -- libode-rls${soversion}_$version-1_$architecture.deb libode-rls-dev_$version-1_$architecture.deb \
    ode-rls_$version-1_$architecture.deb
holds "three packages" test "$(echo *.deb)" = "$(printf '%s\n' "$@" | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')"

depends () { dpkg-deb -f "$1" Depends | tr ',' '\n' | sed 's/^ *//'; }
holds "the library depends on AMD" test "$(depends "$1" | grep -c '^libamd2 ')" = 1
holds "and recommends ODE, which programs bring" test "$(dpkg-deb -f "$1" Recommends)" = libode8
holds "the library's users get a dependency" sh -c 'dpkg-deb --ctrl-tarfile "$0" | tar -xO ./shlibs | grep -qx "libode_rls $1 libode-rls$1 (>= $2)"' \
    "$1" "$soversion" "$version"
holds "headers belong to this very library" sh -c 'dpkg-deb -f "$0" Depends | grep -q "libode-rls$1 (= $2-1)"' "$2" "$soversion" "$version"
holds "the program too" sh -c 'dpkg-deb -f "$0" Depends | grep -q "libode-rls$1 (= $2-1)"' "$3" "$soversion" "$version"
if command -v lintian >/dev/null
then
    lintian --allow-root --fail-on error,warning "$@" \
        >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "lintian"; }
    echo "ok: lintian finds no error and no warning"
fi

# A root with nothing in it: dependencies and the scripts that call the root's own ldconfig are out of the question.
root=$scratch/root
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers" "$root/packages"
: >"$root/var/lib/dpkg/status"
: >"$root/var/lib/dpkg/available"
for package
do
    dpkg-deb -R "$package" "$scratch/unpacked"
    rm -f "$scratch/unpacked/DEBIAN/postinst" "$scratch/unpacked/DEBIAN/postrm"
    quiet dpkg-deb -b "$scratch/unpacked" "$root/packages/$package"
    rm -rf "$scratch/unpacked"
done
quiet dpkg --root="$root" --force-depends --force-not-root --force-bad-path --log=/dev/null -i "$root"/packages/*.deb
rm -r "$root/packages"
installed=$(dpkg --root="$root" -l | grep -c '^ii .*ode-rls')
holds "dpkg installed them" test "$installed" = 3

export LD_LIBRARY_PATH="$root/usr/lib/$triplet"
holds "the program runs" "$root/usr/bin/ode-rls" inspect "$root/usr/share/ode-rls/scenes/bricard.sdf"
holds "manual page, changelog and copyright" test -f "$root/usr/share/man/man1/ode-rls.1.gz" -a \
    -f "$root/usr/share/doc/ode-rls/changelog.Debian.gz" -a -f "$root/usr/share/doc/libode-rls$soversion/copyright"
unset LD_LIBRARY_PATH
holds "the prefix of the packages is /usr" grep -qx prefix=/usr "$root/usr/lib/$triplet/pkgconfig/ode-rls.pc"
build_consumer by_package -DCMAKE_PREFIX_PATH="$root/usr"
holds "the consumer builds against them" sh -c 'ldd "$0" | grep -qF "$1/"' "$scratch/by_package/c_ode_rls" "$root"

quiet dpkg --root="$root" --force-not-root --force-bad-path --log=/dev/null --purge libode-rls-dev ode-rls libode-rls$soversion
holds "removed without a trace" test -z "$(find "$root" -path "$root/var" -prune -o -type f -print)"
