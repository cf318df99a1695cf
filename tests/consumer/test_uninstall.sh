# Uninstalling takes away what was installed, folders of its own included, and nothing else.
. "$(dirname "$0")/lib.sh"
touch "$prefix/include/ode_rls/of_the_user.h"
quiet "$CMAKE" --build "$build" --target uninstall
holds "only the user's file is left" test "$(find "$prefix" -type f -o -type l)" = "$prefix/include/ode_rls/of_the_user.h"
holds "no folder of ours is left" test -z "$(find "$prefix" -mindepth 2 -name '*ode*rls*' -type d | grep -v /include/ode_rls || true)"
holds "a second time there is nothing to uninstall" sh -c '! "$0" --build "$1" --target uninstall >/dev/null 2>&1' \
    "$CMAKE" "$build"
if [ -f "$scratch/users_manifest.txt" ]; then cp "$scratch/users_manifest.txt" "$build/install_manifest.txt"; fi
