/*
 * The steps of a side: makes them on the worker's thread, records them, and hands the records over to the
 * window's thread.  See sim.h.
 */
#include "sim_parts.h"

#include "ode_guard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Applies the force of the user's pull.  The spring is as stiff as the body's mass and the step size allow;
   the body follows the mouse within about a third of a second. */
static void apply_pull (sim *s)
{
    if (s->pull.body < 0 || s->pull.body >= s->model->bodies) return;
    dBodyID b = scene_body_at (s->scene, s->pull.body)->body;
    const double *l = s->pull.local;
    dVector3 p, v;
    dBodyGetRelPointPos (b, l[0], l[1], l[2], p);
    dBodyGetRelPointVel (b, l[0], l[1], l[2], v);
    double mass = s->model->body[s->pull.body].mass * 2, rate = fmin (9, 0.25 / s->common.step);
    double f[3];
    for (int i = 0; i < 3; i++) f[i] = mass * rate * (rate * (s->pull.target[i] - p[i]) - 0.9 * v[i]);
    dBodyEnable (b);
    dBodyAddForceAtRelPos (b, f[0], f[1], f[2], l[0], l[1], l[2]);
}

/* 1 if positions and velocities are finite, and the kinetic energy is one that the scene could reach. */
static int is_sound_world (const sim *s)
{
    double sum = 0, kinetic, potential;
    for (int i = 0; i < s->model->bodies; i++)
    {
        dBodyID b = scene_body_at (s->scene, i)->body;
        const dReal *p = dBodyGetPosition (b), *v = dBodyGetLinearVel (b), *w = dBodyGetAngularVel (b);
        for (int k = 0; k < 3; k++) sum += fabs (p[k]) + fabs (v[k]) + fabs (w[k]);
    }
    scene_energy (s->scene, &kinetic, &potential);
    return isfinite (sum) && sum < 1e12 * (1 + s->model->bodies) && kinetic < s->kinetic_limit;
}

/* Makes room for one more step in the queue.  Without memory the room stays as it was. */
static void reserve_queue (sim *s)
{
    step_queue *q = &s->queue;
    if (q->count < q->room) return;
    int room = q->room ? 2 * q->room : 16;
    size_t joints = (size_t)s->model->joints, state = STATE_DOUBLES * (size_t)s->model->bodies;
    sample *samples = realloc (q->sample, sizeof *samples * (size_t)room);
    if (samples) q->sample = samples;
    float *opening = realloc (q->opening, sizeof *opening * (joints * (size_t)room + 1));
    if (opening) q->opening = opening;
    double *states = realloc (q->state, sizeof *states * (state * (size_t)room + 1));
    if (states) q->state = states;
    if (samples && opening && states) q->room = room;
}

void sim_record (sim *s)
{
    reserve_queue (s);
    step_queue *q = &s->queue;
    if (q->count == q->room) return; /* out of memory: this step is not recorded */
    sim_sample (s, q->opening + (size_t)q->count * (size_t)s->model->joints);
    s->latest.marks = s->marks;
    s->marks = 0;
    q->sample[q->count] = s->latest;
    sim_save_state (s, q->state + (size_t)q->count * STATE_DOUBLES * (size_t)s->model->bodies);
    q->count++;
}

/* Makes a step of the world and measures its time.  Runs inside ode_guard_run. */
static void step_world (void *context)
{
    sim *s = context;
    dWorldID world = scene_world (s->scene);
    double h = s->common.step;
    int rls = s->method.solver == SOLVER_RLS, ok = 1;
    scene_before_step (s->scene, s->time, rls);
    apply_pull (s);
    sim_run_motors (s);
    dRLSStepperSetTime (s->stepper,
                        (dReal)s->time); /* its own differs after going back, or after steps of ODE */
    double start = sim_cpu_seconds ();
    if (rls)
        ok = dRLSStepperStep (s->stepper, h);
    else
        ok = s->method.solver == SOLVER_QUICK ? dWorldQuickStep (world, h) : dWorldStep (world, h);
    double spent = sim_cpu_seconds () - start;
    sim_read_contacts (s);
    scene_after_step (s->scene);
    s->stepping_s += spent;
#ifdef __EMSCRIPTEN__
    /* A browser's clock has a resolution of a tenth of a millisecond, so only means over many steps are
     * useful. */
    if (s->latest.step_s > 0) spent = 0.98 * s->latest.step_s + 0.02 * spent;
#endif
    s->latest.step_s = s->hide_times ? NAN : spent;
    s->latest.residual = NAN;
    if (!ok)
    {
        int refused = rls && dRLSStepperGetStatus (s->stepper) == dRLSStatusUnsupported;
        s->failed = refused ? SIM_REFUSED : SIM_STOPPED;
        snprintf (s->message, sizeof s->message, "%s",
                  rls ? dRLSStepperGetMessage (s->stepper) : "ODE refused the step");
    }
    else if (!is_sound_world (s))
    {
        s->failed = SIM_STOPPED;
        snprintf (s->message, sizeof s->message, "the motion blew up");
    }
    else if (rls)
        sim_read_report (s);
}

int sim_advance (sim *s)
{
    if (s->failed) return 0;
    char why[160];
    long before = ode_guard_messages (NULL, 0);
    if (!ode_guard_run (step_world, s, why, sizeof why))
    {
        s->failed = SIM_LOST;
        snprintf (s->message, sizeof s->message, "ODE gave up: %s", why);
    }
    char last[160];
    long messages = ode_guard_messages (last, sizeof last) - before;
    if (messages && !s->failed) snprintf (s->message, sizeof s->message, "ODE: %s", last);
    s->ode_messages += messages;
    if (s->failed) return 0;
    s->step++;
    s->time += s->common.step;
    s->latest.solver = s->method.solver;
    if (s->pull.body >= 0 && s->latest.pulled != HAND_PULL) s->marks |= MARK_PULL;
    s->latest.pulled = s->pull.body >= 0 ? HAND_PULL
                       : s->motors       ? HAND_MOTOR
                       : s->balls        ? HAND_BALL
                                         : HAND_NONE;
    if (s->latest.pulled) sim_rebase_energy (s);
    sim_keep_state (s);
    sim_record (s);
    return 1;
}

/* 1 if all bodies of a recorded state are near enough to the scene to be shown. */
static int is_sound_entry (const sim *s, int i)
{
    const model *m = s->model;
    const double *state = ring_state (&s->past, i), reach = 5 * m->size;
    int sound = m->joints == 0 || ring_sample (&s->past, i)->violation < m->size;
    for (int b = 0; b < m->bodies && sound; b++, state += STATE_DOUBLES)
        for (int k = 0; k < 3; k++) sound &= state[k] > m->low[k] - reach && state[k] < m->high[k] + reach;
    return sound;
}

/* Has a side that has blown up show the last good state. */
static void show_last_sound (sim *s)
{
    int i = s->past.count - 1;
    while (i > 0 && !is_sound_entry (s, i)) i--;
    snapshot *shot = &s->shot[!s->shown];
    if (i >= 0) sim_recall (s, i, shot);
    shot->failed = s->failed;
    shot->failed_at = s->time;
    memcpy (shot->message, s->message, sizeof shot->message);
}

void sim_publish (sim *s)
{
    step_queue *q = &s->queue;
    size_t joints = (size_t)s->model->joints, state = STATE_DOUBLES * (size_t)s->model->bodies;
    for (int i = 0; i < q->count; i++)
    {
        size_t slot = (size_t)ring_push (&s->past);
        s->past.sample[slot] = q->sample[i];
        memcpy (s->past.opening + slot * joints, q->opening + (size_t)i * joints, joints * sizeof (float));
        memcpy (s->past.state + slot * state, q->state + (size_t)i * state, state * sizeof (double));
    }
    q->count = 0;
    if (s->fresh && s->failed > SIM_REFUSED) show_last_sound (s);
    if (s->fresh)
    {
        s->shown = !s->shown;
        const snapshot *shot = &s->shot[s->shown];
        if (!s->failed) row_log_note (&s->rows, shot->now.step, shot->row, shot->rows);
    }
    s->fresh = 0;
}
