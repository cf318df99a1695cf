# Help, version, and the program without arguments.
. "$2/lib.sh"

run 0 --help
for word in run compare inspect view bench --stepper --integrator --correction --order --dt --duration --every \
    --quick-iterations --cfm --erp --threads --tolerance --csv --json --plot 'Exit status'
do prints "$word"; done
holds "help says nothing on standard error" test ! -s err
prints "  agile_eye biped1 "
for scene in "$top"/demos/scenes/*.sdf
do
    name=${scene##*/}
    holds "help lists the scene $name" grep -qw "${name%.sdf}" out
done
run 2 run nosuch
says "nosuch: no such file, and none of the scenes"
run 2 run ./nosuch
says "./nosuch: cannot be opened"
run 0 --help
run 0 -h
run 0 help
run 0 --version
holds "the version line" grep -Eqx 'ode-rls [0-9]+\.[0-9]+\.[0-9]+, (32|64)-bit reals, with(out)? viewer' out

for command in run compare inspect bench
do
    run 0 "$command" --help
    prints "ode-rls $command"
    run 0 help "$command"
done
run 0 bench --help
prints --repetitions
run 0 inspect --help
holds "inspect lists only its own options" sh -c '! grep -q -- --plot out'

run 2
holds "no arguments: help on standard error" grep -q 'ode-rls run' err
holds "no arguments: nothing on standard output" test ! -s out

# A build without the viewer says so.
run 0 --version
if grep -q 'without viewer' out
then
    run 2 view
    says "this build has no viewer"
fi

# Lines fit a terminal of 110 columns.
run 0 --help
holds "help is not wide" awk 'length ($0) > 110 { exit 1 }' out
finish
