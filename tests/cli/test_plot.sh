# Pictures: whole PNGs of the right kind, in the steppers' colours, also without a font.
. "$2/lib.sh"
check_png=$4

# Colours of rls, dWorldStep and dWorldQuickStep, as in the viewer.
green=008a62 amber=c47000 violet=704ec8

run 0 compare bricard --dt 0.01 --duration 2 --plot time.png
holds "three lines over time" "$check_png" time.png 1600 800 $green 300 $amber 300 $violet 300
run 0 compare bricard --dt 0.01,0.02,0.04 --duration 1 --plot work.png
holds "three lines of error against time" "$check_png" work.png 1200 500 $green 300 $amber 300 $violet 300
run 0 run bricard --stepper ode --dt 0.01 --duration 2 --plot one.png
holds "one line" "$check_png" one.png 1600 800 $amber 300
holds "and no other" sh -c '! "$0" one.png 1600 800 $1 20' "$check_png" $green
run 0 run chain:3 --duration 0.1 --plot short.png
holds "a short run" "$check_png" short.png 1600 500 $green 100

# The line of a violation begins with the first step: nothing climbs from the axis to it at the start.
run 0 run bricard --stepper ode --dt 0.01 --duration 2 --plot start.png
holds "no line up from nothing" "$check_png" --box start.png c47000 112 620 20 120 0

# Of seventeen methods eight are named, the others are grey.
run 1 compare bricard --dt 0.02,0.01 --duration 0.3 --integrator euler,rk4 \
    --correction projection,none,erp,embedded,simultaneous,energy,augmented --plot many.png
holds "the others are grey" "$check_png" many.png 1200 500 b0b4bc 100 c47000 100 704ec8 100

ODE_RLS_FONT=/nonexistent run 0 run bricard --duration 1 --plot plain.png
holds "no font: a hint" grep -q fonts-dejavu-core err
holds "no font: still a picture, without text" "$check_png" plain.png 1600 800 $green 100
finish
