/* Life cycle of a scene and what can be asked of it. */
#include "scene_data.h"

#include <stdlib.h>
#include <string.h>

scene *scene_new (void)
{
    dInitODE2 (0);
    dAllocateODEDataForThread (dAllocateMaskAll);
    scene *s = calloc (1, sizeof *s);
    if (!s)
    {
        dCloseODE ();
        return NULL;
    }
    s->world = dWorldCreate ();
    s->space = dSweepAndPruneSpaceCreate (NULL, dSAP_AXES_XZY); /* the hash space of ODE misses pairs */
    s->contacts = dJointGroupCreate (0);
    s->time_step = 0.001;
    s->duration = 10;
    dSpaceSetCleanup (s->space, 1);
    return s;
}

void scene_free (scene *s)
{
    if (!s) return;
    dJointGroupDestroy (s->contacts);
    dSpaceDestroy (s->space);
    dWorldDestroy (s->world);
    for (int i = 0; i < s->axis_count; i++)
        expression_free (s->axes[i].drive), expression_free (s->axes[i].velocity);
    for (int i = 0; i < s->collision_count; i++) free (s->collisions[i]);
    for (int i = 0; i < s->track_count; i++)
    {
        free (s->tracks[i].time);
        free (s->tracks[i].position);
    }
    free (s->links);
    free (s->bodies);
    free (s->joints);
    free (s->axes);
    free (s->collisions);
    free (s->visuals);
    free (s->probes);
    free (s->springs);
    free (s->couplings);
    free (s->wheels);
    free (s->tracks);
    free (s->joined);
    free (s->touching);
    free (s->watched);
    free (s);
    dCloseODE ();
}

dWorldID scene_world (const scene *s) { return s->world; }
dSpaceID scene_space (const scene *s) { return s->space; }
const char *scene_name (const scene *s) { return s->name; }
double scene_time_step (const scene *s) { return s->time_step; }
double scene_duration (const scene *s) { return s->duration; }

int scene_body_count (const scene *s) { return s->body_count; }
const scene_body *scene_body_at (const scene *s, int i) { return &s->bodies[i]; }
int scene_joint_count (const scene *s) { return s->joint_count; }
const scene_joint *scene_joint_at (const scene *s, int i) { return &s->joints[i]; }
int scene_probe_count (const scene *s) { return s->probe_count; }
const scene_probe *scene_probe_at (const scene *s, int i) { return &s->probes[i]; }
int scene_visual_count (const scene *s) { return s->visual_count; }
const scene_visual *scene_visual_at (const scene *s, int i) { return &s->visuals[i]; }
int scene_wheel_count (const scene *s) { return s->wheel_count; }
int scene_spring_count (const scene *s) { return s->spring_count; }
int scene_contact_count (const scene *s) { return s->contact_count; }
double scene_penetration (const scene *s) { return s->penetration; }

const char *scene_joint_name (const scene *s, dJointID joint)
{
    for (int i = 0; i < s->joint_count; i++)
        if (s->joints[i].joint == joint) return s->joints[i].name;
    return "?";
}

const char *scene_geom_name (const scene *s, dGeomID geom)
{
    const scene_collision *c = dGeomGetData (geom);
    return c ? s->links[c->link].name : "?";
}

/* ---- points -------------------------------------------------------------------------------------------- */

void scene_point_position (const scene_point *point, double position[3])
{
    dVector3 p;
    if (point->body)
        dBodyGetRelPointPos (point->body, point->local[0], point->local[1], point->local[2], p);
    else
        memcpy (p, point->local, sizeof p);
    for (int i = 0; i < 3; i++) position[i] = (double)p[i];
}

void scene_point_velocity (const scene_point *point, double velocity[3])
{
    dVector3 v = {0};
    if (point->body) dBodyGetRelPointVel (point->body, point->local[0], point->local[1], point->local[2], v);
    for (int i = 0; i < 3; i++) velocity[i] = (double)v[i];
}

void scene_probe_position (const scene *s, int i, double position[3])
{
    scene_point point = {.body = s->probes[i].body};
    memcpy (point.local, s->probes[i].local, sizeof point.local);
    scene_point_position (&point, position);
}

void scene_spring_ends (const scene *s, int i, double end1[3], double end2[3])
{
    scene_point_position (&s->springs[i].ends[0], end1);
    scene_point_position (&s->springs[i].ends[1], end2);
}
