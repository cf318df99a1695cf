/*
 * Finds scenes by path or name, and applies options to a world and its stepper.  See load.h.
 */
#include "load.h"
#include "failure.h"
#include "scene_names.h"
#include "suggest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct thread_pool
{
    dThreadingImplementationID implementation;
    dThreadingThreadPoolID pool;
};

static int is_there (const char *path)
{
    struct stat status;
    return stat (path, &status) == 0;
}

/* The path of a scene.  A name without a folder or ending is looked for in the folders of scenes; NULL if it
   is in none of them. */
static const char *find_by_name (const char *name, char *path, size_t size)
{
    static const char *const below[] = {"", "/zoo"};
    char folder[4096];
    if (strpbrk (name, "/.:") || is_there (name)) return name;
    for (int i = 0; scene_folder (i, folder, sizeof folder); i++)
    {
        for (int k = 0; k < 2 && folder[0]; k++)
        {
            snprintf (path, size, "%s%s/%s.sdf", folder, below[k], name);
            if (is_there (path)) return path;
        }
    }
    return NULL;
}

static void try_name (void *context, const char *name) { suggest_try (context, name); }

/* Prints why there is no scene of this name. */
static void refuse_name (const char *name)
{
    suggestion near;
    char text[192], generated[64];
    snprintf (generated, sizeof generated, "%s:", name);
    if (!*name)
        fail (0, "the scene's name is empty");
    else if (scene_is_generated (generated))
        fail (0, "%s: how many? For example %s:10", name, name);
    else
    {
        suggest_start (&near, name, strlen (name));
        scene_names_each (try_name, &near);
        fail (0, "%s: no such file, and none of the scenes that ode-rls --help lists%s", name,
              suggest_text (&near, "", text));
    }
}

#define SHOWN 12 /* warnings of a scene that are printed */

static void print_warning (void *context, const char *line)
{
    if ((*(int *)context)++ < SHOWN) warn ("%s", line);
}

scene *load_scene (const char *name, int strict, int quiet)
{
    char path[8192], error[1024] = "";
    const char *file = find_by_name (name, path, sizeof path);
    if (!file)
    {
        refuse_name (name);
        return NULL;
    }
    int count = quiet ? SHOWN : 0;
    scene *s = (strict ? scene_read_strictly : scene_read) (file, print_warning, &count, error, sizeof error);
    if (!quiet && count > SHOWN) warn ("%s: %d more lines like these", file, count - SHOWN);
    if (!s) fail (0, "%s", error[0] ? error : "the scene cannot be read");
    return s;
}

int prepare_world (scene *s, const options *o, thread_pool **pool)
{
    dWorldID world = scene_world (s);
    *pool = NULL;
    scene_set_softness (s, o->erp, o->cfm);
    dWorldSetQuickStepNumIterations (world, (int)o->quick_iterations);
    if (!o->threads) return 1;

    thread_pool *made = calloc (1, sizeof *made);
    if (made) made->implementation = dThreadingAllocateMultiThreadedImplementation ();
    if (made && made->implementation)
        made->pool = dThreadingAllocateThreadPool ((unsigned)o->threads, 0, dAllocateFlagBasicData, NULL);
    if (!made || !made->pool)
    {
        thread_pool_free (made, NULL);
        return fail (0, "--threads: this ODE cannot start %ld threads", o->threads);
    }
    dThreadingThreadPoolServeMultiThreadedImplementation (made->pool, made->implementation);
    dWorldSetStepIslandsProcessingMaxThreadCount (world, (unsigned)o->threads);
    dWorldSetStepThreadingImplementation (world, dThreadingImplementationGetFunctions (made->implementation),
                                          made->implementation);
    *pool = made;
    return 1;
}

void thread_pool_free (thread_pool *pool, dWorldID world)
{
    if (!pool) return;
    if (world) dWorldSetStepThreadingImplementation (world, NULL, NULL);
    if (pool->implementation) dThreadingImplementationShutdownProcessing (pool->implementation);
    if (pool->pool) dThreadingFreeThreadPool (pool->pool);
    if (pool->implementation) dThreadingFreeImplementation (pool->implementation);
    free (pool);
}

dRLSStepperID make_stepper (scene *s, const options *o)
{
    int status;
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), &status);
    if (!stepper)
    {
        fail (0, "%s", status == dRLSStatusIncompatibleODE ? dRLSDescribeODE () : dRLSStatusText (status));
        return NULL;
    }
    int good = dRLSStepperSetOrder (stepper, o->order) && dRLSStepperSetOrderSeed (stepper, o->order_seed);
    if (!good) fail (0, "the stepper refuses the order");
    if (good && o->tolerance > 0 && !dRLSStepperSetRankTolerance (stepper, o->tolerance))
        good = fail (0, "--tolerance: the stepper refuses %g", o->tolerance);
    if (good && !scene_prepare_stepper (s, stepper))
        good = fail (0, "%s: the stepper refuses a driven axis or a priority", scene_name (s));
    if (good) return stepper;
    dRLSStepperDestroy (stepper);
    return NULL;
}
