# Wrong arguments, scenes and scripts: one clear line, status 2, no picture.
. "$2/lib.sh"

run 2 view --headless --size 12x9999
says "--size is WIDTHxHEIGHT"
run 2 view --headless --frames 0
says "--frames is a whole number"
run 2 view --headless --a bullet
says "a.solver is one of ode, quick, rls; not bullet"
run 2 view --headless --set dt=fast
says "dt is a number from"
run 2 view --headless --dt 1/0
says "dt is a number from"
run 2 view --headless --dt 1/60s
says "dt is a number from"
run 0 view --headless --frames 2 --dt 1/60 --state fraction.json
json fraction.json '.settings.dt == "0.01666666666666667" or .settings.dt == "0.016666666666666666"'
run 2 view --headless --set colour=red
says "there is no setting colour"
run 2 view --colour
says "there is no option --colour"
run 2 view --png
says "--png needs a value"
for option in '--frames 10' '--png a.png' '--script a.txt' --draw-all
do
    run 2 view $option
    says "${option%% *} needs --headless"
done
run 2 view --headless --script a.txt --png a.png
says "taken by its command shot"
run 2 view --headless /nonexistent/scene.sdf
says "/nonexistent/scene.sdf"
echo '<sdf version="1.8"><model name="m"><link name="l"><inertial><mass>-1</mass></inertial></link></model></sdf>' >bad.sdf
run 2 view --headless bad.sdf --png bad.png
says "bad.sdf:1:"
holds "no picture of a bad scene" [ ! -e bad.png ]

printf 'wait 0.1\njump 3\n' >unknown.txt
run 2 view --headless --script unknown.txt
says "unknown.txt:2: there is no command jump"
printf 'set dt slow\n' >value.txt
run 2 view --headless --script value.txt
says "value.txt:1: set: dt is a number"
printf 'frames 2\nclick nowhere\n' >widget.txt
run 2 view --headless --script widget.txt
says "widget.txt:2: click: no such widget"
run 2 view --headless --script /nonexistent.txt
says "/nonexistent.txt: cannot be read"

run 1 view --headless --frames 2 --png /nonexistent/a.png
says "/nonexistent/a.png"
run 1 view --headless --frames 2 --csv /nonexistent/a.csv
says "/nonexistent/a.csv"
run 1 view --headless --frames 2 --state /nonexistent/a.json
says "/nonexistent/a.json"

# What the reader warns of is told, as by the other commands: each once for both sides.
cat >doubtful.sdf <<'END'
<sdf version="1.8"><model name="m"><link name="l"><pose relativ_to="m"/>
<collision name="c"><geometry><ellipsoid/></geometry></collision></link></model></sdf>
END
run 0 view --headless --frames 2 doubtful.sdf --png doubtful.png
for command in run inspect
do
    "$program" $command doubtful.sdf >out 2>other
    holds "the warnings are those of $command" cmp -s err other
done

# A bad scene that is opened later is shown on the screen and the present one stays.
printf 'frames 5\nopen bad.sdf\nframes 5\nstate after.json\nshot after.png\n' >open.txt
"$program" view --headless --script open.txt >out 2>err
pass_or_fail $? "a bad scene must not end the viewer: $(cat err)"
json after.json '.scene == "bricard"'

# A film without ffmpeg is an error that is said.
mkdir bin
PATH=$work/bin "$program" view --headless --frames 2 --mp4 a.mp4 >out 2>err
[ $? = 1 ]
pass_or_fail $? "no ffmpeg: status"
says "ffmpeg is not installed"

# No OpenGL, neither by a display nor without one.
mkdir fake
for library in libEGL libGL
do
    echo "no library" >fake/$library.so.1
    LD_LIBRARY_PATH=$work/fake "$program" view --headless --frames 2 --png a.png >out 2>err
    [ $? = 1 ]
    pass_or_fail $? "no $library: status"
    says "$library.so.1 cannot be loaded"
    rm fake/$library.so.1
done

# No display, no window: said in one line.
env -u DISPLAY -u WAYLAND_DISPLAY "$program" view >out 2>err </dev/null
[ $? = 1 ]
pass_or_fail $? "no display: status"
says "--headless"
run 0 view --help
prints "ode-rls view [SCENE ...]"
finish
