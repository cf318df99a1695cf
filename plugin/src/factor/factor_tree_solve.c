/* Solves with trees: forces from the leaves to the roots, velocities back.  The equations are in
 * factor_tree.h. */
#include "factor_tree_parts.h"
#include "kernels/symmetric.h"

/*
 * From the leaves: force and torque at the node's anchor become what is passed on to the parent's anchor.  h
 * receives the free rotations that they cause.  The terms with x do not depend on the children and are summed
 * first.
 */
RLS_INLINE void pass_up (const node_numbers *n, const int m, const double *x, rls_four *force,
                         rls_four *torque, double *h)
{
    const int f = 6 - m;
    const rls_four reach = THREE (n->reach);
    rls_four less_force = x[0] * THREE (n->resist), less_torque = x[0] * THREE (n->resist + 3), moment, g[3];
    for (int r = 1; r < m; ++r)
    {
        less_force += x[r] * THREE (n->resist + 6 * r);
        less_torque += x[r] * THREE (n->resist + 6 * r + 3);
    }
    for (int i = 0; i < f; ++i)
    {
        const rls_four work = THREE (n->axes + 3 * i) * *torque;
        sum_three (&work, &g[i]);
    }
    cross (&reach, force, &moment);
    *force -= less_force;
    *torque = (*torque - less_torque) + moment;
    for (int i = 0; i < f; ++i)
    {
        double excited = 0;
        for (int r = 0; r < m; ++r) excited += n->excite[m * i + r] * x[r];
        h[i] = -excited;
        for (int k = 0; k < f; ++k) h[i] += n->ease[f * i + k] * g[k][0];
        *force -= g[i] * THREE (n->push + 6 * i);
        *torque -= g[i] * THREE (n->push + 6 * i + 3);
    }
}

/* From the roots: velocity and angular velocity (rate) of the parent at its anchor become those of the node
 * at its own. */
RLS_INLINE void pass_down (const node_numbers *n, const int m, const double *x, const double *h,
                           rls_four *velocity, rls_four *rate)
{
    const int f = 6 - m;
    const rls_four reach = THREE (n->reach), step = {x[0], x[1], x[2], x[2]};
    rls_four around, turn = *rate;
    cross (rate, &reach, &around);
    for (int r = 3; r < m; ++r) turn += x[r] * THREE (n->turn + 3 * (r - 3));
    for (int i = 0; i < f; ++i)
    {
        const rls_four work = THREE (n->push + 6 * i) * *velocity + THREE (n->push + 6 * i + 3) * *rate;
        rls_four sum;
        sum_three (&work, &sum);
        turn += (h[i] - sum) * THREE (n->axes + 3 * i);
    }
    *velocity = (*velocity + *n->sign * step) + around;
    *rate = turn;
}

/* The velocity of a root from force and torque, by its factor L. */
RLS_INLINE void solve_root (const double L[36], const rls_four *force, const rls_four *torque,
                            rls_four *velocity, rls_four *rate)
{
    double y[6];
    put_three (y, force), put_three (y + 3, torque);
    rls_symmetric_solve (6, L, y);
    *velocity = (rls_four){y[0], y[1], y[2], y[2]};
    *rate = (rls_four){y[3], y[4], y[5], y[5]};
}

/* tree.force := what each node passes on to its parent, tree.rest := h.  Mostly the next node is the parent
 * of the last one, and what was passed on is still in registers. */
RLS_VECTOR_CLONES static void gather_forces (const rls_factor *f, const rls_rows *rows, const double *x)
{
    const rls_tree *t = &f->order->tree;
    rls_four force = {0}, torque = {0};
    for (int k = t->nodes - 1; k >= 0; --k)
    {
        const int j = t->of[k].joint, up = t->of[k].up;
        double *own = f->tree.force + NUMBERS_A_NODE * (size_t)k, *h = f->tree.rest + 3 * (size_t)k;
        if (t->of[k].leaf)
            force = torque = (rls_four){0};
        else if (t->of[k + 1].up != k)
            force = RLS_FOUR (own), torque = RLS_FOUR (own + 4);
        if (j >= 0)
        {
#define UP(m)                                                                                                \
    {                                                                                                        \
        const node_numbers n = numbers_of (f->tree.number + t->place[k], m);                                 \
        pass_up (&n, m, x + rows->row0[j], &force, &torque, h);                                              \
    }
            FOR_ROWS (rows->row0[j + 1] - rows->row0[j], UP)
        }
        RLS_FOUR (own) = force, RLS_FOUR (own + 4) = torque;
        if (up < 0) continue;
        double *parent = f->tree.force + NUMBERS_A_NODE * (size_t)up;
        if (!t->of[k].first) force += RLS_FOUR (parent), torque += RLS_FOUR (parent + 4);
        if (up != k - 1) RLS_FOUR (parent) = force, RLS_FOUR (parent + 4) = torque;
    }
}

/* tree.velocity := velocities at the anchors; those of the centres of mass are added to v, unless it is NULL.
 */
RLS_VECTOR_CLONES static void spread_velocities (const rls_factor *f, const rls_rows *rows, const double *x,
                                                 double (*v)[6])
{
    const rls_tree *t = &f->order->tree;
    rls_four velocity = {0}, rate = {0};
    for (int k = 0; k < t->nodes; ++k)
    {
        const int j = t->of[k].joint, up = t->of[k].up;
        const double *place = f->tree.number + t->place[k], *h = f->tree.rest + 3 * (size_t)k;
        double *own = f->tree.velocity + NUMBERS_A_NODE * (size_t)k;
        rls_four around = {0};

        /* the velocity of the parent */
        if (up < 0)
            velocity = rate = (rls_four){0};
        else if (up != k - 1)
        {
            const double *parent = f->tree.velocity + NUMBERS_A_NODE * (size_t)up;
            velocity = RLS_CONST_FOUR (parent), rate = RLS_CONST_FOUR (parent + 4);
        }

        /* the velocity of this body */
        if (j < 0)
        {
            const double *of = f->tree.force + NUMBERS_A_NODE * (size_t)k;
            const rls_four force = RLS_CONST_FOUR (of), torque = RLS_CONST_FOUR (of + 4);
            solve_root (place, &force, &torque, &velocity, &rate);
        }
        else
        {
#define DOWN(m)                                                                                              \
    {                                                                                                        \
        const node_numbers n = numbers_of (f->tree.number + t->place[k], m);                                 \
        pass_down (&n, m, x + rows->row0[j], h, &velocity, &rate);                                           \
    }
            FOR_ROWS (rows->row0[j + 1] - rows->row0[j], DOWN)
            const rls_four lever = THREE (place);
            cross (&rate, &lever, &around);
        }
        RLS_FOUR (own) = velocity, RLS_FOUR (own + 4) = rate;

        /* at its centre of mass */
        if (!v) continue;
        const rls_four centre = velocity - around;
        double *to = v[t->of[k].body];
        for (int i = 0; i < 3; ++i) to[i] += centre[i], to[3 + i] += rate[i];
    }
}

void rls_factor_tree_enforce (const rls_factor *f, const rls_rows *rows, const double *x, double (*v)[6])
{
    gather_forces (f, rows, x);
    spread_velocities (f, rows, x, v);
}

/* x := the multipliers.  They are the force and torque in the joint: what the inertia that it passes on needs
 * for the parent's velocity, less the force that is passed on. */
RLS_VECTOR_CLONES static void find_multipliers (const rls_factor *f, const rls_rows *rows, double *x)
{
    const rls_tree *t = &f->order->tree;
    for (int k = 0; k < t->nodes; ++k)
    {
        const int j = t->of[k].joint, up = t->of[k].up;
        if (j < 0) continue;
        const int r0 = rows->row0[j], m = rows->row0[j + 1] - r0;
        const node_numbers n = numbers_of (f->tree.number + t->place[k], m);
        const double *of = f->tree.force + NUMBERS_A_NODE * (size_t)k, *parent;
        const rls_four reach = THREE (n.reach);
        rls_four velocity = {0}, rate = {0}, force = -RLS_CONST_FOUR (of), torque = -RLS_CONST_FOUR (of + 4);
        rls_four around, moment;

        /* the velocity of the joint's point on the parent */
        if (up >= 0)
        {
            parent = f->tree.velocity + NUMBERS_A_NODE * (size_t)up;
            velocity = RLS_CONST_FOUR (parent), rate = RLS_CONST_FOUR (parent + 4);
        }
        cross (&rate, &reach, &around);
        velocity += around;

        /* the force and torque at the parent's anchor */
        for (int r = 0; r < m; ++r)
        {
            rls_four axis = rate;
            if (r >= 3) find_axis (rows, j, r, t->of[k].side, &axis);
            const double along = r < 3 ? *n.sign * velocity[r] : dot (&axis, &rate);
            force += along * THREE (n.resist + 6 * r), torque += along * THREE (n.resist + 6 * r + 3);
        }
        cross (&reach, &force, &moment); /* back to the node's own anchor */
        torque -= moment;

        /* along the rows */
        for (int r = 0; r < m; ++r)
        {
            const rls_four turn = r < 3 ? force : THREE (n.turn + 3 * (r - 3));
            x[r0 + r] = r < 3 ? *n.sign * force[r] : dot (&turn, &torque);
        }
    }
}

void rls_factor_tree_solve (const rls_factor *f, const rls_rows *rows, double *x)
{
    rls_factor_tree_enforce (f, rows, x, NULL);
    find_multipliers (f, rows, x);
}

/* ---- mobility ---- */

/* P := C P C' of a symmetric P (6 x 6), where C takes velocities at the parent's anchor to those at the
 * node's own, with the free rotations that follow without a force. */
RLS_INLINE void carry_down (const node_numbers *n, const int m, double P[36])
{
    static const double none[6] = {0};
    double Q[36];
    for (int i = 0; i < 2; ++i)
    {
        for (int c = 0; c < 6; ++c)
        {
            rls_four velocity = THREE (P + 6 * c), rate = RATE (P + 6 * c);
            pass_down (n, m, none, none, &velocity, &rate);
            for (int k = 0; k < 3; ++k) Q[6 * k + c] = velocity[k], Q[6 * (3 + k) + c] = rate[k];
        }
        memcpy (P, Q, sizeof (Q));
    }
}

void rls_factor_tree_mobility (const rls_factor *f, const rls_rows *rows, double *of)
{
    const rls_tree *t = &f->order->tree;
    for (int k = 0; k < t->nodes; ++k)
    {
        const int j = t->of[k].joint, up = t->of[k].up, m = j < 0 ? 0 : rows->row0[j + 1] - rows->row0[j],
                  left = 6 - m;
        double *P = f->tree.inertia[k];

        /* P (6 x 6): the velocities at its anchor by unit forces and torques */
        for (int c = 0; c < 6 && j < 0; ++c)
        {
            rls_four unit[2] = {{0}}, velocity, rate;
            unit[c / 3][c % 3] = 1;
            solve_root (f->tree.number + t->place[k], &unit[0], &unit[1], &velocity, &rate);
            put_three (P + 6 * c, &velocity), put_three (P + 6 * c + 3, &rate);
        }
        if (j >= 0)
        {
            const node_numbers n = numbers_of (f->tree.number + t->place[k], m);
            memset (P, 0, sizeof (*f->tree.inertia));
            if (up >= 0) memcpy (P, f->tree.inertia[up], sizeof (*f->tree.inertia));
#define CARRY(m) carry_down (&n, m, P)
            if (up >= 0) FOR_ROWS (m, CARRY)
            for (int i = 0; i < left * left; ++i)
                for (int e = 0; e < 9; ++e)
                    P[6 * (3 + e / 3) + 3 + e % 3] +=
                        n.axes[3 * (i / left) + e / 3] * n.ease[i] * n.axes[3 * (i % left) + e % 3];
        }
        of[t->of[k].body] = P[21] + P[28] + P[35];
    }
}
