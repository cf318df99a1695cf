/*
 * Going back.  Poses and velocities are recorded for every step in the ring; for the latest steps of ode-rls
 * also everything that its stepper carries from step to step, so that the motion goes on bit for bit.
 */
#include "sim_parts.h"

#include <stdlib.h>

#define KEPT_BYTES ((size_t)96 << 20) /* of a side */
#define KEPT_BYTES_A_BODY 24000       /* about */
#define KEPT_STEPS 600

int sim_make_kept (sim *s)
{
    size_t bodies = (size_t)s->model->bodies, room = KEPT_BYTES / (KEPT_BYTES_A_BODY * (bodies + 1));
    s->kept_room = room > KEPT_STEPS ? KEPT_STEPS : (int)room + 1;
    s->kept = calloc ((size_t)s->kept_room, sizeof *s->kept);
    s->body = calloc (bodies + 1, sizeof *s->body);
    if (!s->kept || !s->body) return 0;
    for (int i = 0; i < s->kept_room; i++) s->kept[i].step = -1;
    for (int i = 0; i < s->model->bodies; i++) s->body[i] = scene_body_at (s->scene, i)->body;
    return 1;
}

void sim_free_kept (sim *s)
{
    for (int i = 0; s->kept && i < s->kept_room; i++) dRLSStateDestroy (s->kept[i].state);
    free (s->kept);
    free (s->body);
}

/* The place of the state after the present step. */
static kept_state *kept_at (const sim *s) { return &s->kept[s->step % s->kept_room]; }

void sim_keep_state (sim *s)
{
    kept_state *k = kept_at (s);
    k->step = -1;
    if (s->method.solver != SOLVER_RLS) return;
    if (!k->state) k->state = dRLSStateCreate ();
    if (k->state && dRLSStepperSaveState (s->stepper, k->state, s->body, s->model->bodies)) k->step = s->step;
}

/* Sets poses and velocities of all bodies, and the time and the measurements that go with them. */
static void put_state (sim *s, const double *state, const sample *at)
{
    for (int b = 0; b < s->model->bodies; b++, state += STATE_DOUBLES)
    {
        dBodyID id = s->body[b];
        const dQuaternion q = {state[3], state[4], state[5], state[6]};
        dBodySetPosition (id, state[0], state[1], state[2]);
        dBodySetQuaternion (id, q);
        dBodySetLinearVel (id, state[7], state[8], state[9]);
        dBodySetAngularVel (id, state[10], state[11], state[12]);
        dBodySetForce (id, 0, 0, 0);
        dBodySetTorque (id, 0, 0, 0);
        dBodyEnable (id);
    }
    sim_drop_balls (s); /* where they were at that time is not recorded */
    const int solver = s->latest.solver;
    s->latest = *at;
    s->latest.solver = solver;
    s->step = at->step;
    s->time = at->time;
    s->failed = SIM_RUNS;
    *s->message = 0;
    row_log_truncate (&s->rows, s->step);
}

void sim_restore (sim *s, int i)
{
    if (s->failed == SIM_LOST || i < 0 || i >= s->past.count) return;
    const double changed_at = s->latest.changed_at;
    put_state (s, ring_state (&s->past, i), ring_sample (&s->past, i));
    if (kept_at (s)->step == s->step) dRLSStepperRestoreState (s->stepper, kept_at (s)->state);
    if (changed_at > s->time) sim_begin_anew (s, MARK_METHOD); /* it goes on by another method than then */
    ring_truncate (&s->past, i);
    sim_measure (s);
    sim_publish (s);
}

void sim_place (sim *s, const double *state, const sample *at)
{
    if (s->failed == SIM_LOST) return;
    put_state (s, state, at);
    /* The state may be of another run, so no full state with its step number belongs to it. */
    for (int i = 0; i < s->kept_room; i++) s->kept[i].step = -1;
    sim_begin_anew (s, MARK_STATE);
    const int before = ring_find (&s->past, s->time - 0.5 * s->common.step);
    ring_truncate (&s->past, before >= 0 && ring_sample (&s->past, before)->time < s->time ? before : -1);
    sim_record (s); /* with the mark that a state was taken up */
    sim_measure (s);
    sim_publish (s);
}
