#!/bin/sh
# instructions.sh PROGRAM BUILD-TYPE COMPILER PROCESSOR: instructions that a step takes, against what it took.
#
# Two runs of different length are counted within dRLSStepperStep alone, so that their difference is the price
# of steps in mid-motion.  The limits are some 15 % above what was measured when they were set (Debian 12, GCC 12,
# ODE 0.16.2), closer where a comment says so; tighten them when a step has become cheaper.
set -eu
program=$1
if [ "$2" != Release ] || [ "$3" != GNU ] || [ "$4" != x86_64 ]; then
    echo "left out: the limits are those of a Release build by GCC for x86_64"
    exit 77
fi
command -v valgrind >/dev/null || { echo "left out: there is no valgrind"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

works=$(dirname "$program")/bench_works

count () # PROGRAM ARGUMENT...
{
    valgrind --tool=callgrind --toggle-collect=dRLSStepperStep --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : //p'
}

judge () # THOUSANDS NAME SHORT LONG: of thirty steps that the long run makes more, at most so many thousand a step
{
    [ -n "$3" ] && [ -n "$4" ] || { echo "left out: valgrind cannot run the program here"; exit 77; }
    used=$((($4 - $3) / 30000))
    if [ "$used" -le "$1" ]; then word=ok; else word=FAILED failed=1; fi
    echo "$word: $2: $used thousand instructions a step, at most $1"
}

guard () # THOUSANDS SCENE OPTIONS...
{
    limit=$1
    shift
    judge "$limit" "$*" "$(count "$program" run "$@" --dt 0.01 --duration 0.2)" \
        "$(count "$program" run "$@" --dt 0.01 --duration 0.5)"
}

guard_work () # THOUSANDS WORK
{
    judge "$1" "$2" "$(count "$works" --alone --steps 20 "$2")" "$(count "$works" --alone --steps 50 "$2")"
}

guard_mean () # THOUSANDS WORK...: on average, of works whose motion is a matter of chance
{
    limit=$1 short=0 long=0
    shift
    for name; do
        short=$((short + $(count "$works" --alone --steps 20 "$name")))
        long=$((long + $(count "$works" --alone --steps 50 "$name")))
    done
    judge "$limit" "mean of $*" $((short / $#)) $((long / $#))
}

guard_late () # THOUSANDS SCENE: of a heap whose bodies have met
{
    judge "$1" "$2" "$(count "$program" run "$2" --dt 0.01 --duration 0.5)" \
        "$(count "$program" run "$2" --dt 0.01 --duration 0.8)"
}

guard 78 bricard
guard 319 bricard --integrator rk4
guard 870 chain:100
guard 294 fourbar:10
guard 2040 net:10
guard 615 hub:60
guard 4080 show_walker # close: without the rule for contradictions (bounded_lemke.c) it takes more
guard 1030 show_iltis # wheels that strike steps push contacts out
guard 14000 pile:100 # one of many: piles of 80 to 120 take 11200 to 13700
guard_work 1150 platform:5 # of rows that are not taken in blocks (lemke_blocks.c) a step takes twice as much
guard_work 398 legs:1 # close: where rows are looked at twice at the same pose (bounded_halves.c) it takes more
guard_work 775 winch:4 # a search for a branch in each step (nearby.c) takes several times as much
guard_work 19250 points:40
guard_work 1930 truck:26
guard_mean 22500 drum:60 drum:70 drum:80 drum:92 # each takes 12 000 to 31 000; improving impulses in each step,
                         # mostly in vain (bounded.c), takes twice as much; depths that are not taken back by sweeps,
                         # and from the last answer (recover.c), half as much again
guard_work 1650 sliding:20 # close: impulses of the last step that are the answer are seen to be (bounded_lemke.c)
guard_work 2060 show_excavator # close: without the rank that is known it looks for branches whenever a rock comes
                               # (history.c), and rocks that lie would be read in each step (joint_cache.c)
guard_late 750 wall:100 # it stands: bricks that are still pushed out (recover.c) take many times as much, and if what is
                        # known of the last step is computed again (gather.c, check.c) it takes twice as much
guard_late 6400 ragdolls:10
exit $failed
