/*
 * The order in which a program creates islands changes nothing of what becomes of each, to the last bit; that
 * of bodies and joints within an island nothing beyond rounding. Nor does an island see what another one has
 * been through whose memory it takes over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_random.h"

#define H ((dReal)0.01)
#define ISLANDS 5
#define BODIES 3 /* of an island */
#define STEPS 30

/* Where bodies of the islands went in the scene: [island][body]. */
typedef struct
{
    scene scene;
    int number[ISLANDS][BODIES];
    dJointGroupID contacts;
} islands;

/* Heaps of boxes that overlap by up to half their size, and linkages, each at a place of its own. */
static void add_body (islands *w, int island, int b)
{
    scene *s = &w->scene;
    const double lean = 0.1 * island * b;
    w->number[island][b] =
        scene_box (s, (dReal)(20 * island + lean), (dReal)(0.05 * b * island), (dReal)(0.25 + 0.3 * b),
                   (dReal)(1 + island % 2), (dReal)0.5, (dReal)0.5, (dReal)0.5);
}

/* Joints of the islands with odd numbers: a chain that hangs from the world, and closes. */
static void add_joint (islands *w, int island, int j)
{
    scene *s = &w->scene;
    const double at[3] = {20.0 * island + 0.2 * j, 0, 0.3 * j}, axis[3] = {0, 1, 0};
    if (island % 2 == 0) return;
    scene_hinge (s, w->number[island][j], j > 0 ? w->number[island][j - 1] : NO_BODY, at, axis);
}

static void make_contacts (islands *w)
{
    scene *s = &w->scene;
    dJointGroupEmpty (w->contacts);
    for (int island = 0; island < ISLANDS; island += 2)
        for (int b = 0; b < BODIES; ++b)
        {
            const dBodyID upper = s->body[w->number[island][b]];
            const dBodyID lower = b > 0 ? s->body[w->number[island][b - 1]] : NULL;
            const dReal *x = dBodyGetPosition (upper);
            const double depth =
                lower ? 0.5 - (double)(x[2] - dBodyGetPosition (lower)[2]) : 0.25 - (double)x[2];
            for (int i = 0; i < 4 && depth > 0; ++i)
            {
                dContact contact = {.surface = {.mode = dContactApprox1, .mu = (dReal)0.8}};
                contact.geom.pos[0] = x[0] + (dReal)(i % 2 ? 0.25 : -0.25);
                contact.geom.pos[1] = x[1] + (dReal)(i / 2 ? 0.25 : -0.25);
                contact.geom.pos[2] = x[2] - (dReal)0.25;
                contact.geom.normal[2] = 1;
                contact.geom.depth = (dReal)depth;
                dJointAttach (dJointCreateContact (s->world, w->contacts, &contact), upper, lower);
            }
        }
}

static islands make (const int order[ISLANDS], int backwards)
{
    islands w = {.scene = scene_open ((dReal)-9.81), .contacts = dJointGroupCreate (0)};
    for (int i = 0; i < ISLANDS; ++i)
        for (int b = 0; b < BODIES; ++b) add_body (&w, order[i], backwards ? BODIES - 1 - b : b);
    for (int i = 0; i < ISLANDS; ++i)
        for (int j = 0; j < BODIES; ++j) add_joint (&w, order[i], backwards ? BODIES - 1 - j : j);
    return w;
}

static void finish (islands *w)
{
    dJointGroupDestroy (w->contacts);
    scene_close (&w->scene);
}

static double difference (const islands *a, const islands *b, int island, int i)
{
    double worst = 0;
    const dBodyID one = a->scene.body[a->number[island][i]], other = b->scene.body[b->number[island][i]];
    for (int k = 0; k < 3; ++k)
    {
        worst = fmax (worst, fabs ((double)(dBodyGetPosition (one)[k] - dBodyGetPosition (other)[k])));
        worst = fmax (worst, fabs ((double)(dBodyGetLinearVel (one)[k] - dBodyGetLinearVel (other)[k])));
        worst = fmax (worst, fabs ((double)(dBodyGetAngularVel (one)[k] - dBodyGetAngularVel (other)[k])));
    }
    return worst;
}

/* Steps both, and compares after each. */
static void compare (const int order[ISLANDS], int backwards, double same, int steps, int hard_only)
{
    const int plain[ISLANDS] = {0, 1, 2, 3, 4};
    islands a = make (plain, 0), b = make (order, backwards);
    for (int step = 0; step < steps; ++step)
    {
        make_contacts (&a), make_contacts (&b);
        scene_step (&a.scene, H, 1), scene_step (&b.scene, H, 1);
        for (int island = 0; island < ISLANDS; ++island)
            for (int i = 0; i < BODIES && (island % 2 || !hard_only); ++i)
            {
                const double apart = difference (&a, &b, island, i);
                if (!(apart <= same)) fail_msg ("step %d, island %d, body %d: %g", step, island, i, apart);
            }
    }
    finish (&a), finish (&b);
}

static void islands_in_any_order (void **state)
{
    (void)state;
    static const int orders[][ISLANDS] = {{4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}, {1, 2, 3, 4, 0}};
    for (int i = 0; i < 3; ++i) compare (orders[i], 0, 0, STEPS, 0);
}

static void bodies_and_joints_in_any_order (void **state)
{
    (void)state;
    const int plain[ISLANDS] = {0, 1, 2, 3, 4};
    compare (plain, 1, 1e-10, STEPS, 1);
}

/* ---- islands that come where others have been ---- */

#define PAST 15   /* steps of the islands that were there before */
#define FUTURE 10 /* of those that come */

/* Enables the bodies of the second half of a world and disables those of the first, or the other way round.
 */
static void let_move (scene *s, int second)
{
    for (int b = 0; b < s->bodies; ++b)
        if ((b >= s->bodies / 2) == second)
            dBodyEnable (s->body[b]);
        else
            dBodyDisable (s->body[b]);
}

/*
 * A world of two random mechanisms, of the same structure or not, of which the second one is left to move for
 * some steps, after the first one has moved or not at all.
 */
static random_world second_mechanism (uint64_t seed, int hard, int alike, int after_the_first)
{
    const int bodies = 2 + (int)(seed % 7);
    random_world w = random_world_open (seed, bodies, hard);
    w.source.state = alike ? seed : ~seed;
    random_world_add (&w, bodies);
    w.choices.integrator = (int)(seed % dRLSIntegratorCount);
    random_settle (&w.scene, scene_stepper (&w.scene), &w.choices);
    for (int step = after_the_first ? 0 : PAST; step < PAST + FUTURE; ++step)
    {
        let_move (&w.scene, step >= PAST);
        if (step == PAST) assert_int_equal (dRLSStepperSetTime (w.scene.stepper, 1), 1); /* rounds alike */
        random_contacts (&w);
        if (!dRLSStepperStep (w.scene.stepper, (dReal)(step % 3 ? 0.01 : 0.03))) break; /* not finite */
    }
    return w;
}

static void what_another_island_left_is_not_seen (void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 475; seed += seed < 100 ? 1 : 25)
        for (int kind = 0; kind < 4; ++kind)
        {
            random_world a = second_mechanism (seed, kind % 2, kind / 2, 0);
            random_world b = second_mechanism (seed, kind % 2, kind / 2, 1);
            scene_body_state alone[SCENE_MOST], later[SCENE_MOST];
            scene_look (&a.scene, alone), scene_look (&b.scene, later);
            for (int i = a.scene.bodies / 2; i < a.scene.bodies; ++i)
                if (memcmp (alone[i].v, later[i].v, sizeof (alone[i].v)) ||
                    memcmp (alone[i].w, later[i].w, sizeof (alone[i].w)))
                    fail_msg ("seed %d, kind %d, body %d: %g, %g", (int)seed, kind, i, (double)alone[i].v[0],
                              (double)later[i].v[0]);
            random_world_close (&a), random_world_close (&b);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (islands_in_any_order),
        cmocka_unit_test (bodies_and_joints_in_any_order),
        cmocka_unit_test (what_another_island_left_is_not_seen),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
