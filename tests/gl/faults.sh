#!/bin/sh
# faults.sh [FOLDER]: puts each of ten faults that the viewer once had back into a copy of it, and shows that a test fails.
#
# Writes the table of plugin/doc/viewer.md: the fault, what is put back, the test, and the first thing that it says.  Takes
# some minutes: a build, and one more of what each fault touches.  Exits with 1 where a test did not notice.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
copy=${1:-$(mktemp -d)}
mkdir -p "$copy"
(cd "$top" && git ls-files -z | tar -cf - --null -T - 2>/dev/null) | tar -xf - -C "$copy"
viewer=$copy/demos/viewer
unnoticed=0

build () { cmake --build "$copy/build" --parallel "$(getconf _NPROCESSORS_ONLN)" --target "$@" >"$copy/build.log" 2>&1; }

cmake -S "$copy" -B "$copy/build" -DCMAKE_BUILD_TYPE=Release -DODE_RLS_TESTS=ON >"$copy/configure.log" 2>&1
build ode-rls regions test_story test_readable test_stage

# What a test says first when it fails.
complaint ()
{
    case $1 in
    *.sh) timeout 300 sh "$copy/tests/gl/$1" "$copy/build/bin/ode-rls" "$copy/tests/gl" "$copy" "$copy/build/bin/regions" 2>&1 |
        sed -n 's/^FAILED: //p' | head -n 1 ;;
    *) timeout 60 "$copy/build/bin/$1" >"$copy/run.log" 2>&1 || {
        sed -n 's/^\[  FAILED  \] //p' "$copy/run.log" | grep -v 'test(s)' | sort -u | tr '\n' ' '
        [ -s "$copy/run.log" ] && grep -q FAILED "$copy/run.log" || echo "does not end"
    } ;;
    esac
}

# fault NUMBER WHAT FILE SED TEST
fault ()
{
    cp "$viewer/$3" "$copy/whole"
    sed -i -E "$4" "$viewer/$3"
    if cmp -s "$viewer/$3" "$copy/whole"
    then said="(the rule is not found in $3)"
    elif ! build ode-rls test_story test_readable test_stage
    then said="(does not build)"
    else said=$(complaint "$5")
    fi
    case $said in "" | \(*) unnoticed=$((unnoticed + 1)); said="NOT NOTICED $said" ;; esac
    case $5 in *.sh) test=tests/gl/$5 ;; *) test=build/bin/$5 ;; esac
    printf '| %s | %s | `%s` | %s |\n' "$1" "$2" "$test" "$(echo "$said" | cut -c 1-150)"
    cp "$copy/whole" "$viewer/$3"
}

echo "| fault | what is put back | test | what it says |"
echo "|---|---|---|---|"
fault 1 "a new stepper is held responsible for the openings of the old one" story.c \
    's/(int first = first_own \(.*);$/\1 * 0;/' test_story
fault 1 "and for its energy" sim.c 's/if \(changed\) sim_begin_anew.*$/(void)changed;/' test_headless.sh
fault 2 "energy lost is divided by the largest kinetic energy so far" story.c \
    's/return turned \? most - least : had_time \? most : 0;/(void)turned, (void)had_time, (void)least; return most;/' test_story
fault 3 "a step that is being computed is not mentioned" story_words.c 's/else if \(t->busy > STALLED\)/else if (0)/' test_story
fault 3 "closing the window waits for the step that is being computed" worker.c 's/^    pthread_detach \(w->thread\);/    pthread_join (w->thread, NULL);/' test_stage
fault 4 "file names start again from the first" app_files.c 's/if \(access \(out, F_OK\) != 0\) return;/return;/' test_files.sh
fault 4 "a signal ends a film without finishing the file" viewer.c 's/(if \(o->stopped && o->stopped \(\)\)) break;/\1 __builtin_trap ();/' test_files.sh
fault 5 "the work of pulling counts as a gain of energy" story.c \
    's/ && !t->pulled//; s/int free = ring_find \(past, now->free_since\);/int free = 0;/; s/base = now->free_energy/base = ring_sample (past, 0)->kinetic + ring_sample (past, 0)->potential/' \
    test_story
fault 5 "a refused setting is not mentioned" story_words.c 's/else if \(t->health == SIM_REFUSED\)/else if (0)/' test_story
fault 5 "a stopped side keeps its normal colour" story_words.c 's/if \(t->health > SIM_REFUSED\)/if (0)/' test_story
fault 6 "displayed digits change in every frame" format.c 's/return n->shown;/return value;/' test_readable
fault 7 "the colour scale is fixed" heat_fit.c 's/if \(!\(low <= high\)\) return;/r->low = -12, r->high = -2; return;/' test_readable
fault 7 "contacts are not coloured" adapter.c 's/if \(look->contacts && !look->plain\) adapter_contacts/if (0) adapter_contacts/; s/a->touched && a->touched\[body\] > 0/0/' test_headless.sh
fault 8 "labels have a contrast of only 3.4" theme.h 's/COLOR_FAINT UI_RGB \(138, 147, 160\)/COLOR_FAINT UI_RGB (104, 112, 124)/' test_readable
fault 8 "amber means both side A and redundant" theme.h 's/COLOR_EXTRA UI_RGB \(255, 132, 220\)/COLOR_EXTRA UI_RGB (255, 176, 64)/' test_readable
fault 9 "files of the command line appear in reverse order" scene_list.c 's/list->entry \+ list->playlist\b/list->entry/g; s/list->entry\[list->playlist\] = e/list->entry[0] = e/; s/\(at - list->playlist\)/at/' test_stage
fault 9 "no redundant rows are shown when going back in time" sim_measure.c 's/^    recall_rows \(.*$/    out->rows = 0, (void)recall_rows;/' test_stage
fault 10 "QuickStep is on the left, which does not lock" settings.c 's/method\[0\]\.solver = SOLVER_ODE/method[0].solver = SOLVER_QUICK/' test_headless.sh
fault 10 "nothing says that a redundant row causes the braking" story_words.c 's/if \(t->redundant && t->solver == SOLVER_ODE\)/if (0)/' test_story
exit $((unnoticed > 0))
