# The installer without root: what is missing, why, and the command; and the list itself.
. "$2/lib.sh"
installer=$top/third_party/install.sh list=$top/third_party/packages.txt

# A machine that has nothing, and a user who is not root.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\necho 1000\n' >bin/id
printf '#!/bin/sh\necho apt-get was called >&2\nexit 99\n' >bin/apt-get
chmod +x bin/*

PATH=$work/bin:$PATH sh "$installer" build test >out 2>err
holds "fails without root" test $? = 1
for package in cmake libode-dev libxml2-dev libpng-dev libfreetype-dev libcmocka-dev
do holds "$package is listed" grep -Eq "^    $package  +[a-zA-Z]" err; done
holds "the command is given" grep -q 'sudo apt-get update && sudo apt-get install --no-install-recommends cmake ninja-build .* libcmocka-dev' err
holds "nothing was installed" sh -c '! grep -q "apt-get was called" err'
holds "the viewer's packages were not asked for" sh -c '! grep -q libglfw3-dev err'
PATH=$work/bin:$PATH sh "$installer" optional >out 2>err
holds "what is optional never fails" test $? = 0

# A machine that has everything.
printf '#!/bin/sh\necho installed\n' >bin/dpkg-query
PATH=$work/bin:$PATH sh "$installer" build viewer test optional >out 2>err
holds "nothing to do" test $? = 0 -a ! -s out -a ! -s err
PATH=$work/bin:$PATH sh "$installer" nonsense 2>err
holds "an unknown group" test $? = 2

holds "every line has group, package and purpose" \
    awk '!/^#/ && NF { if (NF < 3 || $1 !~ /^(build|viewer|test|optional|develop|engines|page|versions)$/) exit 1 }' "$list"
holds "no package twice" sh -c '[ -z "$(awk "!/^#/ && NF { print \$2 }" "$0" | sort | uniq -d)" ]' "$list"
for script in install.sh build.sh ../demos/run.sh ../tests/run.sh ../.ci/run
do
    holds "$script is executable" test -x "$top/third_party/$script"
    holds "$script is proper sh" sh -n "$top/third_party/$script"
done
finish
