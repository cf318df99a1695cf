/*
 * One side: opens a scene and chooses its stepper.  See sim.h.
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
    const int i = s->reader_warnings++;
    if (i < SIM_WARNINGS) snprintf (s->reader_warning[i], sizeof s->reader_warning[i], "%s", line);
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
    sim_rebase_energy (s);
    s->latest.step_s = s->latest.residual = NAN;
    if (dRLSStepperAnalyse (s->stepper)) sim_read_report (s);
    sim_record (s);
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

void sim_rebase_energy (sim *s)
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
    sim_rebase_energy (s);
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
    if (!s->configured) sim_rebase_energy (s);
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

int sim_warnings (const sim *s) { return s->reader_warnings; }

const char *sim_warning (const sim *s, int i)
{
    return i < s->reader_warnings && i < SIM_WARNINGS ? s->reader_warning[i] : NULL;
}

void sim_hide_times (sim *s, int hide) { s->hide_times = hide; }
