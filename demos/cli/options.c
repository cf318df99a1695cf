/*
 * The options, in one table: the name of each, the commands that have it, what values it takes and where they
 * are stored. Parsing, messages and help use this table.
 */
#include "options.h"
#include "choices.h"
#include "failure.h"
#include "suggest.h"
#include <whole_file.h>

#include <errno.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SIMULATING (command_run | command_compare)

typedef enum
{
    kind_choice,  /* one word of a table; a comma list or "all" where lists are taken */
    kind_order,   /* a word of order_choices, or random:SEED */
    kind_numbers, /* a number, or a comma list where lists are taken */
    kind_real,
    kind_integer,
    kind_file,
    kind_flag /* takes no value */
} option_kind;

typedef struct
{
    const char *name, *argument;
    int commands, list_commands; /* sums of command_flag: which commands have it, which take a list */
    option_kind kind;
    size_t offset; /* of the value in options */
    double low, high;
    int above_low; /* 1 if low itself is refused */
    const choice *table;
    const char *expects; /* the end of the message "'x' is not ..." */
    const char *help;
} description;

#define ANY_STEP SIMULATING | command_bench
#define AT(field) offsetof (options, field)
#define LARGEST 1e300

static const description table[] = {
    {"--stepper", "NAME", SIMULATING, command_compare, kind_choice, AT (steppers), 0, 0, 0, stepper_choices,
     NULL, "rls (this library), ode (dWorldStep), quick (dWorldQuickStep)"},
    {"--integrator", "NAME", ANY_STEP, command_compare | command_bench, kind_choice, AT (integrators), 0, 0,
     0, integrator_choices, NULL,
     "of rls: auto (the default), euler, symplectic, symplectic4,\n"
     "symplectic6, symplectic8, rk4"},
    {"--correction", "NAME", ANY_STEP, command_compare, kind_choice, AT (corrections), 0, 0, 0,
     correction_choices, NULL,
     "of rls: projection (the default), none, erp, embedded,\n"
     "simultaneous, energy, augmented, conserving, compliant; or as a\n"
     "variant: direct, embedded-stages, embedded-through,\n"
     "simultaneous-once, energy-once, augmented-bare, conserving-bare"},
    {"--methods", "LIST", command_compare, command_compare, kind_choice, AT (methods), 0, 0, 0,
     method_choices, NULL,
     "instead of the three above, published methods with their own\n"
     "integrators: ode, quick, compliant, euler, none, erp, embedded,\n"
     "direct, projection, simultaneous, energy, augmented-bare,\n"
     "augmented, conserving-bare, conserving, symplectic,\n"
     "symplectic4, or all"},
    {"--order", "NAME", ANY_STEP | command_inspect, 0, kind_order, AT (order), 0, 0, 0, order_choices, NULL,
     "of rls: mindegree (the default), natural, priority, random:SEED"},
    {"--dt", "S", ANY_STEP, command_compare, kind_numbers, AT (dt), 0, LARGEST, 1, NULL,
     "a positive number of seconds, such as 0.01 or 1/60",
     "step size in seconds, also as a fraction: 1/60 (the scene's)"},
    {"--duration", "S", SIMULATING, 0, kind_real, AT (duration), 0, LARGEST, 1, NULL,
     "a positive number of seconds", "simulated time in seconds (the scene's, or 10)"},
    {"--every", "N", SIMULATING, 0, kind_integer, AT (every), 1, 1e9, 0, NULL, "a whole number from 1",
     "write each N-th step to the CSV file; all are measured (1)"},
    {"--quick-iterations", "N", ANY_STEP, 0, kind_integer, AT (quick_iterations), 1, 1e6, 0, NULL,
     "a whole number from 1 to 1000000", "sweeps of dWorldQuickStep (20)"},
    {"--cfm", "X", ANY_STEP | command_inspect, 0, kind_real, AT (cfm), 0, LARGEST, 0, NULL, "a number from 0",
     "global constraint force mixing of the world (the scene's)"},
    {"--erp", "X", ANY_STEP | command_inspect, 0, kind_real, AT (erp), 0, 1, 0, NULL, "a number from 0 to 1",
     "global error reduction of the world (the scene's)"},
    {"--threads", "N", ANY_STEP, 0, kind_integer, AT (threads), 1, 256, 0, NULL,
     "a whole number from 1 to 256", "step on a pool of N threads (none)"},
    {"--tolerance", "X", ANY_STEP | command_inspect, 0, kind_real, AT (tolerance), 0, 0.999999, 1, NULL,
     "a number above 0 and below 1", "relative pivot below which a row counts as redundant (1e-9)"},
    {"--repetitions", "N", command_bench, 0, kind_integer, AT (repetitions), 1, 1000, 0, NULL,
     "a whole number from 1 to 1000", "timings a stepper, of which minimum and median are given (7)"},
    {"--dense-limit", "S", command_bench, 0, kind_real, AT (dense_limit), 0, LARGEST, 0, NULL,
     "a number of seconds from 0", "skip dWorldStep where one step is expected to take longer (2)"},
    {"--strict", "", SIMULATING | command_inspect | command_convert, 0, kind_flag, AT (strict), 0, 0, 0, NULL,
     NULL,
     "refuse a scene with missing meshes or models, doubled elements or\n"
     "moments of inertia that no body has (a warning otherwise)"},
    {"--csv", "FILE", SIMULATING, 0, kind_file, AT (csv), 0, 0, 0, NULL, NULL,
     "samples of the motion; - is standard output"},
    {"--poses", "", SIMULATING, 0, kind_flag, AT (poses), 0, 0, 0, NULL, NULL,
     "in the CSV file also centre of mass and quaternion (w, x, y, z) of\n"
     "every body"},
    {"--sdf", "FILE", command_convert, 0, kind_file, AT (sdf), 0, 0, 0, NULL, NULL,
     "the scene as SDFormat: flat, in SI; - is standard output"},
    {"--json", "FILE", SIMULATING | command_inspect, 0, kind_file, AT (json), 0, 0, 0, NULL, NULL,
     "results; - is standard output"},
    {"--plot", "FILE.png", SIMULATING, 0, kind_file, AT (plot), 0, 0, 0, NULL, NULL,
     "picture of motion, violation and energy; of error against time\n"
     "where several step sizes or methods are compared"},
};

enum
{
    option_total = sizeof table / sizeof table[0]
};

static const char *command_name (command_flag command)
{
    switch (command)
    {
    case command_run:
        return "run";
    case command_compare:
        return "compare";
    case command_inspect:
        return "inspect";
    case command_bench:
        return "bench";
    case command_convert:
        return "convert";
    }
    return "?";
}

/* A number, or one number divided by another; 0 if the text is anything else or not finite. */
static int read_number (const char *text, size_t length, double *value)
{
    char copy[64], *end;
    if (length == 0 || length >= sizeof copy) return 0;
    memcpy (copy, text, length);
    copy[length] = 0;
    if (strpbrk (copy, " \t\n\v\f\r")) return 0;
    *value = strtod (copy, &end);
    if (end != copy && *end == '/')
    {
        char *divisor = end + 1;
        *value /= strtod (divisor, &end);
        if (end == divisor) return 0;
    }
    return end != copy && *end == 0 && isfinite (*value);
}

static int in_range (const description *d, double value)
{
    return value <= d->high && (d->above_low ? value > d->low : value >= d->low);
}

static int refuse (const description *d, const char *value, size_t length)
{
    return fail (0, "%s: '%.*s' is not %s", d->name, (int)length, value, d->expects);
}

static int too_many (const description *d)
{
    return fail (0, "%s: at most %d values", d->name, OPTION_LIST_CAPACITY);
}

static int take_choices (const description *d, const char *value, int list, choice_set *set)
{
    set->count = 0;
    if (list && strcmp (value, "all") == 0)
    {
        for (const choice *entry = d->table; entry->word; entry++) set->value[set->count++] = entry->value;
        return 1;
    }
    for (const char *word = value;; word++)
    {
        size_t length = list ? strcspn (word, ",") : strlen (word);
        const choice *found = choice_find (d->table, word, length);
        if (!found)
        {
            char known[400];
            choice_list (d->table, known, sizeof known);
            return fail (0, "%s: '%.*s' is none of %s%s", d->name, (int)length, word, known,
                         list || !strchr (word, ',') ? "" : "; only compare and bench take several");
        }
        if (set->count == OPTION_LIST_CAPACITY) return too_many (d);
        set->value[set->count++] = found->value;
        word += length;
        if (!*word) return 1;
    }
}

static int take_order (const description *d, const char *value, options *o)
{
    const choice *found = choice_find (d->table, value, strcspn (value, ":"));
    const char *seed = strchr (value, ':');
    if (found && found->value == dRLSOrderRandom && seed)
    {
        char *end;
        errno = 0;
        o->order_seed = strtoul (seed + 1, &end, 10);
        if (seed[1] < '0' || seed[1] > '9' || *end || errno)
            return fail (0, "--order: '%s' is not a seed, a whole number from 0", seed + 1);
    }
    else if (!found || seed)
    {
        return fail (0, "--order: '%s' is none of natural, mindegree, priority, random:SEED", value);
    }
    o->order = found->value;
    return 1;
}

static int take_numbers (const description *d, const char *value, int list, number_set *set)
{
    set->count = 0;
    for (const char *word = value;; word++)
    {
        size_t length = list ? strcspn (word, ",") : strlen (word);
        double number;
        if (!read_number (word, length, &number) || !in_range (d, number)) return refuse (d, word, length);
        if (set->count == OPTION_LIST_CAPACITY) return too_many (d);
        set->value[set->count++] = number;
        word += length;
        if (!*word) return 1;
    }
}

static int take_integer (const description *d, const char *value, long *target)
{
    char *end;
    errno = 0;
    long number = strtol (value, &end, 10);
    if (end == value || *end || errno || !in_range (d, (double)number))
        return refuse (d, value, strlen (value));
    *target = number;
    return 1;
}

static int take_value (const description *d, const char *value, command_flag command, options *o)
{
    void *target = (char *)o + d->offset;
    int list = (d->list_commands & (int)command) != 0;
    switch (d->kind)
    {
    case kind_choice:
        return take_choices (d, value, list, target);
    case kind_order:
        return take_order (d, value, o);
    case kind_numbers:
        return take_numbers (d, value, list, target);
    case kind_real:
        if (!read_number (value, strlen (value), target) || !in_range (d, *(double *)target))
            return refuse (d, value, strlen (value));
        return 1;
    case kind_integer:
        return take_integer (d, value, target);
    case kind_file:
        if (!*value) return fail (0, "%s: the file name is empty", d->name);
        *(const char **)target = value;
        return 1;
    case kind_flag:
        *(int *)target = 1;
        return 1;
    }
    return 0;
}

static const description *find_option (const char *word, size_t length)
{
    for (int i = 0; i < option_total; i++)
        if (strlen (table[i].name) == length && strncmp (table[i].name, word, length) == 0) return &table[i];
    return NULL;
}

static int refuse_option (const char *word, size_t length, command_flag command)
{
    char text[192];
    suggestion near;
    suggest_start (&near, word, length);
    for (int i = 0; i < option_total; i++)
        if (table[i].commands & (int)command) suggest_try (&near, table[i].name);
    return fail (0, "unknown option '%.*s'%s", (int)length, word,
                 suggest_text (&near, "; see ode-rls --help", text));
}

static int check_methods (const options *o)
{
    const char *other = o->steppers.count      ? "--stepper"
                        : o->integrators.count ? "--integrator"
                        : o->corrections.count ? "--correction"
                                               : NULL;
    return !o->methods.count || !other ||
           fail (0, "--methods stands in place of %s: give one of them", other);
}

static int check_files (const options *o)
{
    const char *files[] = {o->csv, o->json, o->plot};
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < 3; k++)
            if (files[i] && files[k] && is_same_file (files[i], files[k]))
                return fail (0, "'%s' cannot take two outputs", files[k]);
    for (int i = 0; i < 3 && o->name_count; i++)
        if (files[i] && is_same_file (files[i], o->names[0]))
            return fail (0, "'%s' is the scene; results would take its place", files[i]);
    size_t length = o->plot ? strlen (o->plot) : 0;
    if (o->plot && (length < 5 || strcmp (o->plot + length - 4, ".png") != 0))
        return fail (0, "--plot: '%s' does not end in .png", o->plot);
    return 1;
}

static void set_defaults (options *o)
{
    memset (o, 0, sizeof *o);
    o->order = dRLSOrderDefault;
    o->every = 1;
    o->quick_iterations = 20;
    o->cfm = o->erp = NAN;
    o->repetitions = 7;
    o->dense_limit = 2;
}

int options_parse (options *o, command_flag command, int argc, char **argv)
{
    set_defaults (o);
    o->names = calloc ((size_t)argc + 1, sizeof *o->names);
    if (!o->names) return fail (0, "out of memory");

    int only_names = 0;
    for (int i = 0; i < argc; i++)
    {
        const char *word = argv[i];
        if (!only_names && strcmp (word, "--") == 0)
        {
            only_names = 1;
            continue;
        }
        if (only_names || word[0] != '-' || !word[1])
        {
            o->names[o->name_count++] = word;
            continue;
        }
        size_t length = strcspn (word, "=");
        const description *d = find_option (word, length);
        if (!d) return refuse_option (word, length, command);
        if (!(d->commands & (int)command))
            return fail (0, "%s takes no %s; see ode-rls %s --help", command_name (command), d->name,
                         command_name (command));
        if (d->kind == kind_flag && word[length])
            return fail (0, "%s takes no value: what is '%s'?", d->name, word + length + 1);
        const char *value = d->kind == kind_flag ? ""
                            : word[length]       ? word + length + 1
                            : i + 1 < argc       ? argv[++i]
                                                 : NULL;
        if (!value) return fail (0, "%s needs a value: %s %s", d->name, d->name, d->argument);
        if (!take_value (d, value, command, o)) return 0;
    }
    if (command != command_bench && o->name_count == 0)
        return fail (0, "%s needs a scene: ode-rls %s SCENE", command_name (command), command_name (command));
    if (command != command_bench && o->name_count > 1)
        return fail (0, "%s takes one scene: what is '%s'?", command_name (command), o->names[1]);
    return check_methods (o) && check_files (o);
}

void options_free (options *o)
{
    free (o->names);
    o->names = NULL;
}

void options_print (FILE *file, command_flag command)
{
    for (int i = 0; i < option_total; i++)
    {
        const description *d = &table[i];
        if (!(d->commands & (int)command)) continue;
        char head[40];
        snprintf (head, sizeof head, "%s %s", d->name, d->argument);
        const char *line = d->help;
        for (int first = 1; *line; first = 0)
        {
            int length = (int)strcspn (line, "\n");
            fprintf (file, "  %-22s %.*s\n", first ? head : "", length, line);
            line += length + (line[length] == '\n');
        }
        if (d->list_commands & (int)command)
            fprintf (file, "  %-22s %s\n", "",
                     d->kind == kind_choice ? "(a comma list, or all)" : "(a comma list)");
    }
}
