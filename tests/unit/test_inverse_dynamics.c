/*
 * Inverse dynamics of axes: the efforts of a textbook's arm, of a bead that slides on what turns, and of
 * linkages, which make the acceleration that was asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include "oracle_equations.h"

/* A planar arm of two rods of 1 kg and 1 m in a vertical plane, turning about y: the textbook's efforts. */
static void arm_of_two_links (void **state)
{
    const double g = 9.81, q1 = 0.4, q2 = 0.9, u1 = 0.7, u2 = -1.3, a1 = 2, a2 = -3;
    const double from[3] = {0, 0, 0}, elbow[3] = {sin (q1), 0, -cos (q1)}, axis[3] = {0, -1, 0};
    const double tip[3] = {elbow[0] + sin (q1 + q2), 0, elbow[2] - cos (q1 + q2)};
    (void)state;
    scene s = scene_open ((dReal)-g);
    scene_rod (&s, from, elbow);
    scene_rod (&s, elbow, tip);
    scene_hinge (&s, 0, NO_BODY, from, axis);
    scene_hinge (&s, 1, 0, elbow, axis);
    dBodySetAngularVel (s.body[0], 0, (dReal)-u1, 0);
    dBodySetLinearVel (s.body[0], (dReal)(0.5 * u1 * cos (q1)), 0, (dReal)(0.5 * u1 * sin (q1)));
    dBodySetAngularVel (s.body[1], 0, (dReal) - (u1 + u2), 0);
    dBodySetLinearVel (s.body[1], (dReal)(u1 * cos (q1) + 0.5 * (u1 + u2) * cos (q1 + q2)), 0,
                       (dReal)(u1 * sin (q1) + 0.5 * (u1 + u2) * sin (q1 + q2)));
    assert_true (fabs ((double)dJointGetHingeAngleRate (s.joint[1]) - u2) < 1e-12);
    const dReal wanted[2] = {(dReal)a1, (dReal)a2};
    dReal effort[2];
    if (!dRLSStepperInverseDynamics (scene_stepper (&s), s.joint, wanted, 2, effort))
        fail_msg ("%s", dRLSStepperGetMessage (s.stepper));
    dMass mass;
    dBodyGetMass (s.body[0], &mass);
    const double I = fmax ((double)mass.I[0], fmax ((double)mass.I[5], (double)mass.I[10])),
                 c = 0.5 * cos (q2), k = 0.5 * sin (q2);
    const double second = (I + 0.25 + c) * a1 + (I + 0.25) * a2 + k * u1 * u1 + 0.5 * g * sin (q1 + q2);
    const double first = (2 * I + 1.5 + 2 * c) * a1 + (I + 0.25 + c) * a2 - k * (2 * u1 * u2 + u2 * u2) +
                         1.5 * g * sin (q1) + 0.5 * g * sin (q1 + q2);
    print_message ("efforts %.9f, %.9f: off by %.1e, %.1e\n", (double)effort[0], (double)effort[1],
                   (double)effort[0] - first, (double)effort[1] - second);
    assert_true (fabs ((double)effort[0] - first) < 1e-8 && fabs ((double)effort[1] - second) < 1e-8);
    scene_close (&s);
}

/* A bead slides beside the middle of a ball that turns: the bead at (x, y) in the ball's axes.  (ODE's rate
 * of the slider leaves out what the offset y adds.) */
static void bead_on_a_turning_ball (void **state)
{
    const double x = 1, y = 0.5, m = 2, I = 0.1 + 0.072, w = 2, u = 0.7, alpha = 1.5, a = -0.4;
    (void)state;
    scene s = scene_open (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1), scene_box (&s, (dReal)x, (dReal)y, 0, 1, 1, 1, 1);
    for (int b = 0; b < 2; ++b)
    {
        dMass mass;
        dMassSetSphereTotal (&mass, b ? (dReal)m : 1, b ? (dReal)0.3 : (dReal)0.5);
        dBodySetMass (s.body[b], &mass);
        dBodySetAngularVel (s.body[b], 0, 0, (dReal)w);
    }
    dBodySetLinearVel (s.body[1], (dReal)(u - w * y), (dReal)(w * x), 0);
    scene_hinge (&s, 0, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, -1});
    dJointSetSliderAxis (scene_joint (&s, dJointCreateSlider, 1, 0), 1, 0, 0);
    const dReal wanted[2] = {(dReal)-alpha, (dReal)a};
    dReal effort[2];
    assert_int_equal (dRLSStepperInverseDynamics (scene_stepper (&s), s.joint, wanted, 2, effort), 1);
    const double ax = a - alpha * y - w * w * x, ay = alpha * x + 2 * w * u - w * w * y,
                 torque = I * alpha + m * (x * ay - y * ax);
    assert_true (fabs ((double)effort[0] + torque) < 1e-8 && fabs ((double)effort[1] - m * ax) < 1e-8);
    scene_close (&s);
}

/* One axis of a linkage that has one degree of freedom: the effort, put on as a torque, makes the
 * acceleration. */
static void effort_makes_the_acceleration (void **state)
{
    int tried = 0;
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        scene s = linkage_open (&linkages[i]);
        const dJointID axis = s.joint[1];
        if (linkages[i].dof == 1 && linkages[i].rows <= LARGE && dJointGetType (axis) == dJointTypeHinge)
        {
            const dReal wanted = 3;
            dReal effort;
            scene_step (&s, (dReal)0.01, MOTION);
            assert_int_equal (dRLSStepperInverseDynamics (s.stepper, &axis, &wanted, 1, &effort), 1);
            dVector3 direction;
            dJointGetHingeAxis (axis, direction);
            dense d = dense_look (&s);
            dReal *force = dense_numbers (d.n), *a = dense_numbers (d.n), reached = 0;
            for (int b = 0; b < d.size.bodies; ++b)
                for (int k = 0; k < 3; ++k)
                    force[6 * b + 3 + k] = d.body[b] == dJointGetBody (axis, 0)   ? effort * direction[k]
                                           : d.body[b] == dJointGetBody (axis, 1) ? -effort * direction[k]
                                                                                  : 0;
            assert_int_equal (dRLSEquationsAccelerate (d.equations, force, a, NULL), 1);
            /* the axis turns with its bodies, across which they agree: only accelerations along it count */
            for (int b = 0; b < d.size.bodies; ++b)
                for (int k = 0; k < 3; ++k)
                    reached += a[6 * b + 3 + k] * direction[k] *
                               (dReal)((d.body[b] == dJointGetBody (axis, 0)) -
                                       (d.body[b] == dJointGetBody (axis, 1)));
            if (!(fabs ((double)(reached - wanted)) < 1e-6))
                fail_msg ("%s: %g", linkages[i].name, (double)reached);
            free (force), free (a);
            dense_forget (&d);
            ++tried;
        }
        scene_close (&s);
    }
    assert_true (tried >= 5);
}
/* Two axes of a parallelogram move together: they cannot be asked to accelerate apart. */
static void contradicting_axes_are_refused (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    linkage_fourbars (&s, 1, 0.5);
    const dJointID axes[2] = {s.joint[0], s.joint[s.joints - 1]};
    dReal together[2] = {1, 1}, apart[2] = {1, -2}, effort[2];
    if (dJointGetHingeAngleRate (axes[0]) != 0) fail ();
    const int a = dRLSStepperInverseDynamics (scene_stepper (&s), axes, together, 2, effort);
    const int b = dRLSStepperInverseDynamics (s.stepper, axes, apart, 2, effort);
    const int status = dRLSStepperGetStatus (s.stepper);
    together[1] = -1;
    const int c = dRLSStepperInverseDynamics (s.stepper, axes, together, 2, effort);
    assert_true (a + c == 1 && b == 0);
    assert_int_equal (status, dRLSStatusBadArgument);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (arm_of_two_links),
        cmocka_unit_test (bead_on_a_turning_ball),
        cmocka_unit_test (effort_makes_the_acceleration),
        cmocka_unit_test (contradicting_axes_are_refused),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
