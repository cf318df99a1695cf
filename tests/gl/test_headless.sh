# The picture of the first seconds: A red and bent, B blue and moving; without a display, and the same
# in every run.
. "$2/lib.sh"

draw start --frames 30
draw later --frames 240
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
region "legend's tolerance" '.white == .pixels' later.png $((x + 2)) $((y + h * 4 / 10 - 2)) $((w - 4)) 4

holds "the picture names its run" sh -c '"$0" --text later.png Parameters | grep -q "scene=bricard a.solver=quick"' "$regions"

# The same again, to the last bit.
draw again --frames 240
holds "same picture" cmp later.png again.png
jq "del (.notice)" later.json >1.json
jq "del (.notice)" again.json >2.json
holds "same state" cmp 1.json 2.json
draw table1 --frames 60 --csv 1.csv
draw table2 --frames 60 --csv 2.csv
holds "same table" cmp 1.csv 2.csv
holds "a line a step and side" [ "$(wc -l <1.csv)" = 123 ]

# dWorldStep: small violations, but the motion dies; the screen says so.
draw ode --frames 240 --a ode
json ode.json '.sides[0].energy_lost > 0.5 and .sides[0].worst < 1e-3 and (.sides[0].badge | contains("energy lost"))'
json ode.json '.sides[1].energy_lost | fabs < 0.05'

# Other layouts show one side, or one over the other.
draw ghost --frames 200 --layout ghost
json ghost.json '.sides[0].view[2] == 0 and .sides[1].view[2] > 800'
draw alone --frames 60 --layout a
json alone.json '.sides[1].view[2] == 0 and .sides[0].view[2] > 800'
finish
