#!/bin/sh
# paragraphs.sh SOURCE: functions of plugin/src with more than 25 lines have paragraphs, each begun by a line that says why.
# Prints the longest of those without, and how many comments and blank lines there are in a thousand lines of functions.
set -eu
cd "$1/plugin/src"
awk '
    /^\{$/ && ends { inside = 1; name = FILENAME ": " head; lines = own = blank = 0; next }
    /^}/ && inside {
        inside = 0
        whole += lines; comments += own; empty += blank
        if (lines > 25 && own == 0) { print "FAILED: no paragraph in " lines " lines of " name; failed = 1 }
    }
    inside { ++lines; own += /^ *\/\*/; blank += /^ *$/ }
    /^[A-Za-z]/ { head = $0 }
    { ends = /\)$/ }
    END {
        printf "a thousand lines of functions have %.0f comments and %.0f blank lines\n", 1000 * comments / whole, 1000 * empty / whole
        exit failed
    }' */*.[ch]
