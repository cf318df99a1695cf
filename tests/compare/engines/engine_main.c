/*
 * engine_NAME SCENE STEP DURATION [SETTING [KNOB=VALUE ...]]: one line of JSON for each setting of the
 * engine, or for the one that is named, but for those that cannot represent the scene; contract in engine.h.
 * SCENE is a name of demos/scenes or of a generator ("chain:100").  Knobs that are not given stay at the
 * engine's default.
 *
 * engine_NAME --knobs: one line of JSON for each setting, with its knobs, their defaults and their ranges.
 */
#include "engine.h"

#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRICTION 0.8 /* of the generated scenes */

static double seconds_now (void)
{
    struct timespec t;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the scene as plain numbers ---- */

static int body_index (const scene *s, dBodyID body)
{
    for (int i = 0; i < scene_body_count (s); ++i)
        if (scene_body_at (s, i)->body == body) return i;
    return -1;
}

static void read_body (dBodyID body, engine_body *b)
{
    dMass mass;
    dBodyGetMass (body, &mass);
    b->mass = mass.mass;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) b->inertia[i][k] = mass.I[4 * i + k];
    memcpy (b->x, dBodyGetPosition (body), sizeof (b->x));
    memcpy (b->q, dBodyGetQuaternion (body), sizeof (b->q));
    memcpy (b->v, dBodyGetLinearVel (body), sizeof (b->v));
    memcpy (b->w, dBodyGetAngularVel (body), sizeof (b->w));
    b->joint = -1;
}

static int read_joint (const scene *s, dJointID joint, engine_joint *j)
{
    dVector3 anchor, axis = {0};
    j->body1 = body_index (s, dJointGetBody (joint, 0));
    j->body2 = body_index (s, dJointGetBody (joint, 1));
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        j->type = engine_hinge;
        dJointGetHingeAnchor (joint, anchor);
        dJointGetHingeAxis (joint, axis);
        break;
    case dJointTypeBall:
        j->type = engine_ball;
        dJointGetBallAnchor (joint, anchor);
        break;
    default:
        return 0;
    }
    memcpy (j->anchor, anchor, sizeof (j->anchor));
    memcpy (j->axis, axis, sizeof (j->axis));
    j->cut = 1;
    return 1;
}

/* Breadth first from the world.  Returns 0 if a body hangs in the air. */
static int find_tree (engine_problem *p)
{
    int found = 0;
    for (int at = -1; at < found; ++at)
        for (int k = 0; k < p->joint_count; ++k)
        {
            engine_joint *j = &p->joints[k];
            const int here = at < 0 ? -1 : p->order[at];
            if (!j->cut || (j->body1 != here && j->body2 != here)) continue;
            const int other = j->body1 == here ? j->body2 : j->body1;
            if (other < 0 || p->bodies[other].joint >= 0) continue;
            p->bodies[other].joint = k;
            p->bodies[other].parent = here;
            p->order[found++] = other;
            j->cut = 0;
        }
    return found == p->body_count;
}

/* A geom of the scene; its friction is that of all.  Returns 0 if it is none of the shapes. */
static int read_shape (const scene *s, dGeomID geom, engine_shape *shape)
{
    dVector3 size = {0};
    dReal radius = 0, length = 0;
    const dBodyID body = dGeomGetBody (geom);
    *shape = (engine_shape){.body = body ? body_index (s, body) : -1, .q = {1}};
    switch (dGeomGetClass (geom))
    {
    case dBoxClass:
        shape->type = engine_box;
        dGeomBoxGetLengths (geom, size);
        break;
    case dSphereClass:
        shape->type = engine_sphere;
        size[0] = dGeomSphereGetRadius (geom);
        break;
    case dCapsuleClass:
        shape->type = engine_capsule;
        dGeomCapsuleGetParams (geom, &radius, &length);
        size[0] = radius, size[1] = length;
        break;
    case dPlaneClass:
    {
        dVector4 plane;
        dGeomPlaneGetParams (geom, plane);
        shape->type = engine_plane;
        for (int k = 0; k < 3; ++k) shape->x[k] = plane[3] * plane[k];
        return plane[2] > 0.999;
    }
    default:
        return 0;
    }
    memcpy (shape->size, size, sizeof shape->size);
    dQuaternion q;
    const dReal *x = body ? dGeomGetOffsetPosition (geom) : dGeomGetPosition (geom);
    if (body)
        dGeomGetOffsetQuaternion (geom, q);
    else
        dGeomGetQuaternion (geom, q);
    memcpy (shape->x, x, sizeof shape->x);
    memcpy (shape->q, q, sizeof shape->q);
    return 1;
}

/* All geoms, those of spaces inside the scene's as well. */
static int read_shapes (const scene *s, dSpaceID space, engine_problem *p)
{
    int good = 1;
    for (int i = 0; i < dSpaceGetNumGeoms (space) && good; ++i)
    {
        const dGeomID geom = dSpaceGetGeom (space, i);
        if (dGeomIsSpace (geom))
            good = read_shapes (s, (dSpaceID)geom, p);
        else
        {
            p->shapes = realloc (p->shapes, sizeof (*p->shapes) * (size_t)(p->shape_count + 1));
            good = p->shapes && read_shape (s, geom, &p->shapes[p->shape_count++]);
        }
    }
    return good;
}

/* Returns 0 if the scene has joints or shapes that are none of engine.h, or is too large. */
static int read_problem (scene *s, double h, engine_problem *p)
{
    dVector3 gravity;
    p->h = h;
    p->scene = s;
    p->friction = FRICTION;
    p->body_count = scene_body_count (s), p->joint_count = scene_joint_count (s);
    p->bodies = calloc ((size_t)p->body_count, sizeof (*p->bodies));
    p->joints = calloc ((size_t)p->joint_count + 1, sizeof (*p->joints));
    p->order = calloc ((size_t)p->body_count, sizeof (*p->order));
    if (!p->bodies || !p->joints || !p->order) return 0;
    dWorldGetGravity (scene_world (s), gravity);
    memcpy (p->gravity, gravity, sizeof (p->gravity));
    for (int i = 0; i < p->body_count; ++i) read_body (scene_body_at (s, i)->body, &p->bodies[i]);
    int known = !scene_space (s) || read_shapes (s, scene_space (s), p);
    for (int k = 0; k < p->joint_count && known; ++k)
        known = read_joint (s, scene_joint_at (s, k)->joint, &p->joints[k]);
    p->is_tree = known && find_tree (p);
    return known;
}

/* ---- measuring ---- */

static void put_state (scene *s, const engine_setting *engine)
{
    for (int i = 0; i < scene_body_count (s); ++i)
    {
        double x[3], q[4], v[3], w[3];
        const dBodyID body = scene_body_at (s, i)->body;
        engine->state (i, x, q, v, w);
        const dQuaternion orientation = {q[0], q[1], q[2], q[3]};
        dBodySetPosition (body, x[0], x[1], x[2]);
        if (isfinite (q[0] + q[1] + q[2] + q[3])) dBodySetQuaternion (body, orientation);
        dBodySetLinearVel (body, v[0], v[1], v[2]);
        dBodySetAngularVel (body, w[0], w[1], w[2]);
    }
}

typedef struct
{
    double error, drift, final, gap, speed, until, seconds, depth;
    int has_error;
} measured;

static int measure (const scene *s, double start, measured *m)
{
    double kinetic, potential;
    dRLSViolation v;
    scene_energy (s, &kinetic, &potential);
    scene_violation (s, &v);
    m->final = kinetic + potential - start;
    m->drift = fmax (m->drift, fabs (m->final));
    m->gap = fmax (m->gap, fmax (v.position_m, v.angle_rad));
    m->speed = fmax (m->speed, fmax (v.velocity_m_s, v.velocity_rad_s));
    for (int i = 0; i < scene_probe_count (s); ++i)
    {
        double x[3], wanted[3], sum = 0;
        if (!scene_reference_is_sample (s, i, m->until) || !scene_reference (s, i, m->until, wanted))
            continue;
        scene_probe_position (s, i, x);
        for (int k = 0; k < 3; ++k) sum += (x[k] - wanted[k]) * (x[k] - wanted[k]);
        m->error = fmax (m->error, sqrt (sum));
        m->has_error = 1;
    }
    return isfinite (m->final) && m->drift < 1e9;
}

static void print_number (const char *name, double value)
{
    printf (isfinite (value) ? ", \"%s\": %.6g" : ", \"%s\": null", name, value);
}

/* Steps the engine up to so many times and measures what it does.  Returns how many were good. */
static long follow (scene *s, const engine_setting *engine, double h, long steps, measured *m)
{
    double kinetic, potential;
    scene_energy (s, &kinetic, &potential);
    long i = 0;
    for (int good = 1; i < steps && good;)
    {
        const double before = seconds_now ();
        good = engine->step ();
        m->seconds += seconds_now () - before;
        if (!good) break;
        m->until = (double)++i * h;
        if (engine->state) put_state (s, engine);
        good = measure (s, kinetic + potential, m);
    }
    return i;
}

/* How deep shapes are in each other at the end, beyond what the scene allows (m). */
static double depth_of (scene *s, double time)
{
    scene_before_step (s, time, 0);
    const double depth = scene_penetration (s) - (double)dWorldGetContactSurfaceLayer (scene_world (s));
    scene_after_step (s);
    return depth;
}

static void run (scene *s, const engine_setting *engine, double h, double duration)
{
    const long steps = lround (duration / h);
    engine_problem p = {0};
    measured m = {0};
    const int own = !engine->state; /* ODE's steppers take whatever the scene has */
    if (!read_problem (s, h, &p) && !own) return;
    if ((p.shape_count > 0 && !engine->collides) || !engine->open (&p)) return;
    const long i = follow (s, engine, h, steps, &m);
    if (engine->colliding) m.seconds -= engine->colliding ();
    engine->close ();
    if (p.shape_count > 0) m.depth = depth_of (s, m.until);
    printf ("{\"method\": \"%s\", \"dt\": %.9g, \"status\": \"%s\", \"until\": %.9g", engine->name, h,
            i < steps ? "error" : "ok", m.until);
    print_number ("error", m.has_error ? m.error : NAN);
    print_number ("drift", m.drift);
    print_number ("final", m.final);
    print_number ("gap", m.gap);
    print_number ("speed", m.speed);
    print_number ("depth", m.depth);
    print_number ("us", 1e6 * m.seconds / (double)(i > 0 ? i : 1));
    print_number ("cpu", m.seconds);
    printf ("}\n");
    fflush (stdout);
    free (p.bodies);
    free (p.joints);
    free (p.order);
    free (p.shapes);
}

/* ---- knobs ---- */

static void print_knobs (const engine_setting *engine)
{
    printf ("{\"method\": \"%s\", \"knobs\": {", engine->name);
    for (const engine_knob *k = engine->knobs; k->name; ++k)
        printf ("%s\"%s\": {\"default\": %.9g, \"least\": %.9g, \"most\": %.9g}",
                k == engine->knobs ? "" : ", ", k->name, k->value, k->least, k->most);
    printf ("}}\n");
}

/* "NAME=VALUE" for a setting.  Returns 0 if it has no such knob. */
static int turn_knob (const engine_setting *engine, const char *text)
{
    const char *sign = strchr (text, '=');
    for (engine_knob *k = engine->knobs; sign && k->name; ++k)
        if (strlen (k->name) == (size_t)(sign - text) && !strncmp (k->name, text, strlen (k->name)))
        {
            char *end;
            k->value = strtod (sign + 1, &end);
            return end > sign + 1 && !*end;
        }
    return 0;
}

int main (int argc, char **argv)
{
    char path[4096], error[512];
    if (argc == 2 && !strcmp (argv[1], "--knobs"))
    {
        for (const engine_setting *engine = engine_settings; engine->name; ++engine) print_knobs (engine);
        return 0;
    }
    if (argc < 4)
    {
        fprintf (stderr, "usage: %s SCENE STEP DURATION [SETTING [KNOB=VALUE ...]], or --knobs\n", argv[0]);
        return 2;
    }
    snprintf (path, sizeof (path), strchr (argv[1], ':') ? "%s" : SCENES "/%s.sdf", argv[1]);
    dInitODE2 (0);
    for (const engine_setting *engine = engine_settings; engine->name; ++engine)
    {
        if (argc > 4 && strcmp (argv[4], engine->name) != 0) continue;
        for (int i = 5; i < argc; ++i)
            if (!turn_knob (engine, argv[i]))
            {
                fprintf (stderr, "%s: \"%s\" is no knob and its value\n", engine->name, argv[i]);
                return 2;
            }
        scene *s = scene_read (path, NULL, NULL, error, sizeof (error));
        if (!s)
        {
            fprintf (stderr, "%s\n", error);
            return 2;
        }
        if (!scene_has_forces (s)) run (s, engine, atof (argv[2]), atof (argv[3]));
        scene_free (s);
    }
    dCloseODE ();
    return 0;
}
