/*
 * Every flag of dContact against dWorldStep: a ball of uneven inertia that flies, hits the ground, slides and
 * rolls, and the same ball on another one.  What dWorldStep gets wrong is looked at on its own at the end.
 */
#include "parity_rig.h"

#define STEPS 120
#define RADIUS 0.3

typedef struct
{
    const char *name;
    dSurfaceParameters surface;
    int with_direction; /* fdir1 is set */
    dReal max_correcting, layer;
    dReal world_cfm, world_erp; /* 0: ODE's */
} contact_case;

/* clang-format off */
static const contact_case cases[] = {
    {.name = "smooth", .surface = {.mode = 0, .mu = 0}},
    {.name = "constant friction", .surface = {.mode = 0, .mu = (dReal)6}},
    {.name = "constant friction, two ways", .surface = {.mode = dContactMu2, .mu = 3, .mu2 = 9}},
    {.name = "infinite friction", .surface = {.mode = 0, .mu = dInfinity}},
    {.name = "infinite friction of both ways", .surface = {.mode = dContactMu2 | dContactApprox1, .mu = dInfinity, .mu2 = dInfinity}},
    {.name = "infinite friction one way", .surface = {.mode = dContactMu2 | dContactApprox1 | dContactFDir1, .mu = dInfinity, .mu2 = (dReal)0.1}, .with_direction = 1},
    {.name = "pyramid", .surface = {.mode = dContactApprox1, .mu = (dReal)0.3}},
    {.name = "pyramid, two coefficients", .surface = {.mode = dContactApprox1 | dContactMu2, .mu = (dReal)0.1, .mu2 = (dReal)0.5}},
    {.name = "pyramid one way", .surface = {.mode = dContactApprox1_1 | dContactMu2, .mu = (dReal)0.2, .mu2 = 4}},
    {.name = "pyramid the other way", .surface = {.mode = dContactApprox1_2 | dContactMu2, .mu = 4, .mu2 = (dReal)0.2}},
    {.name = "direction of friction", .surface = {.mode = dContactApprox1 | dContactMu2 | dContactFDir1, .mu = (dReal)0.05, .mu2 = (dReal)0.6}, .with_direction = 1},
    {.name = "bounce", .surface = {.mode = dContactApprox1 | dContactBounce, .mu = (dReal)0.3, .bounce = (dReal)0.7, .bounce_vel = (dReal)0.1}},
    {.name = "bounce above a speed", .surface = {.mode = dContactApprox1 | dContactBounce, .mu = (dReal)0.3, .bounce = (dReal)0.8, .bounce_vel = (dReal)1.2}},
    {.name = "soft ERP", .surface = {.mode = dContactApprox1 | dContactSoftERP, .mu = (dReal)0.3, .soft_erp = (dReal)0.7}},
    {.name = "soft CFM", .surface = {.mode = dContactApprox1 | dContactSoftCFM, .mu = (dReal)0.3, .soft_cfm = (dReal)5e-3}},
    {.name = "spring and damper", .surface = {.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM, .mu = (dReal)0.3, .soft_erp = (dReal)0.6, .soft_cfm = (dReal)2e-3}},
    {.name = "motion along", .surface = {.mode = dContactApprox1 | dContactMotion1 | dContactFDir1, .mu = (dReal)0.3, .motion1 = (dReal)0.8}, .with_direction = 1},
    {.name = "motion across", .surface = {.mode = dContactApprox1 | dContactMotion2 | dContactFDir1, .mu = (dReal)0.3, .motion2 = (dReal)-0.8}, .with_direction = 1},
    {.name = "motion of the normal", .surface = {.mode = dContactApprox1 | dContactMotionN, .mu = (dReal)0.3, .motionN = (dReal)0.2}},
    {.name = "slip along", .surface = {.mode = dContactApprox1 | dContactSlip1 | dContactFDir1, .mu = (dReal)0.5, .slip1 = (dReal)0.2}, .with_direction = 1},
    {.name = "slip across", .surface = {.mode = dContactApprox1 | dContactSlip2 | dContactFDir1, .mu = (dReal)0.5, .slip2 = (dReal)0.2}, .with_direction = 1},
    {.name = "slip without limit", .surface = {.mode = dContactSlip1 | dContactSlip2, .mu = dInfinity, .slip1 = (dReal)0.1, .slip2 = (dReal)0.3}},
    {.name = "rolling friction", .surface = {.mode = dContactApprox1 | dContactRolling, .mu = (dReal)0.4, .rho = (dReal)0.02}},
    {.name = "rolling and spinning", .surface = {.mode = dContactApprox1 | dContactRolling | dContactAxisDep, .mu = (dReal)0.4, .mu2 = (dReal)0.4, .rho = (dReal)0.01, .rho2 = (dReal)0.05, .rhoN = (dReal)0.03}},
    {.name = "constant rolling friction", .surface = {.mode = dContactRolling | dContactAxisDep, .mu = 4, .mu2 = 4, .rho = (dReal)0.1, .rho2 = (dReal)0.2, .rhoN = (dReal)0.15}},
    {.name = "spinning by the normal", .surface = {.mode = dContactApprox1_N | dContactRolling | dContactAxisDep, .mu = 4, .mu2 = 4, .rho = (dReal)0.1, .rho2 = (dReal)0.2, .rhoN = (dReal)0.05}},
    {.name = "everything", .surface = {.mode = dContactApprox1 | dContactMu2 | dContactFDir1 | dContactBounce | dContactSoftERP | dContactSoftCFM | dContactMotion1 | dContactMotion2 | dContactSlip1 | dContactSlip2,
        .mu = (dReal)0.4, .mu2 = (dReal)0.2, .bounce = (dReal)0.3, .bounce_vel = (dReal)0.2, .soft_erp = (dReal)0.5, .soft_cfm = (dReal)1e-3, .motion1 = (dReal)0.3, .motion2 = (dReal)0.1, .slip1 = (dReal)0.02, .slip2 = (dReal)0.05}, .with_direction = 1},
    {.name = "correcting speed", .surface = {.mode = dContactApprox1, .mu = (dReal)0.3}, .max_correcting = (dReal)0.05},
    {.name = "surface layer", .surface = {.mode = dContactApprox1, .mu = (dReal)0.3}, .layer = (dReal)0.02},
    {.name = "the world's CFM and ERP", .surface = {.mode = dContactApprox1, .mu = (dReal)0.3}, .world_cfm = (dReal)3e-3, .world_erp = (dReal)0.6},
};
/* clang-format on */

#define CASES (sizeof (cases) / sizeof (cases[0]))

static dBodyID add_ball (parity_world *w, dReal x, dReal y, dReal z)
{
    const dBodyID body = dBodyCreate (w->world);
    parity_mass (body, 2, (dReal)0.5, (dReal)0.45, (dReal)0.6);
    dBodySetPosition (body, x, y, z);
    w->body[w->bodies++] = body;
    return body;
}

static void build (parity_world *w)
{
    const contact_case *c = w->what;
    w->world = dWorldCreate ();
    dWorldSetGravity (w->world, (dReal)0.2, (dReal)-0.1, (dReal)-9.81);
    if (c->max_correcting > 0) dWorldSetContactMaxCorrectingVel (w->world, c->max_correcting);
    if (c->layer > 0) dWorldSetContactSurfaceLayer (w->world, c->layer);
    if (c->world_cfm > 0) dWorldSetCFM (w->world, c->world_cfm);
    if (c->world_erp > 0) dWorldSetERP (w->world, c->world_erp);
    const dBodyID ball = add_ball (w, 0, 0, (dReal)(RADIUS + 0.08));
    dBodySetLinearVel (ball, (dReal)0.9, (dReal)-0.5, (dReal)-0.4);
    dBodySetAngularVel (ball, 2, (dReal)-3, (dReal)1.5);
}

static dContact contact_of (const contact_case *c, const dReal normal[3], const dReal pos[3], dReal depth)
{
    dContact contact = {.surface = c->surface};
    dVector3 other = {(dReal)0.3, (dReal)0.8, (dReal)0.1}, across;
    for (int k = 0; k < 3; ++k) contact.geom.pos[k] = pos[k], contact.geom.normal[k] = normal[k];
    contact.geom.depth = depth;
    if (!c->with_direction) return contact;
    dCalcVectorCross3 (across, other, contact.geom.normal);
    dNormalize3 (across);
    memcpy (contact.fdir1, across, sizeof (across));
    contact.surface.mode |= dContactFDir1;
    return contact;
}

/* The ball on the ground, from the side of the ball or of the world by turns. */
static void touch_ground (parity_world *w, int ball, int step)
{
    const dReal *x = dBodyGetPosition (w->body[ball]);
    const dReal depth = (dReal)RADIUS - x[2], up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    const dReal pos[3] = {x[0], x[1], -depth / 2};
    if (depth < 0) return;
    const int turned = step % 2;
    const dContact contact = contact_of (w->what, turned ? down : up, pos, depth);
    parity_contact (w, &contact, turned ? NULL : w->body[ball], turned ? w->body[ball] : NULL);
}

static void on_ground (parity_world *w, int step)
{
    touch_ground (w, 0, step);
    if (step == STEPS / 2) dBodyAddForce (w->body[0], 150, 90, 260);
}

static const parity_test ground = {build, on_ground, STEPS, 1e-6};

static void test_flags (void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; ++i) parity_check (cases[i].name, &ground, &cases[i]);
}

static void test_flags_matter (void **state)
{
    (void)state;
    static const contact_case plain = {.name = "plain",
                                       .surface = {.mode = dContactApprox1, .mu = (dReal)0.3}};
    for (size_t i = 0; i < CASES; ++i)
    {
        const int same = cases[i].surface.mode == plain.surface.mode &&
                         cases[i].surface.mu == plain.surface.mu && !(cases[i].max_correcting > 0) &&
                         !(cases[i].layer > 0) && !(cases[i].world_cfm > 0);
        const double effect = parity_effect (&ground, &cases[i], &plain);
        if (!same && !(effect > 1e-3)) fail_msg ("%s changes nothing (%g)", cases[i].name, effect);
    }
}

/* ---- two bodies ---- */

static void build_two (parity_world *w)
{
    build (w);
    const dBodyID other = add_ball (w, (dReal)0.5, (dReal)-0.3, (dReal)(RADIUS + 0.15));
    dBodySetLinearVel (other, (dReal)-0.6, (dReal)0.2, 0);
    dBodySetAngularVel (other, -1, 1, (dReal)0.5);
}

/* Ball against ball, and never more than one contact a ball otherwise: more are redundant to dWorldStep. */
static void between_two (parity_world *w, int step)
{
    const dReal *x = dBodyGetPosition (w->body[0]), *y = dBodyGetPosition (w->body[1]);
    dReal normal[3], pos[3], distance = 0;
    for (int k = 0; k < 3; ++k) normal[k] = x[k] - y[k], distance += normal[k] * normal[k];
    distance = dSqrt (distance);
    for (int k = 0; k < 3; ++k) normal[k] /= distance, pos[k] = (x[k] + y[k]) / 2;
    touch_ground (w, 0, step);
    touch_ground (w, 1, step);
    const dReal depth = (dReal)(2 * RADIUS) - distance;
    if (depth < 0) return;
    const dContact contact = contact_of (w->what, normal, pos, depth);
    parity_contact (w, &contact, w->body[0], w->body[1]);
}

/* Between two balls on the ground friction changes the normal forces; see below.  Without a pyramid the two
 * must agree. */
static void test_two_bodies (void **state)
{
    (void)state;
    static const parity_test two = {build_two, between_two, 60, 1e-7};
    int compared = 0;
    for (size_t i = 0; i < CASES; ++i)
    {
        if (cases[i].surface.mode & dContactApprox1) continue;
        parity_check (cases[i].name, &two, &cases[i]);
        ++compared;
    }
    assert_true (compared >= 4);
}

/* ---- what dWorldStep does otherwise ---- */

/* A rod that leans forward is pushed along the ground: friction presses its foot down. */
static void build_rod (parity_world *w)
{
    w->world = dWorldCreate ();
    dWorldSetGravity (w->world, 0, 0, (dReal)-9.81);
    w->body[w->bodies++] = dBodyCreate (w->world);
    parity_mass (w->body[0], 1, (dReal)0.05, (dReal)0.05, 1);
    dBodySetPosition (w->body[0], (dReal)-0.3, 0, (dReal)0.4);
    dBodySetLinearVel (w->body[0], 2, 0, 0);
}

#define ROD_MU 0.4

static void drag_rod (parity_world *w, int step)
{
    (void)step;
    dContact contact = {.surface = {.mode = dContactApprox1 | dContactFDir1, .mu = (dReal)ROD_MU}};
    contact.fdir1[0] = 1;
    contact.geom.normal[2] = 1;
    parity_contact (w, &contact, w->body[0], NULL); /* the foot is at the origin */
}

/* Friction of a sliding foot is mu times the force that the ground really bears; under dWorldStep it is mu
 * times the one that there would be without friction. */
static void test_friction_by_the_present_normal_force (void **state)
{
    (void)state;
    static const parity_test rod = {build_rod, drag_rod, 1, 0};
    double force[2][2];
    for (int with_rls = 0; with_rls < 2; ++with_rls)
    {
        parity_world w;
        parity_open (&w, &rod, NULL, with_rls);
        parity_step (&w, &rod, 0);
        force[with_rls][0] = fabs ((double)w.feedback[0].f1[0]);
        force[with_rls][1] = (double)w.feedback[0].f1[2];
        parity_close (&w);
    }
    assert_true (fabs (force[1][0] - ROD_MU * force[1][1]) < 1e-6 * force[1][1]);
    assert_true (fabs (force[0][0] - ROD_MU * force[0][1]) > 0.05 * force[0][1]);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_flags),
        cmocka_unit_test (test_flags_matter),
        cmocka_unit_test (test_two_bodies),
        cmocka_unit_test (test_friction_by_the_present_normal_force),
    };
    return cmocka_run_group_tests (tests, parity_start, parity_stop);
}
