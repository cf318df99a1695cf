#!/bin/sh
# analyse.sh BUILD: clang-tidy (.clang-tidy) and cppcheck (cppcheck.txt) over the library and the scene reader.  BUILD holds
# compile_commands.json.  Ends with 1 if either has something to say.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
status=0
clang-tidy -p "$1" --quiet "$top"/plugin/src/*/*.c 2> /dev/null | grep -E 'error:|warning:' && status=1
cppcheck --quiet --enable=warning,performance,portability --std=c11 --inline-suppr --error-exitcode=1 \
    --suppressions-list="$here/cppcheck.txt" -I "$top/plugin/include" -I "$top/plugin/src" -I "$top/demos/scene" \
    "$top/plugin/src" "$top/demos/scene" || status=1
[ $status = 0 ] && echo "clang-tidy and cppcheck: nothing to say"
exit $status
