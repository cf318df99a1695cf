#!/bin/sh
# install.sh GROUP...: makes sure that the packages of these groups of packages.txt are installed.
# As root it installs what is missing; otherwise it says what to install, and fails.  The optional
# group never fails: what cannot be had is left out.
set -eu
list=$(dirname "$0")/packages.txt

packages_of () { awk -v group="$1" '$1 == group { print $2 }' "$list"; }

# The packages among the arguments that are not installed.
missing_of ()
{
    for package
    do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=
        [ "$status" = installed ] || printf '%s ' "$package"
    done
}

if ! command -v dpkg-query >/dev/null 2>&1
then
    echo "This is no Debian system: make sure that the equivalents of these are installed:" >&2
    for group; do packages_of "$group" | sed 's/^/    /' >&2; done
    exit 0
fi

needed= wished=
for group
do
    packages=$(packages_of "$group")
    if [ -z "$packages" ]
    then
        echo "packages.txt has no group '$group'" >&2
        exit 2
    fi
    missing=$(missing_of $packages)
    if [ "$group" = optional ]; then wished="$wished$missing"; else needed="$needed$missing"; fi
done
[ -n "$needed$wished" ] || exit 0

if [ "$(id -u)" != 0 ]
then
    [ -n "$needed" ] || exit 0
    echo "These packages are needed and not installed:" >&2
    echo >&2
    for package in $needed
    do
        awk -v package="$package" \
            '$2 == package { purpose = $0; sub (/^[^ ]+ +[^ ]+ +/, "", purpose); printf "    %-20s %s\n", package, purpose }' \
            "$list" >&2
    done
    echo >&2
    echo "Install them with:" >&2
    echo >&2
    echo "    sudo apt-get update && sudo apt-get install --no-install-recommends ${needed% }" >&2
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "Installing: $needed$wished" >&2
apt-get update -q >&2 || echo "apt-get update failed; trying with the package lists at hand" >&2
if [ -n "$needed" ]; then apt-get install -q -y --no-install-recommends $needed >&2; fi
for package in $wished
do
    apt-get install -q -y --no-install-recommends "$package" >&2 || echo "Going on without $package" >&2
done
