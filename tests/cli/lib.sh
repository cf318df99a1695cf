# What the tests of the command line share.  A test is started as "sh test_NAME.sh PROGRAM TESTS_CLI TOP",
# works in an empty folder of its own and ends with finish, whose status tells CTest.
set -u
program=$1 here=$2 top=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
[ -x "$program" ] || { echo "there is no $program"; exit 1; }
failures=0 checks=0

pass_or_fail () # STATUS TEXT
{
    checks=$((checks + 1))
    [ "$1" = 0 ] && return 0
    failures=$((failures + 1))
    echo "FAILED: $2"
}

# run STATUS ARGUMENTS...: starts the program; its output is in out and err afterwards.
run ()
{
    wanted=$1
    shift
    "$program" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$wanted" ]
    pass_or_fail $? "exit status $got instead of $wanted: ode-rls $*
$(head -n 5 err)"
}

# says TEXT: standard error of the last run holds the text, and nothing else than one line.
says ()
{
    grep -qF -- "$1" err && [ "$(wc -l <err)" = 1 ] && grep -q '^ode-rls: ' err
    pass_or_fail $? "no line with \"$1\" by itself on standard error but: $(cat err)"
}

# prints TEXT: standard output of the last run holds the text.
prints ()
{
    grep -qF -- "$1" out
    pass_or_fail $? "\"$1\" is not in the output: $(cat out)"
}

# holds TEXT COMMAND...: the command succeeds.
holds ()
{
    text=$1
    shift
    "$@" >/dev/null 2>holds.err
    pass_or_fail $? "$text: $* $(cat holds.err)"
}

# json FILE FILTER: jq finds the filter true.
json ()
{
    jq -e "$2" "$1" >/dev/null 2>holds.err
    pass_or_fail $? "$1: not true: $2 $(cat holds.err)"
}

# No unfinished files are left in the folder.
no_leftovers ()
{
    [ -z "$(find . -name '.*.part')" ]
    pass_or_fail $? "left behind: $(find . -name '.*.part')"
}

finish ()
{
    echo "$checks checks, $failures failed"
    [ "$failures" = 0 ] && [ "$checks" -gt 0 ]
    exit
}
