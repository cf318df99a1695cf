#!/bin/sh
# What the documents say is so: the README's example and output, links, names of functions, files and options.
#     test_documents.sh SOURCE BUILD CC
set -eu
source=$1 build=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"

fail () { echo "FAILED: $*"; exit 1; }
documents="README.md plugin/doc/*.md demos/examples/README.md"

# fenced MARK LANGUAGE: the first block of that language behind a mark in the README
fenced ()
{
    awk -v mark="$1" -v fence="\`\`\`$2" '
        $0 == mark { seen = 1 }
        /^```/ { if (taking) exit; inside = !inside; taking = seen && inside && $0 == fence; next }
        taking' README.md
}

fenced '<!-- example -->' c >"$work/door.c"
fenced '<!-- example -->' '' >"$work/wanted"
[ -s "$work/door.c" ] && [ -s "$work/wanted" ] || fail "the example is gone"
$compiler -Wall -Wextra -Werror "$work/door.c" -o "$work/door" -Iplugin/include -L"$build/lib" -Wl,-rpath,"$build/lib" -lode_rls -lode
"$work/door" >"$work/found"
diff "$work/wanted" "$work/found" || fail "the example prints something else"
echo "ok: the example of the README, and its output"

# Numbers below 1e-12 are rounding, and not compared.
round () { sed -E 's/-?[0-9.]+e-1[2-9]/0/g' "$1" | tr -s ' -' ' -'; }
fenced '<!-- output: inspect door_misaligned -->' '' >"$work/wanted"
"$build/bin/ode-rls" inspect door_misaligned >"$work/found"
round "$work/wanted" >"$work/wanted.rounded"
round "$work/found" >"$work/found.rounded"
diff "$work/wanted.rounded" "$work/found.rounded" || fail "ode-rls inspect prints something else"
echo "ok: the output of inspect"

for document in $documents
do
    folder=$(dirname "$document")
    for link in $(grep -o '](\([^)]*\))' "$document" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https\?:')
    do
        test -e "$folder/$link" || test -e "$link" || fail "$document: there is no $link"
    done
done
echo "ok: every link leads somewhere"

[ "$(wc -w <README.md)" -le 1200 ] || fail "the README has more than 1 200 words"
for page in plugin/doc/*.md
do
    cat README.md plugin/doc/*.md | grep -q "](\(plugin/doc/\)\?$(basename "$page"))" || fail "no page leads to $page"
done
echo "ok: the README is short, and leads to every page"

# Whatever looks like a name of the code is one: functions and types, files, macros.
cat $documents | grep -o '`[^`]*`' | tr -d '`' | grep -oE '\b(dRLS|rls_|RLS_)[A-Za-z0-9_]+' | sort -u >"$work/names"
for name in $(cat "$work/names")
do
    grep -rqw --include='*.[ch]' "$name" plugin demos || fail "no $name in the sources"
done
cat $documents | grep -o '`[a-z0-9]*_[a-z0-9_]*`' | tr -d '`' | sort -u >"$work/identifiers"
for name in $(cat "$work/identifiers")
do
    grep -rqw --include='*.[ch]' "$name" plugin demos || fail "no $name in the sources"
done
for name in $(cat $documents | grep -oE '\b[a-z0-9_]+\.(c|h|sh|py|cpp)\b' | sort -u)
do
    case $name in door.c | stdio.h) continue ;; esac # not ours
    test -n "$(find plugin demos tests third_party -name "$name")" || fail "no file $name"
done
for variable in $(cat $documents plugin/doc/ode-rls.1 | grep -oE '\bODE_RLS_[A-Z_]+' | sort -u)
do
    grep -rqw -e "$variable" --include='*.c' --include='*.h' --include=CMakeLists.txt --include='*.cmake' . || fail "nothing knows $variable"
done
for scene in $(cat $documents plugin/doc/ode-rls.1 | grep -oE 'ode-rls\\? (run|compare|inspect|view) [a-z_]+:?' | awk '{ print $3 }' | grep -v : | sort -u)
do
    test -f "demos/scenes/$scene.sdf" || [ "$scene" = model ] || fail "no scene $scene"
done
echo "ok: names of functions, files, variables and scenes exist"

grep -q '^## '"$(sed -n 's/^project (ode_rls VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"'$' plugin/doc/CHANGELOG.md ||
    fail "CHANGELOG.md does not begin with this version"

if command -v doxygen >/dev/null
then
    cp plugin/doc/Doxyfile "$work/Doxyfile"
    echo "OUTPUT_DIRECTORY = $work/documentation" >>"$work/Doxyfile"
    doxygen "$work/Doxyfile" >"$work/log" 2>&1 || { cat "$work/log"; fail "doxygen"; }
    [ ! -s "$work/log" ] || { cat "$work/log"; fail "doxygen warns"; }
    test -f "$work/documentation/html/index.html" || fail "no documentation"
    for name in $(nm -D --defined-only "$build/lib/libode_rls.so" | awk '{ print $3 }')
    do grep -rqw "$name" "$work/documentation/html" || fail "the reference lacks $name"; done
    echo "ok: the reference has every function, and no warning"
fi
