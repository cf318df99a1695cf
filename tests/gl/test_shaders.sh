# Shaders: read from a folder while they are being written, and errors that name file and line.
. "$2/lib.sh"

mkdir shaders
cp "$top"/shaders/* shaders
draw disk --frames 20 --shaders shaders
draw embedded --frames 20
holds "embedded and on disk are the same" cmp disk.png embedded.png

break_line () # FILE LINE TEXT
{
    cp "$top/shaders/$1" "shaders/$1"
    sed -i "$2s/.*/$3/" "shaders/$1"
    run 1 view --headless --frames 1 --shaders shaders
    holds "$1:$2 is named" grep -q "^ode-rls: $1:$2: " err
    cp "$top/shaders/$1" "shaders/$1"
}

last=$(grep -n '^}' shaders/solid.frag | tail -n 1 | cut -d: -f1)
break_line solid.frag "$last" 'nonsense }'
break_line line.frag 8 'out vec9 color;'
# An error in an included file, and one behind an include.
line=$(grep -n 'vec3 display_color' shaders/frame.glsl | cut -d: -f1)
break_line frame.glsl "$line" 'vec3 display_color (vec3 linear) = 3'
mv shaders/ground.frag moved
run 1 view --headless --frames 1 --shaders shaders
holds "a missing file is named" grep -q "ground.frag: cannot be read from shaders" err
finish
