#!/bin/sh
# run.sh BUILD [STEPS]: long runs of mechanisms, through singular configurations too, and of a heap of ragdolls
# (a tenth of the steps: contacts cost a hundred times as much).
set -eu
build=$1 steps=${2:-1000000}
scenes=$(cd "$(dirname "$0")/../../demos/scenes" && pwd)
"$build/bin/soak" "$scenes/bricard.sdf" "$steps"
"$build/bin/soak" "$scenes/nfourbar_n2.sdf" "$steps"
"$build/bin/soak" "$scenes/slider_crank.sdf" "$steps"
"$build/bin/soak" ragdolls:4 $((steps / 10))
