#!/bin/sh
# build.sh [SOURCES]: makes the viewer's page for browsers, build-page/page.html: one file, which any browser with WebGL 2 opens.
#
# It needs Emscripten (third_party/install.sh page) and the sources of what is linked into the page: ODE, AMD of SuiteSparse,
# libxml2 and Dear ImGui.  SOURCES is a folder where they are unpacked, as ode-*, SuiteSparse-*, libxml2-* and imgui-*;
# without it Debian's source packages are fetched.  The second build tree shares nothing with that of the program.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
page=$top/build-page
mkdir -p "$page"

# Debian's source packages, from where this system has its packages.
fetch ()
{
    sources=$page/sources
    mkdir -p "$sources/lists/partial" "$sources/parts"
    [ ! -f /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$sources/parts/all.list"
    for list in /etc/apt/sources.list.d/*
    do
        case $list in
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"$sources/parts/$(basename "$list")" ;;
        *.list) sed -n 's/^deb /deb-src /p' "$list" >>"$sources/parts/all.list" ;;
        esac
    done
    cd "$sources"
    set -- -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$sources/parts" -o "Dir::State::Lists=$sources/lists" \
        -o APT::Sandbox::User=
    apt-get -qq "$@" update
    apt-get -qq "$@" source --download-only ode suitesparse libxml2 imgui
    for archive in *.orig.tar.*; do tar -xf "$archive"; done
    cd "$top"
}

if [ $# -gt 0 ]
then sources=$(cd "$1" && pwd)
else
    sources=$page/sources
    ls "$sources"/ode-*/CMakeLists.txt >/dev/null 2>&1 || fetch
fi

# Debian's modules of Node.js are found by its own node only.
NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
export NODE_PATH
emcmake cmake -S "$top/demos/web" -B "$page" -DCMAKE_BUILD_TYPE=Release "-DSOURCES=$sources" \
    -DFONTS=/usr/share/fonts/opentype/inter -DCGLM=/usr/include
cmake --build "$page" --target page --parallel "$(getconf _NPROCESSORS_ONLN)"
ls -l "$page/page.html"
