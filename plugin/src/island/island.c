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
    const size_t n = (size_t)s->bodies, joints = (size_t)s->rows.joints, rows = (size_t)s->rows.rows;

    /* bodies */
    s->movable = rls_arena_take (c, n, 1);
    s->turn = rls_arena_take (c, n, 1);
    s->by_exponential = rls_arena_take (c, n, 1);
    s->gyroscopic = rls_arena_take (c, n, 1);
    s->axis = rls_arena_take (c, n, sizeof (*s->axis));
    s->max_turn = rls_arena_take (c, n, sizeof (double));
    s->mass = rls_arena_take (c, n, sizeof (double));
    s->own_inertia = rls_arena_take (c, n, sizeof (*s->own_inertia));
    s->inertia = rls_arena_take (c, n, sizeof (*s->inertia));
    s->last_inertia = rls_arena_take (c, n, sizeof (*s->last_inertia));
    s->light = rls_arena_take (c, n, 1);
    s->stiffness = rls_arena_take (c, n, sizeof (*s->stiffness));
    s->inverse_inertia = rls_arena_take (c, n, sizeof (*s->inverse_inertia));
    s->pose = rls_arena_take (c, n, sizeof (*s->pose));
    s->v = rls_arena_take (c, n, sizeof (*s->v));
    s->force = rls_arena_take (c, n, sizeof (*s->force));
    s->gravity = rls_arena_take (c, n, sizeof (*s->gravity));
    s->new_pose = rls_arena_take (c, n, sizeof (*s->new_pose));
    s->new_v = rls_arena_take (c, n, sizeof (*s->new_v));
    s->R = rls_arena_take (c, n, sizeof (*s->R));
    s->predicted = rls_arena_take (c, n, sizeof (*s->predicted));
    s->best_pose = rls_arena_take (c, n, sizeof (*s->best_pose));
    s->scratch6 = rls_arena_take (c, n, sizeof (*s->scratch6));

    /* joints and rows */
    s->scratch_rows = rls_arena_take (c, 5 * rows, sizeof (double));
    s->p = rls_arena_take (c, rows, sizeof (double));
    s->joint_impulse = rls_arena_take (c, joints, sizeof (*s->joint_impulse));
    s->part = rls_arena_take (c, (size_t)s->rows.parts, sizeof (*s->part));
    s->part_impulse = rls_arena_take (c, (size_t)s->rows.parts, sizeof (*s->part_impulse));
    s->noted_v = rls_arena_take (c, n, sizeof (*s->noted_v));
    s->ode_joint = rls_arena_take (c, joints, sizeof (int));
    s->ode_row = rls_arena_take (c, rows, sizeof (int));
    s->nonholonomic = rls_arena_take (c, rows, 1);
    s->body1 = rls_arena_take (c, joints, sizeof (int));
    s->body2 = rls_arena_take (c, joints, sizeof (int));
    s->row0 = rls_arena_take (c, joints + 1, sizeof (int));
    s->fixed = rls_arena_take (c, joints, sizeof (int));
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind)
        s->of_kind[kind] = rls_arena_take (c, joints, sizeof (int));
    s->attach0 = rls_arena_take (c, n + 1, sizeof (int));
    s->attach = rls_arena_take (c, 2 * joints, sizeof (int));

    /* rows of the beginning and of the present pose, which change hands */
    rls_rows_lay_out_with_masses (s->rows_swapped ? &s->rows_now : &s->rows, c);
    rls_rows_lay_out_with_masses (s->rows_swapped ? &s->rows : &s->rows_now, c);

    /* bounded rows of the beginning, */
    rls_bounded *b = &s->bounded;
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
    rls_bounded *end = &s->bounded_end;
    end->J = rls_arena_take (c, br, sizeof (*end->J));
    end->Y = rls_arena_take (c, br, sizeof (*end->Y));
    end->softness = rls_arena_take (c, br, sizeof (double));
    end->target = rls_arena_take (c, br, sizeof (double));
    end->follow = rls_arena_take (c, br, sizeof (int));
    end->lo = rls_arena_take (c, br, sizeof (double));
    end->hi = rls_arena_take (c, br, sizeof (double));
    end->p = rls_arena_take (c, br, sizeof (double));
    s->bounded_total = rls_arena_take (c, br, sizeof (double));
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
    const rls_rows rows = s->rows;
    s->rows = s->rows_now, s->rows_now = rows;
    s->rows_swapped = !s->rows_swapped;
}

/* Both evaluations of the rows are of the same joints and bodies. */
static void share_topology (rls_island *s)
{
    s->rows.body1 = s->body1, s->rows.body2 = s->body2, s->rows.row0 = s->row0;
    s->rows.fixed = s->fixed;
    s->rows.part = s->part;
    s->rows.bodies = s->bodies;
    s->rows.movable = s->movable, s->rows.mass = s->mass;
    s->rows.attach0 = s->attach0, s->rows.attach = s->attach;
    s->rows.mass_scaling = &s->mass_scaling;
    s->rows.precedence = &s->precedence;
    rls_rows_share (&s->rows_now, &s->rows);
}

int rls_island_lay_out (rls_island *s, int bodies, int joints, int rows, int parts, int bounded_joints,
                        int bounded_rows)
{
    const int anew =
        s->bodies != bodies || s->rows.parts != parts || s->laid_joints < joints || s->laid_rows < rows;
    const int more = anew || s->laid_bounded_joints < bounded_joints || s->laid_bounded_rows < bounded_rows;

    /* another mechanism, or one that outgrew its room */
    if (anew)
    {
        const int grows = s->bodies == bodies; /* as where contacts come: with room for more */
        s->now_exact = s->stiffness_known = 0;
        s->laid_joints = joints + (grows ? joints / 4 : 0);
        s->laid_rows = rows + (grows ? rows / 4 : 0);
    }

    /* the sizes that the layout goes by */
    s->bodies = s->rows.bodies = s->rows_now.bodies = bodies;
    s->rows.parts = s->rows_now.parts = parts;
    s->rows.joints = s->rows_now.joints = s->laid_joints;
    s->rows.rows = s->rows_now.rows = s->laid_rows;
    s->bounded.joints = bounded_joints;
    s->bounded.rows = bounded_rows;
    if (!more) return 1;

    /* contacts come and go: with room for more */
    s->laid_bounded_joints = s->bounded.joints += bounded_joints / 4;
    s->laid_bounded_rows = s->bounded.rows += bounded_rows / 4;
    int done = rls_array_reserve (&s->frame, &s->frame_capacity, s->laid_joints, sizeof (*s->frame));
    if (done) RLS_LAY_OUT (s, &s->block, lay_out_island, done);
    if (!done)
    {
        s->now_exact = s->stiffness_known = 0;
        s->laid_joints = -1; /* the next step lays all of it out */
    }

    /* what both sets of rows have in common */
    share_topology (s);
    for (int j = 0; j < joints && anew && done; ++j)
        s->fixed[j] = s->rows.compact_rows[j] = s->rows_now.compact_rows[j] = 0;
    return done;
}

int rls_island_copy (rls_island *to, const rls_island *from)
{
    const rls_island own = *to;
    const int frames = from->laid_joints < from->frame_capacity ? from->laid_joints : from->frame_capacity;
    int done;
    *to = *from;
    to->block = own.block, to->reuse_arena = own.reuse_arena, to->order = own.order,
    to->mass_scaling = own.mass_scaling;
    to->precedence = own.precedence, to->factor = own.factor, to->factor_now = own.factor_now,
    to->bounded_work = own.bounded_work;
    to->frame = own.frame, to->frame_capacity = own.frame_capacity;
    to->acting = NULL, to->acting_factor = NULL, to->reaction = NULL;
    RLS_LAY_OUT_COPY (to, &to->block, &from->block, lay_out_island, done);
    share_topology (to);
    if (!done || !rls_array_reserve (&to->frame, &to->frame_capacity, frames, sizeof (*to->frame))) return 0;
    if (frames > 0) memcpy (to->frame, from->frame, (size_t)frames * sizeof (*to->frame));
    return rls_reuse_copy (to, from) && rls_order_copy (&to->order, &from->order) &&
           rls_mass_scaling_copy (&to->mass_scaling, &from->mass_scaling) &&
           rls_precedence_copy (&to->precedence, &from->precedence) &&
           rls_factor_copy (&to->factor, &from->factor, &to->order) &&
           rls_factor_copy (&to->factor_now, &from->factor_now, &to->order);
}

void rls_island_free (rls_island *s)
{
    rls_order_free (&s->order);
    rls_mass_scaling_free (&s->mass_scaling);
    rls_precedence_free (&s->precedence);
    rls_factor_free (&s->factor);
    rls_factor_free (&s->factor_now);
    rls_arena_free (&s->reuse_arena);
    free (s->frame);
    rls_arena_free (&s->block);
    *s = (rls_island){0};
}

/* With the quaternion normalised once more, as dBodySetQuaternion does. */
RLS_VECTOR_CLONES void rls_island_turn (rls_island *s, const rls_pose *pose)
{
    for (int i = 0; i < rls_batches (s->bodies); ++i)
    {
        const rls_group g = rls_batch_of (i, s->bodies);
        rls_four q[4], R[9];
        rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, &g, 4, q);
        rls_lanes_normalise (q);
        rls_lanes_matrix (q, R);
        rls_lanes_store (R, 9, s->R[0], 9, &g);
    }
}

RLS_VECTOR_CLONES void rls_island_inverse_inertia (rls_island *s, const rls_pose *pose, const rls_rows *rows)
{
    for (int i = 0; i < rls_batches (s->bodies); ++i)
    {
        const rls_group g = rls_batch_of (i, s->bodies);
        rls_four q[4], R[9], A[9], RA[9], W[9];
        rls_lanes_load (pose[0].q, RLS_POSE_STRIDE, &g, 4, q);
        rls_lanes_matrix (q, R);
        rls_lanes_load (s->inverse_inertia[0], 9, &g, 9, A);
        rls_lanes_product (R, A, RA);
        rls_lanes_product_transposed (RA, R, W);
        rls_lanes_store (W, 9, rows->W[0], 9, &g);
    }
}

RLS_VECTOR_CLONES void rls_island_form_bounded_columns (rls_island *s)
{
    const rls_bounded *b = &s->bounded;
    for (int j = 0; j < b->joints; ++j)
    {
        const int r = b->row0[j], m = b->row0[j + 1] - r;
        rls_side_columns (&s->rows, b->body1[j], m, b->J[r], b->Y[r]);
        rls_side_columns (&s->rows, b->body2[j], m, b->J[r] + 6, b->Y[r] + 6);
    }
}

void rls_island_align (rls_island *s)
{
    if (s->factor.rank < s->rows.rows)
        rls_rows_align_exactly (&s->rows_now, &s->rows);
    else
        rls_rows_align (&s->rows_now, &s->rows);
}

int rls_island_look (rls_island *s, const rls_pose *pose)
{
    if (!s->evaluate (s, pose)) return 0;
    rls_island_align (s);
    rls_island_inverse_inertia (s, pose, &s->rows_now);
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
    rls_quaternion_matrix (s->pose[b].q, R);
    rls_rotate_tensor (R, s->inertia[b], I);
    rls_multiply (I, w, L);
    I[1] += h * L[2], I[2] -= h * L[1];
    I[3] -= h * L[2], I[5] += h * L[0];
    I[6] += h * L[1], I[7] -= h * L[0];
    if (rls_solve3 (I, L))
        for (int k = 0; k < 3; ++k) w[k] = L[k];
}

void rls_island_kick (const rls_island *s, double h, double (*v)[6])
{
    for (int b = 0; b < s->bodies; ++b)
    {
        if (!s->movable[b]) continue;
        double turn[3];
        if (s->gyroscopic[b]) turn_gyroscopically (s, b, h, v[b] + 3);
        rls_multiply (s->rows.W[b], s->force[b] + 3, turn);
        for (int k = 0; k < 3; ++k)
        {
            v[b][k] += h / s->mass[b] * s->force[b][k];
            v[b][3 + k] += h * turn[k];
        }
    }
}
