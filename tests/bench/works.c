/*
 * bench_works [--alone] [--start K] [--steps N] WORK ...: processor time of a step of ours beside
 * dWorldQuickStep with 20 sweeps, for work that games and robots do.  A line a work and a stepper; the
 * steppers take turns, step by step, on copies of the same world, so that a busy moment of the machine hits
 * all alike.  --alone: of ours the default only, for counting its instructions within dRLSStepperStep.
 * --start: bodies begin with up to 1e-4 m/s more, another number another start, since heaps and diggers that
 * go another way take another time.
 *
 *     pendulums:N         boxes, each on a hinge of its own
 *     sliding:N           separate boxes that slide over a plane, four contacts each
 *     sleeping:N          the same, disabled
 *     points:N            N small spheres, a rod (a dball) between any two
 *     cube:N              N^3 of them, rods along edges and diagonals of all cells
 *     platform:N          N boxes that stick to a platform, which the program moves to and fro
 *     drum:N              N boxes that tumble in a drum, which the program turns
 *     truck:N             a body on N wheels with motors
 *     legs:N              N bodies that stand on four sliders each, whose stops are springs
 *     winch:N             N light sliders that a motor lifts, a load of a thousand times their mass on a
 * hinge pushed:SCENE:V      a scene of the library, all bodies given V m/s across its plane SCENE a scene of
 * the library as it is
 */
#include "../../demos/scene/scene.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define H 0.01      /* s */
#define SETTLING 10 /* steps before those that are timed */
#define STEPS 200
#define MOST_STEPS 2000
#define NUDGE 1e-4           /* m/s */
#define MOST_SECONDS 20.0    /* of a work and a stepper */
#define LOOSE_TOLERANCE 1e-6 /* m */

typedef enum
{
    OURS,
    LOOSE,
    COMPLIANT,
    QUICK,
    KINDS
} kind;

static const char *const kind_name[KINDS] = {"ode-rls", "ode-rls, joints to 1e-6 m",
                                             "ode-rls, compliant rows", "QuickStep, 20 sweeps"};

typedef struct
{
    scene *from; /* the library's, or NULL */
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID platform;
    dRLSStepperID stepper;  /* NULL: QuickStep */
    double before, memory;  /* bytes of the program; that stepping keeps */
    double us[SETTLING + MOST_STEPS];
    double energy, factorisations, most_factorisations;
    int steps;
} work;

static double seconds_used (void)
{
    struct timespec now;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double heap_bytes (void)
{
    struct mallinfo2 now = mallinfo2 ();
    return (double)now.uordblks + (double)now.hblkhd;
}

/* ---- worlds -------------------------------------------------------------------------------------------- */

/* Between -1 and 1, the same in every run. */
static double spread (int i, int k)
{
    const double x = sin (12.9898 * i + 78.233 * k) * 43758.5453;
    return 2 * (x - floor (x)) - 1;
}

static dBodyID box (dWorldID world, double x, double y, double z)
{
    dMass m;
    dBodyID body = dBodyCreate (world);
    dMassSetBoxTotal (&m, 1, (dReal)0.2, (dReal)0.3, (dReal)0.1);
    dBodySetMass (body, &m);
    dBodySetPosition (body, (dReal)x, (dReal)y, (dReal)z);
    return body;
}

static void make_pendulums (work *w, int n)
{
    for (int i = 0; i < n; ++i)
    {
        const double x = i % 50, y = i / 50;
        dBodyID body = box (w->world, x + 0.5, y, 0);
        dJointID hinge = dJointCreateHinge (w->world, NULL);
        dJointAttach (hinge, body, NULL);
        dJointSetHingeAnchor (hinge, (dReal)x, (dReal)y, 0);
        dJointSetHingeAxis (hinge, 0, 1, 0);
        dBodySetAngularVel (body, 0, (dReal)spread (i, 0), 0);
        dBodySetLinearVel (body, 0, 0, (dReal)(-0.5 * spread (i, 0)));
    }
}

static void make_sliding (work *w, int n, int awake)
{
    w->space = dSweepAndPruneSpaceCreate (NULL, dSAP_AXES_XZY);
    w->contacts = dJointGroupCreate (0);
    dCreatePlane (w->space, 0, 0, 1, 0);
    for (int i = 0; i < n; ++i)
    {
        dBodyID body = box (w->world, i % 50, i / 50, 0.05);
        dGeomID geom = dCreateBox (w->space, (dReal)0.2, (dReal)0.3, (dReal)0.1);
        dGeomSetBody (geom, body);
        dBodySetLinearVel (body, (dReal)(5 + spread (i, 0)), (dReal)spread (i, 1), 0);
        if (!awake) dBodyDisable (body);
    }
}

static void make_platform (work *w, int n)
{
    w->space = dSweepAndPruneSpaceCreate (NULL, dSAP_AXES_XZY);
    w->contacts = dJointGroupCreate (0);
    w->platform = dBodyCreate (w->world);
    dBodySetKinematic (w->platform);
    const dGeomID floor = dCreateBox (w->space, 50, 50, (dReal)0.2);
    dGeomSetBody (floor, w->platform);
    dGeomSetOffsetPosition (floor, 0, 0, (dReal)-0.1);
    for (int i = 0; i < n; ++i)
        dGeomSetBody (dCreateBox (w->space, (dReal)0.2, (dReal)0.3, (dReal)0.1),
                      box (w->world, 0.6 * (i % 10), 0.6 * (i / 10), 0.05));
}

/* Four walls about the y axis between two planes. */
static void make_drum (work *w, int n)
{
    w->space = dSweepAndPruneSpaceCreate (NULL, dSAP_AXES_XZY);
    w->contacts = dJointGroupCreate (0);
    const dBodyID drum = dBodyCreate (w->world);
    dBodySetKinematic (drum);
    dBodySetAngularVel (drum, 0, (dReal)1.5, 0);
    for (int i = 0; i < 4; ++i)
    {
        const int flat = i < 2, out = i % 2 ? 1 : -1;
        const dGeomID wall = dCreateBox (w->space, (dReal)(flat ? 3 : 0.4), 2, (dReal)(flat ? 0.4 : 3));
        dGeomSetBody (wall, drum);
        dGeomSetOffsetPosition (wall, (dReal)(flat ? 0 : 1.3 * out), 0, (dReal)(flat ? 1.3 * out : 0));
        if (flat) dCreatePlane (w->space, 0, (dReal)out, 0, (dReal)-0.8);
    }
    for (int i = 0; i < n; ++i)
        dGeomSetBody (
            dCreateBox (w->space, (dReal)0.2, (dReal)0.3, (dReal)0.1),
            box (w->world, 0.25 * (i % 7) - 0.75, 0.35 * (i / 7 % 4) - 0.55, 0.15 * (i / 28) - 0.9));
}

static void make_truck (work *w, int n)
{
    w->space = dSweepAndPruneSpaceCreate (NULL, dSAP_AXES_XZY);
    w->contacts = dJointGroupCreate (0);
    dCreatePlane (w->space, 0, 0, 1, 0);
    const dBodyID chassis = box (w->world, 0, 0, 0.2);
    for (int i = 0; i < n; ++i)
    {
        const double x = 0.5 * (i / 2), y = i % 2 ? 0.6 : -0.6;
        const dBodyID wheel = box (w->world, x, y, 0.2);
        dMass m;
        dMassSetSphereTotal (&m, 1, (dReal)0.2);
        dBodySetMass (wheel, &m);
        dGeomSetBody (dCreateSphere (w->space, (dReal)0.2), wheel);
        const dJointID axle = dJointCreateHinge (w->world, NULL);
        dJointAttach (axle, chassis, wheel);
        dJointSetHingeAnchor (axle, (dReal)x, (dReal)y, (dReal)0.2);
        dJointSetHingeAxis (axle, 0, 1, 0);
        dJointSetHingeParam (axle, dParamFMax, (dReal)0.2);
        dJointSetHingeParam (axle, dParamVel, -200);
    }
}

static dBodyID point (dWorldID world, double x, double y, double z)
{
    dMass m;
    dBodyID body = dBodyCreate (world);
    dMassSetSphereTotal (&m, 1, (dReal)0.1);
    dBodySetMass (body, &m);
    dBodySetPosition (body, (dReal)x, (dReal)y, (dReal)z);
    return body;
}

static void rod (dWorldID world, dBodyID a, dBodyID b)
{
    dJointID joint = dJointCreateDBall (world, NULL);
    const dReal *x = dBodyGetPosition (a), *y = dBodyGetPosition (b);
    dJointAttach (joint, a, b);
    dJointSetDBallAnchor1 (joint, x[0], x[1], x[2]);
    dJointSetDBallAnchor2 (joint, y[0], y[1], y[2]);
}

/* Points anywhere in a cube of 2 m, thrown and turning as one body would. */
static void make_points (work *w, int n)
{
    dBodyID *all = calloc ((size_t)n, sizeof (*all));
    for (int i = 0; i < n; ++i)
    {
        all[i] = point (w->world, spread (i, 0), spread (i, 1), spread (i, 2));
        for (int k = 0; k < i; ++k) rod (w->world, all[k], all[i]);
        const dReal *x = dBodyGetPosition (all[i]);
        dBodySetLinearVel (all[i], -x[1], x[0], 0);
    }
    free (all);
}

static void make_cube (work *w, int n)
{
    dBodyID *all = calloc ((size_t)(n * n * n), sizeof (*all));
    for (int i = 0; i < n * n * n; ++i)
    {
        const int x = i % n, y = i / n % n, z = i / (n * n);
        all[i] = point (w->world, x, y, z);
        dBodySetLinearVel (all[i], (dReal)(-0.2 * y), (dReal)(0.2 * x), 0);
        for (int k = 1; k < 8; ++k) /* to the corner points of the cell behind it */
        {
            const int dx = k & 1, dy = k >> 1 & 1, dz = k >> 2;
            if (dx <= x && dy <= y && dz <= z) rod (w->world, all[i - dx - n * dy - n * n * dz], all[i]);
        }
    }
    free (all);
}

static void make_legs (work *w, int n)
{
    const double k = 400, d = 10; /* N/m, N s/m */
    dBodyID hull = NULL;
    w->space = dSweepAndPruneSpaceCreate (NULL, dSAP_AXES_XZY);
    w->contacts = dJointGroupCreate (0);
    dCreatePlane (w->space, 0, 0, 1, 0);
    for (int i = 0; i < 4 * n; ++i)
    {
        const double x = i / 4 + (i & 1 ? 0.2 : -0.2), y = i & 2 ? 0.2 : -0.2;
        if (i % 4 == 0) hull = box (w->world, i / 4, 0, 0.45);
        const dBodyID foot = point (w->world, x, y, 0.04);
        dGeomSetBody (dCreateSphere (w->space, (dReal)0.04), foot);
        dJointID slider = dJointCreateSlider (w->world, NULL);
        dJointAttach (slider, foot, hull);
        dJointSetSliderAxis (slider, 0, 0, 1);
        dJointSetSliderParam (slider, dParamLoStop, 0);
        dJointSetSliderParam (slider, dParamHiStop, 0);
        dJointSetSliderParam (slider, dParamStopERP, (dReal)(H * k / (H * k + d)));
        dJointSetSliderParam (slider, dParamStopCFM, (dReal)(1 / (H * k + d)));
    }
}

/* Rows of a light slider, whose load is heavy, are near dependence though nothing is singular. */
static void make_winches (work *w, int n)
{
    for (int i = 0; i < n; ++i)
    {
        dMass m;
        dBodyID arm = box (w->world, i, 0, 0), load = box (w->world, i + 0.3, 0, -1);
        dMassSetBoxTotal (&m, 500, (dReal)0.5, (dReal)0.5, (dReal)0.5);
        dBodySetMass (load, &m);
        dMassSetBoxTotal (&m, (dReal)0.5, (dReal)0.1, (dReal)0.1, (dReal)0.1);
        dBodySetMass (arm, &m);
        dJointID slider = dJointCreateSlider (w->world, NULL), hinge = dJointCreateHinge (w->world, NULL);
        dJointAttach (slider, arm, NULL);
        dJointSetSliderAxis (slider, 0, 0, 1);
        dJointSetSliderParam (slider, dParamVel, (dReal)0.1);
        dJointSetSliderParam (slider, dParamFMax, 15000);
        dJointAttach (hinge, arm, load);
        dJointSetHingeAnchor (hinge, i, 0, 0);
        dJointSetHingeAxis (hinge, 0, 1, 0);
    }
}

static int read_scene (work *w, const char *name, double push)
{
    char error[300], path[600], folder[300];
    w->from = scene_read (name, NULL, NULL, error, sizeof error);
    for (int i = 0; !w->from && scene_folder (i, folder, sizeof folder); ++i)
    {
        snprintf (path, sizeof path, "%s/%s.sdf", folder, name);
        if (folder[0]) w->from = scene_read (path, NULL, NULL, error, sizeof error);
    }
    if (!w->from)
    {
        fprintf (stderr, "%s\n", error);
        return 0;
    }
    dWorldDestroy (w->world);
    w->world = scene_world (w->from);
    scene_set_time_step (w->from, H);
    for (int i = 0; i < scene_body_count (w->from) && push != 0; ++i)
        dBodySetLinearVel (scene_body_at (w->from, i)->body, 0, 0, (dReal)push);
    return 1;
}

static int make (work *w, const char *name)
{
    const char *colon = strchr (name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen (name);
    const int n = colon ? atoi (colon + 1) : 0;
    w->world = dWorldCreate ();
    dWorldSetGravity (w->world, 0, 0, (dReal)-9.81);
#define IS(word) (length == strlen (word) && strncmp (name, word, length) == 0)
    if (IS ("pendulums"))
        make_pendulums (w, n);
    else if (IS ("sliding") || IS ("sleeping"))
        make_sliding (w, n, IS ("sliding"));
    else if (IS ("points"))
        make_points (w, n);
    else if (IS ("cube"))
        make_cube (w, n);
    else if (IS ("platform"))
        make_platform (w, n);
    else if (IS ("drum"))
        make_drum (w, n);
    else if (IS ("truck"))
        make_truck (w, n);
    else if (IS ("legs"))
        make_legs (w, n);
    else if (IS ("winch"))
        make_winches (w, n);
    else if (IS ("pushed"))
    {
        char inner[200];
        snprintf (inner, sizeof inner, "%s", colon + 1);
        char *last = strrchr (inner, ':');
        if (!last) return 0;
        *last = 0;
        return read_scene (w, inner, atof (last + 1));
    }
    else
        return read_scene (w, name, 0);
    return 1;
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

static void collide (void *context, dGeomID a, dGeomID b)
{
    work *w = context;
    dContact contact[8];
    if (dGeomGetBody (a) && dGeomGetBody (a) == dGeomGetBody (b)) return;
    const int count = dCollide (a, b, 8, &contact[0].geom, sizeof (dContact));
    for (int i = 0; i < count; ++i)
    {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)0.5};
        dJointAttach (dJointCreateContact (w->world, w->contacts, &contact[i]), dGeomGetBody (a),
                      dGeomGetBody (b));
    }
}

static double energy_of (const work *w)
{
    double kinetic, potential;
    if (!w->from) return 0;
    scene_energy (w->from, &kinetic, &potential);
    return kinetic + potential;
}

/* All bodies of a scene a little faster. */
static void nudge (const work *w, int start)
{
    for (int i = 0; w->from && start > 0 && i < scene_body_count (w->from); ++i)
    {
        dBodyID body = scene_body_at (w->from, i)->body;
        const dReal *v = dBodyGetLinearVel (body);
        const int seed = 1000 * start + i;
        dBodySetLinearVel (body, v[0] + (dReal)(NUDGE * spread (seed, 0)),
                           v[1] + (dReal)(NUDGE * spread (seed, 1)),
                           v[2] + (dReal)(NUDGE * spread (seed, 2)));
    }
}

static int step (work *w, double time)
{
    if (w->from) scene_before_step (w->from, time, w->stepper != NULL);
    if (w->platform) dBodySetLinearVel (w->platform, (dReal)(0.6 * cos (2 * time)), 0, 0);
    if (w->space) dSpaceCollide (w->space, w, collide);
    const double start = seconds_used ();
    const int done =
        w->stepper ? dRLSStepperStep (w->stepper, (dReal)H) : dWorldQuickStep (w->world, (dReal)H);
    w->us[w->steps++] = 1e6 * (seconds_used () - start);
    if (w->contacts) dJointGroupEmpty (w->contacts);
    if (w->from) scene_after_step (w->from);
    if (w->stepper)
    {
        dRLSReport report = {.struct_size = sizeof report};
        dRLSStepperGetReport (w->stepper, &report);
        w->factorisations += report.factorisations;
        w->most_factorisations = fmax (w->most_factorisations, report.factorisations);
    }
    return done;
}

static int by_value (const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean time of the first so many steps that count. */
static double mean_of (const work *w, int timed)
{
    double mean = 0;
    for (int i = 0; i < timed; ++i) mean += w->us[SETTLING + i] / timed;
    return mean;
}

/* quick: the mean of QuickStep's steps, of as many as this stepper has made */
static void show (const char *name, work *w, kind which, double quick)
{
    const int timed = w->steps - SETTLING;
    const double mean = mean_of (w, timed);
    double first = 0;
    dRLSViolation v = {0, 0, 0, 0};
    for (int i = 0; i < w->steps; ++i) first = fmax (first, i < SETTLING ? w->us[i] : 0);
    qsort (w->us + SETTLING, (size_t)timed, sizeof (double), by_value);
    if (w->from) scene_violation (w->from, &v);
    printf ("%-18s %-24s %10.1f %10.1f %10.1f %10.1f %7.2f %9.0f", name, kind_name[which],
            w->us[SETTLING + timed / 2], mean, w->us[SETTLING + timed - 1], first, mean / quick,
            w->memory / 1000);
    if (w->stepper)
        printf (" %6.2f %4.0f", w->factorisations / w->steps, w->most_factorisations);
    else
        printf (" %6s %4s", "-", "-");
    if (w->from) printf (" %9.1e %10.3f", fmax (v.position_m, v.angle_rad), w->energy - energy_of (w));
    printf ("\n");
    fflush (stdout);
}

static int open_work (work *w, const char *name, kind which, int start)
{
    if (!make (w, name)) return 0;
    nudge (w, start);
    w->energy = energy_of (w);
    w->before = heap_bytes ();
    if (which == QUICK) return 1;
    w->stepper = dRLSStepperCreate (w->world, NULL);
    if (w->from)
    {
        scene_prepare_stepper (w->from, w->stepper);
        if (scene_has_forces (w->from)) dRLSStepperSetForceCallback (w->stepper, scene_forces, w->from);
    }
    if (which == LOOSE && !dRLSStepperSetPositionTolerance (w->stepper, (dReal)LOOSE_TOLERANCE)) return 0;
    return dRLSStepperSetCorrection (w->stepper,
                                     which == COMPLIANT ? dRLSCorrectionCompliant : dRLSCorrectionDefault);
}

static void close_work (work *w)
{
    dRLSStepperDestroy (w->stepper);
    if (w->space) dSpaceDestroy (w->space);
    if (w->contacts) dJointGroupDestroy (w->contacts);
    if (w->from)
        scene_free (w->from);
    else if (w->world)
        dWorldDestroy (w->world);
}

static int run (const char *name, int steps, int alone, int start)
{
    static work all[KINDS];
    memset (all, 0, sizeof (all)); /* those that are not opened are closed as well */
    double spent[KINDS] = {0}, quick[KINDS] = {0};
    int good = 1;
    for (int k = 0; k < KINDS && good; ++k)
        if (!alone || k == OURS || k == QUICK) good = open_work (&all[k], name, (kind)k, start);
    for (int i = 0; i < SETTLING + steps && good; ++i)
        for (int k = 0; k < KINDS && good; ++k)
        {
            if (!all[k].world || spent[k] > MOST_SECONDS) continue;
            const double had = heap_bytes ();
            good = step (&all[k], i * H);
            all[k].memory += heap_bytes () - had;
            spent[k] += 1e-6 * all[k].us[i];
        }
    for (int k = 0; k < KINDS && good; ++k)
    {
        if (!all[k].world) continue;
        good = all[k].steps > SETTLING;
        if (good) quick[k] = mean_of (&all[QUICK], all[k].steps - SETTLING);
    }
    for (int k = 0; k < KINDS && good; ++k)
        if (all[k].world) show (name, &all[k], (kind)k, quick[k]);
    for (int k = 0; k < KINDS; ++k) close_work (&all[k]);
    if (!good) fprintf (stderr, "%s: failed\n", name);
    return good;
}

int main (int argc, char **argv)
{
    int good = 1, first = 1, steps = STEPS, alone = 0, start = 0;
    if (argc > first && strcmp (argv[first], "--alone") == 0) first += 1, alone = 1;
    if (argc > first + 1 && strcmp (argv[first], "--start") == 0) start = atoi (argv[first + 1]), first += 2;
    if (argc > first + 1 && strcmp (argv[first], "--steps") == 0) steps = atoi (argv[first + 1]), first += 2;
    if (argc <= first || steps < 1 || steps > MOST_STEPS)
    {
        fprintf (stderr, "usage: %s [--alone] [--start K] [--steps N] WORK ..., N from 1 to %d\n", argv[0],
                 MOST_STEPS);
        return 2;
    }
    dInitODE2 (0);
    dRandSetSeed (1);
    printf ("%-18s %-24s %10s %10s %10s %10s %7s %9s %6s %4s %9s %10s\n", "work", "stepper", "median us",
            "mean us", "worst us", "first us", "x quick", "kB", "fact.", "most", "gap", "lost (J)");
    for (int i = first; i < argc; ++i) good &= run (argv[i], steps, alone, start);
    dCloseODE ();
    return !good;
}
