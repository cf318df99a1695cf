#!/bin/bash
# run.sh [ARCHIVES [BUILD]]: which ODE works with the library and which with the preload shim, as a table.
#
# ARCHIVES is a folder with sources of ODE, ode-VERSION.tar.*; BUILD is a build folder of this project (build), where
# what is built of them is kept, in BUILD/versions.  Every ODE is built in both precisions, shared and static, and a small
# program (program.c) is run against it with the library and under the shim:
#
#     works        joints are closed, contacts and stops hold
#     refused      with a sentence, and the program's own step went on as ever
#     not reached  the shim cannot stand before functions that are linked into a program
#     WRONG, CRASH neither: the script ends with 1
#
# Without ARCHIVES only the ODE of the system is looked at. With them ODE's build system is needed, which
# third_party/install.sh brings (its group is versions).
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
archives=${1:-}
build=${2:-$top/build}
work=$build/versions
mkdir -p "$work"
work=$(cd "$work" && pwd)
unset "${!ODE_RLS_@}"
failures=0
sentences=

say () { echo "$*" >&2; }

# ---- the sides: ODE and ode_rls ----

# Everything that is in the archives, unpacked.
versions=
if [ -n "$archives" ]; then
    "$top/third_party/install.sh" versions || exit 1
    for archive in "$archives"/ode-*.tar.*; do
        [ -e "$archive" ] || continue
        name=$(basename "$archive")
        version=${name#ode-}
        version=${version%.tar.*}
        mkdir -p "$work/source"
        [ -d "$work/source/ode-$version" ] || tar -xf "$archive" -C "$work/source" || exit 1
        versions="$versions $version"
    done
fi

# A copy of 0.13 with what Webots has changed in its own: fields in joints and bodies, no threads to be seen.
make_webots ()
{
    local source=$work/source/ode-0.13-webots
    [ -d "$source" ] && return
    cp -r "$work/source/ode-0.13" "$source"
    sed -i 's/^\( *dReal bounce;.*\)$/\1\n    dReal previous_angle;/' "$source/ode/src/joints/joint.h"
    sed -i 's/^\( *bool isEnabled() const;.*\)$/\1\n    bool mtTag;/' "$source/ode/src/joints/joint.h"
    sed -i 's/^\( *dxBody(dxWorld \*w);.*\)$/    bool mtTag;\n\1/' "$source/ode/src/objects.h"
    grep -q previous_angle "$source/ode/src/joints/joint.h" && grep -q mtTag "$source/ode/src/objects.h" || exit 1
}

# An ODE of which only the public functions can be seen, made of a static one:  hide ARCHIVE PATTERN LIBRARY
hide ()
{
    ld -r -o "$work/hidden.o" --whole-archive "$1"
    objcopy --wildcard "$2" "$work/hidden.o"
    g++ -shared -o "$3" "$work/hidden.o" -Wl,-soname,libode.so -lpthread
}

# The last version with the patch that gives it public functions for steppers, and with the private ones hidden.
make_patched ()
{
    if [ ! -d "$work/source/ode-$last-patched" ]; then
        cp -r "$work/source/ode-$last" "$work/source/ode-$last-patched"
        patch -s -d "$work/source/ode-$last-patched" -p1 <"$top/third_party/ode-steppers.patch" || exit 1
    fi
    "$here/build_ode.sh" "$work/source/ode-$last-patched" double "$work/ode-$last-patched-double" || exit 1
    hide "$work/ode-$last-patched-double/lib/libode.a" "--keep-global-symbol=d[A-Z]*" "$work/ode-$last-patched-double/lib/libode.so"
}

build_all ()
{
    local version precision
    for version in $versions; do
        for precision in double single; do
            say "building ODE $version, $precision precision"
            "$here/build_ode.sh" "$work/source/ode-$version" $precision "$work/ode-$version-$precision" ||
                { say "it does not build: $work/ode-$version-$precision/log"; exit 1; }
        done
        last=$version
    done
    case " $versions " in *" 0.13 "*)
        make_webots
        "$here/build_ode.sh" "$work/source/ode-0.13-webots" double "$work/ode-0.13-webots-double" || exit 1
        hide "$work/ode-0.13-webots-double/lib/libode.a" "--localize-symbol=dThreading*" \
            "$work/ode-0.13-webots-double/lib/libode.so" ;;
    esac
    mkdir -p "$work/ode-hidden-double/lib"
    cp -r "$work/ode-$last-double/include" "$work/ode-hidden-double/"
    hide "$work/ode-$last-double/lib/libode.a" "--keep-global-symbol=d[A-Z]*" "$work/ode-hidden-double/lib/libode.so"
}

# The library and the shim of a precision, built against the last of the versions: one build serves them all.
build_library ()
{
    local precision=$1
    if [ "$precision" = double ] && [ -e "$build/lib/libode_rls_preload.so" ]; then # that is the build folder's own
        rm -rf "$work/rls-double"
        mkdir "$work/rls-double"
        ln -s "$(cd "$build/lib" && pwd)" "$work/rls-double/lib"
        return
    fi
    say "building ode_rls, $precision precision"
    PKG_CONFIG_PATH=$work/ode-$last-$precision/lib/pkgconfig cmake -S "$top" -B "$work/rls-$precision" -DCMAKE_BUILD_TYPE=Release \
        -DODE_RLS_TESTS=OFF -DODE_RLS_TOOLS=OFF >"$work/rls-$precision.log" 2>&1 &&
        cmake --build "$work/rls-$precision" -j "$(getconf _NPROCESSORS_ONLN)" >>"$work/rls-$precision.log" 2>&1 ||
        { say "it does not build: $work/rls-$precision.log"; exit 1; }
}

# ---- one cell ----

# value NAME FILE: the number that the program printed behind that name
value () { awk -v name="$1" '$1 == name { print $2 }' "$2"; }

numbers () { grep -E '^(gap|rest|stop) ' "$1"; }

# judge PRECISION STATUS: what the files own and out say
judge ()
{
    local precision=$1 status=$2 gap=1e-12 rest=1e-6 sentence
    if [ "$precision" = single ]; then gap=1e-4 rest=1e-2; fi
    sentence=$(grep -E "^refused: |ODE's own step" "$work/out" | head -n 1 |
        sed -e 's/^refused: //' -e 's/^ode_rls: world [0-9]*: //' -e "s|$work/||g")
    if [ "$status" -ge 128 ]; then verdict=CRASH
    elif [ "$status" != 0 ]; then verdict=WRONG
    elif [ -n "$sentence" ]; then
        verdict=WRONG
        if [ "$(numbers "$work/own")" = "$(numbers "$work/out")" ]; then verdict=refused; fi
    elif awk "BEGIN { exit !($(value gap "$work/out") < $gap && $(value rest "$work/out") < $rest && $(value stop "$work/out") < 0.1) }"
    then verdict=works
    elif [ "$(numbers "$work/own")" = "$(numbers "$work/out")" ]; then verdict="not reached"
    else verdict=WRONG
    fi
    case $verdict in
    CRASH | WRONG) failures=$((failures + 1)); say "$verdict: $name"; cat "$work/out" >&2 ;;
    refused)
        case $sentences in
        *"$sentence"*) ;;
        *) sentences="$sentences$name: $sentence
" ;;
        esac ;;
    esac
}

# Programs with and without the library:  compile ODE-FOLDER shared|static PRECISION
compile ()
{
    local ode=$1 link=$2 precision=$3 rls="$work/rls-$3" libraries
    if [ "$link" = static ]; then libraries="$ode/lib/libode.a -lstdc++"; else libraries="-L$ode/lib -lode -Wl,-rpath,$ode/lib"; fi
    cc -w -O1 -I"$ode/include" -o "$work/own.bin" "$here/program.c" $libraries -lpthread -lm || return 1
    if [ "$link" = static ]
    then libraries="$rls/lib/libode_rls.a $libraries -lamd"
    else libraries="-L$rls/lib -lode_rls -Wl,-rpath,$rls/lib $libraries"
    fi
    cc -w -O1 -DWITH_ODE_RLS -I"$ode/include" -I"$top/plugin/include" -o "$work/rls.bin" "$here/program.c" $libraries -lpthread -lm
}

# cell ODE-FOLDER shared|static PRECISION: sets with_library and with_shim
cell ()
{
    name="$(basename "$1") $2"
    if ! compile "$1" "$2" "$3" 2>"$work/out"; then
        verdict=WRONG status=1
        judge "$3" 1
        with_library=$verdict with_shim=$verdict
        return
    fi
    "$work/own.bin" >"$work/own" 2>&1
    timeout 60 "$work/rls.bin" >"$work/out" 2>&1
    judge "$3" $?
    with_library=$verdict
    LD_PRELOAD=$work/rls-$3/lib/libode_rls_preload.so timeout 60 "$work/own.bin" >"$work/out" 2>&1
    judge "$3" $?
    with_shim=$verdict
}

# ---- the table ----

row () { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

# One row a version; in a cell the library, then the shim.
table ()
{
    row ODE "double, shared" "double, static" "single, shared" "single, static"
    row --- --- --- --- ---
    local version precision link
    for version in $versions; do
        local cells=()
        for precision in double single; do
            for link in shared static; do
                cell "$work/ode-$version-$precision" $link $precision
                cells+=("$with_library, $with_shim")
                case $with_library in works) ;; *) failures=$((failures + 1)) ;; esac
                case $link-$with_shim in shared-works | static-"not reached") ;; *) failures=$((failures + 1)) ;; esac
            done
        done
        row "$version" "${cells[@]}"
    done
    echo
    row ODE precision linking library shim
    row --- --- --- --- ---
}

# What must be refused, or must work although it is unusual.
unusual ()
{
    if [ -d "$work/ode-0.13-webots-double" ]; then
        cell "$work/ode-0.13-webots-double" shared double
        row "0.13 changed as in Webots, no threads" double shared "$with_library" "$with_shim"
        [ "$with_library" = works ] && [ "$with_shim" = works ] || failures=$((failures + 1))
    fi
    cell "$work/ode-hidden-double" shared double
    row "$last, internal functions hidden" double shared "$with_library" "$with_shim"
    [ "$with_library" = refused ] && [ "$with_shim" = refused ] || failures=$((failures + 1))

    make_patched
    cell "$work/ode-$last-patched-double" shared double
    row "$last with our patch, internal functions hidden" double shared "$with_library" "$with_shim"
    [ "$with_library" = works ] && [ "$with_shim" = works ] || failures=$((failures + 1))

    # a library and a shim of the other precision
    name="$last of the other precision"
    local other=$work/ode-$last-single
    cc -w -O1 -I"$other/include" -o "$work/own.bin" "$here/program.c" -L"$other/lib" -lode -Wl,-rpath,"$other/lib" -lm
    "$work/own.bin" >"$work/own" 2>&1
    LD_PRELOAD=$work/rls-double/lib/libode_rls_preload.so timeout 60 "$work/own.bin" >"$work/out" 2>&1
    judge single $?
    row "$name" single shared - "$verdict"
    [ "$verdict" = refused ] || failures=$((failures + 1))
    other=$work/ode-$last-double
    cc -w -O1 -I"$other/include" -o "$work/own.bin" "$here/program.c" -L"$other/lib" -lode -Wl,-rpath,"$other/lib" -lm
    "$work/own.bin" >"$work/own" 2>&1
    LD_PRELOAD=$work/rls-single/lib/libode_rls_preload.so timeout 60 "$work/own.bin" >"$work/out" 2>&1
    judge double $?
    row "$name" double shared - "$verdict"
    [ "$verdict" = refused ] || failures=$((failures + 1))
}

# The library built inside a program's own sources, by CMake (-DODE_RLS_ODE_SOURCE) or by one call of the compiler.
inside ()
{
    local version=$1 precision=$2 by=$3 ode=$work/ode-$1-$2 source=$work/source/ode-$1 folder=$work/inside-$1-$2-$3
    name="$version, compiled inside by $by"
    mkdir -p "$folder"
    if [ "$by" = cmake ]; then
        local double=ON
        if [ "$precision" = single ]; then double=OFF; fi
        cmake -S "$here/inside" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DODE_RLS="$top" -DODE_RLS_ODE_SOURCE="$source" \
            -DODE_WITH_TRIMESH=OFF -DODE_DOUBLE_PRECISION=$double >"$folder/log" 2>&1 &&
            cmake --build "$folder" -j "$(getconf _NPROCESSORS_ONLN)" >>"$folder/log" 2>&1
    else
        "$here/inside/compile.sh" "$source" "$ode" "$folder/own" "$folder/rls" >"$folder/log" 2>&1
    fi
    verdict=WRONG
    if [ -e "$folder/rls" ]; then
        "$folder/own" >"$work/own" 2>&1
        timeout 60 "$folder/rls" >"$work/out" 2>&1
        judge "$precision" $?
    else
        say "it does not build: $folder/log"
    fi
    row "$name" "$precision" static "$verdict" -
    [ "$verdict" = works ] || failures=$((failures + 1))
}

# Two modules of one program, each with an ODE of its own: the first one's is driven, the other one's refused.
two_in_one ()
{
    local first=$1 second=$2 with=$3 flags= libraries= i=0 version
    name="$first and $second in one program"
    if [ "$with" = library ]; then
        flags="-DWITH_ODE_RLS -I$top/plugin/include" libraries="-L$work/rls-double/lib -lode_rls -Wl,-rpath,$work/rls-double/lib"
    fi
    cc -w -o "$work/host" "$here/host.c" -ldl
    for version in $first $second; do
        i=$((i + 1))
        cc -w -O1 -shared -fPIC -Dmain=program_main $flags -I"$work/ode-$version-double/include" -o "$work/module$i.so" "$here/program.c" \
            $libraries -L"$work/ode-$version-double/lib" -lode -Wl,-rpath,"$work/ode-$version-double/lib" -lm
    done
    "$work/host" "$work/module2.so" 2>&1 | grep -v '^refused' >"$work/second_alone"
    if [ "$with" = library ]
    then timeout 60 "$work/host" "$work/module1.so" "$work/module2.so" >"$work/both" 2>&1
    else LD_PRELOAD=$work/rls-double/lib/libode_rls_preload.so timeout 60 "$work/host" "$work/module1.so" "$work/module2.so" >"$work/both" 2>&1
    fi
    local status=$? closed open
    closed=$(value gap "$work/both" | head -n 1)
    open=$(value gap "$work/both" | tail -n 1)
    verdict="first driven, second refused"
    if [ $status -ge 128 ]; then verdict=CRASH; fi
    if ! awk "BEGIN { exit !($closed < 1e-12 && $open > 1e-6) }" || ! grep -qE "^refused|two ODEs" "$work/both"; then
        verdict=WRONG
        cat "$work/both" >&2
    fi
    case $verdict in CRASH | WRONG) failures=$((failures + 1)) ;; esac
    if [ "$with" = library ]; then row "$name" double shared "$verdict" -; else row "$name" double shared - "$verdict"; fi
}

if [ -z "$versions" ]; then
    say "left out: no sources of ODE (ode-VERSION.tar.*) in '${archives:-no folder}'; tests/versions/run.sh ARCHIVES"
    exit 77
fi
build_all
build_library double
build_library single
table
unusual
inside "$last" double cmake
inside "$last" single cmake
inside 0.13 double compiler
case " $versions " in *" 0.13 "*)
    two_in_one 0.13 "$last" library
    two_in_one 0.13 "$last" shim ;;
esac

# ODE's own unit tests; ODE has them for its own step.
tests_of_ode ()
{
    echo
    echo "ODE's own unit tests, $1:"
    "$here/unit_tests.sh" "$work/source/ode-$1" "$work/ode-$1-double" "$work/rls-double/lib/libode_rls_preload.so" "$work/unit-$1" ||
        failures=$((failures + 1))
}
case " $versions " in *" 0.16.6 "*) tests_of_ode 0.16.6 ;; esac
echo
echo "Refused:"
printf '%s' "$sentences"
[ $failures = 0 ] || { say "$failures cells are not as they should be"; exit 1; }
