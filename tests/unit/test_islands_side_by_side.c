/*
 * Islands of all sizes in one world: each moves as it does in a world of its own, to the last bit, although
 * they use the same memory one after the other; also from rest, and where joint feedback is asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "oracle_scene.h"

#define KINDS 5
#define CONTACTS 256 /* of a step */
#define H ((dReal)0.01)
#define STEPS 190
#define PUSHED 100   /* the step in which what has come to rest is pushed, */
#define RETURNED 160 /* and the one in which the first box is put back to where it was */

typedef struct
{
    scene s;
    dSpaceID space;
    dJointGroupID contacts;
    dJointFeedback feedback[CONTACTS];
    int touching;
    dVector3 place; /* of the first body before it was pushed */
    dQuaternion turn;
    int first[KINDS], count[KINDS]; /* bodies of each kind */
} islands;

static int add_box (islands *w, double x, double y, double z)
{
    const int b = scene_box (&w->s, (dReal)x, (dReal)y, (dReal)z, 1, (dReal)0.2, (dReal)0.2, (dReal)0.2);
    dGeomSetBody (dCreateBox (w->space, (dReal)0.2, (dReal)0.2, (dReal)0.2), w->s.body[b]);
    return b;
}

/* A box that slides and stops; one that falls on an edge; a tower; a heap of more than 64 rows; a chain with
 * a motor that drags over the floor. */
static void add_kind (islands *w, int kind)
{
    const double y = 4 * kind;
    w->first[kind] = w->s.bodies;
    if (kind == 0) dBodySetLinearVel (w->s.body[add_box (w, 0, y, 0.0999)], 1, 0, 0);
    if (kind == 1)
    {
        const int b = add_box (w, 0, y, 0.4);
        dBodySetAngularVel (w->s.body[b], 3, 1, 0);
    }
    for (int i = 0; i < 3 && kind == 2; ++i) add_box (w, 0.01 * i, y, 0.0999 + 0.1998 * i);
    for (int i = 0; i < 12 && kind == 3; ++i)
        add_box (w, 0.15 * (i % 2) + 0.02 * i, y + 0.15 * (i / 2 % 2), 0.12 + 0.21 * (i / 4));
    for (int i = 0; i < 3 && kind == 4; ++i)
    {
        const int b = add_box (w, 0.3 * i, y, 0.0999);
        if (i == 0) continue;
        const double anchor[3] = {0.3 * i - 0.15, y, 0.1}, axis[3] = {0, 0, 1};
        const dJointID hinge = scene_hinge (&w->s, b - 1, b, anchor, axis);
        dJointSetHingeParam (hinge, dParamFMax, 2);
        dJointSetHingeParam (hinge, dParamVel, 1);
    }
    w->count[kind] = w->s.bodies - w->first[kind];
}

static void touch (void *context, dGeomID a, dGeomID b)
{
    islands *w = context;
    dContact contact[8];
    const int count = dCollide (a, b, 8, &contact[0].geom, sizeof (dContact));
    for (int i = 0; i < count; ++i)
    {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)0.4};
        const dJointID joint = dJointCreateContact (w->s.world, w->contacts, &contact[i]);
        dJointAttach (joint, dGeomGetBody (a), dGeomGetBody (b));

        /* the tower's forces are asked for */
        const dBodyID body = dGeomGetBody (a) ? dGeomGetBody (a) : dGeomGetBody (b);
        const int tower = w->count[2] > 0 && (body == w->s.body[w->first[2]]);
        if (tower) dJointSetFeedback (joint, &w->feedback[w->touching++]);
    }
}

static islands open_islands (void)
{
    islands w = {.s = scene_open ((dReal)-9.81), .space = dSimpleSpaceCreate (NULL)};
    w.contacts = dJointGroupCreate (0);
    dCreatePlane (w.space, 0, 0, 1, 0);
    return w;
}

/* Pushes all bodies, or puts the first one back. */
static void disturb (islands *w, int step)
{
    const dBodyID body = w->s.body[0];
    if (step == PUSHED)
    {
        dBodyCopyPosition (body, w->place);
        dBodyCopyQuaternion (body, w->turn);
        for (int b = 0; b < w->s.bodies; ++b) dBodySetLinearVel (w->s.body[b], (dReal)0.3, 0, 0);
    }
    if (step != RETURNED || w->count[0] == 0) return;
    dBodySetPosition (body, w->place[0], w->place[1], w->place[2]);
    dBodySetQuaternion (body, w->turn);
    dBodySetLinearVel (body, 0, 0, 0);
    dBodySetAngularVel (body, 0, 0, 0);
}

static void take_step (islands *w, int step)
{
    disturb (w, step);
    w->touching = 0;
    scene_step_on_contacts (&w->s, w->space, w->contacts, touch, w, H);
}

static void close_islands (islands *w)
{
    dJointGroupDestroy (w->contacts);
    dSpaceDestroy (w->space);
    scene_close (&w->s);
}

static void as_if_alone (void **state)
{
    (void)state;
    islands all = open_islands (), alone[KINDS];
    for (int kind = 0; kind < KINDS; ++kind)
    {
        add_kind (&all, kind);
        alone[kind] = open_islands ();
        add_kind (&alone[kind], kind);
    }
    for (int step = 0; step < STEPS; ++step)
    {
        take_step (&all, step);
        for (int kind = 0; kind < KINDS; ++kind)
        {
            take_step (&alone[kind], step);
            for (int b = 0; b < all.count[kind]; ++b)
            {
                const dBodyID one = all.s.body[all.first[kind] + b], other = alone[kind].s.body[b];
                assert_memory_equal (dBodyGetPosition (one), dBodyGetPosition (other), 3 * sizeof (dReal));
                assert_memory_equal (dBodyGetQuaternion (one), dBodyGetQuaternion (other),
                                     4 * sizeof (dReal));
                assert_memory_equal (dBodyGetLinearVel (one), dBodyGetLinearVel (other), 3 * sizeof (dReal));
            }
        }
        assert_int_equal (all.touching, alone[2].touching);
        assert_memory_equal (all.feedback, alone[2].feedback, sizeof (*all.feedback) * (size_t)all.touching);
    }
    close_islands (&all);
    for (int kind = 0; kind < KINDS; ++kind) close_islands (&alone[kind]);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (as_if_alone)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
