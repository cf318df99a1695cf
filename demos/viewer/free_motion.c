/*
 * Free motions by projection of random velocities.  See free_motion.h.
 */
#define _GNU_SOURCE
#include "free_motion.h"

#include "vec.h"

#include <stdlib.h>
#include <string.h>

struct free_motion
{
    scene *scene;
    dRLSStepperID stepper;
    const model *model;
    double *motion; /* FREE_MOTIONS x 6 x bodies */
    int found;
};

free_motion *free_motion_create (const char *path, const model *m)
{
    char error[256];
    free_motion *f = calloc (1, sizeof *f);
    if (!f) return NULL;
    f->model = m;
    f->motion = calloc ((size_t)(6 * FREE_MOTIONS) * (size_t)m->bodies + 1, sizeof *f->motion);
    f->scene = scene_read (path, NULL, NULL, error, sizeof error);
    if (f->scene) f->stepper = dRLSStepperCreate (scene_world (f->scene), NULL);
    if (!f->motion || !f->stepper || scene_body_count (f->scene) != m->bodies)
    {
        free_motion_free (f);
        return NULL;
    }
    dWorldSetGravity (scene_world (f->scene), 0, 0, 0);
    dRLSStepperSetIntegrator (f->stepper, dRLSIntegratorEuler);
    return f;
}

void free_motion_free (free_motion *f)
{
    if (!f) return;
    dRLSStepperDestroy (f->stepper);
    scene_free (f->scene);
    free (f->motion);
    free (f);
}

/* Puts the copy of the scene into the pose of a snapshot. */
static void take_pose (free_motion *f, const snapshot *shot)
{
    for (int i = 0; i < f->model->bodies; i++)
    {
        dBodyID b = scene_body_at (f->scene, i)->body;
        const body_state *s = &shot->body[i];
        const dQuaternion q = {s->quaternion[0], s->quaternion[1], s->quaternion[2], s->quaternion[3]};
        dBodySetPosition (b, s->position[0], s->position[1], s->position[2]);
        dBodySetQuaternion (b, q);
        dBodyEnable (b);
    }
}

/* The scalar product of two motions by the masses: twice the kinetic energy if both are the same. */
static double product (const free_motion *f, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < f->model->bodies; i++, a += 6, b += 6)
    {
        dBodyID body = scene_body_at (f->scene, i)->body;
        dMass mass;
        dBodyGetMass (body, &mass);
        dVector3 wa, wb;
        dBodyVectorFromWorld (body, a[3], a[4], a[5], wa);
        dBodyVectorFromWorld (body, b[3], b[4], b[5], wb);
        sum += mass.mass * vec_dot (a, b);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) sum += wa[r] * mass.I[4 * r + c] * wb[c];
    }
    return sum;
}

/* Finds the motion allowed by the joints that is nearest to a random one.  Returns 0 if the step fails. */
static int project_random (free_motion *f, double *motion, unsigned *seed)
{
    for (int i = 0; i < f->model->bodies; i++)
    {
        double v[6];
        for (int k = 0; k < 6; k++)
        {
            *seed = *seed * 1664525u + 1013904223u;
            v[k] = (double)(*seed >> 8) / (1 << 23) - 1;
            if (k > 2) v[k] /= fmax (f->model->body[i].reach, 1e-9);
        }
        dBodyID b = scene_body_at (f->scene, i)->body;
        if (f->model->body[i].fixed) memset (v, 0, sizeof v);
        dBodySetLinearVel (b, v[0], v[1], v[2]);
        dBodySetAngularVel (b, v[3], v[4], v[5]);
    }
    /* The step is so short that the poses do not change. */
    if (!dRLSStepperStep (f->stepper, 1e-7)) return 0;
    for (int i = 0; i < f->model->bodies; i++, motion += 6)
    {
        dBodyID b = scene_body_at (f->scene, i)->body;
        const dReal *v = dBodyGetLinearVel (b), *w = dBodyGetAngularVel (b);
        for (int k = 0; k < 3; k++)
        {
            motion[k] = v[k];
            motion[3 + k] = w[k];
        }
    }
    return 1;
}

/* Scales a motion so that its arrows have a good length in the picture. */
static void scale_to_draw (const free_motion *f, double *motion)
{
    double fastest = 0;
    for (int i = 0; i < f->model->bodies; i++) fastest = fmax (fastest, vec_length (motion + 6 * i));
    if (fastest <= 0) return;
    for (int k = 0; k < 6 * f->model->bodies; k++) motion[k] *= 0.22 * f->model->size / fastest;
}

int free_motion_update (free_motion *f, const snapshot *shot, int dof)
{
    unsigned seed = 12345; /* the same in every frame, so that the arrows change only with the pose */
    int wanted = dof < FREE_MOTIONS ? dof : FREE_MOTIONS, size = 6 * f->model->bodies;
    f->found = 0;
    for (int attempt = 0; attempt < wanted; attempt++)
    {
        double *motion = f->motion + (size_t)f->found * (size_t)size;
        take_pose (f, shot);
        if (!project_random (f, motion, &seed)) continue;

        /* The part along the motions found so far is removed.  What is left counts if it is more than
         * rounding. */
        double before = product (f, motion, motion);
        for (int i = 0; i < f->found; i++)
        {
            const double *other = f->motion + (size_t)i * (size_t)size;
            double share = product (f, motion, other) / product (f, other, other);
            for (int k = 0; k < size; k++) motion[k] -= share * other[k];
        }
        if (product (f, motion, motion) > 1e-6 * before && before > 0) f->found++;
    }
    for (int i = 0; i < f->found; i++) scale_to_draw (f, f->motion + (size_t)i * (size_t)size);
    return f->found;
}

const double *free_motion_get (const free_motion *f, int i)
{
    return i < f->found ? f->motion + (size_t)i * 6 * (size_t)f->model->bodies : NULL;
}
