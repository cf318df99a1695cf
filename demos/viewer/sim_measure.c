/*
 * What is measured in the world of a side after its steps.  Violations and energy are computed from the poses
 * and velocities, not taken from the stepper, so that all steppers are measured alike.
 */
#include "sim_parts.h"

#include "heatmap.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double sim_cpu_seconds (void)
{
    struct timespec t;
#ifdef __EMSCRIPTEN__
    clock_gettime (CLOCK_MONOTONIC, &t); /* a page has one thread, and no clock of processor time */
#else
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
#endif
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The index of a joint of the scene by its handle; -1 if it is not one of them. */
static int joint_index (const sim *s, dJointID id)
{
    int low = 0, high = s->keys;
    while (low < high)
    {
        int middle = (low + high) / 2;
        if (s->key[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->keys && s->key[low].id == id ? s->key[low].index : -1;
}

static int body_index (const sim *s, dBodyID id)
{
    int low = 0, high = s->model->bodies;
    while (low < high)
    {
        int middle = (low + high) / 2;
        if (s->body_key[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->model->bodies && s->body_key[low].id == id ? s->body_key[low].index : MODEL_WORLD;
}

/* Adds the velocity of the body's point at p, times sign. */
static void velocity_at (dBodyID b, const double p[3], double sign, double v[3])
{
    dVector3 at;
    if (!b) return;
    dBodyGetPointVel (b, p[0], p[1], p[2], at);
    for (int k = 0; k < 3; k++) v[k] += sign * at[k];
}

void sim_read_contacts (sim *s)
{
    const int count = scene_watched_count (s->scene);
    s->contacts = 0;
    if (count > s->contact_room)
    {
        contact_state *larger = realloc (s->contact, sizeof *larger * (size_t)count * 2);
        if (!larger) return; /* without memory contacts are not drawn */
        s->contact = larger;
        s->contact_room = 2 * count;
    }
    for (int i = 0; i < count; i++)
    {
        scene_contact c;
        contact_state *out = &s->contact[s->contacts++];
        double v[3] = {0, 0, 0};
        scene_contact_at (s->scene, i, &c);
        for (int k = 0; k < 2; k++) out->body[k] = c.body[k] ? body_index (s, c.body[k]) : MODEL_WORLD;
        vec_copy (out->position, c.position);
        vec_copy (out->normal, c.normal);
        vec_copy (out->force, c.force);
        out->depth = c.depth;
        velocity_at (c.body[0], c.position, 1, v);
        velocity_at (c.body[1], c.position, -1, v);
        vec_mad (v, v, -vec_dot (v, c.normal), c.normal);
        out->slip = vec_length (v);
    }
}

static void fill_contacts (const sim *s, snapshot *shot)
{
    shot->contacts = 0;
    if (s->contacts > shot->contact_room)
    {
        contact_state *larger = realloc (shot->contact, sizeof *larger * (size_t)s->contact_room);
        if (!larger) return;
        shot->contact = larger;
        shot->contact_room = s->contact_room;
    }
    if (s->contacts) memcpy (shot->contact, s->contact, sizeof *shot->contact * (size_t)s->contacts);
    shot->contacts = s->contacts;
}

void sim_save_state (const sim *s, double *state)
{
    for (int i = 0; i < s->model->bodies; i++, state += STATE_DOUBLES)
    {
        dBodyID b = scene_body_at (s->scene, i)->body;
        const dReal *p = dBodyGetPosition (b), *q = dBodyGetQuaternion (b);
        const dReal *v = dBodyGetLinearVel (b), *w = dBodyGetAngularVel (b);
        for (int k = 0; k < 3; k++)
        {
            state[k] = p[k];
            state[7 + k] = v[k];
            state[10 + k] = w[k];
        }
        for (int k = 0; k < 4; k++) state[3 + k] = q[k];
    }
}

static double opening_of (const model_joint *j, const dRLSViolation *v)
{
    return fmax (v->position_m, j->arm * v->angle_rad);
}

void sim_sample (sim *s, float *opening)
{
    sample *now = &s->latest;
    now->step = s->step;
    now->time = s->time;
    now->violation = now->position_m = now->angle_rad = now->velocity_m_s = now->velocity_rad_s = 0;
    for (int i = 0; i < s->model->joints; i++)
    {
        dRLSViolation v = {0, 0, 0, 0};
        if (!s->cut[i]) dRLSMeasureJoint (scene_joint_at (s->scene, i)->joint, &v);
        double open = opening_of (&s->model->joint[i], &v);
        now->violation = fmax (now->violation, open);
        now->position_m = fmax (now->position_m, v.position_m);
        now->angle_rad = fmax (now->angle_rad, v.angle_rad);
        now->velocity_m_s = fmax (now->velocity_m_s, v.velocity_m_s);
        now->velocity_rad_s = fmax (now->velocity_rad_s, v.velocity_rad_s);
        if (opening) opening[i] = (float)heatmap_log (open);
    }
    now->contacts = scene_contact_count (s->scene);
    now->penetration = scene_penetration (s->scene);
    /* In a scene without joints the violation is the depth of the contacts. */
    if (!s->model->joints) now->violation = now->penetration;
    scene_energy (s->scene, &now->kinetic, &now->potential);
    if (s->model->probes) scene_probe_position (s->scene, 0, now->probe);
}

void sim_read_report (sim *s)
{
    dRLSReport report;
    memset (&report, 0, sizeof report);
    report.struct_size = sizeof report;
    if (!dRLSStepperGetReport (s->stepper, &report)) return;
    s->latest.rank = report.rank;
    s->latest.dof = report.dof;
    s->latest.redundant = report.redundant;
    s->latest.conflicting = report.conflicting;
    s->latest.rows = report.rows;
    s->latest.bounded = report.bounded_rows;
    s->latest.islands = report.islands;
    for (int i = 0; i < dRLSStageCount && !s->hide_times; i++)
        s->stage[i] += 0.05 * ((s->method.solver == SOLVER_RLS ? report.seconds[i] : 0) - s->stage[i]);
    s->latest.residual =
        s->method.solver == SOLVER_RLS && report.bounded_rows ? report.bounded_residual : NAN;
}

static int snapshot_row_room (snapshot *shot, int count)
{
    if (count <= shot->row_room) return 1;
    row_state *larger = realloc (shot->row, sizeof *larger * (size_t)count);
    if (!larger) return 0;
    shot->row = larger;
    shot->row_room = count;
    return 1;
}

static void fill_rows (sim *s, snapshot *shot)
{
    int count = dRLSStepperGetRedundantRows (s->stepper, s->row, s->row_room);
    if (count > s->row_room)
    {
        dRLSRow *larger = realloc (s->row, sizeof *larger * (size_t)count);
        if (larger)
        {
            s->row = larger;
            s->row_room = count;
            count = dRLSStepperGetRedundantRows (s->stepper, s->row, s->row_room);
        }
        else
            count = s->row_room;
    }
    shot->rows = 0;
    if (!snapshot_row_room (shot, count)) return;
    for (int i = 0; i < count; i++)
    {
        int j = joint_index (s, s->row[i].joint);
        if (j < 0) continue;
        int conflicting = s->row[i].status == dRLSRowConflicting;
        row_state row = {j, s->row[i].row, conflicting, s->row[i].pivot, s->row[i].residual};
        shot->row[shot->rows++] = row;
        shot->joint[j].redundant++;
        shot->joint[j].conflicting += conflicting;
    }
}

static void fill_balls (const sim *s, snapshot *shot)
{
    shot->balls = s->balls;
    for (int i = 0; i < s->balls; i++)
    {
        dBodyID body = scene_body_at (s->scene, s->ball[i])->body;
        const dReal *p = dBodyGetPosition (body);
        for (int k = 0; k < 3; k++) shot->ball[i][k] = p[k];
        shot->ball[i][3] = dGeomSphereGetRadius (dBodyGetFirstGeom (body));
    }
}

void sim_fill (sim *s, snapshot *shot)
{
    const model *m = s->model;
    for (int i = 0; i < m->bodies; i++)
    {
        dBodyID b = scene_body_at (s->scene, i)->body;
        const dReal *p = dBodyGetPosition (b), *q = dBodyGetQuaternion (b);
        const dReal *v = dBodyGetLinearVel (b), *w = dBodyGetAngularVel (b);
        body_state *out = &shot->body[i];
        for (int k = 0; k < 3; k++)
        {
            out->position[k] = p[k];
            out->velocity[k] = v[k];
            out->spin[k] = w[k];
        }
        for (int k = 0; k < 4; k++) out->quaternion[k] = q[k];
        out->asleep = !dBodyIsEnabled (b);
    }
    for (int i = 0; i < m->joints; i++)
    {
        joint_state *out = &shot->joint[i];
        dJointID id = scene_joint_at (s->scene, i)->joint;
        memset (out, 0, sizeof *out);
        out->cut = s->cut[i];
        out->motor = s->motor[i].now;
        if (m->joint[i].type == dJointTypeHinge) out->place = dJointGetHingeAngle (id);
        if (m->joint[i].type == dJointTypeSlider) out->place = dJointGetSliderPosition (id);
        if (!out->cut) dRLSMeasureJoint (id, &out->violation);
        out->opening = opening_of (&m->joint[i], &out->violation);
        for (int k = 0; k < 3; k++)
        {
            /* ODE has the reaction on the first body; if that is the world, the opposite of that on the
             * second. */
            out->force[k] = m->joint[i].body[0] != MODEL_WORLD ? s->feedback[i].f1[k] : -s->feedback[i].f2[k];
            out->torque[k] =
                m->joint[i].body[0] != MODEL_WORLD ? s->feedback[i].t1[k] : -s->feedback[i].t2[k];
        }
        out->unique = dRLSStepperIsReactionUnique (s->stepper, id);
    }
    fill_rows (s, shot);
    fill_contacts (s, shot);
    fill_balls (s, shot);
    shot->springs = m->springs;
    for (int i = 0; i < m->springs; i++)
        scene_spring_ends (s->scene, i, shot->spring[i][0], shot->spring[i][1]);
    shot->now = s->latest;
    memcpy (shot->stage, s->stage, sizeof shot->stage);
    shot->failed = s->failed;
    shot->failed_at = s->time;
    shot->warnings = s->ode_messages;
    for (int w = 0; w < dRLSWarningCount; w++)
        shot->warnings += (long)dRLSStepperGetWarningCount (s->stepper, w);
    memcpy (shot->message, s->message, sizeof shot->message);
}

void sim_measure (sim *s)
{
    if (s->failed)
    {
        /* The world is in no state to be shown, so the last good state stays. */
        const snapshot *last = &s->shot[s->shown];
        snapshot *shot = &s->shot[!s->shown];
        memcpy (shot->body, last->body, sizeof *shot->body * (size_t)s->model->bodies);
        memcpy (shot->joint, last->joint, sizeof *shot->joint * (size_t)s->model->joints);
        shot->now = last->now;
        shot->rows = 0;
        shot->failed = s->failed;
        memcpy (shot->message, s->message, sizeof shot->message);
        s->fresh = 1;
        return;
    }
    /* Rank and degrees of freedom of a world that ODE steps are found by an analysis of its own.  It is done
       only as often as keeps its time below a third of the time of the steps. */
    double start = sim_cpu_seconds ();
    int affordable = s->hide_times || s->analysis_s < 0.003 + s->stepping_s / 3;
    if (s->method.solver != SOLVER_RLS && affordable && dRLSStepperAnalyse (s->stepper))
    {
        sim_read_report (s);
        s->analysis_s += sim_cpu_seconds () - start;
        if (s->queue.count) s->queue.sample[s->queue.count - 1] = s->latest;
    }
    sim_fill (s, &s->shot[!s->shown]);
    s->fresh = 1;
}

/* Fills in the redundant rows that there were after a step. */
static void recall_rows (const sim *s, long step, snapshot *out)
{
    const row_entry *e = row_log_find (&s->rows, step);
    out->rows = 0;
    if (!e || !snapshot_row_room (out, e->count)) return;
    if (e->count) memcpy (out->row, e->row, sizeof *out->row * (size_t)e->count);
    out->rows = e->count;
    for (int i = 0; i < out->rows; i++)
    {
        out->joint[out->row[i].joint].redundant++;
        out->joint[out->row[i].joint].conflicting += out->row[i].conflicting;
    }
}

void sim_recall (const sim *s, int i, snapshot *out)
{
    const double *state = ring_state (&s->past, i);
    const float *opening = ring_opening (&s->past, i);
    for (int b = 0; b < s->model->bodies; b++, state += STATE_DOUBLES)
    {
        memcpy (out->body[b].position, state, 3 * sizeof *state);
        memcpy (out->body[b].quaternion, state + 3, 4 * sizeof *state);
        memcpy (out->body[b].velocity, state + 7, 3 * sizeof *state);
        memcpy (out->body[b].spin, state + 10, 3 * sizeof *state);
    }
    for (int j = 0; j < s->model->joints; j++)
    {
        memset (&out->joint[j], 0, sizeof out->joint[j]);
        out->joint[j].opening = pow (10, opening[j]);
        out->joint[j].unique = -1;
    }
    out->springs = out->contacts = out->balls = 0; /* these are not recorded */
    recall_rows (s, ring_sample (&s->past, i)->step, out);
    out->now = *ring_sample (&s->past, i);
    out->failed = 0;
    out->warnings = s->shot[s->shown].warnings;
    *out->message = 0;
}
