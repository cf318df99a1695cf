/*
 * ode-rls view: the viewer, or an error line if the program was built without it.
 */
#include "commands.h"
#include "failure.h"
#include "interrupt.h"

#ifdef ODE_RLS_VIEWER
#include <viewer.h>

int view_main (int argc, char **argv) { return viewer_main (argc, argv, interrupted); }

#else

int view_main (int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return fail (exit_bad_arguments,
                 "this build has no viewer; run, compare, inspect and bench work without it");
}

#endif
