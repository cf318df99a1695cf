/*
 * The help texts.  The lists of options come from the table in options.c.
 */
#include "help.h"
#include "options.h"
#include "scene_names.h"

#include <string.h>

typedef struct
{
    const char *name;
    command_flag flag; /* 0 if the command lists its options itself */
    const char *text;
} help_text;

static const help_text texts[] = {
    {"run", command_run,
     "ode-rls run SCENE [options]\n\n"
     "Simulates a scene, by rls unless --stepper says otherwise, prints a short summary and writes the\n"
     "files asked for.\n"},
    {"compare", command_compare,
     "ode-rls compare SCENE [options]\n\n"
     "Simulates a scene under several steppers (dWorldStep, dWorldQuickStep and rls unless --stepper says\n"
     "otherwise) and prints them side by side.  Several integrators, corrections or step sizes give a\n"
     "work-precision comparison.  --csv writes one file a run, FILE-stepper.csv, --json an array.\n"},
    {"inspect", command_inspect,
     "ode-rls inspect SCENE [options]\n\n"
     "Simulates nothing: bodies, joints, rows, rank, degrees of freedom, redundant and conflicting rows by\n"
     "joint, and the joints whose reactions are unique.\n"},
    {"convert", command_convert,
     "ode-rls convert SCENE --sdf FILE\n\n"
     "Writes a scene as it was understood: flat, in SI, links at their centres of mass, joints in the "
     "world.\n"
     "What SDFormat cannot say (drives by functions of time, gearboxes) is named in comments.\n"},
    {"bench", command_bench,
     "ode-rls bench [NAME ...] [options]\n\n"
     "Times the steppers on the named benchmarks (all of them by default): a table on a terminal, otherwise\n"
     "one line of JSON each.  Names are scenes: bricard, chain:100, fourbar:40, net:10, ...\n"},
    {"view", 0,
     "ode-rls view [SCENE ...]\n\n"
     "Opens the interactive viewer.\n"},
};

static void print_overview (FILE *file)
{
    fputs (
        "ode-rls: rank-revealing joint stepping for the Open Dynamics Engine\n\n"
        "  ode-rls run     SCENE [options]   simulate, print a short table, write files\n"
        "  ode-rls compare SCENE [options]   the same scene under several steppers, side by side\n"
        "  ode-rls inspect SCENE [options]   rank, degrees of freedom, redundant rows; nothing is simulated\n"
        "  ode-rls convert SCENE --sdf FILE  the scene as it was understood, as SDFormat\n"
        "  ode-rls view    [SCENE ...]       the interactive viewer\n"
        "  ode-rls bench   [NAME ...]        the benchmark suite; a table, or JSON lines\n"
        "  ode-rls --help | --version        (ode-rls COMMAND --help lists the command's options)\n\n"
        "SCENE is an SDFormat or URDF file, one that is generated (chain:N, chains:N, fourbar:N, free:N, "
        "hub:N,\n"
        "miura:N, net:N, netc:N, pile:N, ragdolls:N, stack:N, stacks:N, wall:N) or one that comes with the "
        "program:\n",
        file);
    scene_names_print (file, "  ");
    fputs ("\nOptions of run and compare:\n", file);
    options_print (file, command_compare);
    fputs ("\nEnvironment: ODE_RLS_SCENES, a folder in which scenes are found by name; ODE_RLS_FONT, the "
           "font file of\n"
           "pictures.\n"
           "\nExit status: 0 done; 1 the simulation failed or its results could not be written;\n"
           "2 bad arguments or a bad scene; 128 and the number of a signal that ended it (130: Ctrl-C).\n",
           file);
}

int help_print (FILE *file, const char *command)
{
    if (!command)
    {
        print_overview (file);
        return 1;
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    {
        if (strcmp (texts[i].name, command) != 0) continue;
        fputs (texts[i].text, file);
        if (texts[i].flag)
        {
            fputs ("\nOptions:\n", file);
            options_print (file, texts[i].flag);
        }
        return 1;
    }
    return 0;
}
