# What the tests of the viewer share, on top of the tests of the command line.  A test is started as
# "sh test_NAME.sh PROGRAM TESTS_GL TOP REGIONS".
. "$3/tests/cli/lib.sh"
gl=$2 regions=$4
export XDG_CONFIG_HOME="$work/config" # not the user's

# draw NAME ARGUMENTS...: a headless run without a display; leaves NAME.png and NAME.json.
draw ()
{
    name=$1
    shift
    env -u DISPLAY -u WAYLAND_DISPLAY "$program" view --headless --png "$name.png" --state "$name.json" "$@" >out 2>err </dev/null
    pass_or_fail $? "drawing $name: ode-rls view $* $(head -n 5 err)"
}

# region NAME FILTER FILE X Y W H [OTHER]: jq finds the filter true of the region's statistics.
region ()
{
    text=$1 filter=$2
    shift 2
    "$regions" "$@" >region.json 2>holds.err
    pass_or_fail $? "$text: $(cat holds.err)"
    jq -e "$filter" region.json >/dev/null
    pass_or_fail $? "$text: not true: $filter of $(cat region.json)"
}

# view_of FILE SIDE: "X Y W H" of a side's view in a state dump.
view_of () { jq -r ".sides[$2].view | map(floor) | join(\" \")" "$1"; }

# ---- a real window ---------------------------------------------------------------------------------------

# Ends the test as skipped where a program is missing.
need ()
{
    for tool in "$@"
    do command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
    done
}

# open_window ARGUMENTS...: an X server and the viewer on it; its state is kept in state.json.
open_window ()
{
    Xvfb -displayfd 3 -noreset -screen 0 1600x900x24 -nolisten tcp 3>display 2>xvfb.log &
    server=$!
    trap 'kill $viewer $server 2>/dev/null; rm -rf "$work"' EXIT
    viewer=
    tries=0
    until [ -s display ]
    do
        sleep 0.1
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo "Xvfb did not start: $(cat xvfb.log)"; exit 1; }
    done
    DISPLAY=:$(cat display)
    export DISPLAY
    unset WAYLAND_DISPLAY
    # X11 drivers are unloaded with the window, and with them the owners of some of their memory.
    ASAN_OPTIONS=detect_leaks=0 "$program" view --state state.json "$@" >window.out 2>window.err </dev/null &
    viewer=$!
    await '.frame > 20' || finish
    window=$(xdotool search --sync --onlyvisible --name 'ode-rls view' | head -n 1)
    xdotool windowfocus --sync "$window" 2>/dev/null
}

# await FILTER: waits until the state has it, at most half a minute.
await ()
{
    tries=0
    until jq -e "$1" state.json >/dev/null 2>&1
    do
        sleep 0.1
        tries=$((tries + 1))
        if [ $tries -gt 300 ] || ! kill -0 "$viewer" 2>/dev/null
        then
            pass_or_fail 1 "never true: $1 ($(jq -c '{frame,notice,sides:[.sides[]|{time,solver}]}' state.json 2>/dev/null) $(tail -n 3 window.err))"
            return 1
        fi
    done
    pass_or_fail 0 ""
}

# Lets some frames pass, so that the state on disk is newer than what was done before.
settle ()
{
    frame=$(jq .frame state.json)
    await ".frame > $frame + 6"
}

value () { jq -r "$1" state.json; }

# A key, as the window sees it.
key () { xdotool key --window "$window" "$@"; }

# Moves the mouse onto a widget and clicks.
click ()
{
    settle
    place=$(value ".widgets[\"$1\"] | \"\(.[0] + .[2] / 2 | floor) \(.[1] + .[3] / 2 | floor)\"")
    [ "$place" != "null null" ] && [ -n "$place" ]
    pass_or_fail $? "no widget $1 on the screen"
    # shellcheck disable=SC2086
    xdotool mousemove --window "$window" $place
    settle
    xdotool mousedown 1
    settle
    xdotool mouseup 1
    settle
}

# close_window [TEXT]: quits it by its key; lines on standard error that hold the text are expected.
close_window ()
{
    key ctrl+q
    tries=0
    while kill -0 "$viewer" 2>/dev/null && [ $tries -lt 100 ]
    do
        sleep 0.1
        tries=$((tries + 1))
    done
    ! kill -0 "$viewer" 2>/dev/null
    pass_or_fail $? "the viewer does not quit"
    wait "$viewer"
    pass_or_fail $? "the viewer ended with an error: $(cat window.err)"
    ! grep -v -e "${1:-nothing else}" window.err >complaints
    pass_or_fail $? "it complained: $(cat complaints)"
    viewer=
    kill "$server" 2>/dev/null
}
