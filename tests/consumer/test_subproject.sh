# The library's sources within another project.
. "$(dirname "$0")/lib.sh"
folder=$scratch/build
rm -rf "$scratch"
mkdir -p "$scratch"
quiet "$CMAKE" -S "$source/tests/consumer/subproject" -B "$folder" -G "$generator" -DODE_RLS="$source" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
echo "ok: configured, with nothing but the library"
quiet "$CMAKE" --build "$folder"
quiet "${CMAKE%cmake}ctest" --test-dir "$folder" --output-on-failure
echo "ok: its programs run, with the shared and with the static library"
commands=$folder/compile_commands.json
holds "exact arithmetic in the library" test "$(grep -c 'ffast-math.*-fno-fast-math' "$commands")" = \
    "$(grep -c '"command".*/plugin/src/' "$commands")"
quiet "$CMAKE" --install "$folder" --prefix "$prefix"
holds "installed with the library that it needs" with_library "$prefix/$libdir" "$prefix/bin/c_ode_rls"
