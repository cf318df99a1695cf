/*
 * The program ode-rls: finds the command and runs it.
 */
#include "commands.h"
#include "failure.h"
#include "help.h"
#include "interrupt.h"
#include "ode_messages.h"
#include "suggest.h"

#include <errno.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>
#include <string.h>

#ifdef ODE_RLS_VIEWER
#define VIEWER "with"
#else
#define VIEWER "without"
#endif

typedef struct
{
    const char *name;
    int (*run) (int argc, char **argv);
    int stops; /* 1 if Ctrl-C lets it write its results first; the others end at once */
} command;

static const command commands[] = {{"run", run_main, 1},         {"compare", compare_main, 1},
                                   {"inspect", inspect_main, 0}, {"convert", convert_main, 0},
                                   {"view", view_main, 1},       {"bench", bench_main, 1}};

static int is_help (const char *word) { return strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0; }

static int run_command (int argc, char **argv)
{
    const char *name = argv[1];
    if (is_help (name) || strcmp (name, "help") == 0)
    {
        if (argc > 2 && help_print (stdout, argv[2])) return exit_done;
        help_print (stdout, NULL);
        return exit_done;
    }
    if (strcmp (name, "--version") == 0)
    {
        printf ("ode-rls %s, %d-bit reals, %s viewer\n", dRLSVersion (), dRLSPrecision (), VIEWER);
        return exit_done;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    {
        if (strcmp (commands[i].name, name) != 0) continue;
        /* The viewer prints its own help. */
        for (int k = 2; k < argc && commands[i].run != view_main; k++)
            if (is_help (argv[k])) return help_print (stdout, name) ? exit_done : exit_bad_arguments;
        if (commands[i].stops) interrupt_install ();
        return commands[i].run (argc - 2, argv + 2);
    }
    char text[192];
    suggestion near;
    suggest_start (&near, name, strlen (name));
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) suggest_try (&near, commands[i].name);
    return fail (exit_bad_arguments, "unknown command '%s'%s", name,
                 suggest_text (&near, "; see ode-rls --help", text));
}

int main (int argc, char **argv)
{
    if (argc < 2)
    {
        help_print (stderr, NULL);
        return exit_bad_arguments;
    }
    if (!dInitODE2 (0) || !dAllocateODEDataForThread (dAllocateMaskAll))
        return fail (exit_failed, "ODE cannot be started");
    ode_messages_install ();
    int status = run_command (argc, argv);
    dCloseODE ();
    errno = 0;
    if (fflush (stdout) != 0) note_failed_output (stdout);
    if (reader_has_left ()) end_as_reader_left ();
    if (ferror (stdout) && !status)
        status = fail (exit_failed, "cannot write standard output: %s",
                       errno ? strerror (errno) : "an earlier write failed");
    return status;
}
