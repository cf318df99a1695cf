/*
 * ODE's own steppers and ours, measured as the other engines are: the scene itself is stepped.
 *
 * Settings: dWorldStep, dWorldQuickStep with 20 sweeps, and ode-rls by three of its integrators; nothing to
 * choose.
 */
#include "engine.h"

#include "scene.h"

#include <time.h>

#define SWEEPS 20

static scene *stepped;
static dRLSStepperID stepper; /* NULL: ODE's own */
static double h, now, collision;
static engine_knob none[] = {{NULL, 0, 0, 0}};

static double seconds_now (void)
{
    struct timespec t;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int open_ode (const engine_problem *p)
{
    stepped = p->scene, h = p->h, now = collision = 0;
    scene_set_time_step (stepped, h);
    dWorldSetQuickStepNumIterations (scene_world (stepped), SWEEPS);
    return 1;
}

static int open_rls (const engine_problem *p, int integrator)
{
    open_ode (p);
    stepper = dRLSStepperCreate (scene_world (stepped), NULL);
    return stepper && dRLSStepperSetIntegrator (stepper, integrator) &&
           scene_prepare_stepper (stepped, stepper);
}

static int open_symplectic (const engine_problem *p) { return open_rls (p, dRLSIntegratorSymplectic); }
static int open_symplectic4 (const engine_problem *p) { return open_rls (p, dRLSIntegratorSymplectic4); }
static int open_rk4 (const engine_problem *p) { return open_rls (p, dRLSIntegratorRK4); }

/* A step between the scene's collision detection and the emptying of its contacts. */
static int step (int (*take) (void))
{
    const double before = seconds_now ();
    scene_before_step (stepped, now, stepper != NULL);
    const double start = seconds_now ();
    const int good = take ();
    const double end = seconds_now ();
    scene_after_step (stepped);
    collision += start - before + seconds_now () - end;
    now += h;
    return good;
}

static int take_ode (void) { return dWorldStep (scene_world (stepped), (dReal)h); }
static int take_quick (void) { return dWorldQuickStep (scene_world (stepped), (dReal)h); }
static int take_rls (void) { return dRLSStepperStep (stepper, (dReal)h); }
static int step_ode (void) { return step (take_ode); }
static int step_quick (void) { return step (take_quick); }
static int step_rls (void) { return step (take_rls); }
static double colliding (void) { return collision; }

static void close_engine (void)
{
    dRLSStepperDestroy (stepper);
    stepper = NULL;
}

const engine_setting engine_settings[] = {
    {"dWorldStep", none, open_ode, step_ode, NULL, close_engine, 1, colliding},
    {"dWorldQuickStep, 20 sweeps", none, open_ode, step_quick, NULL, close_engine, 1, colliding},
    {"ode-rls, symplectic", none, open_symplectic, step_rls, NULL, close_engine, 1, colliding},
    {"ode-rls, symplectic4", none, open_symplectic4, step_rls, NULL, close_engine, 1, colliding},
    {"ode-rls, rk4", none, open_rk4, step_rls, NULL, close_engine, 1, colliding},
    {NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL}};
