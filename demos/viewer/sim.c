/*
 * One side: opens a scene, chooses its stepper, steps it and records the steps.  See sim.h.
 */
#define _GNU_SOURCE
#include "sim_parts.h"

#include "ode_guard.h"
#include "vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const solver_names[] = {"dWorldStep", "dWorldQuickStep", "ode-rls", NULL};
const char *const solver_words[] = {"ode", "quick", "rls", NULL};
const char *const integrator_names[] = {"auto",        "euler",       "symplectic", "symplectic4",
                                        "symplectic6", "symplectic8", "rk4",        NULL};
const char *const correction_names[] = {"projection", "none",      "erp",        "embedded",  "simultaneous",
                                        "energy",     "augmented", "conserving", "compliant", NULL};
const char *const order_names[] = {"mindegree", "natural", "priority", "random", NULL};

#define PAST_BYTES ((size_t)48 << 20) /* of a side */
#define PAST_STEPS 12000

int snapshot_init (snapshot *shot, const model *m)
{
    memset (shot, 0, sizeof *shot);
    shot->body = calloc ((size_t)m->bodies + 1, sizeof *shot->body);
    shot->joint = calloc ((size_t)m->joints + 1, sizeof *shot->joint);
    shot->spring = calloc ((size_t)m->springs + 1, sizeof *shot->spring);
    return shot->body && shot->joint && shot->spring;
}

void snapshot_free (snapshot *shot)
{
    free (shot->body);
    free (shot->joint);
    free (shot->row);
    free (shot->spring);
    free (shot->contact);
    memset (shot, 0, sizeof *shot);
}

static void on_message (void *context, int is_error, int code, const char *text)
{
    sim *s = context;
    (void)is_error;
    (void)code;
    snprintf (s->message, sizeof s->message, "%s", text);
}

static int compare_joints (const void *a, const void *b)
{
    const joint_key *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int compare_bodies (const void *a, const void *b)
{
    const body_key *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

void sim_sort_keys (sim *s) { qsort (s->key, (size_t)s->keys, sizeof *s->key, compare_joints); }

static int make_arrays (sim *s)
{
    const model *m = s->model;
    s->feedback = calloc ((size_t)m->joints + 1, sizeof *s->feedback);
    s->key = calloc ((size_t)m->joints + 1, sizeof *s->key);
    s->body_key = calloc ((size_t)m->bodies + 1, sizeof *s->body_key);
    s->cut = calloc ((size_t)m->joints + 1, 1);
    s->motor = calloc ((size_t)m->joints + 1, sizeof *s->motor);
    if (!s->feedback || !s->key || !s->body_key || !s->cut || !s->motor) return 0;
    for (int i = 0; i < m->joints; i++)
    {
        dJointID id = scene_joint_at (s->scene, i)->joint;
        s->key[i] = (joint_key){id, i};
        dJointSetFeedback (id, &s->feedback[i]);
    }
    s->keys = m->joints;
    for (int i = 0; i < m->bodies; i++) s->body_key[i] = (body_key){scene_body_at (s->scene, i)->body, i};
    sim_sort_keys (s);
    qsort (s->body_key, (size_t)m->bodies, sizeof *s->body_key, compare_bodies);
    return ring_init (&s->past, m->bodies, m->joints, PAST_BYTES, PAST_STEPS) && sim_make_kept (s) &&
           snapshot_init (&s->shot[0], m) && snapshot_init (&s->shot[1], m);
}

static void reserve_queue (sim *s);
static void rebase_energy (sim *s);

/* What open_scene needs and returns; it runs inside ode_guard_run. */
typedef struct
{
    const char *path;
    char *error;
    size_t size;
    sim *sim;
    scene *scene;
    dRLSStepperID stepper;
    int status;
} open_request;

static void on_warning (void *context, const char *line)
{
    sim *s = context;
    if (!s->reader_warnings++) snprintf (s->reader_warning, sizeof s->reader_warning, "%s", line);
}

static void open_scene (void *context)
{
    open_request *r = context;
    r->scene = scene_read (r->path, on_warning, r->sim, r->error, r->size);
    if (r->scene) r->stepper = dRLSStepperCreate (scene_world (r->scene), &r->status);
}

static double mass_of (const model *m)
{
    double mass = 0;
    for (int i = 0; i < m->bodies; i++) mass += m->body[i].mass;
    return mass;
}

/* Measures and records the state at the beginning, and shows it. */
static void first_record (sim *s)
{
    sim_sample (s, NULL);
    s->kinetic_limit = 1e8 * (s->latest.kinetic + mass_of (s->model) * (s->model->size * 9.81 + 1));
    rebase_energy (s);
    s->latest.step_s = s->latest.residual = NAN;
    if (dRLSStepperAnalyse (s->stepper)) sim_read_report (s);
    reserve_queue (s);
    if (s->queue.room)
    {
        sim_sample (s, s->queue.opening);
        s->queue.sample[0] = s->latest;
        sim_save_state (s, s->queue.state);
        s->queue.count = 1;
    }
    sim_fill (s, &s->shot[!s->shown]);
    s->fresh = 1;
    sim_publish (s);
}

sim *sim_open (const char *path, char *error, size_t size)
{
    sim *s = calloc (1, sizeof *s);
    open_request request = {path, error, size, s, NULL, NULL, 0};
    snprintf (error, size, "%s: out of memory", path);
    if (!s || !(s->path = strdup (path)))
    {
        free (s);
        return NULL;
    }
    int ran = ode_guard_run (open_scene, &request, error, size);
    s->scene = request.scene;
    s->stepper = request.stepper;
    if (!ran || !s->scene)
    {
        s->scene = NULL;
        sim_close (s);
        return NULL;
    }
    if (!s->stepper)
    {
        snprintf (error, size, "%s: %s", path,
                  request.status == dRLSStatusIncompatibleODE ? dRLSDescribeODE ()
                                                              : dRLSStatusText (request.status));
        sim_close (s);
        return NULL;
    }
    s->model = model_create (s->scene);
    if (!s->model || !make_arrays (s))
    {
        sim_close (s);
        return NULL;
    }
    s->threading = dThreadingAllocateSelfThreadedImplementation ();
    if (s->threading) /* an ODE without threads has none */
        dWorldSetStepThreadingImplementation (
            scene_world (s->scene), dThreadingImplementationGetFunctions (s->threading), s->threading);
    scene_watch_contacts (s->scene);
    s->collides = dSpaceGetNumGeoms (scene_space (s->scene)) > 0;
    s->pull.body = -1;
    vec_copy (s->scene_gravity, s->model->gravity);
    dRLSStepperSetMessageCallback (s->stepper, on_message, s);
    if (scene_has_forces (s->scene)) dRLSStepperSetForceCallback (s->stepper, scene_forces, s->scene);
    scene_prepare_stepper (s->scene, s->stepper);
    first_record (s);
    return s;
}

void sim_close (sim *s)
{
    if (!s) return;
    dRLSStepperDestroy (s->stepper);
    /* A world in which ODE failed may be locked in the middle of a step.  It is not freed, because that might
     * hang. */
    if (s->failed != SIM_LOST)
    {
        scene_free (s->scene);
        if (s->threading) dThreadingFreeImplementation (s->threading);
    }
    model_free (s->model);
    free (s->cut);
    free (s->motor);
    free (s->body_key);
    free (s->contact);
    row_log_free (&s->rows);
    free (s->path);
    free (s->feedback);
    free (s->key);
    free (s->row);
    free (s->queue.sample);
    free (s->queue.opening);
    free (s->queue.state);
    sim_free_kept (s);
    ring_free (&s->past);
    snapshot_free (&s->shot[0]);
    snapshot_free (&s->shot[1]);
    free (s);
}

const model *sim_model (const sim *s) { return s->model; }
int sim_collides (const sim *s) { return s->collides; }
int sim_solver (const sim *s) { return s->method.solver; }

/* 1 if the new choice would step this side otherwise than the present one. */
static int is_other_method (const sim *s, const sim_method *method, const sim_common *common)
{
    const int rls = method->solver == SOLVER_RLS;
    return s->method.solver != method->solver || s->common.step != common->step ||
           s->common.sleep != common->sleep || s->common.erp != common->erp || s->common.cfm != common->cfm ||
           (method->solver == SOLVER_QUICK && s->common.quick_iterations != common->quick_iterations) ||
           (rls &&
            (s->method.integrator != method->integrator || s->method.correction != method->correction ||
             s->method.order != method->order || s->common.tolerance != common->tolerance));
}

/* Changes of energy count from now on, because something else than the stepper may have changed it until
 * now. */
static void rebase_energy (sim *s)
{
    double kinetic, potential;
    scene_energy (s->scene, &kinetic, &potential);
    s->latest.free_energy = kinetic + potential;
    s->latest.free_since = s->time;
}

void sim_begin_anew (sim *s, int marks)
{
    s->marks |= marks;
    s->latest.changed_at = s->time;
    rebase_energy (s);
}

static void let_sleep (const sim *s, int sleep)
{
    for (int i = 0; i < s->model->bodies; i++)
    {
        dBodySetAutoDisableFlag (s->body[i], sleep);
        if (!sleep) dBodyEnable (s->body[i]);
    }
}

void sim_configure (sim *s, const sim_method *method, const sim_common *common)
{
    const model *m = s->model;
    if (s->failed == SIM_LOST) return;
    const int changed = s->configured && is_other_method (s, method, common),
              other_gravity = s->common.gravity != common->gravity;
    if (s->common.sleep != common->sleep) let_sleep (s, common->sleep);
    s->method = *method;
    s->common = *common;
    dWorldID world = scene_world (s->scene);
    double g[3];
    vec_copy (g, s->scene_gravity);
    if (common->gravity >= 0)
        for (int i = 0; i < 3; i++) g[i] = -common->gravity * m->up[i];
    dWorldSetGravity (world, g[0], g[1], g[2]);
    scene_set_softness (s->scene, common->erp >= 0 ? common->erp : m->erp,
                        common->cfm >= 0 ? common->cfm : m->cfm);
    scene_set_time_step (s->scene, common->step);
    scene_prepare_stepper (s->scene, s->stepper); /* springs may have become too stiff for forces */
    dWorldSetQuickStepNumIterations (world, common->quick_iterations);
    dRLSStepperSetRankTolerance (s->stepper, common->tolerance);
    dRLSStepperSetIntegrator (s->stepper, method->integrator);
    dRLSStepperSetCorrection (s->stepper, method->correction);
    dRLSStepperSetOrder (s->stepper, method->order);
    dRLSStepperSetReport (s->stepper, dRLSReportReactions | (s->hide_times ? 0 : dRLSReportTimes));
    if (changed) sim_begin_anew (s, MARK_METHOD);
    if (s->configured && other_gravity) sim_begin_anew (s, MARK_GRAVITY);
    if (!s->configured) rebase_energy (s);
    s->configured = 1;
    s->latest.solver = method->solver;
}

void sim_set_pull (sim *s, const sim_pull *pull)
{
    if (pull)
        s->pull = *pull;
    else
        s->pull.body = -1;
}

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
    if (s->latest.pulled) rebase_energy (s);
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

sim_health sim_health_of (const sim *s) { return (sim_health)s->failed; }

int sim_refused (sim *s, char *why, size_t size)
{
    if (s->failed != SIM_REFUSED) return 0;
    snprintf (why, size, "%s", s->message);
    s->failed = SIM_RUNS;
    *s->message = 0;
    s->shot[s->shown].failed = SIM_RUNS;
    return 1;
}

const snapshot *sim_shown (const sim *s) { return &s->shot[s->shown]; }
const ring *sim_past (const sim *s) { return &s->past; }

int sim_warnings (const sim *s, const char **first)
{
    *first = s->reader_warning;
    return s->reader_warnings;
}

void sim_hide_times (sim *s, int hide) { s->hide_times = hide; }
