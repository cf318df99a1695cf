/*
 * The options of the command line.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdio.h>

#define OPTION_LIST_CAPACITY 32

typedef enum
{
    command_run = 1,
    command_compare = 2,
    command_inspect = 4,
    command_bench = 8,
    command_convert = 16
} command_flag;

typedef struct
{
    int count;
    int value[OPTION_LIST_CAPACITY];
} choice_set;

typedef struct
{
    int count;
    double value[OPTION_LIST_CAPACITY];
} number_set;

typedef struct
{
    const char **names; /* the words that are not options: the scene, or the benchmarks */
    int name_count;
    choice_set steppers, integrators, corrections; /* count 0: the command's default */
    choice_set methods;                            /* of compare, instead of the three above */
    int order;                                     /* a dRLSOrder */
    unsigned long order_seed;
    number_set dt;                       /* s; count 0: the scene's */
    double duration;                     /* s; 0: the scene's */
    long every;                          /* rows of the CSV: each every-th step */
    long quick_iterations;               /* sweeps of dWorldQuickStep */
    double cfm, erp;                     /* NAN: the scene's */
    long threads;                        /* 0: ODE's default, no pool */
    double tolerance;                    /* of the rank; 0: the library's default */
    long repetitions;                    /* bench */
    double dense_limit;                  /* bench: s that one dWorldStep may take */
    int strict;                          /* 1: what would be a warning about a scene is an error */
    int poses;                           /* 1: the CSV file has the poses of all bodies */
    const char *csv, *json, *plot, *sdf; /* files; NULL for none */
} options;

/*
 * Reads the words after the command.  Returns 1, or 0 after an error line; call options_free in any case. The
 * texts are those of argv, which must stay.
 */
int options_parse (options *o, command_flag command, int argc, char **argv);
void options_free (options *o);

/* Prints the options of a command. */
void options_print (FILE *file, command_flag command);

#endif
