/*
 * The scene reader on any file, and a few steps of what it accepts.  The file lies in memory only.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "scene.h"
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEPS 3
#define MOST_BODIES 60 /* of scenes that are stepped */

static void step (scene *s)
{
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    FUZZ_CHECK (stepper);
    scene_prepare_stepper (s, stepper);
    dRLSStepperSetForceCallback (stepper, scene_forces, s);
    for (int i = 0, done = 1; i < STEPS && done; ++i)
    {
        scene_before_step (s, i * scene_time_step (s), 1);
        done = dRLSStepperStep (stepper, (dReal)scene_time_step (s));
        scene_after_step (s);
        double sum = 0;
        for (int b = 0; b < scene_body_count (s); ++b)
            for (int k = 0; k < 3; ++k)
                sum += fabs ((double)dBodyGetPosition (scene_body_at (s, b)->body)[k]);
        FUZZ_CHECK (!done || !isnan (sum));
    }
    dRLSStepperDestroy (stepper);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char path[64], error[300] = "";
    const int file = memfd_create ("scene.sdf", 0);
    FUZZ_CHECK (file >= 0);
    FUZZ_CHECK (write (file, data, size) == (ssize_t)size);
    snprintf (path, sizeof path, "/proc/self/fd/%d", file);
    scene *s = scene_read (path, NULL, NULL, error, sizeof error);
    if (!s)
    {
        FUZZ_CHECK (*error && !strchr (error, '\n')); /* one line that says why */
    }
    else if (scene_body_count (s) <= MOST_BODIES)
        step (s);
    if (s) scene_free (s);
    close (file);
    return 0;
}
