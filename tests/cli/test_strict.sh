# Warnings of a scene, how many are shown, and --strict.
. "$2/lib.sh"
{
    echo "<sdf version='1.9'><model name='m'>"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14
    do
        echo "<link name='l$i'><collision name='c'><geometry><mesh><uri>no$i.obj</uri></mesh></geometry></collision></link>"
    done
    echo "</model></sdf>"
} >meshes.sdf
run 0 run meshes.sdf --duration 0.01
holds "twelve lines" test "$(grep -c 'warning: meshes.sdf:[0-9]*: <uri>' err)" = 12
holds "the rest is counted" grep -q 'warning: meshes.sdf: 2 more lines like these' err
holds "all bodies are there" grep -q '14 bodies' out
run 2 run meshes.sdf --strict
says "meshes.sdf:2: <uri> 'no1.obj' is neither beside this file nor along"
run 2 inspect meshes.sdf --strict=no
says "--strict takes no value: what is 'no'?"
run 2 bench chain:3 --strict
says "bench takes no --strict"
finish
