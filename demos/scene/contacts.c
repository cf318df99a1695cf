/* Collision detection before a step: contact joints with the surfaces of both sides. */
#include "scene_data.h"

#include <math.h>
#include <stdlib.h>

#define MAX_CONTACTS 8 /* of one pair of geoms */

static int compare_pairs (const void *a, const void *b)
{
    unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;
    return (x > y) - (x < y);
}

void scene_finish (scene *s)
{
    if (s->joined_count) qsort (s->joined, (size_t)s->joined_count, sizeof *s->joined, compare_pairs);
    scene_set_time_step (s, s->time_step);
}

/* The smaller one in the upper half. */
static unsigned long long pair_of (int a, int b)
{
    unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);
    return (unsigned long long)low << 32 | high;
}

/* Links that share a joint overlap there by construction. */
static int are_joined (const scene *s, int link1, int link2)
{
    unsigned long long key = pair_of (link1, link2);
    return s->joined_count &&
           bsearch (&key, s->joined, (size_t)s->joined_count, sizeof key, compare_pairs) != NULL;
}

static int may_collide (const scene *s, const scene_collision *a, const scene_collision *b)
{
    const scene_link *l = &s->links[a->link], *m = &s->links[b->link];
    int moves = (l->body && !dBodyIsKinematic (l->body)) || (m->body && !dBodyIsKinematic (m->body));
    if (!moves || l == m) return 0;
    if (l->model == m->model && !l->self_collide && !m->self_collide) return 0;
    return !are_joined (s, a->link, b->link);
}

/* ---- surfaces ------------------------------------------------------------------------------------------ */

/* Infinite friction is a value of its own for ODE. */
static dReal friction (double mu) { return isinf (mu) ? dInfinity : (dReal)mu; }

/*
 * kp and kd as Gazebo Classic means them: the springs of both sides one behind the other, their dampers
 * added, as ERP = hk / (hk + d) and CFM = 1 / (hk + d).
 */
static void set_spring (const scene_collision *a, const scene_collision *b, double step,
                        dSurfaceParameters *surface)
{
    const double both = a->stiffness + b->stiffness;
    const double hk = both > 0 ? step * a->stiffness * (b->stiffness / both) : 0;
    const double sum = hk + a->damping + b->damping;
    if (!(sum > 0)) return;
    surface->mode |= dContactSoftERP | dContactSoftCFM;
    surface->soft_erp = (dReal)(hk / sum);
    surface->soft_cfm = (dReal)(1 / sum);
}

/* The slippier side, the springier side and the softer side decide; slip and compliance add up. */
static void mix_surfaces (const scene_collision *a, const scene_collision *b, double step,
                          dSurfaceParameters *surface)
{
    *surface = (dSurfaceParameters){.mode = dContactApprox1 | dContactMu2};
    surface->mu = friction (fmin (a->mu, b->mu));
    surface->mu2 = friction (fmin (a->mu2, b->mu2));
    if (a->slip1 + b->slip1 > 0)
    {
        surface->mode |= dContactSlip1;
        surface->slip1 = (dReal)(a->slip1 + b->slip1);
    }
    if (a->slip2 + b->slip2 > 0)
    {
        surface->mode |= dContactSlip2;
        surface->slip2 = (dReal)(a->slip2 + b->slip2);
    }
    if (a->bounce > 0 || b->bounce > 0)
    {
        surface->mode |= dContactBounce;
        surface->bounce = (dReal)fmax (a->bounce, b->bounce);
        surface->bounce_vel = (dReal)fmin (a->bounce_velocity, b->bounce_velocity);
    }
    if (a->has_spring || b->has_spring) set_spring (a, b, step, surface);
    if (a->has_soft_cfm || b->has_soft_cfm)
    {
        surface->mode |= dContactSoftCFM;
        surface->soft_cfm = (dReal)(a->soft_cfm + b->soft_cfm);
    }
    if (a->has_soft_erp || b->has_soft_erp)
    {
        double erp_a = a->has_soft_erp ? a->soft_erp : 1, erp_b = b->has_soft_erp ? b->soft_erp : 1;
        surface->mode |= dContactSoftERP;
        surface->soft_erp = (dReal)fmin (erp_a, erp_b);
    }
}

/* fdir1 of a collision in the world; 0 if it has none. */
static int world_direction (const scene *s, const scene_collision *c, double d[3])
{
    const scene_link *l = &s->links[c->link];
    const double *v = c->direction;
    dVector3 turned;
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) return 0;
    if (!l->body)
        pose_rotate (&l->start, v, d);
    else
    {
        dBodyVectorToWorld (l->body, (dReal)v[0], (dReal)v[1], (dReal)v[2], turned);
        for (int i = 0; i < 3; i++) d[i] = (double)turned[i];
    }
    return 1;
}

/* The first friction direction is that of either side, of two that of the one with the smaller mu, laid into
 * the contact plane; ODE's choice if it is perpendicular to that. */
static void direct_friction (const scene *s, const scene_collision *a, const scene_collision *b,
                             dContact *contact)
{
    double d[3], along = 0, length = 0;
    const scene_collision *const rough = a->mu <= b->mu ? b : a, *const smooth = rough == a ? b : a;
    if (!world_direction (s, smooth, d) && !world_direction (s, rough, d)) return;
    for (int i = 0; i < 3; i++) along += d[i] * (double)contact->geom.normal[i];
    for (int i = 0; i < 3; i++)
    {
        d[i] -= along * (double)contact->geom.normal[i];
        length += d[i] * d[i];
    }
    length = sqrt (length);
    if (!(length > 1e-6)) return;
    for (int i = 0; i < 3; i++) contact->fdir1[i] = (dReal)(d[i] / length);
    contact->surface.mode |= dContactFDir1;
}

/* ---- pairs --------------------------------------------------------------------------------------------- */

static void watch (scene *s, dJointID joint, const dContactGeom *geom)
{
    if (!s->watching) return;
    scene_watched *list = scene_grow (s->watched, s->watched_count, &s->watched_room, sizeof *list);
    if (!list) return; /* a contact that is not drawn */
    s->watched = list;
    s->watched[s->watched_count++] = (scene_watched){.joint = joint, .geom = *geom};
}

/*
 * max_vel and min_depth as Gazebo Classic means them: of the bodies in contact the smaller one counts. Depths
 * up to min_depth are left alone, and what is deeper is taken back at max_vel at most, by a smaller ERP.
 */
static void limit_recovery (const scene *s, const scene_collision *a, const scene_collision *b,
                            dContact *contact)
{
    double least = INFINITY, fastest = INFINITY;
    for (int side = 0; side < 2; side++)
    {
        const scene_collision *c = side ? b : a;
        if (!dGeomGetBody (c->geom)) continue;
        least = fmin (least, c->min_depth);
        fastest = fmin (fastest, c->max_velocity);
    }
    if (isfinite (least) && least > 0)
        contact->geom.depth = (dReal)fmax (0, (double)contact->geom.depth - least);
    const double depth = (double)contact->geom.depth;
    dSurfaceParameters *surface = &contact->surface;
    const double erp =
        surface->mode & dContactSoftERP ? (double)surface->soft_erp : (double)dWorldGetERP (s->world);
    if (!(erp * depth > fastest * s->time_step)) return;
    surface->mode |= dContactSoftERP;
    surface->soft_erp = (dReal)(fastest * s->time_step / depth);
}

static void collide_pair (scene *s, const scene_collision *a, const scene_collision *b)
{
    dGeomID g1 = a->geom, g2 = b->geom;
    dContact contacts[MAX_CONTACTS];
    int count = dCollide (g1, g2, MAX_CONTACTS, &contacts[0].geom, sizeof *contacts);
    dSurfaceParameters surface;
    if (count) mix_surfaces (a, b, s->time_step, &surface);
    for (int i = 0; i < count; i++)
    {
        contacts[i].surface = surface;
        s->penetration = fmax (s->penetration, (double)contacts[i].geom.depth);
        limit_recovery (s, a, b, &contacts[i]);
        direct_friction (s, a, b, &contacts[i]);
        dJointID joint = dJointCreateContact (s->world, s->contacts, &contacts[i]);
        dJointAttach (joint, dGeomGetBody (g1), dGeomGetBody (g2));
        watch (s, joint, &contacts[i].geom);
    }
    s->contact_count += count;
}

static void note_pair (void *context, dGeomID g1, dGeomID g2)
{
    scene *s = context;
    const scene_collision *a = dGeomGetData (g1), *b = dGeomGetData (g2);
    if (!a || !b || !may_collide (s, a, b)) return;
    unsigned long long *pairs = scene_grow (s->touching, s->touching_count, &s->touching_room, sizeof *pairs);
    if (!pairs)
    {
        collide_pair (s, a, b);
        return;
    }
    s->touching = pairs;
    s->touching[s->touching_count++] = pair_of (a->index, b->index);
}

/* ODE's collision spaces end the program where coordinates are too large for their cells. */
int scene_is_near (const scene *s)
{
    double farthest = 0;
    for (int i = 0; i < s->body_count; i++)
        for (int k = 0; k < 3; k++)
        {
            const double x = fabs ((double)dBodyGetPosition (s->bodies[i].body)[k]);
            if (!(x <= farthest)) farthest = x;
            if (isnan (x)) return 0;
        }
    return farthest <= SCENE_FAR;
}

/* ODE lists the geoms that moved last first.  Contacts are made in an order of their own, so that a motion
 * depends on where bodies are and not on what was moved when. */
void scene_collide (scene *s)
{
    s->contact_count = s->touching_count = s->watched_count = 0;
    s->penetration = 0;
    if (s->collision_count < 2 || !scene_is_near (s)) return;
    dAllocateODEDataForThread (dAllocateFlagCollisionData);
    dSpaceCollide (s->space, s, note_pair);
    if (s->touching_count) qsort (s->touching, (size_t)s->touching_count, sizeof *s->touching, compare_pairs);
    for (int i = 0; i < s->touching_count; i++)
        collide_pair (s, s->collisions[s->touching[i] >> 32], s->collisions[s->touching[i] & 0xffffffffu]);
    /* Only now does the list stay where it is. */
    for (int i = 0; i < s->watched_count; i++)
        dJointSetFeedback (s->watched[i].joint, &s->watched[i].feedback);
}

void scene_watch_contacts (scene *s) { s->watching = 1; }

int scene_watched_count (const scene *s) { return s->watched_count; }

void scene_contact_at (const scene *s, int i, scene_contact *out)
{
    const scene_watched *w = &s->watched[i];
    /* ODE swaps the bodies where the first would be the world. */
    const dBodyID first = dGeomGetBody (w->geom.g1), second = dGeomGetBody (w->geom.g2);
    const int swapped = !first;
    out->body[0] = swapped ? second : first;
    out->body[1] = swapped ? NULL : second;
    out->depth = (double)w->geom.depth;
    for (int k = 0; k < 3; k++)
    {
        out->position[k] = (double)w->geom.pos[k];
        out->normal[k] = (double)(swapped ? -w->geom.normal[k] : w->geom.normal[k]);
        out->force[k] = (double)w->feedback.f1[k];
    }
}
