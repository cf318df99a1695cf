/* The memory of an island, evaluation of rows at a pose, and the mass terms that all stages need. */
#include "island.h"
#include "kernels/lanes.h"
#include "kernels/mobility.h"
#include <stdlib.h>

/* Lays out all arrays but those of the factor and the elimination order. */
static void lay_out_island (rls_island *s, rls_arena_cursor *c)
{
    const size_t n = (size_t)s->model.bodies, joints = (size_t)s->begin.rows.joints,
                 rows = (size_t)s->begin.rows.rows;

    /* bodies */
    RLS_TAKE (c, n, s->model.movable, s->model.turn, s->model.by_exponential, s->model.gyroscopic,
              s->geometric.light, s->model.max_turn, s->model.mass, s->model.axis, s->applied.gravity,
              s->state.v, s->next.v, s->applied.force, s->scratch.six, s->reactions.noted_v);
    RLS_TAKE (c, n, s->model.own_inertia, s->model.inertia, s->model.inverse_inertia,
              s->geometric.last_inertia, s->geometric.stiffness, s->scratch.R, s->state.pose, s->next.pose,
              s->scratch.predicted, s->scratch.best_pose);

    /* joints and rows */
    RLS_TAKE (c, joints, s->mechanism.body, s->mechanism.fixed, s->mechanism.ode_joint);
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind) RLS_TAKE (c, joints, s->mechanism.of_kind[kind]);
    RLS_TAKE (c, joints + 1, s->mechanism.row0);
    RLS_TAKE (c, n + 1, s->mechanism.attach0);
    RLS_TAKE (c, 2 * joints, s->mechanism.attach);
    RLS_TAKE (c, rows, s->mechanism.ode_row, s->mechanism.velocity_level, s->reactions.p);
    RLS_TAKE (c, (size_t)s->begin.rows.parts.count, s->mechanism.part, s->reactions.part_impulse);
    RLS_TAKE (c, 5 * rows, s->scratch.rows);
    RLS_TAKE (c, joints, s->reactions.joint_impulse);

    /* rows of the beginning and of the end; exchanging them must not exchange their places in memory */
    rls_rows_lay_out_with_masses (s->memory.rows_swapped ? &s->end.rows : &s->begin.rows, c);
    rls_rows_lay_out_with_masses (s->memory.rows_swapped ? &s->begin.rows : &s->end.rows, c);
    rls_rows_lay_out (&s->scratch.aside, c);
}

static void lay_out_bounded (rls_bounded_arrays *a, rls_arena_cursor *c)
{
    /* of the beginning */
    rls_bounded *b = &a->begin, *end = &a->end;
    const size_t bj = (size_t)a->joints, br = (size_t)a->rows;
    b->parts.count = end->parts.count = a->parts; /* as many as there may be */
    RLS_TAKE (c, bj, b->body, b->key, b->arm, b->later, b->given, b->points, b->axis, b->centre);
    RLS_TAKE (c, bj + 1, b->row0);
    RLS_TAKE (c, br, b->J, b->Y, b->softness, b->target, b->lo, b->hi, b->p, b->before, b->leave, b->way,
              b->mobility, b->follow, b->ode_joint, b->ode_row, b->row, b->located);
    RLS_TAKE (c, (size_t)b->parts.count, b->parts.of);
    rls_parts_lay_out (&b->parts, c);

    /* and those arrays of the end that are not shared with them */
    RLS_TAKE (c, br, end->J, end->Y);
    rls_parts_lay_out (&end->parts, c);
    RLS_TAKE (c, br, end->softness, end->target, end->lo, end->hi, end->p, a->total, end->follow);
}

/* Makes room for so many bounded rows, and so many parts of rows over more than two bodies.  What is there
 * grows, and is left as it is where it suffices.  Returns 1, or 0 without memory. */
static int reserve_bounded (rls_island *s, int joints, int rows, int parts)
{
    rls_bounded_arrays **arrays = &s->bounded_arrays;
    if (!*arrays && !(*arrays = calloc (1, sizeof (**arrays)))) return 0;
    rls_bounded_arrays *a = *arrays;
    if (!a->block.memory || a->joints < joints || a->rows < rows || a->parts < parts)
    {
        a->joints = joints > a->joints ? joints : a->joints;
        a->rows = rows > a->rows ? rows : a->rows;
        a->parts = parts > a->parts ? parts : a->parts;
        if (!RLS_LAY_OUT (a, &a->block, lay_out_bounded))
        {
            a->joints = a->rows = a->parts = -1;
            return 0;
        }
    }

    /* the arrays of the island; how many rows are used is set once they have been read */
    s->begin.bounded = a->begin, s->end.bounded = a->end;
    s->reactions.bounded_total = a->total;
    s->begin.bounded.joints = joints, s->begin.bounded.rows = rows;
    s->begin.bounded.parts.count = s->end.bounded.parts.count = parts;
    return 1;
}

void rls_bounded_arrays_free (rls_bounded_arrays *arrays)
{
    if (!arrays) return;
    rls_arena_free (&arrays->block);
    free (arrays);
}

void rls_bounded_share (rls_bounded *end, const rls_bounded *begin)
{
    const rls_bounded own = *end;
    *end = *begin;
    end->J = own.J, end->Y = own.Y;
    end->parts.J = own.parts.J, end->parts.Y = own.parts.Y;
    end->softness = own.softness, end->target = own.target;
    end->lo = own.lo, end->hi = own.hi, end->p = own.p;
    end->follow = own.follow;
    if (end->rows > 0) memcpy (end->follow, begin->follow, sizeof (int) * (size_t)end->rows);
}

void rls_island_displace (rls_island *s, const double (*d)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) rls_pose_displace (&s->next.pose[b], d[b]);
}

void rls_island_swap_rows (rls_island *s)
{
    const rls_rows rows = s->begin.rows;
    s->begin.rows = s->end.rows, s->end.rows = rows;
    s->memory.rows_swapped = !s->memory.rows_swapped;
}

void rls_island_share_topology (rls_island *s)
{
    s->begin.rows.body = s->mechanism.body, s->begin.rows.row0 = s->mechanism.row0;
    s->begin.rows.fixed = s->mechanism.fixed;
    s->begin.rows.parts.of = s->mechanism.part;
    s->begin.rows.bodies = s->model.bodies;
    s->begin.rows.movable = s->model.movable, s->begin.rows.mass = s->model.mass;
    s->begin.rows.attach0 = s->mechanism.attach0, s->begin.rows.attach = s->mechanism.attach;
    s->begin.rows.mass_scaling = &s->elimination.mass_scaling;
    s->begin.rows.precedence = &s->elimination.precedence;
    rls_rows_share (&s->end.rows, &s->begin.rows);
}

int rls_island_lay_out (rls_island *s, int bodies, int joints, int rows, int parts, int bounded_joints,
                        int bounded_rows)
{
    const int anew = s->model.bodies != bodies || s->begin.rows.parts.count != parts ||
                     s->memory.joints < joints || s->memory.rows < rows;

    /* another mechanism, or one that has outgrown its memory */
    if (anew)
    {
        const int grows =
            s->model.bodies == bodies; /* more joints on the same bodies: with room for further ones */
        s->valid.end_exact = s->valid.stiffness = 0;
        s->memory.joints = joints + (grows ? joints / 4 : 0);
        s->memory.rows = rows + (grows ? rows / 4 : 0);
    }

    /* sizes for the layout; joints and rows are set to what is used once they have been read */
    s->model.bodies = s->begin.rows.bodies = s->end.rows.bodies = bodies;
    s->begin.rows.parts.count = s->end.rows.parts.count = parts;
    s->begin.rows.joints = s->end.rows.joints = s->memory.joints;
    s->begin.rows.rows = s->end.rows.rows = s->memory.rows;
    rls_rows_share (&s->scratch.aside, &s->begin.rows);
    if (!reserve_bounded (s, bounded_joints, bounded_rows, parts)) return 0;
    if (!anew) return 1;

    const int done = RLS_GROW (&s->mechanism.frame_block, s->mechanism.frame, s->memory.joints) &&
                     RLS_LAY_OUT (s, &s->memory.block, lay_out_island);
    if (!done)
    {
        s->valid.end_exact = s->valid.stiffness = 0;
        s->memory.joints = -1; /* so that the next step lays out everything */
    }

    /* what both sets of rows have in common */
    rls_island_share_topology (s);
    for (int j = 0; j < joints && done; ++j)
        s->mechanism.fixed[j] = s->begin.rows.compact_rows[j] = s->end.rows.compact_rows[j] = 0;
    return done;
}

void rls_island_list_frames (rls_island *s)
{
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind) s->mechanism.kind_count[kind] = 0;
    for (int j = 0; j < s->begin.rows.joints; ++j)
    {
        const rls_frame_kind kind = s->mechanism.frame[j].kind;
        s->mechanism.of_kind[kind][s->mechanism.kind_count[kind]++] = j;
        s->mechanism.fixed[j] = kind == RLS_FRAME_FOREIGN ? 0 : 3;
    }
}

/* The quaternions are normalised once more, as dBodySetQuaternion does. */
RLS_VECTOR_CLONES void rls_island_turn (rls_island *s, const rls_pose *pose)
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four q[4], R[9];
        rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, &g, 4, q);
        rls_lanes_normalise (q);
        rls_lanes_matrix (q, R);
        rls_lanes_store (R, 9, s->scratch.R[0], 9, &g);
    }
}

RLS_VECTOR_CLONES void rls_island_inverse_inertia (rls_island *s, const rls_pose *pose, const rls_rows *rows)
{
    RLS_FOR_GROUPS (g, s->model.bodies)
    {
        rls_four q[4], R[9], A[9], RA[9], W[9];
        rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, &g, 4, q);
        rls_lanes_matrix (q, R);
        rls_lanes_load (s->model.inverse_inertia[0], 9, &g, 9, A);
        rls_lanes_product (R, A, RA);
        rls_lanes_product_transposed (RA, R, W);
        rls_lanes_store (W, 9, rows->W[0], 9, &g);
    }
}

RLS_VECTOR_CLONES void rls_form_bounded_columns (const rls_rows *rows, const rls_bounded *b)
{
    for (int j = 0; j < b->joints; ++j)
    {
        const int r = b->row0[j], m = b->row0[j + 1] - r;
        rls_side_columns (rows, b->body[j][0], m, b->J[r], b->Y[r]);
        rls_side_columns (rows, b->body[j][1], m, b->J[r] + 6, b->Y[r] + 6);
    }
    rls_parts_columns (rows, &b->parts);
}

double rls_bounded_mobility (const rls_bounded *b, int j, int r)
{
    if (b->parts.count > 0) return rls_parts_mobility (&b->parts, r, b->body[j], b->J[r], b->Y[r]);
    return rls_flat_dot (12, b->J[r], b->Y[r]);
}

int rls_island_look_aside (rls_island *s, const rls_pose *pose, double later, const rls_rows *to)
{
    const rls_rows end = s->end.rows;
    const double now = s->provider.time;
    s->end.rows = *to;
    s->provider.time = now + later;
    const int done = s->provider.rows (s, pose);
    s->end.rows = end;
    s->provider.time = now;
    return done;
}

void rls_island_align (rls_island *s)
{
    if (s->begin.factor.rank < s->begin.rows.rows)
        rls_rows_align_exactly (&s->end.rows, &s->begin.rows);
    else
        rls_rows_align (&s->end.rows, &s->begin.rows);
}

int rls_island_look (rls_island *s, const rls_pose *pose)
{
    if (!s->provider.rows (s, pose)) return 0;
    rls_island_align (s);
    rls_island_inverse_inertia (s, pose, &s->end.rows);
    return 1;
}

rls_outcome rls_island_factor (rls_island *s, rls_factor *factor, const rls_rows *rows, double tolerance,
                               const unsigned char *decided)
{
    ++s->account.factorisations;
    return rls_factor_rows (factor, &s->elimination.order, rows, tolerance, decided, NULL);
}

rls_outcome rls_island_factor_end (rls_island *s, const unsigned char *decided)
{
    return rls_island_factor (s, &s->end.factor, &s->end.rows, s->elimination.rank_tolerance, decided);
}

/*
 * Angular velocity after a gyroscopic step without torque, implicit as in ODE (step.cpp, after
 * Lacoursiere, Stabilizing Gyroscopic Forces in Rigid Multibody Simulations, 2006):
 * (I + h [L]-) w' = L with L = I w in world axes and [L]- the negated cross-product matrix.  Elimination
 * needs no pivoting, because the symmetric part of the matrix is positive definite.
 */
static void turn_gyroscopically (const rls_island *s, int b, double h, double w[3])
{
    double I[9], L[3];
    rls_rotate_tensor (s->state.pose[b].q, s->model.inertia[b], I);
    rls_multiply (I, w, L);
    I[1] += h * L[2], I[2] -= h * L[1];
    I[3] -= h * L[2], I[5] += h * L[0];
    I[6] += h * L[1], I[7] -= h * L[0];
    for (int i = 0; i < 3; ++i)
        for (int k = i + 1; k < 3; ++k)
        {
            const double f = I[3 * k + i] / I[4 * i];
            for (int c = i; c < 3; ++c) I[3 * k + c] -= f * I[3 * i + c];
            L[k] -= f * L[i];
        }
    for (int i = 2; i >= 0; --i)
    {
        for (int c = i + 1; c < 3; ++c) L[i] -= I[3 * i + c] * L[c];
        w[i] = L[i] /= I[4 * i];
    }
}

void rls_kick (const rls_island *s, const rls_rows *rows, const double (*v)[6], double time, double (*out)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *force = s->applied.force[b], linear = time / s->model.mass[b];
        double turned[3];
        if (!s->model.movable[b])
        {
            memmove (out[b], v[b], sizeof (*out));
            continue;
        }
        rls_multiply (rows->W[b], force + 3, turned);
        for (int k = 0; k < 3; ++k)
        {
            out[b][k] = v[b][k] + linear * force[k];
            out[b][3 + k] = v[b][3 + k] + time * turned[k];
        }
    }
}

void rls_island_kick (const rls_island *s, double h, double (*v)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b] && s->model.gyroscopic[b]) turn_gyroscopically (s, b, h, v[b] + 3);
    rls_kick (s, &s->begin.rows, v, h, v);
}
