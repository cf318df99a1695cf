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
# Names in other letters than those of English are drawn as such, where a font is installed: two names of as many
# letters give two pictures.
for word in колесо панели
do
    cat >name.sdf <<END
<sdf version="1.9"><model name="m"><link name="$word"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>
END
    run 0 view name.sdf --headless --frames 2 --set labels=1 --set panel=0 --state name.json --png "$word.png"
done
[ -z "$(jq -r .font name.json)" ] || holds "Cyrillic letters differ" sh -c '! cmp -s колесо.png панели.png'
finish
