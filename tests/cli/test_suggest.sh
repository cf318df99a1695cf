# Words that are nearly right, readers that go away, completion.
. "$2/lib.sh"
run 2 rnu
says "unknown command 'rnu'; did you mean 'run'?"
run 2 xyzzy
says "unknown command 'xyzzy'; see ode-rls --help"
run 2 run bricrad
says "none of the scenes that ode-rls --help lists; did you mean 'bricard'?"
run 2 run bricard --durtion 3
says "unknown option '--durtion'; did you mean '--duration'?"
run 2 run bricard --dur 3
says "unknown option '--dur'; did you mean '--duration'?"
run 2 run chain
says "chain: how many? For example chain:10"
run 2 run ''
says "the scene's name is empty"
run 2 run bricard --integrator euler,rk4
says "symplectic8, rk4; only compare and bench take several"

# "| head" ends the run at once and without a word.
"$program" run bricard --duration 1e6 --csv - 2>err | head -n 2 >out
holds "two lines" test "$(wc -l <out)" = 2
holds "nothing is said" test ! -s err

# Completion, where there is a bash.
if command -v bash >/dev/null
then
    complete () { PATH="$(dirname "$program"):$PATH" bash -c '
        . "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ode_rls; echo "${COMPREPLY[@]}"' "$top/demos/cli/completion.bash" "$@"; }
    holds "commands" test "$(complete ode-rls comp)" = compare
    holds "options" test "$(complete ode-rls run --dura)" = --duration
    holds "scenes" test "$(complete ode-rls run brica)" = "bricard bricard_repo"
    holds "files" test "$(touch mine.sdf; complete ode-rls run min)" = mine.sdf
fi
finish
