# What a frame costs: instanced drawing, so as many draw calls for 1000 bodies as for 10.
. "$2/lib.sh"

draw few chain:10 --frames 2 --paused
draw some chain:500 --frames 2 --paused
draw many chain:1000 --frames 2 --paused
json few.json '.draw_calls < 20'
calls=$(jq .draw_calls some.json)
json many.json ".draw_calls <= $calls and .draw_calls < 20" # fewer where all is small

# Memory: what the past needs is taken at the start; after that a run may be as long as it likes.
peak () # FRAMES: prints the largest resident size of a run, in KiB
{
    env -u DISPLAY "$program" view --headless --frames "$1" --state "run$1.json" >out 2>err </dev/null &
    pid=$!
    largest=0
    while size=$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$size" ]
    do
        largest=$size
        sleep 0.02
    done
    wait $pid || largest=999999999
    echo "$largest"
}
short=$(peak 2000)
long=$(peak 12000)
[ "$short" -gt 0 ] && [ "$long" -lt $((short + 4000)) ]
pass_or_fail $? "memory grows from $short to $long KiB"
json run12000.json '.frame == 12000 and .sides[1].worst < 1e-12'
finish
