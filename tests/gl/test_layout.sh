# Every size and scale: no widget leaves the screen, none of the bar at the top covers another, and
# the numbers over the views have room.
. "$2/lib.sh"

check ()
{
    name=$1 width=$2 height=$3
    shift 3
    draw "$name" --frames 60 --size "${width}x$height" "$@"
    json "$name.json" "[.widgets[] | .[0] >= 0 and .[0] + .[2] <= $width + 0.5] | all"
    json "$name.json" '[.widgets | to_entries[] | select(.key | test("^(reset|back|play|step|speed|solver_.|integrator_.|split|fit|picture|film|panel|help)$")) | .value] as $w
        | [range($w | length) as $i | range($i) as $j | ($w[$i][0] + $w[$i][2] <= $w[$j][0] + 0.5) or ($w[$j][0] + $w[$j][2] <= $w[$i][0] + 0.5)] | all'
    json "$name.json" "[.sides[].view | .[2] > $width / 5 and .[3] > $height / 3] | all"
    holds "size of $name" sh -c '"$0" "$1.png" $(($2 - 1)) $(($3 - 1)) 1 1 && ! "$0" "$1.png" 0 0 $(($2 + 1)) 1' "$regions" "$name" "$width" "$height"
}

check small 1280 720
check large 1920 1080
check double 2560 1440 --scale 2
check three 1280 720 --a rls
check narrow 1024 640
check crowded 1280 720 --scale 2
check tiny 800 600
json small.json '.font | test("Inter")'
finish
