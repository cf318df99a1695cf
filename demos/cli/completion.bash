# Completion for bash.  Everything is asked of the program: its commands, the options of one, and the scenes.
_ode_rls ()
{
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]
    then
        words=$(ode-rls --help | sed -n 's/^  ode-rls \([a-z]*\) .*/\1/p')
        words="$words --help --version"
    elif [ "${word#-}" != "$word" ]
    then
        words=$(ode-rls "$command" --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)
    else
        # Names of scenes stand between the line that announces them and the next empty one.
        words=$(ode-rls --help | sed -n '/comes with the program:$/,/^$/p' | sed 1d)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _ode_rls ode-rls
