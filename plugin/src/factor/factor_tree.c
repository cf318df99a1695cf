/* Elimination of trees: articulated inertia.  The equations are in factor_tree.h. */
#include "factor_tree_parts.h"
#include "kernels/lanes.h"
#include "kernels/symmetric.h"
#include "mass_scaling.h"

void rls_factor_lay_out_tree (rls_factor *f, rls_arena_cursor *c)
{
    const rls_tree *t = &f->order->tree;
    const size_t n = (size_t)t->nodes;
    RLS_TAKE (c, n > 0 ? (size_t)t->place[n] : 0, f->tree.number);
    RLS_TAKE (c, NUMBERS_A_NODE * n, f->tree.force, f->tree.velocity);
    RLS_TAKE (c, 3 * n, f->tree.rest);
    RLS_TAKE (c, n, f->tree.inertia);
}

/* ---- which rows ---- */

/* True if the first three of the m rows hold a point along the world's axes, and the others rotations,
 * opposite on both bodies. */
static int holds_a_point (const double (*J)[12], int m, int two)
{
    const double sign = J[0][0];
    int off = fabs (sign) != 1;
    for (int side = 0; side < (two ? 2 : 1); ++side)
        for (int r = 0; r < m; ++r)
            for (int k = 0; k < 3; ++k)
            {
                const double *linear = J[r] + 6 * side, *turn = linear + 3, wanted = side ? -sign : sign;
                off |= linear[k] != (r == k ? wanted : 0);
                off |= r < 3 && turn[k] + J[k][6 * side + 3 + r] != 0; /* -[lever]x */
                off |= r >= 3 && side && turn[k] + J[r][3 + k] != 0;
            }
    return !off;
}

RLS_VECTOR_CLONES int rls_factor_is_tree (const rls_order *o, const rls_rows *rows,
                                          const unsigned char *decided)
{
    if (o->tree.nodes == 0 || rows->parts.count > 0 ||
        (rows->mass_scaling && rows->mass_scaling->count > 0) ||
        (rows->precedence && rows->precedence->count > 0))
        return 0;
    int left_out = 0;
    for (int r = 0; r < rows->rows; ++r)
        left_out += rows->sigma2[r] != 0 || (decided && decided[r] == RLS_REDUNDANT);
    if (left_out > 0) return 0;
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        if (!rls_is_compact (rows, j) &&
            !holds_a_point (rls_joint_rows (rows, j, room), rows->row0[j + 1] - rows->row0[j],
                            rows->body[j][1] >= 0))
            return 0;
    }
    return 1;
}

/* ---- elimination, from the leaves on ---- */

/* A symmetric 6 x 6 inertia about a point, by columns: force and torque from velocity and angular velocity.
 * Those of nodes are kept in the factor as they are (rls_tree_factor.inertia). */
typedef struct
{
    rls_four linear[3], cross[3],
        angular[3]; /* force from velocity, force from angular velocity, torque from angular velocity */
} inertia;

/* Moves the reference point back along the lever: I := X' I X, X = [1, -[lever]x; 0, 1]. */
RLS_INLINE void move_inertia (const double *lever, inertia *I)
{
    const double x = lever[0], y = lever[1], z = lever[2];
    const rls_four l = {x, y, z, z};
    const rls_four change[3] = {y * I->linear[2] - z * I->linear[1], z * I->linear[0] - x * I->linear[2],
                                x * I->linear[1] - y * I->linear[0]};
    rls_four Z[4], turned[4];
    for (int i = 0; i < 3; ++i)
    {
        const rls_four half = I->cross[i] + 0.5 * change[i];
        cross (&l, &half, &Z[i]);
        I->cross[i] += change[i];
        turned[i] = Z[i];
    }
    turned[3] = (rls_four){0};
    rls_transpose (turned);
    for (int i = 0; i < 3; ++i) I->angular[i] += Z[i] + turned[i];
}

/* Adds the inertia of body b about its anchor.  Returns 0 if it is not positive. */
RLS_INLINE int add_body (const rls_rows *rows, int b, const double *lever, inertia *I)
{
    const double mass = rows->mass[b];
    double A[9];
    const double det = rls_invert3 (rows->W[b], A);
    const double x = lever[0], y = lever[1], z = lever[2], square = x * x + y * y + z * z;
    for (int i = 0; i < 3; ++i) I->linear[i][i] += mass;
    I->cross[0] += mass * (rls_four){0, z, -y, -y};
    I->cross[1] += mass * (rls_four){-z, 0, x, x};
    I->cross[2] += mass * (rls_four){y, -x, 0, 0};
    I->angular[0] += (rls_four){A[0], A[1], A[2], A[2]} - mass * x * (rls_four){x, y, z, z};
    I->angular[1] += (rls_four){A[1], A[4], A[5], A[5]} - mass * y * (rls_four){x, y, z, z};
    I->angular[2] += (rls_four){A[2], A[5], A[8], A[8]} - mass * z * (rls_four){x, y, z, z};
    for (int i = 0; i < 3; ++i) I->angular[i][i] += mass * square;
    return det > 0 && det < HUGE_VAL && mass > 0;
}

/* The lever from the body on that side to the anchor: the first three rows are  sign (v + w x lever). */
static void find_lever (const rls_rows *rows, int j, int side, double lever[3])
{
    if (rls_is_compact (rows, j))
    {
        memcpy (lever, rows->compact[j].arm[side], 3 * sizeof (double));
        return;
    }
    const rls_row *J = rows->J + rows->row0[j];
    const double sign = J[0][6 * side], *zero = J[0] + 6 * side + 3, *one = J[1] + 6 * side + 3;
    lever[0] = sign * one[2], lever[1] = -sign * zero[2], lever[2] = sign * zero[1];
}

/* The levers of all nodes: from each body to its anchor, and from its parent's anchor to it. */
static void find_levers (rls_factor *f, const rls_rows *rows)
{
    const rls_tree *t = &f->order->tree;
    for (int k = 0; k < t->nodes; ++k)
    {
        const int j = t->of[k].joint, up = t->of[k].up;
        if (j < 0) continue;
        double *lever = f->tree.number + t->place[k], *reach = lever + 3;
        find_lever (rows, j, t->of[k].side, lever);
        memset (reach, 0, 3 * sizeof (double));
        if (up < 0) continue;
        find_lever (rows, j, 1 - t->of[k].side, reach);
        for (int i = 0; i < 3 && t->of[up].joint >= 0; ++i) reach[i] -= f->tree.number[t->place[up] + i];
    }
}

/* Finds the axes of the f rotations that the rows behind the third leave free, and the rotations that these
 * rows require. n: the entries of these rows for the body's angular velocity.  Returns 0 if they depend on
 * each other. */
RLS_INLINE int find_axes (const rls_four *n, const int m, node_numbers *to)
{
    /* a ball turns about all axes */
    if (m == 3)
        for (int i = 0; i < 9; ++i) to->axes[i] = i % 4 == 0;
    else if (m == 4)
    {
        /* a universal joint about two axes perpendicular to its row's; the coordinate axis least along that
         * one gives the first of them */
        const double square = dot (&n[0], &n[0]);
        const rls_four turn = n[0] / square;
        put_three (to->turn, &turn);
        int least = 0;
        for (int i = 1; i < 3; ++i)
            if (fabs (n[0][i]) < fabs (n[0][least])) least = i;
        rls_four unit = {0}, a, b;
        unit[least] = 1;
        cross (&n[0], &unit, &a);
        a /= sqrt (dot (&a, &a));
        cross (&turn, &a, &b);
        b /= sqrt (dot (&b, &b));
        put_three (to->axes, &a), put_three (to->axes + 3, &b);
        return square > 0;
    }
    else if (m == 5)
    {
        /* a hinge about the axis perpendicular to both rows' */
        const double p = dot (&n[0], &n[0]), q = dot (&n[1], &n[1]), pq = dot (&n[0], &n[1]);
        const double det = p * q - pq * pq, d = 1 / det;
        rls_four axis;
        cross (&n[0], &n[1], &axis);
        axis *= 1 / sqrt (dot (&axis, &axis));
        put_three (to->axes, &axis);
        axis = d * (q * n[0] - pq * n[1]);
        put_three (to->turn, &axis);
        axis = d * (p * n[1] - pq * n[0]);
        put_three (to->turn + 3, &axis);
        return det > 0;
    }
    else
    {
        /* a fixed joint about none */
        rls_four c[3];
        for (int i = 0; i < 3; ++i) cross (&n[(i + 1) % 3], &n[(i + 2) % 3], &c[i]);
        const double det = dot (&n[0], &c[0]);
        for (int i = 0; i < 3; ++i)
        {
            c[i] /= det;
            put_three (to->turn + 3 * i, &c[i]);
        }
        return det != 0;
    }
    return 1;
}

/* E := D^-1 for a symmetric positive D of f x f.  Returns 0 if it is not positive. */
RLS_INLINE int invert_rotations (const double D[9], const int f, double *E)
{
    if (f == 1)
    {
        E[0] = 1 / D[0];
        return D[0] > 0 && E[0] > 0;
    }
    if (f == 2)
    {
        const double det = D[0] * D[3] - D[1] * D[2], d = 1 / det;
        E[0] = d * D[3], E[1] = -d * D[1], E[2] = -d * D[2], E[3] = d * D[0];
        return D[0] > 0 && det > 0;
    }
    return f == 0 || (rls_invert3 (D, E) > 0 && D[0] > 0 && D[0] * D[4] - D[1] * D[3] > 0);
}

/* p := a force and torque at the anchor, moved to the anchor of the parent. */
RLS_INLINE void put_moved (const rls_four *reach, const rls_four *force, const rls_four *torque, double *p)
{
    rls_four moment;
    cross (reach, force, &moment);
    moment += *torque;
    put_three (p, force), put_three (p + 3, &moment);
}

/* Eliminates a node whose joint has m rows.  I is its articulated inertia at the anchor; it becomes the part
 * of it that the joint passes on to the parent.  Returns 0 if an inertia is not positive. */
RLS_INLINE int eliminate (const rls_rows *rows, int j, int side, const int m, double *place, inertia *I)
{
    const int f = 6 - m;
    node_numbers to = numbers_of (place, m);
    const double sign = rls_is_compact (rows, j) ? 1 - 2 * side : rows->J[rows->row0[j]][6 * side];
    const rls_four reach = THREE (to.reach);
    rls_four n[3], U[3][2], V[3][2];
    double D[9];

    /* the axes that the joint leaves free, and those that it holds */
    for (int r = 3; r < m; ++r)
    {
        find_axis (rows, j, r, side, &n[r - 3]);
        n[r - 3] *= sign;
    }
    *to.sign = sign;
    if (!find_axes (n, m, &to)) return 0;

    /* U = I S, and the inverse of S' I S */
    for (int i = 0; i < f; ++i)
    {
        const rls_four a = THREE (to.axes + 3 * i);
        multiply (I->cross, &a, &U[i][0]);
        multiply (I->angular, &a, &U[i][1]);
    }
    for (int i = 0; i < f; ++i)
        for (int k = 0; k < f; ++k)
        {
            const rls_four a = THREE (to.axes + 3 * i);
            D[f * i + k] = dot (&a, &U[k][1]);
        }
    if (!invert_rotations (D, f, to.ease)) return 0;

    /* V = U (S' I S)^-1 */
    for (int i = 0; i < f; ++i)
    {
        V[i][0] = V[i][1] = (rls_four){0};
        for (int k = 0; k < f; ++k)
            for (int part = 0; part < 2; ++part) V[i][part] += to.ease[f * k + i] * U[k][part];
        put_moved (&reach, &V[i][0], &V[i][1], to.push + 6 * i);
    }

    /* I - U (S' I S)^-1 U', which is passed on to the parent */
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < f; ++i)
        {
            I->linear[c] -= V[i][0] * U[i][0][c];
            I->cross[c] -= V[i][0] * U[i][1][c];
            I->angular[c] -= V[i][1] * U[i][1][c];
        }

    /* forces on the parent by what the rows require, T x, with the signs of the rows */
    rls_four back[4] = {I->cross[0], I->cross[1], I->cross[2], {0}};
    rls_transpose (back);
    for (int r = 0; r < m; ++r)
    {
        rls_four force, torque;
        const rls_four turn = r < 3 ? (rls_four){0} : THREE (to.turn + 3 * (r - 3));
        if (r < 3)
            force = I->linear[r], torque = back[r];
        else
            multiply (I->cross, &turn, &force), multiply (I->angular, &turn, &torque);
        force *= sign, torque *= sign;
        put_moved (&reach, &force, &torque, to.resist + 6 * r);
        for (int i = 0; i < f; ++i)
            to.excite[m * i + r] = sign * (r < 3 ? V[i][0][r] : dot (&V[i][1], &turn));
    }
    for (int r = 3; r < m; ++r)
        for (int i = 0; i < 3; ++i) to.turn[3 * (r - 3) + i] *= sign;
    place[rls_tree_numbers (m) - 1] = 0;
    return 1;
}

/* L := the factor of a root's inertia (symmetric.h).  Returns 0 if it is not positive. */
static int factor_root (const inertia *I, double L[36])
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
        {
            L[6 * i + k] = I->linear[k][i];
            L[6 * (3 + i) + k] = I->cross[i][k];
            L[6 * (3 + i) + 3 + k] = I->angular[k][i];
        }
    return rls_symmetric_factor (6, L) == 0;
}

#define ELIMINATE(m) usable = eliminate (rows, j, t->of[k].side, m, place, &I)

/* Eliminates all nodes from the leaves on.  Returns 0 if an inertia is not positive. */
RLS_VECTOR_CLONES static int eliminate_all (rls_factor *f, const rls_rows *rows)
{
    static const double none[3] = {0};
    const rls_tree *t = &f->order->tree;
    for (int k = t->nodes - 1; k >= 0; --k)
    {
        const int j = t->of[k].joint, up = t->of[k].up;
        double *place = f->tree.number + t->place[k];
        inertia I;
        memset (&I, 0, sizeof (I));
        int usable;

        /* the body with all that hangs on it */
        if (!t->of[k].leaf) memcpy (&I, f->tree.inertia[k], sizeof (I));
        if (!add_body (rows, t->of[k].body, j >= 0 ? place : none, &I)) return 0;
        if (j < 0)
        {
            if (!factor_root (&I, place)) return 0;
            continue;
        }

        /* without what the free rotations of its joint take */
        FOR_ROWS (rows->row0[j + 1] - rows->row0[j], ELIMINATE)
        if (!usable) return 0;
        if (up < 0) continue;

        /* added to its parent */
        move_inertia (place + 3, &I);
        if (!t->of[k].first)
        {
            inertia sum;
            memcpy (&sum, f->tree.inertia[up], sizeof (sum));
            for (int i = 0; i < 3; ++i)
            {
                I.linear[i] += sum.linear[i];
                I.cross[i] += sum.cross[i];
                I.angular[i] += sum.angular[i];
            }
        }
        memcpy (f->tree.inertia[up], &I, sizeof (I));
    }
    return 1;
}

int rls_factor_tree (rls_factor *f, const rls_rows *rows)
{
    find_levers (f, rows);
    if (!eliminate_all (f, rows)) return 0;
    const size_t n = (size_t)rows->rows;
    memset (f->decision, RLS_KEPT, n);
    for (size_t r = 0; r < n; ++r) f->relative[r] = 1;
    f->rank = rows->rows, f->gap = f->mass_gap = 1, f->borders = 0;
    return 1;
}
