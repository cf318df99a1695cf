#!/bin/sh
# faults.sh [FOLDER]: puts faults that random worlds once found back into a copy of the library, and shows that a
# test fails.
#
# Writes the table of plugin/doc/trust.md: the fault, what is put back, the test, and what it says.  Takes a minute or two: a
# build of the library and three tests, and one more of what each fault touches.  Exits with 1 where a test did not notice.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
copy=${1:-$(mktemp -d)}
mkdir -p "$copy"
(cd "$top" && git ls-files -z | tar -cf - --null -T - 2>/dev/null) | tar -xf - -C "$copy"
library=$copy/plugin/src
tests="test_stepper_memory test_stepper_warnings test_gears test_creation_order"
unnoticed=0

# shellcheck disable=SC2086
build () { cmake --build "$copy/build" --parallel "$(getconf _NPROCESSORS_ONLN)" --target $tests >"$copy/build.log" 2>&1; }

cmake -S "$copy" -B "$copy/build" -DCMAKE_BUILD_TYPE=Release -DODE_RLS_TESTS=ON >"$copy/configure.log" 2>&1
build

# What a test says first when it fails, and in which of its parts.
complaint ()
{
    timeout 120 "$copy/build/bin/$1" >"$copy/run.log" 2>&1 && return
    part=$(sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' "$copy/run.log" | head -n 1)
    words=$(sed -n 's/^\[  ERROR   \] --- //p' "$copy/run.log" | grep . | head -n 1)
    echo "${part:-ends}: ${words:-$(tail -n 1 "$copy/run.log")}"
}

# fault NUMBER WHAT FILE SED TEST
fault ()
{
    cp "$library/$3" "$copy/whole"
    sed -i -E "$4" "$library/$3"
    if cmp -s "$library/$3" "$copy/whole"
    then said="(the rule is not found in $3)"
    elif ! build
    then said="(does not build)"
    else said=$(complaint "$5")
    fi
    case $said in "" | \(*) unnoticed=$((unnoticed + 1)); said="NOT NOTICED $said" ;; esac
    printf '| %s | %s | `unit.%s` | %s |\n' "$1" "$2" "$5" "$(echo "$said" | cut -c 1-150)"
    cp "$copy/whole" "$library/$3"
}

echo "| fault | what is put back | test | what it says |"
echo "|---|---|---|---|"
fault 1 "rows of the last step are reused whatever has changed" ode/gather_joints.c \
    's/workspace->read.all_unchanged && s->valid.end_exact && s->valid.end_natural &&$/workspace->findings.rank >= 0 \&\&/' test_stepper_memory
fault 2 "a step begins with the displacement that closed the last one" integrators/project.c \
    's/^static void displace .*$/static double closed[64], closing[64];\nstatic int closed_rows;\n&/
     s/^    s->account.closing_size \+= .*$/&\n    for (int r = 0; r < rows->rows \&\& r < 64; ++r) closing[r] += scale * p[r];/
     s/^    s->valid.end_factored = s->valid.end_exact = 0;$/&\n    for (int r = 0; r < 64; ++r) closing[r] = 0;\n    if (s->valid.decisions \&\& closed_rows == rows->rows) displace (s, rows, closed, 1);/
     s/^    s->account.projection_residual = best;$/&\n    closed_rows = rows->rows, memcpy (closed, closing, sizeof closed);/' test_stepper_memory
fault 3 "missed velocities are not reported" stepper/check.c 's/if \(missed > slack \* \(1 \+ speed\)\)/if (0)/' \
    test_stepper_warnings
fault 4 "energy gained without work is not reported" stepper/check.c \
    's/^    const double all = fmax \(gained, ledger->gained\);$/    const double all = 0;/' test_stepper_warnings
fault 4 "steps that gain a tenth of their energy are taken whole" integrators/accelerate.c \
    's/return fabs \(after - before - work\) > most \* /return fabs (after - before - work) > fmax (most, 0.1) * /' \
    test_stepper_warnings
fault 5 "an island uses what was carried for another island" stepper/match.c \
    's/if \(workspaces\[i\]->island_place != i\) rls_history_end \(.*\);/(void)0;/' test_creation_order
fault 5 "rk4 uses the rank of another island" stepper/history.c \
    's/workspace->methods.rk4.regular = 0;/(void)0;/' test_creation_order
fault 5 "array sizes are those of another island" stepper/history.c 's/s->model.bodies = 0;/(void)0;/' test_creation_order
fault 6 "a call from within a callback does not set the status" stepper/status.c \
    's/stepper->status = dRLSStatusBusy;/(void)0;/' test_stepper_warnings
fault 6 "Euler's method counts as a fallback where it was chosen" stepper/integrate.c \
    's/other = integrator > dRLSIntegratorEuler \|\|/other = integrator >= dRLSIntegratorEuler ||/' test_stepper_warnings
fault 7 "gears within their backlash have a row" ode/gather_rows.c \
    's/if \(empty\) return 0;/(void)empty;/' test_gears
fault 7 "gears are evaluated where ODE ends the program" ode/ode_mend.c \
    's/return gears_are_degenerate \(joint, h\);/return (void)h, (void)gears_are_degenerate, 0;/' test_gears
fault 7 "gears are evaluated near half a turn" ode/ode_mend.c 's/= FARTHER \* fps/= 0 * FARTHER * fps/' test_gears
exit $((unnoticed > 0))
