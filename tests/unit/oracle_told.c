/* What ODE's bodies alone tell of worlds that change; contract in oracle_changing.h. */
#include "oracle_changing.h"
#include <math.h>

/* ---- what a joint holds ---- */

static double dot (const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double length (const double a[3]) { return sqrt (dot (a, a)); }

void changing_unit (double a[3])
{
    const double size = length (a);
    for (int k = 0; k < 3; ++k) a[k] /= size;
}

static void cross (const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* A point or direction of the world as the body (NULL: the world) sees it, and back. */
static void to_body (dBodyID b, const double x[3], int point, double out[3])
{
    for (int k = 0; k < 3; ++k)
    {
        out[k] = b ? 0 : x[k];
        for (int i = 0; i < 3 && b; ++i)
            out[k] += (double)dBodyGetRotation (b)[4 * i + k] *
                      (x[i] - (point ? (double)dBodyGetPosition (b)[i] : 0));
    }
}

static void to_world (dBodyID b, const double x[3], int point, double out[3])
{
    for (int k = 0; k < 3; ++k)
    {
        out[k] = !b ? x[k] : point ? (double)dBodyGetPosition (b)[k] : 0;
        for (int i = 0; i < 3 && b; ++i) out[k] += (double)dBodyGetRotation (b)[4 * k + i] * x[i];
    }
}

void changing_hold (changing_tie *t, const double at[3], const double axis[3], const double other[3])
{
    for (int i = 0; i < 2; ++i)
    {
        to_body (t->body[i], at, 1, t->at[i]);
        to_body (t->body[i], i ? other : axis, 0, t->axis[i]);
    }
    for (int k = 0; k < 3; ++k)
    {
        double x[3];
        to_world (t->body[0], (double[3]){k == 0, k == 1, k == 2}, 0, x);
        to_body (t->body[1], x, 0, t->turn + 3 * k);
    }
}

void changing_held (const changing_tie *t, double at[3], double axis[3])
{
    to_world (t->body[0], t->at[0], 1, at), to_world (t->body[0], t->axis[0], 0, axis);
}

/* How far the second body is turned from where the first holds it (rad, if little). */
static double turned (const changing_tie *t)
{
    double most = 0;
    for (int k = 0; k < 3; ++k)
    {
        double x[3], y[3], off[3];
        to_world (t->body[0], (double[3]){k == 0, k == 1, k == 2}, 0, x);
        to_world (t->body[1], t->turn + 3 * k, 0, y);
        cross (x, y, off);
        most = fmax (most, length (off));
    }
    return most;
}

static double opening (const changing_tie *t)
{
    double at[2][3], axis[2][3], gap[3], side[3];
    for (int i = 0; i < 2; ++i)
        to_world (t->body[i], t->at[i], 1, at[i]), to_world (t->body[i], t->axis[i], 0, axis[i]);
    for (int k = 0; k < 3; ++k) gap[k] = at[1][k] - at[0][k];
    switch (dJointGetType (t->id))
    {
    case dJointTypeHinge:
        cross (axis[0], axis[1], side);
        return fmax (length (gap), length (side));
    case dJointTypeUniversal:
        return fmax (length (gap), fabs (dot (axis[0], axis[1])));
    case dJointTypeSlider:
        cross (axis[0], gap, side);
        return fmax (length (side), turned (t));
    case dJointTypeFixed:
        return fmax (length (gap), turned (t));
    default:
        return length (gap);
    }
}

int changing_moves (dBodyID b) { return b && !dBodyIsKinematic (b) && dBodyIsEnabled (b); }

double changing_open_by (const changing_world *w)
{
    double worst = 0;
    for (const changing_tie *t = w->tie; t < w->tie + w->ties; ++t)
        if (t->soft == 0 && dJointGetNumBodies (t->id) > 0 &&
            (changing_moves (t->body[0]) || changing_moves (t->body[1])))
            worst = fmax (worst, opening (t));
    return worst;
}

double changing_beyond_stops (const changing_world *w)
{
    double deepest = 0;
    for (const changing_tie *t = w->tie; t < w->tie + w->ties; ++t)
    {
        const int slides = dJointGetType (t->id) == dJointTypeSlider;
        if (dJointGetNumBodies (t->id) == 0 || (!slides && dJointGetType (t->id) != dJointTypeHinge))
            continue;
        dReal (*get) (dJointID, int) = slides ? dJointGetSliderParam : dJointGetHingeParam;
        const dReal x = slides ? dJointGetSliderPosition (t->id) : dJointGetHingeAngle (t->id);
        deepest = fmax (deepest, (double)((*get) (t->id, dParamLoStop) - x));
        deepest = fmax (deepest, (double)(x - (*get) (t->id, dParamHiStop)));
    }
    return deepest;
}

/* ---- accounts ---- */

static void add_body_to (changing_account *a, const changing_world *w, int b, const dReal *g)
{
    const dBodyID body = w->scene.body[b];
    const dReal *x = dBodyGetPosition (body), *v = dBodyGetLinearVel (body),
                *turn = dBodyGetAngularVel (body);
    dMass m;
    dBodyGetMass (body, &m);
    double X[3], V[3], W[3], spin[3], I[3] = {0, 0, 0}, momentum[3];
    const double M = (double)m.mass;
    for (int k = 0; k < 3; ++k) X[k] = (double)x[k], V[k] = (double)v[k], W[k] = (double)turn[k];
    to_body (body, W, 0, spin);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) I[i] += (double)m.I[4 * i + k] * spin[k];
    a->kinetic += 0.5 * (M * dot (V, V) + dot (spin, I)), a->mass += M;
    a->spring += 0.5 * w->field * dot (X, X);
    to_world (body, I, 0, spin), cross (X, V, momentum);
    for (int k = 0; k < 3; ++k)
    {
        const double weight = M * (double)g[k] * X[k];
        a->P[k] += M * V[k], a->L[k] += M * momentum[k] + spin[k], a->moment[k] += M * X[k];
        a->fallen -= weight, a->scale += fabs (weight),
            a->fastest = fmax (a->fastest, fmax (fabs (V[k]), fabs (W[k])));
    }
}

changing_account changing_look (const changing_world *w)
{
    changing_account a = {0};
    dVector3 g;
    dWorldGetGravity (w->scene.world, g);
    for (int b = 0; b < w->scene.bodies; ++b)
        if (!dBodyIsKinematic (w->scene.body[b])) add_body_to (&a, w, b, g);
    for (int k = 0; k < 3; ++k) a.platform[k] = (double)dBodyGetPosition (w->scene.body[0])[k];
    for (int i = 0; i < w->ties; ++i)
    {
        const changing_tie *t = &w->tie[i];
        const double angle = t->spring > 0 ? (double)dJointGetHingeAngle (t->id) : 0,
                     gap = t->soft > 0 ? opening (t) : 0;
        a.spring += 0.5 * (t->spring * angle * angle + t->soft * gap * gap);
        a.rate[i] = t->power > 0 ? (double)dJointGetHingeAngleRate (t->id) : 0;
    }
    a.scale += a.kinetic + a.spring;
    return a;
}

double changing_work_of_motors (const changing_world *w, const changing_account *from,
                                const changing_account *to)
{
    double work = 0;
    for (int i = 0; i < w->ties; ++i)
        work += w->tie[i].power * w->h *
                fmax (fabs (w->tie[i].wanted), fmax (fabs (from->rate[i]), fabs (to->rate[i])));
    return work;
}

double changing_work_of_platform (const changing_world *w, const changing_account *from,
                                  const changing_account *to, double *doubt)
{
    const dBodyID body = w->scene.body[0];
    dVector3 g;
    dWorldGetGravity (w->scene.world, g);
    double J[3], V[3], W[3], T[3], G[3], middle[3], centre[3], weight[3], lever[3], turn[3];
    *doubt = 0;
    if (!w->platform) return 0;
    for (int k = 0; k < 3; ++k)
    {
        G[k] = (double)g[k], V[k] = (double)dBodyGetLinearVel (body)[k],
        W[k] = (double)dBodyGetAngularVel (body)[k];
        J[k] = to->P[k] - from->P[k] - w->h * from->mass * G[k];
        middle[k] = 0.5 * (from->moment[k] + to->moment[k]);
        centre[k] = 0.5 * (from->platform[k] + to->platform[k]);
    }
    cross (middle, G, weight), cross (centre, J, lever), cross (V, J, turn);
    for (int k = 0; k < 3; ++k) T[k] = to->L[k] - from->L[k] - w->h * weight[k] - lever[k];
    *doubt = 0.5 * w->h * (fabs (dot (turn, W)) + length (W) * fabs (dot (T, W)));

    return dot (J, V) + dot (T, W);
}
