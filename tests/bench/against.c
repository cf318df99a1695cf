/*
 * One line of what contacts and joints come to in a scene, for this version of the library or an older one:
 * against SCENE STEP SECONDS.  against.sh compiles it with both and runs them by turns.
 *
 * Depths of contacts as collision detection finds them, how far the farthest body goes in the second half,
 * how far hinges, balls and universal joints are open, and processor time a step.
 */
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_used (void)
{
    struct timespec t;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size (const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double distance (const dReal *a, const dReal *b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (double)((a[k] - b[k]) * (a[k] - b[k]));
    return sqrt (square);
}

/* How far the two anchors of a joint are from each other (m). */
static double opening (dJointID joint)
{
    dVector3 a = {0}, b = {0};
    const dJointType type = dJointGetType (joint);
    if (type == dJointTypeHinge) dJointGetHingeAnchor (joint, a), dJointGetHingeAnchor2 (joint, b);
    if (type == dJointTypeBall) dJointGetBallAnchor (joint, a), dJointGetBallAnchor2 (joint, b);
    if (type == dJointTypeUniversal)
        dJointGetUniversalAnchor (joint, a), dJointGetUniversalAnchor2 (joint, b);
    return distance (a, b);
}

int main (int argc, char **argv)
{
    char error[400];
    if (argc != 4) return 2;
    dInitODE2 (0);
    dRandSetSeed (1);
    scene *s = scene_read (argv[1], NULL, NULL, error, sizeof (error));
    if (!s)
    {
        fprintf (stderr, "%s\n", error);
        return 1;
    }
    const double h = atof (argv[2]);
    const int steps = (int)lround (atof (argv[3]) / h), bodies = scene_body_count (s);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    double *depth = calloc ((size_t)steps, sizeof (double)), *open = calloc ((size_t)steps, sizeof (double));
    dVector3 *half = calloc ((size_t)bodies, sizeof (dVector3));
    double used = 0, drift = 0;
    if (!depth || !open || !half) return 1;
    scene_set_time_step (s, h);
    scene_prepare_stepper (s, stepper);
    for (int i = 0; i < steps; ++i)
    {
        scene_before_step (s, i * h, 0);
        depth[i] = scene_penetration (s);
        const double start = seconds_used ();
        dRLSStepperStep (stepper, (dReal)h);
        used += seconds_used () - start;
        scene_after_step (s);
        for (int b = 0; b < bodies; ++b)
        {
            const dBodyID body = scene_body_at (s, b)->body;
            for (int j = 0; j < dBodyGetNumJoints (body); ++j)
                open[i] = fmax (open[i], opening (dBodyGetJoint (body, j)));
            if (i == steps / 2) memcpy (half[b], dBodyGetPosition (body), sizeof (half[b]));
            if (i == steps - 1) drift = fmax (drift, distance (dBodyGetPosition (body), half[b]));
        }
    }
    qsort (depth, (size_t)steps, sizeof (double), by_size);
    qsort (open, (size_t)steps, sizeof (double), by_size);
    printf ("%.2f | %.2f | %.1e | %.1e | %.0f\n", 1e3 * depth[steps / 2], 1e3 * depth[steps * 19 / 20], drift,
            open[steps * 19 / 20], 1e6 * used / steps);
    free (depth), free (open), free (half);
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return 0;
}
