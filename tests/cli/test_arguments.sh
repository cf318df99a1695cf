# Every wrong argument: one clear line, exit status 2, nothing on standard output, no simulation, no file.
. "$2/lib.sh"
scene=$here/pendulum.sdf

refuses () # TEXT ARGUMENTS...
{
    expected=$1
    shift
    run 2 "$@"
    says "$expected"
    holds "nothing on standard output: $*" test ! -s out
}

refuses "unknown command 'fly'" fly
refuses "unknown option '--fast'" run "$scene" --fast
refuses "unknown option '-x'" run "$scene" -x
refuses "unknown option '--stepperx'" run "$scene" --stepperx=rls
refuses "run needs a scene" run
refuses "compare needs a scene" compare --dt 0.01
refuses "inspect needs a scene" inspect
refuses "takes one scene: what is 'other.sdf'?" run "$scene" other.sdf
refuses "run takes no --repetitions" run "$scene" --repetitions 3
refuses "inspect takes no --plot" inspect "$scene" --plot x.png
refuses "inspect takes no --dt" inspect "$scene" --dt 1
refuses "bench takes no --csv" bench --csv x.csv

for option in --stepper --integrator --correction --order --dt --duration --every --quick-iterations --cfm --erp \
    --threads --tolerance --csv --json --plot
do refuses "$option needs a value" run "$scene" "$option"; done

for value in '' foo RLS 'rls ' 'rls,' ',rls' 'ode,quick' all
do refuses "--stepper: " run "$scene" --stepper "$value"; done
refuses "none of rls, ode, quick" compare "$scene" --stepper ode,bullet
refuses "'bullet' is none of" compare "$scene" --stepper ode,bullet
refuses "'' is none of" compare "$scene" --stepper ode,
refuses "none of auto, euler, symplectic, symplectic4, symplectic6, symplectic8, rk4" run "$scene" --integrator rk5
refuses "none of none, erp, embedded, projection, simultaneous, energy, augmented, conserving, compliant" \
    run "$scene" --correction nothing
for value in fast random: random:x random:-1 random:1.5 natural:3 random:99999999999999999999999
do refuses "--order: " run "$scene" --order "$value"; done

for value in '' 0 -1 0.0 nan inf -inf x 0.01s 1/0 0/0 1/ /2 1/x '0.01 ' ' 0.01' 1e999 '1 0' '0.01,0.02' 0,
do refuses "--dt: '$value' is not a positive number of seconds" run "$scene" --dt "$value"; done
refuses "--dt: 'x' is not" compare "$scene" --dt 0.01,x
refuses "--dt: '' is not" compare "$scene" --dt 0.01,,0.02
for value in 0 -1 nan inf x ''
do refuses "--duration: '$value' is not a positive number of seconds" run "$scene" --duration "$value"; done
for value in 0 -3 1.5 x '' 99999999999999999999
do
    refuses "--every: '$value' is not a whole number" run "$scene" --every "$value"
    refuses "--quick-iterations: '$value' is not a whole number" run "$scene" --quick-iterations "$value"
    refuses "--threads: '$value' is not a whole number" run "$scene" --threads "$value"
    refuses "--repetitions: '$value' is not a whole number" bench --repetitions "$value"
done
refuses "--threads: '257'" run "$scene" --threads 257
for value in -1 nan inf x; do refuses "--cfm: '$value' is not a number from 0" run "$scene" --cfm "$value"; done
for value in -1 1.01 nan x; do refuses "--erp: '$value' is not a number from 0 to 1" run "$scene" --erp "$value"; done
for value in 0 1 -1 nan x; do refuses "--tolerance: '$value' is not a number above 0" run "$scene" --tolerance "$value"; done
refuses "--dense-limit: '-1' is not" bench --dense-limit -1

refuses "the file name is empty" run "$scene" --csv ''
refuses "does not end in .png" run "$scene" --plot picture.jpg
refuses "does not end in .png" run "$scene" --plot .png
refuses "'-' cannot take two outputs" run "$scene" --csv - --json -
refuses "'x' cannot take two outputs" run "$scene" --csv x --json x
refuses "--methods stands in place of --stepper" compare "$scene" --methods all --stepper ode
refuses "--methods stands in place of --correction" compare "$scene" --correction none --methods euler
refuses "needs a name instead of -" compare "$scene" --csv -
refuses "steps" run "$scene" --duration 1e6 --dt 1e-6

# More values than a list takes.
refuses "at most" compare "$scene" --dt "$(seq -s , 1 40)"

# Scenes.
refuses "missing.sdf" run missing.sdf
refuses "missing.sdf" inspect missing.sdf
refuses "missing.sdf" compare missing.sdf
refuses "missing.sdf" bench missing.sdf
refuses "" run "$work"
printf 'no scene' >text.sdf
refuses "text.sdf" run text.sdf
: >empty.sdf
refuses "empty.sdf" inspect empty.sdf
refuses "chain:0" run chain:0
refuses "chain:x" run chain:x
rm -f text.sdf empty.sdf

rm -f out err holds.err
holds "no file was made" test -z "$(ls -A)"
finish
