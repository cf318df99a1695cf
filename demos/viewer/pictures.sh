#!/bin/sh
# pictures.sh PROGRAM FOLDER: makes the pictures of the README again, without a display.
set -eu
program=$1 folder=$2
picture () # NAME SECONDS SCENE OPTIONS...
{
    name=$1 frames=$(($2 * 60)) scene=$3
    shift 3
    "$program" view "$scene" --headless --frames "$frames" --size 2560x1440 --scale 2 --png "$folder/$name.png" "$@"
}
mkdir -p "$folder"
picture bricard 4 bricard
picture lost_energy 4 bricard --a ode
picture walker 5 show_walker
picture wall 5 show_wrecking_ball
picture excavator 4 show_excavator
picture origami 3 miura:6
picture peaucellier 2 peaucellier
