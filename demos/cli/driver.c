/*
 * Steps a scene by one of the three steppers.  See driver.h.
 */
#include "driver.h"
#include "failure.h"
#include "ode_messages.h"
#include "seconds.h"

int driver_open (driver *d, scene *s, const run_setup *setup, const options *o)
{
    *d = (driver){.s = s, .setup = setup};
    /* dWorldQuickStep shuffles its rows by the random numbers of the process.  The seed is set so that every
       run is the same. */
    dRandSetSeed (1);
    ode_messages_reset ();
    if (!prepare_world (s, o, &d->pool)) return 0;
    scene_set_time_step (s, setup->dt);
    if (setup->stepper != stepper_rls && scene_coupling_count (s) + scene_wheel_count (s) > 0)
        warn ("%s: ODE's own steppers know no screws, mimics, such gears and wheels, and leave them free",
              scene_name (s));
    if (setup->stepper != stepper_rls) return 1;
    d->stepper = make_stepper (s, o);
    if (!d->stepper) return 0;
    if (scene_has_forces (s)) dRLSStepperSetForceCallback (d->stepper, scene_forces, s);
    if (!dRLSStepperSetIntegrator (d->stepper, setup->integrator) ||
        !dRLSStepperSetCorrection (d->stepper, setup->correction % (1 << CORRECTION_FLAGS)) ||
        !dRLSStepperSetCorrectionFlags (d->stepper, setup->correction >> CORRECTION_FLAGS))
        return fail (0, "the stepper refuses this integrator or correction");
    return 1;
}

void driver_close (driver *d)
{
    dRLSStepperDestroy (d->stepper);
    thread_pool_free (d->pool, scene_world (d->s));
}

int driver_step (driver *d, double time, double *seconds)
{
    dWorldID world = scene_world (d->s);
    double start, used, h = d->setup->dt;
    int done = 0;
    scene_before_step (d->s, time, d->stepper != NULL);
    used = seconds_used ();
    start = seconds_now ();
    switch (d->setup->stepper)
    {
    case stepper_rls:
        done = dRLSStepperStep (d->stepper, h);
        break;
    case stepper_ode:
        done = dWorldStep (world, h);
        break;
    case stepper_quick:
        done = dWorldQuickStep (world, h);
        break;
    case stepper_kinds:
        break;
    }
    *seconds = seconds_now () - start;
    d->used += seconds_used () - used;
    scene_after_step (d->s);
    return done;
}

const char *driver_message (const driver *d)
{
    return d->stepper ? dRLSStepperGetMessage (d->stepper) : "ODE is out of memory";
}
