# Pictures: QuickStep red and bent, ode-rls blue and moving; dWorldStep, which opens first, stopped; without a display,
# and the same in every run.
. "$2/lib.sh"

draw start --frames 30 --a quick
draw later --frames 240 --a quick
json later.json '.sides[0].solver == "quick" and .sides[1].solver == "rls" and .scene == "bricard"'
json later.json '.sides[0].violation > 1e-2 and .sides[1].worst < 1e-12'
json later.json '.sides[1].rank == 29 and .sides[1].dof == 1 and .sides[1].redundant == 1'
json later.json '.sides | all(.failed == 0 and (.time - 4 | fabs) < 1e-6)'

left=$(view_of later.json 0) right=$(view_of later.json 1)
# shellcheck disable=SC2086
{
    region "left is red" '.red > 4000 and .red > 20 * .blue' later.png $left
    region "right is blue" '.blue > 4000 and .blue > 20 * .red' later.png $right
    region "right moves" '.changed > 4000' later.png $right start.png
    region "left moves" '.changed > 4000' later.png $left start.png
}

# The legend: blue below, white at the tolerance, red above.
legend=$(jq -r '.widgets.legend | map(floor) | join(" ")' later.json)
# shellcheck disable=SC2086
set -- $legend
x=$1 y=$2 w=$3 h=$4
region "legend's lower end" '.blue == .pixels' later.png $((x + 2)) $((y + h - 12)) $((w - 4)) 8
region "legend's upper end" '.red == .pixels' later.png $((x + 2)) $((y + 4)) $((w - 4)) 8
white=$(jq -r "(.heat[1] - (.settings.accept | tonumber)) / (.heat[1] - .heat[0]) * $h + $y | floor" later.json)
region "legend's tolerance" '.white == .pixels' later.png $((x + 2)) $((white - 1)) $((w - 4)) 2
json later.json '.heat[0] < -14 and .heat[1] > -1.5' # nothing saturates

holds "the picture names its run" sh -c '"$0" --text later.png Parameters | grep -q "scene=bricard a.solver=quick"' "$regions"

# The same again, to the last bit.
draw again --frames 240 --a quick
holds "same picture" cmp later.png again.png
jq "del (.notice)" later.json >1.json
jq "del (.notice)" again.json >2.json
holds "same state" cmp 1.json 2.json
draw table1 --frames 60 --csv 1.csv
draw table2 --frames 60 --csv 2.csv
holds "same table" cmp 1.csv 2.csv
holds "a line a step and side" [ "$(wc -l <1.csv)" = 123 ]

# The first view: dWorldStep has small violations, but the motion dies; the screen says so, and why.
draw ode --frames 240
json ode.json '.sides[0].solver == "ode" and .sides[1].solver == "rls" and .scene == "bricard"'
json ode.json '.sides[0].story | contains("One row too many: dWorldStep softens all rows")'
json ode.json '.sides[1].story | contains("dropped row 3 of J4 and moves freely")'
json ode.json '.sides[0].energy_lost > 0.5 and .sides[0].worst < 1e-3 and (.sides[0].badge | contains("energy lost"))'
json ode.json '.sides[1].energy_lost | fabs < 0.05'

# Other layouts show one side, or one over the other.
draw ghost --frames 200 --layout ghost
json ghost.json '.sides[0].view[2] == 0 and .sides[1].view[2] > 800'
# A ghost at the place of the body itself is hidden by it.
draw same --frames 60 --a rls --layout ghost
draw one --frames 60 --a rls --layout b
# shellcheck disable=SC2046
region "no ghost is seen over its own body" '.changed < 1000' same.png $(view_of same.json 1) one.png
draw alone --frames 60 --layout a
json alone.json '.sides[1].view[2] == 0 and .sides[0].view[2] > 800'

# Energy is not judged before the motion has turned: after a tenth of a second nothing is lost.
draw young --frames 6
json young.json '.sides | all(.badge == "" and .energy_lost == 0)'
draw net net:8 --frames 60 --a quick
json net.json '.sides | all(.badge == "")'

# A change of stepper: the new one answers for its own work only.
cat >change.txt <<'END'
wait 4
state before.json
set a.solver rls
wait 0.5
state after.json
END
env -u DISPLAY "$program" view --headless --script change.txt >out 2>err
pass_or_fail $? "change of stepper: $(cat err)"
json before.json '.sides[0].badge | contains("energy lost")'
json after.json '.sides[0].badge == "" and .sides[0].worst < 1e-9 and (.sides[0].story | contains("gone") | not)'

# A refused combination, and another gravity.
cat >refused.txt <<'END'
wait 1
set b.correction embedded
set b.integrator symplectic8
wait 0.2
state refused.json
set b.correction projection
set b.integrator auto
set paused 0
wait 0.2
state mended.json
set gravity 3
wait 2
state gravity.json
END
env -u DISPLAY "$program" view --headless --script refused.txt >out 2>err
json refused.json 'if .sides[1].badge == "refused" then (.sides[1].story | contains("refuses this choice")) else (.sides[1].story | contains("moves")) end'
json mended.json '.sides[1].story | contains("moves freely")'
json gravity.json '.sides[1].badge == ""'

# Contacts are coloured and have their own legend; without joints there is no other.
draw wall wall:30 --frames 30 --a quick
json wall.json '.sides | all(.contacts > 20)'
json wall.json '.widgets.legend and (.widgets["legend/contacts"] | not)'
left=$(view_of wall.json 0)
draw plain wall:30 --frames 30 --a quick --set contacts=off
# shellcheck disable=SC2086
region "contacts colour bodies" '.changed > 4000' wall.png $left plain.png

# Looking back, the redundant rows are still there.
cat >back.txt <<'END'
wait 1
do pause
frames 1
do rewind
frames 2
state back.json
END
env -u DISPLAY "$program" view --headless --script back.txt >out 2>err
json back.json '.scroll == 10 and (.sides | all(.listed_rows == 1))'
finish
