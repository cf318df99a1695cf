/*
 * What the user changes in a mechanism while it runs: cuts or doubles joints, sets motors, throws balls.
 */
#include "sim_parts.h"

#include <math.h>
#include <stdlib.h>

/* Creates a joint of the same type between the same bodies with the same anchors and axes as they are now.
   Returns NULL for types that cannot be doubled. */
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

/* The handle of a joint, NULL if there is none or the side has failed. */
static dJointID joint_at (const sim *s, int joint)
{
    return s->failed || joint < 0 || joint >= s->model->joints ? NULL
                                                               : scene_joint_at (s->scene, joint)->joint;
}

/* Enables the bodies of a joint. */
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

/* ---- motors -------------------------------------------------------------------------------------------- */

#define PLACE_RATE 10.0 /* 1/s: a motor that goes to a position covers a tenth of the way to it in 0.01 s */

static void set_motor (dJointID id, double rate, double limit)
{
    if (dJointGetType (id) == dJointTypeSlider)
    {
        dJointSetSliderParam (id, dParamVel, rate);
        dJointSetSliderParam (id, dParamFMax, limit);
    }
    else
    {
        dJointSetHingeParam (id, dParamVel, rate);
        dJointSetHingeParam (id, dParamFMax, limit);
    }
}

static double motor_param (dJointID id, int parameter)
{
    return dJointGetType (id) == dJointTypeSlider ? dJointGetSliderParam (id, parameter)
                                                  : dJointGetHingeParam (id, parameter);
}

void sim_set_motor (sim *s, int joint, const sim_motor *motor)
{
    dJointID id = joint_at (s, joint);
    const int type = id ? (int)dJointGetType (id) : -1;
    if ((type != dJointTypeHinge && type != dJointTypeSlider) || s->cut[joint]) return;
    user_motor *m = &s->motor[joint];
    const int was = m->now.mode != MOTOR_OWN, is = motor->mode != MOTOR_OWN,
              other = m->now.mode != motor->mode;
    if (!was)
    {
        m->own_rate = motor_param (id, dParamVel);
        m->own_limit = motor_param (id, dParamFMax);
    }
    m->now = *motor;
    s->motors += is - was;
    if (!is) set_motor (id, m->own_rate, m->own_limit);
    wake (id);
    if (other) sim_begin_anew (s, MARK_MOTOR);
}

void sim_run_motors (sim *s)
{
    for (int j = 0; s->motors && j < s->model->joints; j++)
    {
        const sim_motor *m = &s->motor[j].now;
        if (m->mode == MOTOR_OWN || s->cut[j]) continue;
        dJointID id = scene_joint_at (s->scene, j)->joint;
        double rate = m->target;
        if (m->mode == MOTOR_PLACE)
        {
            /* A hinge turns the shorter way around.  The rate is such that one step does not go beyond the
             * target. */
            const double left = dJointGetType (id) == dJointTypeSlider
                                    ? m->target - dJointGetSliderPosition (id)
                                    : remainder (m->target - dJointGetHingeAngle (id), 2 * M_PI);
            rate = left * fmin (PLACE_RATE, 1 / s->common.step);
        }
        wake (id);
        set_motor (id, rate, m->limit);
    }
}

/* ---- balls --------------------------------------------------------------------------------------------- */

static void set_awake (dBodyID body, int awake)
{
    if (awake)
        dBodyEnable (body);
    else
        dBodyDisable (body);
    for (dGeomID g = dBodyGetFirstGeom (body); g; g = dBodyGetNextGeom (g))
        if (awake)
            dGeomEnable (g);
        else
            dGeomDisable (g);
}

void sim_throw (sim *s, const sim_ball *ball)
{
    if (s->failed) return;
    const int slot = s->next_ball;
    if (slot >= s->balls_made)
    {
        s->ball[slot] = scene_add_ball (s->scene, ball->radius, ball->mass);
        if (s->ball[slot] < 0) return;
        s->balls_made = slot + 1;
    }
    dBodyID body = scene_body_at (s->scene, s->ball[slot])->body;
    dBodySetPosition (body, ball->position[0], ball->position[1], ball->position[2]);
    dBodySetLinearVel (body, ball->velocity[0], ball->velocity[1], ball->velocity[2]);
    dBodySetAngularVel (body, 0, 0, 0);
    set_awake (body, 1);
    if (s->balls < slot + 1) s->balls = slot + 1;
    s->next_ball = (slot + 1) % SIM_BALLS;
    sim_begin_anew (s, MARK_BALL);
}

void sim_drop_balls (sim *s)
{
    for (int i = 0; i < s->balls; i++) set_awake (scene_body_at (s->scene, s->ball[i])->body, 0);
    s->balls = s->next_ball = 0;
}
