#!/bin/sh
# run.sh BUILD RUNS [TARGET ...]: so many runs of each fuzz target under libFuzzer, beginning with the corpus.  BUILD is a folder
# made by
#     cmake -S . -B BUILD -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DODE_RLS_FUZZ=ON
# What it finds is kept in BUILD/fuzz.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 runs=$2
shift 2
[ $# -gt 0 ] || set -- scene calls bounded factor shim contacts
for target
do
    seeds=
    [ "$target" != scene ] || seeds=$here/../../demos/scenes
    mkdir -p "$build/fuzz/$target"
    echo "== $target"
    preload=
    [ "$target" != shim ] || preload=$build/lib/libode_rls_preload.so
    LD_PRELOAD=$preload "$build/bin/fuzz_$target" -runs="$runs" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
        -print_final_stats=1 -verbosity=0 -close_fd_mask=1 -artifact_prefix="$build/fuzz/$target-" \
        "$build/fuzz/$target" "$here/corpus/$target" $seeds
done
