#!/bin/sh
# compile.sh SOURCE ODE OWN RLS: the library without CMake, inside a program that has ODE's sources.
#
# SOURCE is ODE's source; ODE where it was installed (include, lib/libode.a), with the config.h that its private headers ask for, if any.
# Makes the program with its own step, OWN, and with ode_rls, RLS.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
plugin=$here/../../../plugin
source=$1 ode=$2 own=$3 rls=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -e "$ode/config.h" ]; then cp "$ode/config.h" "$work/"; else echo "/* none is needed by the headers */" >"$work/config.h"; fi

sources=$(ls "$plugin"/src/*/*.c | grep -v 'ode_find\.c\|ode_families\.c')
cd "$work"
grep -o 'X (d[A-Za-z0-9]*)' "$plugin/src/ode/ode_calls.h" | sed 's/X (\(.*\))/#define \1 rls_ode.\1/' >ode_call_names.h
cc -c -std=gnu11 -O2 -ffp-contract=off -DRLS_ODE_INSIDE -I. -I"$plugin/include" -I"$plugin/src" -I"$ode/include" $sources
c++ -c -std=c++11 -O2 -w -I"$work" -I"$plugin/src" -I"$plugin/include" -I"$ode/include" -I"$source/ode/src" -I"$source/ou/include" \
    "$plugin/src/ode/ode_inside.cpp"
cc -w -O1 -I"$ode/include" "$here/../program.c" -o "$own" "$ode/lib/libode.a" -lstdc++ -lpthread -lm
cc -w -O1 -DWITH_ODE_RLS -I"$ode/include" -I"$plugin/include" "$here/../program.c" *.o -o "$rls" "$ode/lib/libode.a" -lamd -lstdc++ \
    -lpthread -lm
