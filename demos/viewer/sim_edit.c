/*
 * Joints that the user takes out or says once more, while the mechanism runs.
 */
#include "sim_parts.h"

#include <stdlib.h>

/* A joint of the same type between the same bodies with the same anchors and axes, as they are now; NULL for
 * types that are not doubled. */
static dJointID twin_of (dWorldID world, dJointID id)
{
    static dJointID (*const create[]) (dWorldID, dJointGroupID) = {
        [dJointTypeBall] = dJointCreateBall,     [dJointTypeHinge] = dJointCreateHinge,
        [dJointTypeSlider] = dJointCreateSlider, [dJointTypeUniversal] = dJointCreateUniversal,
        [dJointTypeFixed] = dJointCreateFixed,
    };
    const dJointType type = dJointGetType (id);
    if ((size_t)type >= sizeof create / sizeof *create || !create[type]) return NULL;
    dJointID twin = create[type](world, NULL);
    dVector3 p, u, v;
    dJointAttach (twin, dJointGetBody (id, 0), dJointGetBody (id, 1));
    switch (type)
    {
    case dJointTypeBall:
        dJointGetBallAnchor (id, p);
        dJointSetBallAnchor (twin, p[0], p[1], p[2]);
        break;
    case dJointTypeHinge:
        dJointGetHingeAnchor (id, p);
        dJointGetHingeAxis (id, u);
        dJointSetHingeAnchor (twin, p[0], p[1], p[2]);
        dJointSetHingeAxis (twin, u[0], u[1], u[2]);
        break;
    case dJointTypeSlider:
        dJointGetSliderAxis (id, u);
        dJointSetSliderAxis (twin, u[0], u[1], u[2]);
        break;
    case dJointTypeUniversal:
        dJointGetUniversalAnchor (id, p);
        dJointGetUniversalAxis1 (id, u);
        dJointGetUniversalAxis2 (id, v);
        dJointSetUniversalAnchor (twin, p[0], p[1], p[2]);
        dJointSetUniversalAxis1 (twin, u[0], u[1], u[2]);
        dJointSetUniversalAxis2 (twin, v[0], v[1], v[2]);
        break;
    default:
        dJointSetFixed (twin);
    }
    return twin;
}

static dJointID joint_at (const sim *s, int joint)
{
    return s->failed || joint < 0 || joint >= s->model->joints ? NULL
                                                               : scene_joint_at (s->scene, joint)->joint;
}

static void wake (dJointID id)
{
    for (int k = 0; k < 2; k++)
        if (dJointGetBody (id, k)) dBodyEnable (dJointGetBody (id, k));
}

void sim_cut_joint (sim *s, int joint)
{
    dJointID id = joint_at (s, joint);
    if (!id) return;
    s->cut[joint] = !s->cut[joint];
    if (s->cut[joint])
        dJointDisable (id);
    else
        dJointEnable (id);
    wake (id);
    s->feedback[joint] = (dJointFeedback){{0}, {0}, {0}, {0}};
    sim_begin_anew (s, MARK_JOINT);
}

int sim_double_joint (sim *s, int joint)
{
    dJointID id = joint_at (s, joint);
    joint_key *larger = id ? realloc (s->key, sizeof *larger * (size_t)(s->keys + 1)) : NULL;
    if (!larger) return 0;
    s->key = larger;
    dJointID twin = twin_of (scene_world (s->scene), id);
    if (!twin) return 0;
    s->key[s->keys++] = (joint_key){twin, joint};
    sim_sort_keys (s);
    wake (id);
    sim_begin_anew (s, MARK_JOINT);
    return 1;
}
