/*
 * methods_iltis SCENE STEP DURATION: the methods of ode-rls compare --methods on the Iltis, for report.py.
 *
 * SCENE is iltis_rest, iltis_stairs or iltis_low_stairs.  One line of JSON a method, with the words of the
 * command line.  The error is that of the heights of chassis and wheels.
 */
#include "choices.h"
#include "iltis_rig.h"

#include <stdlib.h>
#include <string.h>

static void print_number (const char *name, double value)
{
    printf (isfinite (value) ? ", \"%s\": %.10g" : ", \"%s\": null", name, value);
}

int main (int argc, char **argv)
{
    if (argc != 4 || strncmp (argv[1], "iltis_", 6) != 0)
    {
        fprintf (stderr, "usage: %s iltis_rest|iltis_stairs|iltis_low_stairs STEP DURATION\n", argv[0]);
        return 2;
    }
    dInitODE2 (0);
    for (const choice *method = method_choices; method->word; ++method)
    {
        const method_parts *parts = &methods[method->value];
        const iltis_run run = {.stairs = strcmp (argv[1], "iltis_stairs") == 0       ? 1
                                         : strcmp (argv[1], "iltis_low_stairs") == 0 ? 2
                                                                                     : 0,
                               .stepper = parts->stepper == stepper_rls   ? iltis_rls
                                          : parts->stepper == stepper_ode ? iltis_ode
                                                                          : iltis_quick,
                               .integrator = parts->integrator,
                               .correction = parts->correction & ((1 << CORRECTION_FLAGS) - 1),
                               .flags = parts->correction >> CORRECTION_FLAGS,
                               .h = atof (argv[2]),
                               .duration = atof (argv[3])};
        const iltis_result r = iltis_drive (run);
        const double steps = fmax (1, r.until / run.h);
        printf ("{\"method\": \"%s\", \"dt\": %.9g, \"status\": \"%s\", \"until\": %.9g", method->word, run.h,
                r.until < run.duration * (1 - 1e-9) ? "error" : "ok", r.until);
        print_number ("error", fmax (r.height_error, r.hub_error));
        print_number ("gap", fmax (r.position, r.angle));
        print_number ("speed", fmax (r.velocity, r.angular_velocity));
        print_number ("height", r.height);
        print_number ("pitch", r.pitch);
        print_number ("us", 1e6 * r.seconds / steps);
        print_number ("cpu", r.seconds);
        printf ("}\n");
        fflush (stdout);
    }
    return 0; /* without dCloseODE, which does not forgive a step that was given up */
}
