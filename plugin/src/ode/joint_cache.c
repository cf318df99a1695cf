/*
 * Joints that have not changed since the last step, and whose rows need not be asked for in ODE.  The
 * contract is in gather.h.
 *
 * The memory that a joint has in ODE is compared with a copy of it from the step in which the joint was read
 * last. Where both are the same, the rows follow from the joint's frame (island/joint_frame.h) and the poses.
 */
#include "gather.h"
#include <float.h>

/* Values of rls_joint_cache.joint for joints of which nothing is known. */
#define NOT_NOTED (-1)
#define FORGOTTEN (-2) /* there is room for a copy of its memory, from a step before */

int rls_joint_cache_begin (rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    rls_read_joints *read = &workspace->read;
    const int count = workspace->objects.mechanism_joints;
    const int usable = workspace->kept.same_mechanism && workspace->island.valid.decisions &&
                       read->cfm == set->world_cfm && read->correction == set->correction &&
                       read->spring_changes == set->spring_changes &&
                       workspace->wishes->compliances.count == 0;
    read->cfm = set->world_cfm, read->correction = set->correction;
    read->spring_changes = set->spring_changes;
    if (!RLS_GROW (&read->block, read->joint, count)) return 0;
    for (int j = 0; j < count && !usable; ++j) read->joint[j] = (rls_joint_cache){.joint = NOT_NOTED};
    if (!usable) read->own_used = 0;
    return 1;
}

int rls_joint_cache_rows (const rls_workspace *workspace, int j)
{
    if (j >= workspace->objects.mechanism_joints) return 0; /* a contact */
    rls_joint_cache *known = &workspace->read.joint[j];
    const dJointID joint = workspace->objects.joint[j];
    known->unchanged = 0;
    if (known->joint < 0 || dJointGetType (joint) != known->type) return 0;
    if (!known->free && !rls_springs_in_halves (workspace) &&
        rls_count_rows (workspace, joint) != known->rows)
        return 0; /* a stop has been reached (where stops are bounded rows they are not counted here) */
    if (!rls_ode_own_same (joint, known->type, workspace->read.own + known->own) ||
        rls_drive_of (workspace, joint))
        return 0;
    known->unchanged = 1;
    return known->rows;
}

int rls_joint_cache_as (const rls_workspace *workspace, int j, int i)
{
    return j < workspace->objects.mechanism_joints && workspace->read.joint[j].unchanged &&
           workspace->read.joint[j].joint == i;
}

void rls_joint_cache_forget (rls_workspace *workspace, int j)
{
    if (j >= workspace->objects.mechanism_joints || workspace->read.joint[j].joint < 0) return;
    workspace->read.joint[j].joint = FORGOTTEN;

    /* counted, so that ODE tests the joint's stops again before its rows are read */
    rls_count_rows (workspace, workspace->objects.joint[j]);
}

void rls_joint_cache_note (rls_workspace *workspace, int j, int i)
{
    const dJointID joint = workspace->objects.joint[j];
    const dJointType type = dJointGetType (joint);
    const int size = (int)rls_ode_own_size (joint, type);
    if (size == 0 || j >= workspace->objects.mechanism_joints) return;
    rls_read_joints *read = &workspace->read;
    rls_joint_cache *known = &read->joint[j];
    if (known->joint != NOT_NOTED && known->type != type)
        return; /* the copy of another type has this place */
    if (known->joint == NOT_NOTED)
    {
        if (!RLS_GROW (&read->own_block, read->own, read->own_used + size)) return;
        known->own = read->own_used;
        read->own_used += size;
    }
    known->type = type;
    known->joint = i;
    known->rows = workspace->objects.joint_rows[j];
    known->stops = rls_most_axis_rows (workspace, joint);
    rls_ode_own_copy (joint, type, read->own + known->own);

    /* free: no axis has a stop or a motor that could give the joint more rows */
    const rls_ode_parameters *p = rls_ode_parameters_of (type);
    known->free = 1;
    for (int axis = 0; axis < p->axes; ++axis)
    {
        const double reach = p->ways >> axis & 1 ? DBL_MAX : RLS_PI;
        known->free &= rls_ode_get (p, joint, axis, dParamFMax) <= 0 &&
                       rls_ode_get (p, joint, axis, dParamLoStop) < -reach &&
                       rls_ode_get (p, joint, axis, dParamHiStop) > reach;
    }
}

/* ---- contacts of islands that stand ---- */

static rls_contact_terms terms_of (const rls_workspace *workspace)
{
    const dWorldID world = workspace->stepper->world;
    const rls_settings *set = workspace->settings;
    rls_contact_terms terms;
    memset (&terms, 0, sizeof (terms));
    terms.h = workspace->h, terms.erp = set->world_erp, terms.cfm = set->world_cfm;
    terms.most_velocity = (double)dWorldGetContactMaxCorrectingVel (world);
    terms.layer = (double)dWorldGetContactSurfaceLayer (world);
    terms.correction = set->correction, terms.in_halves = rls_springs_in_halves (workspace);
    return terms;
}

/* True if the island has contacts alone, and nothing but what these are and where their bodies are tells
 * their rows. */
static int has_contacts_alone (const rls_workspace *workspace)
{
    const rls_wishes *wishes = workspace->wishes;
    return !workspace->analyse && workspace->objects.mechanism_joints == 0 && workspace->objects.joints > 0 &&
           workspace->settings->friction != dRLSFrictionCone && wishes->compliances.count == 0 &&
           wishes->programs.count == 0;
}

/* True if contact j is the same as then, in the parts that are set: collision detection leaves the fourth
 * number of vectors undefined, and mostly a direction of friction. */
static int same_contact (const rls_workspace *workspace, int j)
{
    const dContact *now = rls_ode_contact_of (workspace->objects.joint[j]),
                   *then = &workspace->read.contact[j].contact;
    const size_t vector = 3 * sizeof (dReal),
                 numbers = sizeof (now->surface) - offsetof (dSurfaceParameters, mu);
    const int *body = workspace->objects.joint_body[j], *body_then = workspace->read.contact[j].body;
    return now->surface.mode == then->surface.mode &&
           memcmp (&now->surface.mu, &then->surface.mu, numbers) == 0 &&
           memcmp (now->geom.pos, then->geom.pos, vector) == 0 &&
           memcmp (now->geom.normal, then->geom.normal, vector) == 0 && now->geom.depth == then->geom.depth &&
           now->geom.g1 == then->geom.g1 && now->geom.g2 == then->geom.g2 &&
           (!(now->surface.mode & dContactFDir1) || memcmp (now->fdir1, then->fdir1, vector) == 0) &&
           body[0] == body_then[0] && body[1] == body_then[1] &&
           workspace->objects.joint_rows[j] == workspace->read.contact[j].rows;
}

int rls_contacts_stand (rls_workspace *workspace, int stood)
{
    rls_island *s = &workspace->island;
    const rls_read_joints *read = &workspace->read;
    const rls_contact_terms terms = terms_of (workspace);
    int finite = 1;
    if (!stood || !workspace->kept.same_mechanism || read->contacts != workspace->objects.joints ||
        memcmp (&terms, &read->terms, sizeof (terms)) != 0 || !has_contacts_alone (workspace) ||
        memcmp (s->state.pose, s->next.pose, sizeof (*s->state.pose) * (size_t)s->model.bodies) != 0)
        return 0;
    for (int b = 0; b < s->model.bodies; ++b) finite &= rls_read_force (workspace, b);
    if (!finite || !rls_standing_holds (&workspace->methods.symplectic.standing, s)) return 0;
    for (int j = 0; j < read->contacts; ++j)
        if (!same_contact (workspace, j)) return 0;
    memset (workspace->objects.springs, 0, (size_t)read->contacts);
    s->begin.bounded.joints = read->bounded_joints, s->begin.bounded.rows = read->bounded_rows;
    return 1;
}

void rls_contacts_note (rls_workspace *workspace, int stood)
{
    rls_read_joints *read = &workspace->read;
    const int count = workspace->objects.joints;
    read->contacts = 0;
    if (workspace->objects.mechanism_joints > 0) return;

    /* room from the beginning, so that an island that comes to rest allocates nothing then */
    if (!RLS_GROW (&read->contact_block, read->contact, count) || !stood || !has_contacts_alone (workspace))
        return;
    for (int j = 0; j < count; ++j)
    {
        const dContact *contact = rls_ode_contact_of (workspace->objects.joint[j]);
        if (!contact) return; /* this ODE's memory is not known */
        memcpy (&read->contact[j].contact, contact, sizeof (dContact));
        memcpy (read->contact[j].body, workspace->objects.joint_body[j], sizeof (read->contact[j].body));
        read->contact[j].rows = workspace->objects.joint_rows[j];
    }
    read->contacts = count;
    read->bounded_joints = workspace->island.begin.bounded.joints;
    read->bounded_rows = workspace->island.begin.bounded.rows;
    read->terms = terms_of (workspace);
}
