/*
 * Rows with bounds over more than two bodies beside closed forms: a rope over pulleys that falls taut and
 * goes slack, a centre of mass that a moving floor carries, turns of several bodies that rub and are driven
 * together.
 */
#include "many_rows.h"
#include <math.h>

#define G 9.81
#define MOST 5
#define EXACT 1e-9
#define SOLVED 1e-8 /* of impulses, and of lengths that a velocity has to stop at */

/* ---- a rope over n pulleys that hang in it, its ends on two bodies more ---- */

#define SLACK 0.3 /* m, of rope, at the beginning */
#define MASS(b) (1 + 0.3 * (b))

static double shares (int body, int bodies) { return body == 0 || body == bodies - 1 ? 1 : 2; }

/* What is left of the rope, in units of the scene's size. */
static double size = 1;

static void rope (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                  double time)
{
    const double part = sign * shares (b, s->bodies);
    (void)rate, (void)time;
    J[0][2] = (dReal)part;
    value[0] += (dReal)(part * (double)dBodyGetPosition (s->body[b])[2] +
                        (b == 0 ? size * (2 * (s->bodies - 1) + SLACK) : 0));
}

/* Where a body is at time t that was at -1 m at rest: it falls until the rope is taut, and then with what the
 * rope leaves of its velocity and of gravity.  The tension is then that of the rope. */
static double fallen (int b, int bodies, double t, double *tension)
{
    double sum = 0, yield = 0;
    for (int i = 0; i < bodies; ++i)
        sum += shares (i, bodies), yield += pow (shares (i, bodies), 2) / MASS (i);
    const double taut = sqrt (2 * SLACK / (G * sum)), left = fmax (0, t - taut), ratio = sum / yield;
    const double kept = 1 - shares (b, bodies) * ratio / MASS (b); /* of velocity and acceleration */
    *tension = t < taut ? 0 : G * ratio;
    return -1 - G / 2 * pow (fmin (t, taut), 2) - left * kept * (G * taut + G / 2 * left);
}

static void a_rope_falls_taut_with (int n, int integrator)
{
    scene s = scene_open ((dReal)(-G * size));
    gathering g = {n + 2, 1, NULL, rope, dRLSRowHolonomic, {0}, {HUGE_VAL}};
    const double side = 0.2 * size;
    dJointFeedback pull = {0};
    double off = 0, tension = 0;
    for (int b = 0; b < g.bodies; ++b)
        scene_box (&s, (dReal)(b * size), 0, (dReal)-size, (dReal)MASS (b), (dReal)side, (dReal)side,
                   (dReal)side);
    join (&s, &g);
    dJointSetFeedback (s.joint[g.bodies - 2], &pull);
    dRLSStepperSetIntegrator (s.stepper, integrator);
    for (int i = 1; i <= 60; ++i)
    {
        scene_step (&s, (dReal)0.01, 1);
        for (int b = 0; b < g.bodies; ++b)
        {
            const double z = (double)dBodyGetPosition (s.body[b])[2] / size;
            off = fmax (off, fabs (z - fallen (b, g.bodies, 0.01 * i, &tension)));
        }
    }
    if (!(off < EXACT)) fail_msg ("%d pulleys, integrator %d: off by %g", n, integrator, off);
    if (!(tension > 0 && fabs ((double)pull.f2[2] / size - tension) < SOLVED * tension))
        fail_msg ("%d pulleys, integrator %d: tension off by %g of %g", n, integrator,
                  (double)pull.f2[2] / size - tension, tension);
    scene_close (&s);
}

static void a_rope_falls_taut (void **state)
{
    (void)state;
    for (int n = 1; n + 2 <= MOST; ++n) a_rope_falls_taut_with (n, dRLSIntegratorSymplectic);
    a_rope_falls_taut_with (2, dRLSIntegratorAuto);
    a_rope_falls_taut_with (2,
                            dRLSIntegratorSymplectic6); /* which leaves such islands to the symplectic step */
}

/* The same a thousand times smaller, in another unit of length. */
static void a_small_rope_falls_taut (void **state)
{
    (void)state;
    size = 1.0 / 1024;
    a_rope_falls_taut_with (3, dRLSIntegratorSymplectic);
    size = 1;
}

/* ---- a string in nine dimensions, which goes slack ---- */

/* The positions of three bodies together are within a sphere of 1 m. */
static void within_sphere (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                           double time)
{
    const dReal *x = dBodyGetPosition (s->body[b]);
    (void)sign, (void)rate, (void)time;
    for (int k = 0; k < 3; ++k) J[0][k] = -x[k], value[0] -= x[k] * x[k] / 2;
    if (b == 0) value[0] += (dReal)0.5;
}

/* Three equal bodies fall as one point of nine dimensions does, by g = sqrt (3) G along (0, 0, 1, 0, 0, 1,
 * ...). Thrown across that at the lowest point with 3.5 g m, it leaves the sphere at z = (3.5 - 2) / 3 and
 * rises to z + z (1 - z^2) / 2.  Returns by how much that is missed. */
static double string_goes_slack (int integrator, double h)
{
    const double g = sqrt (3.0) * G, z = 0.5, top = z + z * (1 - z * z) / 2, speed = sqrt (3.5 * g / 3);
    scene s = scene_open ((dReal)-G);
    gathering all = {3, 1, NULL, within_sphere, dRLSRowHolonomic, {0}, {HUGE_VAL}};
    for (int b = 0; b < 3; ++b)
    {
        scene_box (&s, 0, 0, (dReal)(-1 / sqrt (3.0)), 2, 1, 1, 1);
        dBodySetLinearVel (s.body[b], (dReal)(b == 2 ? 0 : speed), (dReal)(b == 2 ? speed : 0), 0);
    }
    join (&s, &all);
    dRLSStepperSetIntegrator (s.stepper, integrator);
    double reached = 0, rises = 1, farthest = 0;
    for (int i = 0; rises > 0 || i < 10; ++i)
    {
        double height = 0, square = 0;
        scene_step (&s, (dReal)h, 1);
        rises = 0;
        for (int b = 0; b < 3; ++b)
        {
            const dReal *x = dBodyGetPosition (s.body[b]);
            height += (double)x[2] / sqrt (3.0);
            rises += (double)dBodyGetLinearVel (s.body[b])[2] / sqrt (3.0);
            for (int k = 0; k < 3; ++k) square += (double)(x[k] * x[k]);
        }
        farthest = fmax (farthest, sqrt (square));
        reached = height + rises * rises / (2 * g);
    }
    print_message ("string, h = %g: top %.9f, of %.9f; longest %.3g over\n", h, reached, top, farthest - 1);
    if (integrator != dRLSIntegratorEuler) assert_true (farthest < 1 + SOLVED);
    scene_close (&s);
    return fabs (reached - top);
}

static void a_string_goes_slack (void **state)
{
    (void)state;
    for (int order = 1; order <= 2; ++order)
    {
        const int integrator = order == 1 ? dRLSIntegratorEuler : dRLSIntegratorSymplectic;
        const double coarse = string_goes_slack (integrator, 0.004),
                     fine = string_goes_slack (integrator, 0.001);
        const double measured = log (coarse / fine) / log (4);
        print_message ("off by %.2e and %.2e: order %.2f\n", coarse, fine, measured);
        assert_true (measured > order - 0.2 && (order == 1 || fine < 1e-4));
    }
}

/* ---- a chain whose centre of mass a floor carries, and which is led across it ---- */

#define WAVE 2.0   /* rad/s */
#define SHAKES 0.5 /* m: 2 m/s^2 at most, less than G */

/* The centre of four bodies: x and y are led, z stays above a floor that rises and falls. */
static void above_floor (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                         double t)
{
    const double wanted[3] = {1.5 + 0.3 * sin (3 * t), 0.2 * sin (t), SHAKES * sin (WAVE * t)},
                 moves[3] = {0.9 * cos (3 * t), 0.2 * cos (t), SHAKES * WAVE * cos (WAVE * t)};
    (void)sign;
    for (int k = 0; k < 3; ++k)
    {
        J[k][k] = (dReal)0.25;
        value[k] += (dReal)((double)dBodyGetPosition (s->body[b])[k] / 4 - (b == 0 ? wanted[k] : 0));
        if (b == 0) rate[k] += (dReal)moves[k];
    }
}

static void a_floor_carries_the_centre (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-G);
    gathering g = {4, 3, NULL, above_floor, dRLSRowHolonomic, {0}, {0, 0, HUGE_VAL}};
    dJointFeedback push[3];
    double off = 0, force_off = 0, before = SHAKES * WAVE;
    for (int b = 0; b < 4; ++b)
    {
        scene_box (&s, (dReal)b, 0, 0, 1, 1, (dReal)0.1, (dReal)0.2);
        dBodySetLinearVel (s.body[b], (dReal)0.9, (dReal)0.2, (dReal)(SHAKES * WAVE));
    }
    join (&s, &g);
    for (int j = 0; j < 3; ++j) dJointSetFeedback (s.joint[j], &push[j]);
    for (int b = 0; b < 3; ++b)
    {
        const double at[3] = {b + 0.5, 0, 0};
        scene_ball (&s, b, b + 1, at);
    }
    assert_int_equal (scene_analyse (&s).rank, 11);
    for (int i = 1; i <= 200; ++i)
    {
        const double t = 0.01 * i, v = SHAKES * WAVE * cos (WAVE * t);
        double mean[3] = {0}, force = (double)push[0].f1[2];
        scene_step (&s, (dReal)0.01, 1);
        for (int b = 0; b < 4; ++b)
            for (int k = 0; k < 3; ++k) mean[k] += (double)dBodyGetPosition (s.body[b])[k] / 4;
        off = fmax (off, fabs (mean[0] - 1.5 - 0.3 * sin (3 * t)));
        off = fmax (off, fabs (mean[1] - 0.2 * sin (t)));
        off = fmax (off, fabs (mean[2] - SHAKES * sin (WAVE * t)));
        force = (double)push[0].f1[2];
        for (int j = 0; j < 3; ++j) force += (double)push[j].f2[2];
        force_off = fmax (force_off, fabs (force - 4 * ((v - before) / 0.01 + G)));
        before = v;
    }
    print_message ("centre: off by %.2e m, force by %.2e N, joints open by %.2e m\n", off, force_off,
                   scene_violation (&s));
    assert_true (off < EXACT && force_off < EXACT && scene_violation (&s) < 1e-12);
    scene_close (&s);
}

/* ---- velocities: the turns of three bodies about z, together ---- */

#define TORQUE 2.0 /* N m, on each */

static double wanted_turns;

static void turns (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                   double time)
{
    (void)s, (void)sign, (void)value, (void)time;
    J[0][5] = 1;
    if (b == 0) rate[0] = (dReal)wanted_turns;
}

/* Boxes of 1, 2 and 3 kg with sides of 1 m have moments of 1/6, 1/3 and 1/2 kg m^2: a torque on all changes
 * the sum of their turns by 11 times as much.  Rubbed from 22 rad/s they stop after 1 s, driven to 11 rad/s
 * after 0.5 s. */
static void turn_together (double from, double to, double still)
{
    scene s = scene_open (0);
    gathering g = {3, 1, NULL, turns, dRLSRowNonholonomic, {-TORQUE}, {TORQUE}};
    const double rate = (to > from ? 11 : -11) * TORQUE;
    double off = 0;
    wanted_turns = to;
    for (int b = 0; b < 3; ++b) scene_box (&s, (dReal)(2 * b), 0, 0, (dReal)(1 + b), 1, 1, 1);
    dBodySetAngularVel (s.body[0], 0, 0, (dReal)from);
    join (&s, &g);
    for (int i = 1; i <= 150; ++i)
    {
        double sum = 0;
        scene_step (&s, (dReal)0.01, 1);
        for (int b = 0; b < 3; ++b) sum += (double)dBodyGetAngularVel (s.body[b])[2];
        off = fmax (off, fabs (sum - (from + rate * fmin (0.01 * i, still))));
    }
    if (!(off < EXACT)) fail_msg ("from %g to %g rad/s: off by %g", from, to, off);
    scene_close (&s);
}

static void turns_rub_and_are_driven (void **state)
{
    (void)state;
    turn_together (22, 0, 1);
    turn_together (0, 11, 0.5);
}

/* ---- beside other bounds ---- */

/* A rope over one pulley, and the end on its other side on a slide that stops it: then the rope goes slack
 * where the first end goes on, and nothing is torn. */
static void a_stop_beside_a_rope (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-G);
    gathering g = {3, 1, NULL, rope, dRLSRowHolonomic, {0}, {HUGE_VAL}};
    for (int b = 0; b < 3; ++b)
        scene_box (&s, (dReal)b, 0, -1, (dReal)MASS (b), (dReal)0.2, (dReal)0.2, (dReal)0.2);
    join (&s, &g);
    const dJointID slide = scene_joint (&s, dJointCreateSlider, 2, NO_BODY);
    dJointSetSliderAxis (slide, 0, 0, 1);
    dJointSetSliderParam (slide, dParamLoStop, (dReal)-0.2);
    double over = 0, open = 0;
    for (int i = 0; i < 200; ++i)
    {
        double left = 4 + SLACK;
        scene_step (&s, (dReal)0.01, 1);
        for (int b = 0; b < 3; ++b) left += shares (b, 3) * (double)dBodyGetPosition (s.body[b])[2];
        over = fmax (over, -left);
        open = fmax (open, fmax (scene_violation (&s), -1.2 - (double)dBodyGetPosition (s.body[2])[2]));
    }
    print_message ("rope longer by %.2e m, joints and stop open by %.2e\n", over, open);
    assert_true (over < EXACT && open < EXACT);
    scene_close (&s);
}

/* A box that slides on a table, pulled by two others that hang: contacts with friction beside a hard row over
 * all three, which keeps x of the first and the sum of the others' heights the same. */
static void pulled (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                    double time)
{
    const int along = b == 0 ? 0 : 2;
    (void)rate, (void)time, (void)sign;
    J[0][along] = (dReal)(b == 0 ? -1 : 1);
    value[0] += J[0][along] * dBodyGetPosition (s->body[b])[along];
}

static void friction_beside_rows (void **state)
{
    (void)state;
    const double mu = 0.1, mass = 2, hangs = 0.5, tension = G * (2 + mu) / (1 / mass + 2 / hangs),
                 a = mu * G - tension / mass;
    scene s = scene_open ((dReal)-G);
    gathering g = {3, 1, NULL, pulled, dRLSRowHolonomic, {0}, {0}};
    const dJointGroupID contacts = dJointGroupCreate (0);
    double off = 0;
    for (int b = 0; b < 3; ++b) scene_box (&s, 0, (dReal)b, 0, (dReal)(b == 0 ? mass : hangs), 1, 1, 1);
    join (&s, &g);
    for (int i = 1; i <= 100; ++i)
    {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = (dReal)mu}};
        memcpy (contact.geom.pos, dBodyGetPosition (s.body[0]),
                3 * sizeof (dReal)); /* where friction turns nothing */
        contact.geom.normal[2] = 1;
        dJointAttach (dJointCreateContact (s.world, contacts, &contact), s.body[0], NULL);
        scene_step (&s, (dReal)0.01, 1);
        dJointGroupEmpty (contacts);
        const double t = 0.01 * i, x = a / 2 * t * t;
        off = fmax (off, fabs ((double)dBodyGetPosition (s.body[0])[0] - x));
        off = fmax (off, fabs ((double)dBodyGetPosition (s.body[0])[2]));
        for (int b = 1; b < 3; ++b) off = fmax (off, fabs ((double)dBodyGetPosition (s.body[b])[2] - x / 2));
    }
    print_message ("beside friction: off by %.2e m\n", off);
    assert_true (off < EXACT);
    dJointGroupDestroy (contacts);
    scene_close (&s);
}

/* A state saved while the rope is slack or taut goes on bit for bit. */
static void a_state_goes_on (void **state)
{
    (void)state;
    for (int before = 3; before <= 30; before += 27)
    {
        scene s = scene_open ((dReal)-G);
        gathering g = {4, 1, NULL, rope, dRLSRowHolonomic, {0}, {HUGE_VAL}};
        scene_body_state end[4];
        const dRLSStateID saved = dRLSStateCreate ();
        for (int b = 0; b < 4; ++b)
            scene_box (&s, (dReal)b, 0, -1, (dReal)MASS (b), (dReal)0.2, (dReal)0.2, (dReal)0.2);
        join (&s, &g);
        scene_step (&s, (dReal)0.01, before);
        assert_int_equal (dRLSStepperSaveState (s.stepper, saved, s.body, 4), 1);
        scene_step (&s, (dReal)0.01, 20);
        scene_look (&s, end);
        assert_int_equal (dRLSStepperRestoreState (s.stepper, saved), 1);
        scene_step (&s, (dReal)0.01, 20);
        assert_true (scene_same (&s, end));
        dRLSStateDestroy (saved);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (a_rope_falls_taut),        cmocka_unit_test (a_small_rope_falls_taut),
        cmocka_unit_test (a_string_goes_slack),      cmocka_unit_test (a_floor_carries_the_centre),
        cmocka_unit_test (turns_rub_and_are_driven), cmocka_unit_test (a_stop_beside_a_rope),
        cmocka_unit_test (friction_beside_rows),     cmocka_unit_test (a_state_goes_on),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
