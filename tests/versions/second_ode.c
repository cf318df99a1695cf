/* Stands for a second ODE that a program's calls reach before its own: one function of it, which passes on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

__attribute__ ((visibility ("default"))) void *dBodyCreate (void *world);

void *dBodyCreate (void *world)
{
    void *(*own) (void *world);
    *(void **)&own = dlsym (RTLD_NEXT, "dBodyCreate");
    return own (world);
}
