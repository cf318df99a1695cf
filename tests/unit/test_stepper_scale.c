/*
 * A mechanism 1024 times as large or as small, with gravity and masses to match, moves the same, bit for bit,
 * and so do boxes that fall on the ground, and a step costs the same: no tolerance depends on the metre.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)
#define STEPS 60

static void copy_joint (const scene *from, int j, double scale, scene *to)
{
    const dJointID old = from->joint[j];
    dVector3 anchor, axis, axis2;
    int at[2] = {NO_BODY, NO_BODY};
    for (int side = 0; side < 2; ++side)
        for (int b = 0; b < from->bodies; ++b)
            if (dJointGetBody (old, side) == from->body[b]) at[side] = b;
    switch (dJointGetType (old))
    {
    case dJointTypeHinge:
        dJointGetHingeAnchor (old, anchor);
        dJointGetHingeAxis (old, axis);
        scene_hinge (to, at[0], at[1], (double[3]){scale * anchor[0], scale * anchor[1], scale * anchor[2]},
                     (double[3]){axis[0], axis[1], axis[2]});
        break;
    case dJointTypeBall:
        dJointGetBallAnchor (old, anchor);
        scene_ball (to, at[0], at[1], (double[3]){scale * anchor[0], scale * anchor[1], scale * anchor[2]});
        break;
    case dJointTypeSlider:
        dJointGetSliderAxis (old, axis);
        dJointSetSliderAxis (scene_joint (to, dJointCreateSlider, at[0], at[1]), axis[0], axis[1], axis[2]);
        break;
    case dJointTypeUniversal:
        dJointGetUniversalAnchor (old, anchor);
        dJointGetUniversalAxis1 (old, axis);
        dJointGetUniversalAxis2 (old, axis2);
        {
            const dJointID joint = scene_joint (to, dJointCreateUniversal, at[0], at[1]);
            dJointSetUniversalAnchor (joint, (dReal)scale * anchor[0], (dReal)scale * anchor[1],
                                      (dReal)scale * anchor[2]);
            dJointSetUniversalAxis1 (joint, axis[0], axis[1], axis[2]);
            dJointSetUniversalAxis2 (joint, axis2[0], axis2[1], axis2[2]);
        }
        break;
    default:
        fail_msg ("joint type %d is not copied", dJointGetType (old));
    }
}

/* The linkage scale times as large, of the same density. */
static scene enlarge (const linkage *which, double scale)
{
    const scene from = linkage_open (which);
    scene to = scene_open ((dReal)(which->gravity_z * scale));
    for (int b = 0; b < from.bodies; ++b)
    {
        const dReal *x = dBodyGetPosition (from.body[b]), *v = dBodyGetLinearVel (from.body[b]);
        const dReal *w = dBodyGetAngularVel (from.body[b]);
        dMass mass;
        const int body =
            scene_box (&to, (dReal)scale * x[0], (dReal)scale * x[1], (dReal)scale * x[2], 1, 1, 1, 1);
        dBodyGetMass (from.body[b], &mass);
        mass.mass *= (dReal)(scale * scale * scale);
        for (int k = 0; k < 12; ++k) mass.I[k] *= (dReal)(scale * scale * scale * scale * scale);
        dBodySetMass (to.body[body], &mass);
        dBodySetQuaternion (to.body[body], dBodyGetQuaternion (from.body[b]));
        dBodySetLinearVel (to.body[body], (dReal)scale * v[0], (dReal)scale * v[1], (dReal)scale * v[2]);
        dBodySetAngularVel (to.body[body], w[0], w[1], w[2]);
    }
    for (int j = 0; j < from.joints; ++j) copy_joint (&from, j, scale, &to);
    scene gone = from;
    scene_close (&gone);
    return to;
}

static void assert_scaled (const char *what, const linkage *which, int integrator, double scale,
                           const dReal *small, const dReal *large, int n)
{
    for (int k = 0; k < n; ++k)
        if (large[k] != (dReal)scale * small[k])
            fail_msg ("%s, integrator %d, %g times as large: %s is off by %g of %g", which->name, integrator,
                      scale, what, large[k] / scale - small[k], small[k]);
}

static void compare (const linkage *which, int integrator, double scale)
{
    scene a = enlarge (which, 1), b = enlarge (which, scale);
    dJointFeedback reaction[2];
    dJointSetFeedback (a.joint[0], &reaction[0]);
    dJointSetFeedback (b.joint[0], &reaction[1]);
    dRLSStepperSetIntegrator (scene_stepper (&a), integrator);
    dRLSStepperSetIntegrator (scene_stepper (&b), integrator);
    const dRLSReport seen = scene_analyse (&a), seen_large = scene_analyse (&b);
    assert_int_equal (seen.rank, seen_large.rank);
    assert_true (seen.rank_gap == seen_large.rank_gap);
    scene_step (&a, H, STEPS);
    scene_step (&b, H, STEPS);
    for (int i = 0; i < a.bodies; ++i)
    {
        assert_scaled ("a position", which, integrator, scale, dBodyGetPosition (a.body[i]),
                       dBodyGetPosition (b.body[i]), 3);
        assert_scaled ("a velocity", which, integrator, scale, dBodyGetLinearVel (a.body[i]),
                       dBodyGetLinearVel (b.body[i]), 3);
        assert_scaled ("an orientation", which, integrator, 1, dBodyGetQuaternion (a.body[i]),
                       dBodyGetQuaternion (b.body[i]), 4);
    }
    const double force = scale * scale * scale * scale;
    assert_scaled ("a force", which, integrator, force, reaction[0].f1, reaction[1].f1, 3);
    assert_scaled ("a torque", which, integrator, force * scale, reaction[0].t1, reaction[1].t1, 3);
    scene_close (&a);
    scene_close (&b);
}

static void every_linkage_at_every_size (void **state)
{
    static const double scales[] = {1.0 / 1048576, 1.0 / 1024, 1024, 1048576};
    static const int integrators[] = {dRLSIntegratorEuler, dRLSIntegratorSymplectic, dRLSIntegratorRK4};
    (void)state;
    for (int which = 0; which < linkage_count; ++which)
    {
        if (linkages[which].rows > 100) continue; /* the same as a shorter row */
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 4; ++k) compare (&linkages[which], integrators[i], scales[k]);
    }
}

/* ---- contacts ------------------------------------------------------------------------------------------ */

#define BOXES 4
#define SETTLED 100 /* steps */

typedef struct
{
    scene s;
    dSpaceID space;
    dJointGroupID contacts;
    int factorisations;
} place;

static void meet (void *context, dGeomID a, dGeomID b)
{
    const place *p = context;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)0.5};
    scene_touch (p->s.world, p->contacts, a, b, 8, &surface, NULL);
}

/* Boxes that fall, turning, and come to rest; the first slides. */
static place drop (double scale)
{
    place p = {.s = scene_open ((dReal)(-9.81 * scale)),
               .space = dSimpleSpaceCreate (NULL),
               .contacts = dJointGroupCreate (0)};
    const dReal x = (dReal)(0.25 * scale), y = (dReal)(0.375 * scale), z = (dReal)(0.125 * scale);
    dCreatePlane (p.space, 0, 0, 1, 0);
    for (int i = 0; i < BOXES; ++i)
    {
        const dReal above = (dReal)(0.5 + 0.0625 * i) * (i == 0 ? z : (dReal)scale);
        const int body = scene_box (&p.s, (dReal)(scale * i), 0, above, 1, x, y, z);
        dMass mass;
        dMassSetBoxTotal (&mass, 1, x, y, z);
        dBodySetMass (p.s.body[body], &mass);
        dGeomSetBody (dCreateBox (p.space, x, y, z), p.s.body[body]);
        if (i == 0) dBodySetLinearVel (p.s.body[body], 0, (dReal)(4 * scale), 0);
        if (i > 0) dBodySetAngularVel (p.s.body[body], (dReal)0.5, (dReal)(0.25 * i), 0);
    }
    scene_stepper (&p.s);
    for (int i = 0; i < SETTLED; ++i)
    {
        dSpaceCollide (p.space, &p, meet);
        scene_step (&p.s, H, 1);
        dJointGroupEmpty (p.contacts);
        dRLSReport report = {.struct_size = sizeof (report)};
        dRLSStepperGetReport (scene_stepper (&p.s), &report);
        p.factorisations += report.factorisations;
    }
    return p;
}

static void end (place *p)
{
    scene_close (&p->s);
    dJointGroupDestroy (p->contacts);
    dSpaceDestroy (p->space);
}

static void boxes_at_every_size (void **state)
{
    static const double scales[] = {1.0 / 1048576, 1.0 / 1024, 1024, 1048576};
    place metres = drop (1);
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        place other = drop (scales[k]);
        for (int i = 0; i < BOXES; ++i)
            for (int n = 0; n < 3; ++n)
            {
                const double here = dBodyGetPosition (metres.s.body[i])[n];
                assert_true (dBodyGetPosition (other.s.body[i])[n] == scales[k] * here);
            }
        print_message ("%g times as large: %d factorisations, %d\n", scales[k], other.factorisations,
                       metres.factorisations);
        assert_int_equal (other.factorisations, metres.factorisations);
        end (&other);
    }
    end (&metres);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (every_linkage_at_every_size),
                                       cmocka_unit_test (boxes_at_every_size)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
