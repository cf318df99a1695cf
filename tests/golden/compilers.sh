#!/bin/sh
# compilers.sh FOLDER: builds the trajectories with gcc and clang, Debug and Release, in FOLDER and compares their hashes.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
first=
status=0
mkdir -p "$folder"
for compiler in gcc clang
do
    for type in Debug Release
    do
        build=$folder/$compiler-$type
        cmake -S "$top" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=$type -DCMAKE_C_COMPILER=$compiler \
            -DCMAKE_CXX_COMPILER="$(echo $compiler | sed 's/gcc/g++/; s/clang/clang++/')" > "$build.log"
        ninja -C "$build" trajectories >> "$build.log"
        "$build/bin/trajectories" > "$build.hashes"
        : "${first:=$build.hashes}"
        if diff "$first" "$build.hashes"
        then echo "$compiler $type: the same"
        else echo "$compiler $type: differs" && status=1
        fi
    done
done
exit $status
