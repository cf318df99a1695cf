#!/bin/sh
# pictures.sh PROGRAM FOLDER: makes the pictures of the README again, without a display, and those of its film, twelve a
# second, in FOLDER/film.
set -eu
program=$1 folder=$2
picture () # NAME SECONDS SCENE OPTIONS...
{
    name=$1 frames=$(($2 * 60)) scene=$3
    shift 3
    "$program" view "$scene" --headless --frames "$frames" --size 2560x1440 --scale 2 --png "$folder/$name.png" "$@"
}
film () # PICTURES SCENE OPTIONS...
{
    awk -v n="$1" -v folder="$folder/film" 'BEGIN { for (i = 0; i < n; i++) printf "frames 4\nshot %s/%03d.png\n", folder, i }' \
        >"$folder/film/script"
    scene=$2
    shift 2
    "$program" view "$scene" --headless --size 1600x760 --scale 1.5 --script "$folder/film/script" "$@"
}
mkdir -p "$folder/film"
picture bricard 4 bricard
picture excavator 4 show_excavator --a quick
film 60 bricard --set panel=0 --set plots=0
