/* Storage of an island and the mass terms that every stage needs. */
#include "island.h"
#include "reuse.h"
#include "kernels/lanes.h"
#include "kernels/mobility.h"
#include "rotation.h"
#include "kernels/parts.h"
#include <stdlib.h>
#include <string.h>

static void lay_out_island (rls_island *s, rls_arena_cursor *c)
{
    const size_t n = (size_t)s->model.bodies, joints = (size_t)s->begin.rows.joints,
                 rows = (size_t)s->begin.rows.rows;

    /* bodies */
    s->model.movable = rls_arena_take (c, n, 1);
    s->model.turn = rls_arena_take (c, n, 1);
    s->model.by_exponential = rls_arena_take (c, n, 1);
    s->model.gyroscopic = rls_arena_take (c, n, 1);
    s->model.axis = rls_arena_take (c, n, sizeof (*s->model.axis));
    s->model.max_turn = rls_arena_take (c, n, sizeof (double));
    s->model.mass = rls_arena_take (c, n, sizeof (double));
    s->model.own_inertia = rls_arena_take (c, n, sizeof (*s->model.own_inertia));
    s->model.inertia = rls_arena_take (c, n, sizeof (*s->model.inertia));
    s->geometric.last_inertia = rls_arena_take (c, n, sizeof (*s->geometric.last_inertia));
    s->geometric.light = rls_arena_take (c, n, 1);
    s->geometric.stiffness = rls_arena_take (c, n, sizeof (*s->geometric.stiffness));
    s->model.inverse_inertia = rls_arena_take (c, n, sizeof (*s->model.inverse_inertia));
    s->state.pose = rls_arena_take (c, n, sizeof (*s->state.pose));
    s->state.v = rls_arena_take (c, n, sizeof (*s->state.v));
    s->applied.force = rls_arena_take (c, n, sizeof (*s->applied.force));
    s->applied.gravity = rls_arena_take (c, n, sizeof (*s->applied.gravity));
    s->next.pose = rls_arena_take (c, n, sizeof (*s->next.pose));
    s->next.v = rls_arena_take (c, n, sizeof (*s->next.v));
    s->scratch.R = rls_arena_take (c, n, sizeof (*s->scratch.R));
    s->scratch.predicted = rls_arena_take (c, n, sizeof (*s->scratch.predicted));
    s->scratch.best_pose = rls_arena_take (c, n, sizeof (*s->scratch.best_pose));
    s->scratch.six = rls_arena_take (c, n, sizeof (*s->scratch.six));

    /* joints and rows */
    s->scratch.rows = rls_arena_take (c, 5 * rows, sizeof (double));
    s->reactions.p = rls_arena_take (c, rows, sizeof (double));
    s->reactions.joint_impulse = rls_arena_take (c, joints, sizeof (*s->reactions.joint_impulse));
    s->mechanism.part = rls_arena_take (c, (size_t)s->begin.rows.parts, sizeof (*s->mechanism.part));
    s->reactions.part_impulse =
        rls_arena_take (c, (size_t)s->begin.rows.parts, sizeof (*s->reactions.part_impulse));
    s->reactions.noted_v = rls_arena_take (c, n, sizeof (*s->reactions.noted_v));
    s->mechanism.ode_joint = rls_arena_take (c, joints, sizeof (int));
    s->mechanism.ode_row = rls_arena_take (c, rows, sizeof (int));
    s->mechanism.nonholonomic = rls_arena_take (c, rows, 1);
    s->mechanism.body1 = rls_arena_take (c, joints, sizeof (int));
    s->mechanism.body2 = rls_arena_take (c, joints, sizeof (int));
    s->mechanism.row0 = rls_arena_take (c, joints + 1, sizeof (int));
    s->mechanism.fixed = rls_arena_take (c, joints, sizeof (int));
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind)
        s->mechanism.of_kind[kind] = rls_arena_take (c, joints, sizeof (int));
    s->mechanism.attach0 = rls_arena_take (c, n + 1, sizeof (int));
    s->mechanism.attach = rls_arena_take (c, 2 * joints, sizeof (int));

    /* rows of the beginning and of the present pose, which change hands */
    rls_rows_lay_out_with_masses (s->memory.rows_swapped ? &s->end.rows : &s->begin.rows, c);
    rls_rows_lay_out_with_masses (s->memory.rows_swapped ? &s->begin.rows : &s->end.rows, c);

    /* bounded rows of the beginning, */
    rls_bounded *b = &s->begin.bounded;
    const size_t bj = (size_t)b->joints, br = (size_t)b->rows;
    b->body1 = rls_arena_take (c, bj, sizeof (int));
    b->body2 = rls_arena_take (c, bj, sizeof (int));
    b->row0 = rls_arena_take (c, bj + 1, sizeof (int));
    b->key = rls_arena_take (c, bj, sizeof (uint64_t));
    b->arm = rls_arena_take (c, bj, sizeof (*b->arm));
    b->J = rls_arena_take (c, br, sizeof (*b->J));
    b->Y = rls_arena_take (c, br, sizeof (*b->Y));
    b->softness = rls_arena_take (c, br, sizeof (double));
    b->target = rls_arena_take (c, br, sizeof (double));
    b->lo = rls_arena_take (c, br, sizeof (double));
    b->hi = rls_arena_take (c, br, sizeof (double));
    b->follow = rls_arena_take (c, br, sizeof (int));
    b->p = rls_arena_take (c, br, sizeof (double));
    b->rest = rls_arena_take (c, br, sizeof (double));
    b->push = rls_arena_take (c, br, sizeof (double));
    b->share = rls_arena_take (c, br, sizeof (double));
    b->gap = rls_arena_take (c, br, sizeof (double));
    b->bounce = rls_arena_take (c, br, sizeof (double));
    b->located = rls_arena_take (c, br, 1);
    b->before = rls_arena_take (c, br, sizeof (double));
    b->leave = rls_arena_take (c, br, sizeof (double));
    b->start = rls_arena_take (c, br, sizeof (double));
    b->way = rls_arena_take (c, br, sizeof (double));
    b->stiffness = rls_arena_take (c, br, sizeof (double));
    b->damping = rls_arena_take (c, br, sizeof (double));
    b->open = rls_arena_take (c, br, sizeof (double));
    b->ode_joint = rls_arena_take (c, br, sizeof (int));
    b->ode_row = rls_arena_take (c, br, sizeof (int));

    /* and of the end, as far as they differ */
    rls_bounded *end = &s->end.bounded;
    end->J = rls_arena_take (c, br, sizeof (*end->J));
    end->Y = rls_arena_take (c, br, sizeof (*end->Y));
    end->softness = rls_arena_take (c, br, sizeof (double));
    end->target = rls_arena_take (c, br, sizeof (double));
    end->follow = rls_arena_take (c, br, sizeof (int));
    end->lo = rls_arena_take (c, br, sizeof (double));
    end->hi = rls_arena_take (c, br, sizeof (double));
    end->p = rls_arena_take (c, br, sizeof (double));
    s->reactions.bounded_total = rls_arena_take (c, br, sizeof (double));
}

void rls_bounded_share (rls_bounded *end, const rls_bounded *begin)
{
    const rls_bounded own = *end;
    *end = *begin;
    end->J = own.J, end->Y = own.Y;
    end->softness = own.softness, end->target = own.target;
    end->lo = own.lo, end->hi = own.hi, end->p = own.p;
    end->follow = own.follow;
    if (end->rows > 0) memcpy (end->follow, begin->follow, sizeof (int) * (size_t)end->rows);
}

void rls_island_swap_rows (rls_island *s)
{
    const rls_rows rows = s->begin.rows;
    s->begin.rows = s->end.rows, s->end.rows = rows;
    s->memory.rows_swapped = !s->memory.rows_swapped;
}

/* Both evaluations of the rows are of the same joints and bodies. */
static void share_topology (rls_island *s)
{
    s->begin.rows.body1 = s->mechanism.body1, s->begin.rows.body2 = s->mechanism.body2,
    s->begin.rows.row0 = s->mechanism.row0;
    s->begin.rows.fixed = s->mechanism.fixed;
    s->begin.rows.part = s->mechanism.part;
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
    const int anew = s->model.bodies != bodies || s->begin.rows.parts != parts || s->memory.joints < joints ||
                     s->memory.rows < rows;
    const int more =
        anew || s->memory.bounded_joints < bounded_joints || s->memory.bounded_rows < bounded_rows;

    /* another mechanism, or one that outgrew its room */
    if (anew)
    {
        const int grows = s->model.bodies == bodies; /* as where contacts come: with room for more */
        s->valid.end_exact = s->valid.stiffness = 0;
        s->memory.joints = joints + (grows ? joints / 4 : 0);
        s->memory.rows = rows + (grows ? rows / 4 : 0);
    }

    /* the sizes that the layout goes by */
    s->model.bodies = s->begin.rows.bodies = s->end.rows.bodies = bodies;
    s->begin.rows.parts = s->end.rows.parts = parts;
    s->begin.rows.joints = s->end.rows.joints = s->memory.joints;
    s->begin.rows.rows = s->end.rows.rows = s->memory.rows;
    s->begin.bounded.joints = bounded_joints;
    s->begin.bounded.rows = bounded_rows;
    if (!more) return 1;

    /* contacts come and go: with room for more */
    s->memory.bounded_joints = s->begin.bounded.joints += bounded_joints / 4;
    s->memory.bounded_rows = s->begin.bounded.rows += bounded_rows / 4;
    int done = rls_array_reserve (&s->mechanism.frame, &s->mechanism.frame_capacity, s->memory.joints,
                                  sizeof (*s->mechanism.frame));
    if (done) RLS_LAY_OUT (s, &s->memory.block, lay_out_island, done);
    if (!done)
    {
        s->valid.end_exact = s->valid.stiffness = 0;
        s->memory.joints = -1; /* the next step lays all of it out */
    }

    /* what both sets of rows have in common */
    share_topology (s);
    for (int j = 0; j < joints && anew && done; ++j)
        s->mechanism.fixed[j] = s->begin.rows.compact_rows[j] = s->end.rows.compact_rows[j] = 0;
    return done;
}

int rls_island_copy (rls_island *to, const rls_island *from)
{
    const rls_island own = *to;
    const int frames = from->memory.joints < from->mechanism.frame_capacity ? from->memory.joints
                                                                            : from->mechanism.frame_capacity;
    int done;
    *to = *from;
    to->memory.block = own.memory.block, to->memory.decisions = own.memory.decisions,
    to->elimination.order = own.elimination.order,
    to->elimination.mass_scaling = own.elimination.mass_scaling;
    to->elimination.precedence = own.elimination.precedence, to->begin.factor = own.begin.factor,
    to->end.factor = own.end.factor, to->bounded_work = own.bounded_work;
    to->mechanism.frame = own.mechanism.frame, to->mechanism.frame_capacity = own.mechanism.frame_capacity;
    to->reactions.rows = NULL, to->reactions.factor = NULL, to->reactions.change = NULL;
    RLS_LAY_OUT_COPY (to, &to->memory.block, &from->memory.block, lay_out_island, done);
    share_topology (to);
    if (!done || !rls_array_reserve (&to->mechanism.frame, &to->mechanism.frame_capacity, frames,
                                     sizeof (*to->mechanism.frame)))
        return 0;
    if (frames > 0)
        memcpy (to->mechanism.frame, from->mechanism.frame, (size_t)frames * sizeof (*to->mechanism.frame));
    return rls_reuse_copy (to, from) && rls_order_copy (&to->elimination.order, &from->elimination.order) &&
           rls_mass_scaling_copy (&to->elimination.mass_scaling, &from->elimination.mass_scaling) &&
           rls_precedence_copy (&to->elimination.precedence, &from->elimination.precedence) &&
           rls_factor_copy (&to->begin.factor, &from->begin.factor, &to->elimination.order) &&
           rls_factor_copy (&to->end.factor, &from->end.factor, &to->elimination.order);
}

void rls_island_free (rls_island *s)
{
    rls_order_free (&s->elimination.order);
    rls_mass_scaling_free (&s->elimination.mass_scaling);
    rls_precedence_free (&s->elimination.precedence);
    rls_factor_free (&s->begin.factor);
    rls_factor_free (&s->end.factor);
    rls_arena_free (&s->memory.decisions);
    free (s->mechanism.frame);
    rls_arena_free (&s->memory.block);
    *s = (rls_island){0};
}

/* With the quaternion normalised once more, as dBodySetQuaternion does. */
RLS_VECTOR_CLONES void rls_island_turn (rls_island *s, const rls_pose *pose)
{
    for (int i = 0; i < rls_batches (s->model.bodies); ++i)
    {
        const rls_group g = rls_batch_of (i, s->model.bodies);
        rls_four q[4], R[9];
        rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, &g, 4, q);
        rls_lanes_normalise (q);
        rls_lanes_matrix (q, R);
        rls_lanes_store (R, 9, s->scratch.R[0], 9, &g);
    }
}

RLS_VECTOR_CLONES void rls_island_inverse_inertia (rls_island *s, const rls_pose *pose, const rls_rows *rows)
{
    for (int i = 0; i < rls_batches (s->model.bodies); ++i)
    {
        const rls_group g = rls_batch_of (i, s->model.bodies);
        rls_four q[4], R[9], A[9], RA[9], W[9];
        rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, &g, 4, q);
        rls_lanes_matrix (q, R);
        rls_lanes_load (s->model.inverse_inertia[0], 9, &g, 9, A);
        rls_lanes_product (R, A, RA);
        rls_lanes_product_transposed (RA, R, W);
        rls_lanes_store (W, 9, rows->W[0], 9, &g);
    }
}

RLS_VECTOR_CLONES void rls_island_form_bounded_columns (rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    for (int j = 0; j < b->joints; ++j)
    {
        const int r = b->row0[j], m = b->row0[j + 1] - r;
        rls_side_columns (&s->begin.rows, b->body1[j], m, b->J[r], b->Y[r]);
        rls_side_columns (&s->begin.rows, b->body2[j], m, b->J[r] + 6, b->Y[r] + 6);
    }
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

/*
 * Angular velocity after a gyroscopic step without torque, implicit as in ODE (step.cpp, after
 * Lacoursiere, Stabilizing Gyroscopic Forces in Rigid Multibody Simulations, 2006):
 * (I + h [L]-) w' = L with L = I w in world axes and [L]- the negated cross-product matrix.
 */
static void turn_gyroscopically (const rls_island *s, int b, double h, double w[3])
{
    double R[9], I[9], L[3];
    rls_quaternion_matrix (s->state.pose[b].q, R);
    rls_rotate_tensor (R, s->model.inertia[b], I);
    rls_multiply (I, w, L);
    I[1] += h * L[2], I[2] -= h * L[1];
    I[3] -= h * L[2], I[5] += h * L[0];
    I[6] += h * L[1], I[7] -= h * L[0];
    if (rls_solve3 (I, L))
        for (int k = 0; k < 3; ++k) w[k] = L[k];
}

void rls_island_kick (const rls_island *s, double h, double (*v)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        if (!s->model.movable[b]) continue;
        double turn[3];
        if (s->model.gyroscopic[b]) turn_gyroscopically (s, b, h, v[b] + 3);
        rls_multiply (s->begin.rows.W[b], s->applied.force[b] + 3, turn);
        for (int k = 0; k < 3; ++k)
        {
            v[b][k] += h / s->model.mass[b] * s->applied.force[b][k];
            v[b][3 + k] += h * turn[k];
        }
    }
}
