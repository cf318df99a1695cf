/*
 * Where the blocks of the factor are: panel rows and runs, the columns as elimination and solves go through
 * them, and where every coupling of H M^-1 H' lands.
 */
#include "order_parts.h"
#include "kernels/kernels.h"
#include <stdlib.h>

void rls_order_find_runs (rls_order *o, rls_block_run *run)
{
    int count = 0;
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int first = o->supernode[g], end = o->end[o->supernode[g + 1] - 1];
        int last = first, row = 0;
        o->run0[g] = count;
        for (int x = o->start[first] - 1; x < end; ++x)
        {
            const int i = x < o->start[first] ? first : o->scratch[x], rows = rls_padded (o->size[i]);
            if (i == first || i != last + 1)
            {
                if (run) run[count] = (rls_block_run){o->scalar0[i], row, 0};
                ++count;
            }
            if (run) run[count - 1].count += rows;
            row += rows;
            last = i;
        }
    }
    o->run0[o->supernodes] = count;
}

void rls_order_place_panels (rls_order *o)
{
    size_t value = 0;
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int first = o->supernode[g], past = o->supernode[g + 1], end = o->end[past - 1];
        int height = rls_padded (o->size[first]);
        for (int x = o->start[first]; x < end; ++x)
        {
            o->below[x] = height;
            height += rls_padded (o->size[o->index[x]]);
        }
        for (int k = first; k < past; ++k)
        {
            o->end[k] = end;
            o->top[k] = o->scalar0[k] - o->scalar0[first];
            o->height[k] = height;
            o->panel[k] = value;
            value += (size_t)height * (size_t)o->size[k];
        }
    }
    o->panel[o->n] = value;
}

void rls_order_list_columns (rls_order *o)
{
    for (int g = 0; g < o->supernodes; ++g)
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
        {
            const int own = o->top[k] + rls_padded (o->size[k]), joint = o->perm[k];
            const rls_block_run *run = o->run + o->run0[g];
            rls_column *column = o->column + k;
            column->block = o->panel[k] + (size_t)o->top[k];
            column->height = o->height[k];
            column->size = (short)o->size[k];
            column->supernode = g;
            column->joint = joint < o->joints ? joint : -1;
            column->scalar = o->scalar0[k];
            if (run->count == own && o->run0[g + 1] - o->run0[g] == 2) ++run;
            column->below = run->scalar + (run->row == 0 ? own : 0);
            column->count = run->row + run->count == o->height[k] ? o->height[k] - own : -1;
        }
}

void rls_order_place_couplings (rls_order *o, const rls_joint_graph *graph)
{
    int count = 0;
    for (int k = 0; k < o->n; ++k)
    {
        const int j = o->perm[k];
        o->couple_start[k] = count;
        for (int x = graph->start[j]; x < graph->start[j + 1]; ++x)
        {
            const int i = o->position[graph->neighbour[x]];
            if (i < k) continue;
            const int *found = bsearch (&i, o->index + o->start[k], (size_t)(o->end[k] - o->start[k]),
                                        sizeof (int), rls_ascending);
            o->coupling[count++] =
                (rls_coupling){o->below[found - o->index], graph->neighbour[x], graph->sides[x]};
        }
    }
    o->couple_start[o->n] = count;
}

/* 1 if column k is alone in its supernode and its joint is not attached to a dense body. */
static int is_alone (const rls_order *o, int k)
{
    const int g = o->column[k].supernode, j = o->column[k].joint;
    return j >= 0 && o->supernode[g + 1] - o->supernode[g] == 1 && o->side_dense[2 * j] < 0 &&
           o->side_dense[2 * j + 1] < 0;
}

static int is_packed (const rls_order *o, int k)
{
    const int below = o->end[k] - o->start[k];
    int hinges = o->size[k] == RLS_HINGE_ROWS && is_alone (o, k) && below <= RLS_MOST_PACKED;
    for (int x = o->start[k]; x < o->end[k] && hinges; ++x)
        hinges = o->size[o->index[x]] == RLS_HINGE_ROWS;
    return hinges;
}

void rls_order_pack_columns (rls_order *o)
{
    size_t value = 0;
    for (int k = 0; k < o->n; ++k)
    {
        rls_column *column = o->column + k;
        const int packed = is_packed (o, k);
        column->packed = (signed char)(packed ? o->end[k] - o->start[k] : -1);
        for (int i = 0; i < column->packed; ++i) column->target[i] = o->scalar0[o->index[o->start[k] + i]];
        o->panel[k] = value;
        column->block = value + (size_t)o->top[k];
        value += packed ? RLS_PACKED_VALUES (column->packed) : (size_t)o->height[k] * (size_t)o->size[k];
    }
    o->panel[o->n] = value;
}
