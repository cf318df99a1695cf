/*
 * MuJoCo: a tree of hinges and balls in generalised coordinates, loops closed by soft equality constraints.
 *
 * A hinge that is cut is closed by two "connect" constraints on its axis.  The model is written as MJCF.
 * Settings: the semi-implicit Euler and the rk4 integrator.  Knobs are those of the closing constraints:
 * their time constant (s; MuJoCo raises it to two steps) and damping ratio (solref), and what their impedance
 * lacks to 1 beyond a millimetre, of which it lacks twice that at none (solimp).
 */
#include "engine.h"

#include <math.h>
#include <mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const engine_problem *problem;
static mjModel *model;
static mjData *data;
static int *address; /* body of the problem -> body of the model */

enum
{
    time_constant,
    damping_ratio,
    softness,
    tolerance
};
static engine_knob knobs[] = {{"time constant", 0.02, 0.001, 0.5},
                              {"damping ratio", 1, 0.25, 4},
                              {"softness", 0.05, 1e-4, 0.3},
                              {"tolerance", 1e-8, 1e-14, 1e-6},
                              {NULL, 0, 0, 0}};

/* ---- small rotations ---- */

static void rotate (const double q[4], const double v[3], double out[3]) { mju_rotVecQuat (out, v, q); }

/* Point or direction of the world in the axes of a body at the start (-1: the world). */
static void to_body (int body, const double world[3], int is_point, double out[3])
{
    double d[3], back[4];
    if (body < 0)
    {
        memcpy (out, world, 3 * sizeof (double));
        return;
    }
    const engine_body *b = &problem->bodies[body];
    for (int k = 0; k < 3; ++k) d[k] = world[k] - (is_point ? b->x[k] : 0);
    mju_negQuat (back, b->q);
    rotate (back, d, out);
}

/* ---- the model's text ---- */

typedef struct
{
    char *text;
    size_t used, size;
} writer;

static void put (writer *w, const char *format, ...)
{
    va_list list;
    va_start (list, format);
    const int length = vsnprintf (w->text + w->used, w->size - w->used, format, list);
    va_end (list);
    w->used += (size_t)length;
    if (w->used >= w->size) abort (); /* sized for the largest of our problems */
}

static void put_body (writer *w, int at)
{
    const engine_body *b = &problem->bodies[at];
    const engine_joint *j = &problem->joints[b->joint];
    double x[3], q[4], anchor[3], axis[3], back[4];
    to_body (b->parent, b->x, 1, x);
    if (b->parent < 0)
        memcpy (q, b->q, sizeof (q));
    else
    {
        mju_negQuat (back, problem->bodies[b->parent].q);
        mju_mulQuat (q, back, b->q);
    }
    put (w, "<body name='b%d' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>\n", at, x[0], x[1],
         x[2], q[0], q[1], q[2], q[3]);
    put (w, "<inertial pos='0 0 0' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>\n",
         b->mass, b->inertia[0][0], b->inertia[1][1], b->inertia[2][2], b->inertia[0][1], b->inertia[0][2],
         b->inertia[1][2]);
    to_body (at, j->anchor, 1, anchor);
    to_body (at, j->axis, 0, axis);
    if (j->type == engine_hinge)
        put (w, "<joint type='hinge' pos='%.17g %.17g %.17g' axis='%.17g %.17g %.17g'/>\n", anchor[0],
             anchor[1], anchor[2], axis[0], axis[1], axis[2]);
    else
        put (w, "<joint type='ball' pos='%.17g %.17g %.17g'/>\n", anchor[0], anchor[1], anchor[2]);
    for (int child = 0; child < problem->body_count; ++child)
        if (problem->bodies[child].parent == at) put_body (w, child);
    put (w, "</body>\n");
}

static void put_connect (writer *w, const engine_joint *j, double along)
{
    double point[3], local[3];
    const int first = j->body1 >= 0 ? j->body1 : j->body2, second = j->body1 >= 0 ? j->body2 : -1;
    for (int k = 0; k < 3; ++k) point[k] = j->anchor[k] + along * j->axis[k];
    to_body (first, point, 1, local);
    put (w, "<connect body1='b%d' ", first);
    if (second >= 0) put (w, "body2='b%d' ", second);
    put (w, "anchor='%.17g %.17g %.17g' solref='%.17g %.17g' solimp='%.17g %.17g 0.001'/>\n", local[0],
         local[1], local[2], knobs[time_constant].value, knobs[damping_ratio].value,
         1 - 2 * knobs[softness].value, 1 - knobs[softness].value);
}

static void write_model (writer *w, const char *integrator)
{
    const double *g = problem->gravity;
    put (w,
         "<mujoco><compiler balanceinertia='false' boundmass='0' boundinertia='0'/>\n"
         "<option timestep='%.17g' gravity='%.17g %.17g %.17g' integrator='%s' solver='Newton' "
         "iterations='100' "
         "tolerance='%.17g'/>\n<size njmax='%d'/>\n<worldbody>\n",
         problem->h, g[0], g[1], g[2], integrator, knobs[tolerance].value, 100 + 6 * problem->joint_count);
    for (int i = 0; i < problem->body_count; ++i)
        if (problem->bodies[i].parent < 0) put_body (w, i);
    put (w, "</worldbody>\n<equality>\n");
    for (int k = 0; k < problem->joint_count; ++k)
    {
        if (!problem->joints[k].cut) continue;
        put_connect (w, &problem->joints[k], 0);
        if (problem->joints[k].type == engine_hinge) put_connect (w, &problem->joints[k], 0.5);
    }
    put (w, "</equality></mujoco>\n");
}

/* ---- the engine ---- */

static void set_velocities (void)
{
    for (int i = 0; i < problem->body_count; ++i)
    {
        const engine_body *b = &problem->bodies[i];
        const engine_joint *j = &problem->joints[b->joint];
        const int dof = model->body_dofadr[address[i]];
        double turning[3], local[3], back[4];
        for (int k = 0; k < 3; ++k)
            turning[k] = b->w[k] - (b->parent < 0 ? 0 : problem->bodies[b->parent].w[k]);
        mju_negQuat (back, b->q);
        rotate (back, turning, local);
        if (j->type == engine_hinge)
            data->qvel[dof] = mju_dot3 (turning, j->axis);
        else
            memcpy (data->qvel + dof, local, sizeof (local));
    }
}

/* In place of MuJoCo's own, which leaves a file where the program is run. */
static void warn (const char *text) { fprintf (stderr, "%s\n", text); }

static int open_with (const engine_problem *p, const char *integrator)
{
    static char text[1 << 20];
    char error[1000] = "";
    writer w = {text, 0, sizeof (text)};
    if (!p->is_tree) return 0;
    problem = p;
    mju_user_warning = warn;
    write_model (&w, integrator);
    mjVFS *files = malloc (sizeof (mjVFS));
    if (!files) return 0;
    mj_defaultVFS (files);
    mj_makeEmptyFileVFS (files, "model.xml", (int)w.used);
    memcpy (files->filedata[mj_findFileVFS (files, "model.xml")], text, w.used);
    model = mj_loadXML ("model.xml", files, error, sizeof (error));
    mj_deleteVFS (files);
    free (files);
    if (!model)
    {
        fprintf (stderr, "%s\n", error);
        return 0;
    }
    data = mj_makeData (model);
    address = malloc (sizeof (int) * (size_t)p->body_count);
    for (int i = 0; i < p->body_count; ++i)
    {
        char name[16];
        snprintf (name, sizeof (name), "b%d", i);
        address[i] = mj_name2id (model, mjOBJ_BODY, name);
    }
    set_velocities ();
    mj_forward (model, data);
    return 1;
}

static int open_euler (const engine_problem *p) { return open_with (p, "Euler"); }
static int open_rk4 (const engine_problem *p) { return open_with (p, "RK4"); }

static int step (void)
{
    mj_step (model, data);
    return data->warning[mjWARN_BADQACC].number == 0;
}

static void state (int body, double x[3], double q[4], double v[3], double w[3])
{
    mjtNum velocity[6];
    const int at = address[body];
    if (body == 0)
    {
        mj_kinematics (model, data);
        mj_comPos (model, data);
        mj_comVel (model, data);
    }
    memcpy (x, data->xpos + 3 * at, 3 * sizeof (double));
    memcpy (q, data->xquat + 4 * at, 4 * sizeof (double));
    mj_objectVelocity (model, data, mjOBJ_XBODY, at, velocity, 0);
    memcpy (w, velocity, 3 * sizeof (double));
    memcpy (v, velocity + 3, 3 * sizeof (double));
}

static void close_engine (void)
{
    mj_deleteData (data);
    mj_deleteModel (model);
    free (address);
}

const engine_setting engine_settings[] = {
    {"MuJoCo, Euler", knobs, open_euler, step, state, close_engine, 0, NULL},
    {"MuJoCo, rk4", knobs, open_rk4, step, state, close_engine, 0, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL}};
