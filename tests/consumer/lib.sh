# What the scripts here share.  Each is called with: build folder, source folder, scratch folder; CC, CXX and CMAKE
# come by the environment.
set -eu
build=$1 source=$2 scratch=$3
prefix=$scratch/prefix # where the fixture consumer.install puts the project
unset DESTDIR LD_LIBRARY_PATH PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR CMAKE_PREFIX_PATH
export CC CXX
mkdir -p "$scratch"

fail () { echo "FAILED: $*"; exit 1; }

# holds WHAT COMMAND ...: the command must succeed
holds ()
{
    what=$1
    shift
    "$@" || fail "$what"
    echo "ok: $what"
}

# quiet COMMAND ...: its output only if it fails
quiet ()
{
    if ! "$@" >"$scratch/log" 2>&1
    then
        cat "$scratch/log"
        fail "$*"
    fi
}

# build_consumer NAME [cmake option ...]: the consumer project, configured, built and run
build_consumer ()
{
    folder=$scratch/$1
    shift
    rm -rf "$folder"
    quiet "$CMAKE" -S "$source/tests/consumer" -B "$folder" "$@"
    quiet "$CMAKE" --build "$folder"
    quiet "${CMAKE%cmake}ctest" --test-dir "$folder" --output-on-failure
}

# dynamic FILE TAG: the values of a tag in the dynamic section of an ELF file
dynamic () { objdump -p "$1" | awk -v tag="$2" '$1 == tag { print $2 }'; }

# with_library FOLDER PROGRAM: runs it against the libraries of a folder that the loader does not search
with_library () { LD_LIBRARY_PATH=$1 "$2"; }
