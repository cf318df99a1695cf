# A real window, driven by real clicks and keys.
. "$2/lib.sh"
need Xvfb xdotool jq
mkdir shaders
cp "$top"/shaders/* shaders
open_window --size 1280x720 --shaders shaders --gl-messages

# Keys.
key space
await '.settings.paused == "1"'
settle
step=$(value '.sides[0].step')
key Right
await ".sides[0].step == $step + 1"
key Left
key Left
await '.scroll == 2'
key space
await ".settings.paused == \"0\" and .sides[0].step > $step + 10"
key 1
await '.sides[0].solver == "ode"'
key shift+2
await '.sides[1].solver == "quick"'
key shift+3
key h
await '.settings.help == "1"'
key h
await '.settings.help == "0"'
key ctrl+p
await '.settings.paused == "1"'
key ctrl+p
key l r g
await '.settings.labels == "1" and .settings.reactions == "1" and .settings.layout == "ghost"'
key l r g
key BackSpace
await '.sides[0].step < 60'

# Buttons, a list, a slider, a section.
click play
await '.settings.paused == "1"'
click play
await '.settings.paused == "0"'
click solver_a
click solver_a/ode-rls
await '.sides[0].solver == "rls"'
click gravity
await '.settings.gravity | tonumber > 10'
click scenes
click scenes
click scene/bricard_repo
await '.scene == "bricard_repo"'
key Prior
await '.scene == "bricard"'

# The camera: orbit beside the bodies, wheel, presets.
settle
yaw=$(value .camera.yaw)
place=$(value '.sides[1].view | "\(.[0] + 20 | floor) \(.[1] + .[3] - 100 | floor)"')
# shellcheck disable=SC2086
xdotool mousemove --window "$window" $place
settle
xdotool mousedown 1
settle
xdotool mousemove_relative 60 0
settle
xdotool mouseup 1
await ".camera.yaw - $yaw | fabs > 0.1"
distance=$(value .camera.distance)
for notch in 1 2 3 4
do
    xdotool click 4
    settle
done
await ".camera.distance < $distance * 0.7"
key f
await ".camera.distance > $distance * 0.75"

# Pulling a body.
key ctrl+p
settle
for _ in 1 2 3 4 5 # on a machine with other work a press may come before the pointer is there
do
    place=$(value '.sides[1].bodies.bar1 | "\(.[0] | floor) \(.[1] | floor)"')
    # shellcheck disable=SC2086
    xdotool mousemove --window "$window" $place
    settle
    xdotool mousedown 1
    settle
    [ "$(value '.pulling >= 0')" = true ] && break
    xdotool mouseup 1
    settle
done
await '.pulling >= 0'
xdotool mousemove_relative 40 30
settle
xdotool mouseup 1
await '.pulling == -1'
key ctrl+p

# Shaders are read again when they change; a broken one is shown and the old one stays.
sed -i 's/^out vec4 color;/out vec4 color/' shaders/line.frag
await '.shader_error | test("^line.frag:[0-9]+: ")'
cp "$top/shaders/line.frag" shaders/line.frag
await '.shader_error == ""'

# Another size, and a picture of it.
xdotool windowsize --sync "$window" 1500 800
await '.sides[1].view | .[0] + .[2] > 1380'
key F12
name=$(value .scene)
await '.notice | contains("Saved ")'
holds "the picture has the window's size" "$regions" "$name-001.png" 1499 799 1 1

# Settings that are kept begin the next window, not a run without one; bad lines are named and left out.
key m
key b
await '.settings.plots == "0" and .settings.map == "viridis"'
key k
await '.notice | contains("kept")'
close_window 'line.frag:\|^OpenGL performance: \|^OpenGL error: .*0[:(]'
holds "what differs is kept" grep -qx 'map viridis' config/ode-rls/view
holds "a pause is not" sh -c '! grep -q paused config/ode-rls/view'
echo 'colour red' >>config/ode-rls/view
rm state.json display
open_window --size 1280x720
await '.settings.plots == "0" and .settings.map == "viridis"'
holds "the bad line is named" grep -q 'view:[0-9]*: there is no setting colour' window.err
key shift+k
await '.notice | contains("as usual")'
holds "forgotten" test ! -e config/ode-rls/view
close_window 'there is no setting'
echo 'map viridis' >config/ode-rls/view
draw same --frames 2
json same.json '.settings.map == "bluered"'
finish
