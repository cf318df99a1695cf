#!/bin/bash
# An unmodified game of the distribution under the shim:  games.sh GAME SHIM
#
# Plays it blindly for some seconds on a display of its own, first with the game's own call (only watched by the
# shim), then with ours in its place: joints that were open must be closed, no step may be left to ODE, and the
# game must end as it did before.  Prints both summaries.  Exit status 77 means that the test was left out; the reason
# is printed.
set -u
game=$1 shim=$2
folder=$(mktemp -d)
server= player= stepper=
trap 'kill $player $server 2>/dev/null; rm -rf "$folder"' EXIT
unset "${!ODE_RLS_@}"
# LD_PRELOAD is a list with blanks and colons between its members
ln -s "$shim" "$folder/shim.so"
shim=$folder/shim.so

fail () { echo "FAILED: $*"; tail -n 20 "$folder"/*.err; exit 1; }
skip () { echo "left out: $*"; exit 77; }

PATH=$PATH:/usr/games
program=$(command -v "$game") || skip "$game is not installed"
for tool in Xvfb xdotool; do command -v $tool >/dev/null || skip "$tool is not installed"; done
ldd "$program" | grep -q libode.so || skip "this $game is not linked to ODE's shared library"

# A server begins anew when its last client leaves, and refuses others while it does: not this one.
Xvfb -displayfd 3 -noreset -ac -screen 0 1024x768x24 -nolisten tcp 3>"$folder/display" 2>/dev/null &
server=$!
for tries in $(seq 100)
do
    [ -s "$folder/display" ] && break
    sleep 0.1
done
DISPLAY=:$(cat "$folder/display")
# Nobody listens, and nothing of the user's is touched.
export DISPLAY HOME=$folder SDL_AUDIODRIVER=dummy ALSA_CONFIG_PATH=/dev/null XDG_RUNTIME_DIR=$folder
unset WAYLAND_DISPLAY XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME

# The keys that lead from the first screen into the game, and those that are held there.
case $game in
mu-cade) arguments="-window -res 640 480" keys="z" held="z Right" ;;
xmoto) arguments="--windowed -r 640x480 -l tut1" keys="Return Return" held="Up" ;;
stormbaancoureur) arguments="" keys="space" held="a" ;;
*) fail "nobody knows how to play $game" ;;
esac

# patiently WHAT COMMAND ...: tries the command every half second for a minute; games load for as long as they like.
patiently ()
{
    what=$1
    shift
    for tries in $(seq 120)
    do
        "$@" >/dev/null 2>&1 && return
        kill -0 $player 2>/dev/null || break
        sleep 0.5
    done
    [ "$stepper" = rls ] || skip "$game $what here, without our step" # the machine's affair, or the game's
    fail "$game $what"
}

# Presses the keys that lead into the game, again and again until the first step of a world is announced.
lead_in ()
{
    xdotool mousemove 200 200
    for key in $keys
    do
        xdotool key "$key"
        sleep 1
    done
    grep -q '^ode_rls: world 1: ' "$1"
}

# play STEPPER: leaves what the game said in STEPPER.err and its exit status in $status.
play ()
{
    stepper=$1
    local err=$folder/$1.err
    env LD_PRELOAD="$shim" ODE_RLS_STEPPER="$1" ODE_RLS_STATS=1 ODE_RLS_VERBOSE=1 "$program" $arguments \
        >"$folder/$1.out" 2>"$err" </dev/null &
    player=$!
    patiently "has no window" xdotool search --onlyvisible --name .
    sleep 2
    patiently "does not begin" lead_in "$err"
    for key in $held; do xdotool keydown "$key"; done
    sleep 6
    for key in $held; do xdotool keyup "$key"; done
    kill -TERM $player
    wait $player
    status=$?
    player=
    grep -A12 '^ode_rls: [0-9]' "$err" || fail "$game under $1: no summary, exit status $status"
}

# opened STEPPER: the widest gap of a joint (m)
opened () { awk '$1 == "violation" { print $2 }' "$folder/$1.err"; }
holds () { awk "BEGIN { exit !($1) }" || fail "$2: $1"; }

play quick
before=$status
play rls
# No game is played twice alike.  In one of some forty a step fails, leaves a joint open for a while and says so; not in two
# one after the other.
if grep -q 'Joints were left or became open' "$folder/rls.err"
then
    echo "a joint was left open, which was reported: once more"
    play rls
fi
[ "$status" = "$before" ] || fail "exit status $status instead of $before"
grep -qE '^ode_rls: [0-9]+ worlds?, [0-9]{3,} steps by rls' "$folder/rls.err" || fail "hardly a step"
grep -qE '^  fallbacks +0 steps left to ODE$' "$folder/rls.err" || fail "steps were left to ODE"
! grep -q 'takes its place' "$folder/rls.err" || fail "a complaint"
! grep -q '^ODE ' "$folder/rls.err" || fail "a message of ODE's"
holds "$(opened quick) > 1e-4" "the game's own stepper opens joints"
holds "$(opened rls) < 1e-8" "ours keeps them closed"
echo "passed: $game, joints open by $(opened quick) m before, by $(opened rls) m now"
