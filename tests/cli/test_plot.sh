# Pictures: whole PNGs of the right kind, in the steppers' colours, also without a font.
. "$2/lib.sh"
check_png=$4

# Colours of rls, dWorldStep and dWorldQuickStep.
blue=0072b2 red=d55e00 green=009e73

run 0 compare bricard --dt 0.01 --duration 2 --plot time.png
holds "three lines over time" "$check_png" time.png 1600 800 $blue 300 $red 300 $green 300
run 0 compare bricard --dt 0.01,0.02,0.04 --duration 1 --plot work.png
holds "three lines of error against time" "$check_png" work.png 1200 500 $blue 300 $red 300 $green 300
run 0 run bricard --stepper ode --dt 0.01 --duration 2 --plot one.png
holds "one line" "$check_png" one.png 1600 800 $red 300
holds "and no other" sh -c '! "$0" one.png 1600 800 $1 20' "$check_png" $blue
run 0 run chain:3 --duration 0.1 --plot short.png
holds "a short run" "$check_png" short.png 1600 500 $blue 100

ODE_RLS_FONT=/nonexistent run 0 run bricard --duration 1 --plot plain.png
holds "no font: a hint" grep -q fonts-dejavu-core err
holds "no font: still a picture" "$check_png" plain.png 1600 800 $blue 100
finish
