# Read by sensitivity.sh and mechanisms.sh: a copy of the sources whose constants and mechanisms the environment switches, so
# that one build serves all experiments.
#
#     RLS_SCALE="NAME FACTOR"   a constant of tolerances.h, times the factor
#     RLS_OFF=NUMBER            the line of mechanisms.txt that is taken out
#
# In mechanisms.txt a line has a name, a file of plugin/src, an expression of sed that takes the mechanism out where OFF is
# true, and what the mechanism is for; between them are bars.
top=$(cd "$(dirname "$0")/../.." && pwd)
copy=${1:-$(mktemp -d)}
[ $# -gt 0 ] && shift
mkdir -p "$copy"
(cd "$top" && git ls-files -z | tar -cf - --null -T - 2>/dev/null) | tar -xf - -C "$copy"
list=$top/tests/tools/mechanisms.txt
constants=$(sed -n 's/^#define \(RLS_[A-Z_0-9]*\) .*/\1/p' "$top/plugin/src/tolerances.h")

# What static tables hold cannot be multiplied, and pi need not.
awk -v fixed=" RLS_PI RLS_NO_STOP " '
    /^#define RLS_[A-Z_0-9]* / && index (fixed, " " $2 " ") == 0 {
        form = $3 > 0.5 && $3 < 1 ? "(1 - (1 - %s) * rls_scale[%d])\n" : "(%s * rls_scale[%d])\n"
        printf "#define %s " form, $2, $3, NR
        next
    }
    { print }' "$top/plugin/src/tolerances.h" >"$copy/plugin/src/tolerances.h"
cat >"$copy/switches.h" <<'END'
#ifndef RLS_SWITCHES_H
#define RLS_SWITCHES_H
extern double rls_scale[1000]; /* by line of tolerances.h */
extern int rls_off;
#endif
END
{
    echo '#include <stdlib.h>'
    echo '#include <string.h>'
    echo 'double rls_scale[1000]; int rls_off;'
    echo 'static const char *const name[1000] = {'
    awk '/^#define RLS_[A-Z_0-9]* / { printf "[%d] = \"%s \",\n", NR, $2 }' "$top/plugin/src/tolerances.h"
    cat <<'END'
};
__attribute__ ((constructor)) static void read_switches (void)
{
    const char *scale = getenv ("RLS_SCALE"), *off = getenv ("RLS_OFF");
    for (int i = 0; i < 1000; ++i)
        rls_scale[i] = scale && name[i] && strncmp (scale, name[i], strlen (name[i])) == 0 ? atof (strchr (scale, ' ')) : 1;
    rls_off = off ? atoi (off) : 0;
}
END
} >"$copy/plugin/src/kernels/switches.c"

number=0
while IFS='|' read -r name file edit _; do
    number=$((number + 1))
    case $name in '' | '#'*) continue ;; esac
    cp "$copy/plugin/src/$file" "$copy/whole"
    sed -i -E "$(printf '%s' "$edit" | sed "s/OFF/rls_off == $number/g")" "$copy/plugin/src/$file"
    ! cmp -s "$copy/whole" "$copy/plugin/src/$file" || { echo "$name is not found in $file"; exit 1; }
done <"$list"

# Tests that take little time, by name.
tests='unit.test_(stepper_(linkages|stiff|conflicts|islands|odd|drives|openings|scale|contract|vehicle|mesh|misfit|parity|free|types'
tests="$tests"'|warnings|contacts|priorities|semantics|callbacks|api|reactions|undefined|memory)|singular_passes|held_out_linkages|history'
tests="$tests"'|impacts|late_impacts|soft_rebounds|articulated_impacts|joint_springs|small_trees|program_rows|rows_of_many_bodies|factor_tree|factor_border|bounded_.*|redistribute|gears'
tests="$tests"'|stiff_forces|landing|jumping_contacts|missed_contacts|rims|driven_linkages|finite_rotation|creation_order|mass_scaling|joint_frame|assemble|project|certificate|measure.*)$'
tests="$tests"'|compare.test_(corrections_stages|corrections_lagrangian|light_bodies|compliance|linkages|parity_.*)$'

cmake -S "$copy" -B "$copy/build" -DCMAKE_BUILD_TYPE=Release -DODE_RLS_TESTS=ON \
    -DCMAKE_C_FLAGS="-include $copy/switches.h" >"$copy/configure.log" 2>&1
programs=${programs:-trajectories $(ctest --test-dir "$copy/build" -N -R "$tests" | sed -n 's/.*\.\(test_.*\)/\1/p')}
# shellcheck disable=SC2086
cmake --build "$copy/build" --parallel "$(getconf _NPROCESSORS_ONLN)" --target $programs >"$copy/build.log" 2>&1 ||
    { tail -n 30 "$copy/build.log"; exit 1; }

# Names of the tests that fail and of the recorded trajectories that differ from the usual ones.
effects ()
{
    ctest --test-dir "$copy/build" -R "$tests" --timeout 120 >"$copy/run.log" 2>&1 || true
    sed -n 's/^\t *[0-9]* - [a-z]*\.\(test_[a-z_0-9]*\) .*/\1/p' "$copy/run.log" | sort | tr '\n' ' '
    moved
}

# Names of the recorded trajectories that differ from the usual ones.
moved ()
{
    timeout 300 "$copy/build/bin/trajectories" >"$copy/now" 2>&1 || echo "trajectories end"
    diff "$copy/usual" "$copy/now" | sed -n 's/^> [0-9a-f]* \([^ ]*\) .*/\1/p' | sort -u | tr '\n' ' '
}

"$copy/build/bin/trajectories" >"$copy/usual"
