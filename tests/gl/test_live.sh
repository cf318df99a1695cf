# What a user does to a scene while it runs, by keys, mouse and panels: motors, kept states, balls, joints cut and doubled,
# islands, masses and boxes, a saved layout, a scene saved in an editor.
. "$2/lib.sh"

# Motors by their slider, and by script; the state kept comes back, also after the scene was set back.
cat >motors.txt <<'END'
set sections 48
wait 1
state before.json
do keep-state
frames 2
click place/J1
wait 0.2
state clicked.json
motor J1 place 0.5
wait 2
state motor.json
motor J1 own
click state/1
frames 2
state back.json
do reset
wait 0.2
do come-back
frames 2
state again.json
END
env -u DISPLAY "$program" view --headless --script motors.txt >out 2>err
pass_or_fail $? "motors: $(cat err)"
json clicked.json '.sides | all(.joints.J1.motor == 2)'
json motor.json '.sides | all((.joints.J1.place - 0.5 | fabs) < 1e-3 and (.story | contains("Your motor works")))'
json motor.json '.sides[1].worst < 1e-12'
json back.json '.kept == 1 and (.sides | all(.joints.J1.motor == 0 and (.time - 1 | fabs) < 0.06))'
json again.json '.kept == 1 and (.sides | all((.time - 1 | fabs) < 0.06))'
place=$(jq '.sides[1].joints.J1.place' before.json)
json again.json "(.sides[1].joints.J1.place - $place | fabs) < 0.03"

# A ball where things collide, and a word where nothing does.
cat >ball.txt <<'END'
do throw
frames 2
state through.json
open wall:20
wait 0.2
state whole.json
do throw
wait 1
state hit.json
END
env -u DISPLAY "$program" view --headless --script ball.txt >out 2>err
pass_or_fail $? "ball: $(cat err)"
json through.json '(.notice | contains("Nothing collides")) and (.sides | all(.balls == 0))'
json hit.json '.sides | all(.balls == 1)'

# A joint cut and one added once more, live, on both sides.
cat >joints.txt <<'END'
wait 0.5
do joint
do cut
wait 0.2
state cut.json
do cut
do double
wait 0.2
state double.json
END
env -u DISPLAY "$program" view --headless --script joints.txt >out 2>err
json cut.json '.sides | all(.joints.J0.cut == 1 and .redundant == 0)'
json double.json '.sides | all(.joints.J0.cut == 0 and .redundant == 6)'

# Islands in colours of their own, those that sleep dark; masses and boxes.
draw plain stacks:3 --frames 60 --set floor=off --a rls
left=$(view_of plain.json 0)
draw islands stacks:3 --frames 60 --set floor=off --a rls --set islands=on
draw asleep stacks:3 --frames 60 --set floor=off --a rls --set islands=on --set sleep=on
draw boxes stacks:3 --frames 60 --set floor=off --a rls --set boxes=on
draw masses stacks:3 --frames 60 --set floor=off --a rls --set inertia=on
json plain.json '.sides | all(.asleep == 0)'
json asleep.json '.sides[1].asleep == 30'
# shellcheck disable=SC2086
{
    region "islands have colours" '.changed > 3000' islands.png $left plain.png
    region "those that sleep are dark" '.changed > 3000' asleep.png $left islands.png
    region "boxes are drawn" '.changed > 500' boxes.png $left plain.png
    region "masses are drawn" '.changed > 500' masses.png $left plain.png
}

# The layout is kept: sections, panels, the window's size; and taken up by the next window (test_window.sh).
printf 'set sections 5\nset plots off\nframes 2\ndo keep\n' >keep.txt
env -u DISPLAY "$program" view --headless --script keep.txt --size 1000x700 >out 2>err
holds "sections are kept" grep -qx "sections 5" "$XDG_CONFIG_HOME/ode-rls/view"
holds "panels are kept" grep -qx "plots 0" "$XDG_CONFIG_HOME/ode-rls/view"
holds "the size is kept" grep -qx "width 1000" "$XDG_CONFIG_HOME/ode-rls/view"

# A scene that is saved in an editor begins again.  The viewer passes one pipe before the file is saved, and
# waits at another until it is, however fast it draws.
cp "$top/demos/scenes/door.sdf" saved.sdf
mkfifo before after
printf 'frames 40\nstate unsaved.json\ncsv before\ncsv\ncsv after\ncsv\nframes 35\nstate saved.json\n' >save.txt
{
    timeout 60 cat before
    sed 's/\<leaf\>/wing/' saved.sdf >new.sdf
    mv new.sdf saved.sdf
    timeout 60 cat after
} >/dev/null &
env -u DISPLAY timeout 60 "$program" view saved.sdf --headless --timings --script save.txt >out 2>err
pass_or_fail $? "saved: $(cat err)"
wait
json unsaved.json '.notice == "" and (.sides | all(.bodies | has("leaf")))'
json saved.json '(.notice | contains("the file was saved")) and (.sides | all(.bodies | has("wing")))'
finish
