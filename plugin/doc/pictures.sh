#!/bin/sh
# pictures.sh PROGRAM: makes the pictures and the film of README.md again, in plugin/doc/pictures, and makes them small.
# Needs a build with the viewer, and ffmpeg.  A minute on the processor.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/../../demos/viewer/pictures.sh" "$program" "$work"
"$program" compare bricard --dt 0.01 --plot "$work/bricard_plot.png" >/dev/null
"$program" compare bricard --dt 1/30,0.02,0.01,0.005,0.002 --integrator euler,symplectic,symplectic4,symplectic6,rk4 \
    --plot "$work/bricard_work.png" >/dev/null

# Half the size, 256 colours: a tenth of the bytes.
mkdir -p "$here/pictures"
for file in "$work"/*.png
do
    ffmpeg -v error -y -i "$file" -pred mixed -compression_level 100 -vf \
        "scale=1280:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=256[p];[b][p]paletteuse=dither=none" \
        "$here/pictures/$(basename "$file")"
done
ffmpeg -v error -y -framerate 12 -i "$work/film/%03d.png" -vf scale=800:-1:flags=lanczos -c:v libwebp_anim -loop 0 \
    -quality 60 -compression_level 6 "$here/pictures/bricard.webp"
ls -l "$here/pictures"
