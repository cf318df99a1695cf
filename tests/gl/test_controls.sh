# Every control by script: settings, actions, mouse, rewinding, pulling, films.
. "$2/lib.sh"

cat >all.txt <<'END'
wait 1
do pause
frames 2
state paused.json
do back
do back
do back
frames 2
state back.json
do step
frames 2
state forward.json
do pause
wait 0.5
state resumed.json
do reset
frames 1
state reset.json
set a.solver ode
set b.integrator symplectic4
set dt 0.01
wait 1
state changed.json
do a.rls
do b.quick
do map
do labels
do reactions
do axes
do motion
do glass
do wire
do gaps
do ghost
frames 3
shot everything.png
state everything.json
do ghost
wheel 3
frames 2
state wheel.json
look top
wait 1
state look.json
set erp 0.8
set cfm 1e-5
set gravity 3
set iterations 50
set tolerance 1e-8
set b.order random
wait 0.3
open fourbar
wait 0.5
state scene.json
do next
wait 0.2
state next.json
open biped2
wait 0.2
click scene/bricard
wait 0.2
state clicked.json
END
env -u DISPLAY "$program" view --headless --gl-messages --script all.txt >out 2>err
pass_or_fail $? "script: $(cat err)"
holds "the OpenGL driver finds no fault" sh -c '! grep -v "^OpenGL performance: " err >&2'
json paused.json '.settings.paused == "1" and .sides[0].step >= 59'
step=$(jq '.sides[0].step' paused.json)
json back.json ".sides[0].step == $step - 3 and .scroll == 3"
json forward.json ".sides[0].step == $step - 2 and .scroll == 2"
json resumed.json ".sides[0].step > $step - 2 and .sides[0].step < $step + 40 and .scroll == 0"
json resumed.json '.sides[1].worst < 1e-12 and (.sides[1].energy_lost | fabs) < 0.05'
json reset.json '.sides[0].step <= 1'
json changed.json '.sides[0].solver == "ode" and .settings["b.integrator"] == "symplectic4" and (.sides[1].time - 1 | fabs) < 0.05'
json everything.json '.sides[0].solver == "rls" and .sides[1].solver == "quick" and .settings.map == "viridis" and .settings.layout == "ghost"'
json everything.json '.settings | .labels == "1" and .reactions == "1" and .axes == "1" and .motion == "1" and .exaggerate == "100"'
distance=$(jq .camera.distance everything.json)
json look.json '.camera.pitch > 1.5'
json scene.json '.scene == "fourbar"'
json next.json '.scene != "fourbar"'
json clicked.json '.scene == "bricard"'
holds "all of it draws" test -s everything.png
[ -n "$distance" ]
pass_or_fail $? "a camera distance"

# Going on from the past where a frame lasts less than a step: at a slow speed, as on a fast screen.
printf 'set speed 0.25\nwait 4\ndo pause\ndo rewind\nframes 2\nstate past.json\ndo pause\nwait 2\nstate on.json\n' >slow.txt
env -u DISPLAY "$program" view --headless --script slow.txt >out 2>err
pass_or_fail $? "slowly: $(cat err)"
step=$(jq '.sides[0].step' past.json)
json past.json '.scroll == 10'
json on.json ".scroll == 0 and (.sides | all((.step - $step - 30 | fabs) < 3))"

# Pulling a body: both sides follow the hand; the camera does not turn.
printf 'set paused 1\nframes 4\nstate 0.json\n' >place.txt
env -u DISPLAY "$program" view --headless --script place.txt --dt 0.01 >out 2>err
xy=$(jq -r '.sides[1].bodies.bar3 | map(floor) | join(" ")' 0.json)
# shellcheck disable=SC2086
set -- $xy
cat >pull.txt <<END
set paused 1
frames 4
move $1 $2
press
set paused 0
move $(($1 + 60)) $(($2 - 40))
wait 0.5
state pulled.json
shot pulled.png
release
frames 2
state released.json
END
env -u DISPLAY "$program" view --headless --script pull.txt --dt 0.01 --a rls >out 2>err
pass_or_fail $? "pulling: $(cat err)"
json pulled.json '.pulling >= 0 and .sides[0].worst < 1e-10'
json released.json '.pulling == -1'
yaw=$(jq .camera.yaw 0.json)
json pulled.json ".camera.yaw == $yaw"

# The help lies over the plots: what it covers neither shows through nor can be clicked.
printf 'wait 1\nframes 2\nstate plots.json\n' >plots.txt
env -u DISPLAY "$program" view --headless --script plots.txt >out 2>err
xy=$(jq -r '.widgets["plot/1"] | "\(.[0] + .[2] / 2 | floor) \(.[1] + 20 | floor)"' plots.json)
cat >help.txt <<END
wait 1
set paused 1
set heat fixed
set help 1
move 640 8
frames 3
shot away.png
move $xy
frames 3
shot over.png
press
frames 3
state covered.json
release
END
env -u DISPLAY "$program" view --headless --script help.txt >out 2>err
pass_or_fail $? "help: $(cat err)"
holds "no tip over the help" cmp away.png over.png
json covered.json '.scroll == 0 and .settings.help == "1"'

# A film, if there is an encoder.
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null
then
    env -u DISPLAY "$program" view --headless --frames 30 --size 640x360 --quality low --mp4 film.mp4 >out 2>err
    pass_or_fail $? "film: $(cat err)"
    [ "$(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 film.mp4)" = 30 ]
    pass_or_fail $? "30 frames in the film"
fi
finish
