/* A program that keeps its modules to themselves, as Python does: runs program_main of each, in order. */
#include <dlfcn.h>
#include <stdio.h>

int main (int count, char **arguments)
{
    for (int i = 1; i < count; ++i)
    {
        int (*run) (int, char **) = NULL;
        void *module = dlopen (arguments[i], RTLD_NOW | RTLD_LOCAL);
        if (module) *(void **)&run = dlsym (module, "program_main");
        if (!run)
        {
            fprintf (stderr, "%s\n", dlerror ());
            return 1;
        }
        fflush (stdout);
        const int status = run (1, arguments);
        if (status) return status;
    }
    return 0;
}
