/*
 * An excavator whose cylinders are driven while its bucket digs: bodies that are driven through contacts move
 * on, however rough the answer to a step's contacts is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "scene.h"

#define SEEDS 12
#define MOST 1e3 /* J: it moves with 640 at first */

typedef struct
{
    double h, seconds;
    unsigned seed; /* of the velocities that the blocks begin with; 0: none */
} run;

/* Least and most kinetic energy (J) after the first step. */
static void dig (run with, double *least, double *most)
{
    char error[256];
    scene *s = scene_read (SCENES "/show_excavator.sdf", NULL, NULL, error, sizeof (error));
    if (!s) fail_msg ("%s", error);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    scene_set_time_step (s, with.h);
    assert_true (scene_prepare_stepper (s, stepper));
    if (scene_has_forces (s)) dRLSStepperSetForceCallback (stepper, scene_forces, s);

    /* blocks, which hang on nothing, begin a little differently */
    uint32_t random = with.seed;
    for (int b = 0; b < scene_body_count (s) && with.seed; ++b)
    {
        double v[2];
        for (int k = 0; k < 2; ++k)
            random = random * 1664525u + 1013904223u, v[k] = 1e-4 * (random / 4294967296.0 - 0.5);
        if (dBodyGetNumJoints (scene_body_at (s, b)->body) == 0)
            dBodySetLinearVel (scene_body_at (s, b)->body, v[0], v[1], 0);
    }

    double kinetic, potential;
    *most = 0, *least = HUGE_VAL;
    for (int i = 0; i * with.h < with.seconds; ++i)
    {
        scene_before_step (s, i * with.h, scene_has_forces (s));
        assert_true (dRLSStepperStep (stepper, (dReal)with.h));
        scene_after_step (s);
        scene_energy (s, &kinetic, &potential);
        *most = fmax (*most, kinetic);
        if (i > 0) *least = fmin (*least, kinetic);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

/* Kinetic energy never vanishes in a step nor appears. */
static void digging_goes_on (void **state)
{
    (void)state;
    double least, most;
    dig ((run){0.01, 6, 0}, &least, &most);
    print_message ("kinetic energy from %.3g to %.3g J\n", least, most);
    assert_true (most < MOST);
    assert_true (least > 0);
}

/* Blocks that the bucket wedges against the ground are not thrown, whatever the drives would push with. */
static void wedged_blocks_stay (void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= SEEDS; ++seed)
    {
        double least, most;
        const double h = seed % 2 ? 0.01 : 0.005;
        dig ((run){h, 3, seed}, &least, &most);
        print_message ("from start %u at %g s: kinetic energy up to %.3g J\n", seed, h, most);
        assert_true (most < MOST);
    }
}

/* ---- squeezed ---- */

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    double speed, upto; /* of the ram */
    double mu;
} vice;

static void touch (void *context, dGeomID a, dGeomID b)
{
    const vice *v = context;
    dContact contact[8];
    if (!dGeomGetBody (a) && !dGeomGetBody (b)) return;
    const int count = dCollide (a, b, 8, &contact[0].geom, sizeof (contact[0]));
    for (int i = 0; i < count; ++i)
    {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)v->mu};
        dJointAttach (dJointCreateContact (v->world, v->contacts, &contact[i]), dGeomGetBody (a),
                      dGeomGetBody (b));
    }
}

static dReal advance (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    const vice *v = context;
    const int going = v->speed * (double)time < v->upto;
    *rate = going ? (dReal)v->speed : 0, *acceleration = 0;
    return going ? (dReal)v->speed * time : (dReal)v->upto;
}

static dBodyID add_box (const vice *v, double mass, const double size[3], double x, double z)
{
    dMass m;
    const dBodyID body = dBodyCreate (v->world);
    dMassSetBoxTotal (&m, (dReal)mass, (dReal)size[0], (dReal)size[1], (dReal)size[2]);
    dBodySetMass (body, &m);
    dBodySetPosition (body, (dReal)x, 0, (dReal)z);
    dGeomSetBody (dCreateBox (v->space, (dReal)size[0], (dReal)size[1], (dReal)size[2]), body);
    return body;
}

/* The fastest (m/s) that a plate gets between a wall and a ram that is driven through it, in two seconds. */
static double squeeze (double thickness, double mu, double h)
{
    vice v = {dWorldCreate (), dSimpleSpaceCreate (NULL), dJointGroupCreate (0), 0.05, 0.07, mu};
    const double plate_size[3] = {thickness, 0.4, 0.4}, ram_size[3] = {0.2, 0.3, 0.3};
    dWorldSetGravity (v.world, 0, 0, (dReal)-9.81);
    dCreatePlane (v.space, 0, 0, 1, 0);
    dCreatePlane (v.space, 1, 0, 0, 0);
    const dBodyID plate = add_box (&v, 0.2, plate_size, thickness / 2 + 0.0005, 0.2),
                  ram = add_box (&v, 2, ram_size, thickness + 0.12, 0.2);
    const dJointID slider = dJointCreateSlider (v.world, NULL);
    dJointAttach (slider, ram, NULL);
    dJointSetSliderAxis (slider, -1, 0, 0);
    const dRLSStepperID stepper = dRLSStepperCreate (v.world, NULL);
    dRLSStepperSetJointDrive (stepper, slider, advance, &v);
    double fastest = 0;
    for (int i = 0; i * h < 2; ++i)
    {
        dSpaceCollide (v.space, &v, touch);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (v.contacts);
        fastest = fmax (fastest, (double)dCalcVectorLength3 (dBodyGetLinearVel (plate)));
    }
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (v.contacts);
    dSpaceDestroy (v.space);
    dWorldDestroy (v.world);
    return fastest;
}

/* What no impulses can hold gives way in both halves of the step.  Plates leave where they come free, and
 * fall from as high as that; what nothing brakes is squeezed out as a stone of a plum is. */
static void a_squeezed_plate_stays (void **state)
{
    (void)state;
    static const double plates[] = {0.01, 0.02, 0.05, 0.1}, frictions[] = {0, 0.3, 0.8, 2},
                        steps[] = {100, 200, 500};
    for (int f = 0; f < 4; ++f)
    {
        double fastest = 0;
        for (int i = 0; i < 12; ++i)
            fastest = fmax (fastest, squeeze (plates[i / 3], frictions[f], 1 / steps[i % 3]));
        print_message ("plates with friction %g: up to %g m/s\n", frictions[f], fastest);
        assert_true (fastest < (frictions[f] > 0 ? 3 : 10)); /* set after measuring */
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (digging_goes_on),
        cmocka_unit_test (wedged_blocks_stay),
        cmocka_unit_test (a_squeezed_plate_stays),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
