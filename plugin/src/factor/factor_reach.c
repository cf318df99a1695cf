/*
 * Couplings of the border rows with the sparse factor: their vectors Y = L^-1 C, and products with them.
 *
 * The vector of a border row is nonzero only in the supernodes with which the row is coupled and on the paths
 * from these to the root of the elimination tree; the row is said to reach them.  In large meshes most of Y
 * is 0.  So Y is stored by supernodes, each with the list of border rows that reach it and a dense block:
 *
 *     reach[reach0[g]] ...          border rows, ascending; they all reach the supernode above g as well
 *     reach_value[reach_panel[g]]   for each row of the supernode, height (g) entries: one for each border
 * row of the list, padded to whole vectors
 *
 * All operations are products of dense matrices.
 */
#include "factor_hinge.h"
#include "kernels/mobility.h"

#define SCATTERED 6 /* most columns of a product whose rows are then added one by one */

/* The number of border rows that reach supernode g. */
static int reaching (const rls_factor *f, int g) { return f->reach0[g + 1] - f->reach0[g]; }

/* The same, padded. */
static size_t height (const rls_factor *f, int g) { return (size_t)rls_padded (reaching (f, g)); }

/* The entries of the first row of position k, which is in supernode g. */
static double *entries (const rls_factor *f, int g, int k)
{
    const int column = f->column0[k] - f->column0[f->order->supernode[g]];
    return f->reach_value + f->reach_panel[g] + (size_t)column * height (f, g);
}

static void lay_out_values (rls_factor *f, rls_arena_cursor *c)
{
    const int supernodes = f->order->supernodes;
    RLS_TAKE (c, (size_t)f->reach0[supernodes], f->reach);
    RLS_TAKE (c, f->reach_panel[supernodes], f->reach_value);
}

void rls_reach_lay_out (rls_factor *f, rls_arena_cursor *c)
{
    const size_t supernodes = (size_t)f->order->supernodes, k = (size_t)rls_padded (f->borders);
    RLS_TAKE (c, (size_t)f->order->n + 1, f->column0);
    RLS_TAKE (c, supernodes + 1, f->reach0, f->reach_panel);
    RLS_TAKE (c, supernodes, f->reach_count, f->reach_last);
    RLS_TAKE (c, k, f->reach_place);
    RLS_TAKE (c, SCATTERED * k, f->reach_work);
}

/* ---- which rows reach what ---- */

/* The parent of supernode g in the elimination tree, -1 for a root. */
static int supernode_above (const rls_order *o, int g)
{
    const int last = o->supernode[g + 1] - 1;
    return o->start[last] < o->end[last] ? o->column[o->index[o->start[last]]].supernode : -1;
}

/* Counts border row a in the supernode of position k and in all above it.  Once there is memory for the
 * lists, adds it there, too. */
static void reach_from (rls_factor *f, int a, int k)
{
    for (int g = f->order->column[k].supernode; g >= 0 && f->reach_last[g] != a;
         g = supernode_above (f->order, g))
    {
        f->reach_last[g] = a;
        if (f->reach) f->reach[f->reach0[g] + f->reach_count[g]] = a;
        ++f->reach_count[g];
    }
}

static void start_lists (rls_factor *f)
{
    for (int g = 0; g < f->order->supernodes; ++g) f->reach_last[g] = -1, f->reach_count[g] = 0;
}

/* ---- couplings ---- */

/* Adds the couplings of border row a with a joint through one body, which a unit impulse along the row gives
 * the velocity Y.  Row a is the last so far in the lists of its supernodes. */
static void add_couplings (rls_factor *f, const rls_rows *rows, int a, int joint, int side, const double *Y)
{
    const int k = f->order->position[joint], g = f->order->column[k].supernode;
    const size_t within = (size_t)(f->order->scalar[joint] - f->order->column[k].scalar);
    double *at = entries (f, g, k) + within * height (f, g) + f->reach_count[g] - 1;
    rls_row room[RLS_MAX_ROWS];
    const rls_row *J = rls_joint_rows (rows, joint, room);
    for (int r = rows->row0[joint]; r < rows->row0[joint + 1]; ++r, at += height (f, g))
    {
        const double coupling = rls_dot6 (J[r - rows->row0[joint]] + 6 * side, Y);
        *at += coupling;
        if (f->decision[r] != RLS_BORDER || r > f->border_row[a]) continue;
        const int place = rls_place_in (f->border_row, 0, f->borders - 1, r);
        f->border_ld[(size_t)place * (size_t)f->borders + (size_t)a] += coupling;
    }
}

/* Counts border row a in all supernodes that it reaches, or lists it there.  form: 1 to add its couplings,
 * too, in C and with border rows before it, which are C_BB. */
static void couple_row (rls_factor *f, const rls_rows *rows, int a, int form)
{
    const rls_order *o = f->order;
    const int row = f->border_row[a], j = rls_joint_of_row (rows, row);
    rls_row room[RLS_MAX_ROWS], Y[1];
    const rls_row *J = rls_joint_rows (rows, j, room) + row - rows->row0[j];
    rls_joint_columns (rows, j, 1, J, Y);
    if (form) f->border_ld[(size_t)a * (size_t)f->borders + (size_t)a] = rows->sigma2[row];
    for (int side = 0; side < 2; ++side)
    {
        const int b = rows->body[j][side], dense = o->side_dense[2 * j + side];
        const double *own = J[0] + 6 * side;
        if (dense >= 0) reach_from (f, a, dense);
        if (dense >= 0 && form)
        {
            const int g = o->column[dense].supernode;
            double *at = entries (f, g, dense) + f->reach_count[g] - 1, its[RLS_DENSE_BODY_SIZE];
            rls_factor_dense_entries (f->dense_root[o->perm[o->column[dense].member0] - o->joints], own, its);
            for (int c = 0; c < RLS_DENSE_BODY_SIZE; ++c) at[(size_t)c * height (f, g)] += its[c];
        }

        /* with the joints of a body that it moves and that is no dense body */
        if (dense >= 0 || !rls_is_pushed (rows, b) || !(rls_dot6 (own, own) > 0)) continue;
        for (int i = rows->attach0[b]; i < rows->attach0[b + 1]; ++i)
        {
            const int other = rows->attach[i] / 2;
            reach_from (f, a, o->position[other]);
            if (form) add_couplings (f, rows, a, other, rows->attach[i] % 2, Y[0] + 6 * side);
        }
    }
}

/* Counts the rows that reach each supernode and lays out their lists and blocks.  Returns 1, or 0 without
 * memory. */
static int find_reach (rls_factor *f, const rls_rows *rows)
{
    const rls_order *o = f->order;
    f->column0[0] = 0;
    for (int k = 0; k < o->n; ++k) f->column0[k + 1] = f->column0[k] + o->column[k].size;
    f->reach = NULL;
    start_lists (f);
    for (int a = 0; a < f->borders && rows->parts.count == 0; ++a) couple_row (f, rows, a, 0);
    f->reach0[0] = 0, f->reach_panel[0] = 0;
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int columns = f->column0[o->supernode[g + 1]] - f->column0[o->supernode[g]];
        f->reach0[g + 1] = f->reach0[g] + f->reach_count[g];
        f->reach_panel[g + 1] = f->reach_panel[g] + (size_t)columns * height (f, g);
    }
    const int done = RLS_LAY_OUT (f, &f->reach_block, lay_out_values);
    if (done) memset (f->reach_value, 0, sizeof (double) * f->reach_panel[o->supernodes]);
    return done;
}

/* ---- Y = L^-1 C ---- */

/* A supernode's panel, unpacked if its columns are packed. */
typedef struct
{
    const double *L;
    size_t stride;
    double unpacked[HINGE * HINGE_MOST_HEIGHT];
} supernode_panel;

RLS_INLINE void open_panel (const rls_factor *f, int g, supernode_panel *panel)
{
    const int first = f->order->supernode[g];
    const double *p = f->value + f->order->column[first].block;
    panel->L = p;
    panel->stride = (size_t)f->order->column[first].height;
    if (f->order->column[first].packed < 0) return;
    unpack_column (p, f->order->column[first].packed, 1, panel->unpacked);
    panel->L = panel->unpacked;
}

/* weight := some columns of a supernode's panel in m of its rows. */
RLS_INLINE void weigh_block (const supernode_panel *panel, int column, int columns, int row, const int m,
                             double (*weight)[RLS_WEIGHTS])
{
    const double *L = panel->L + (size_t)column * panel->stride + row;
    for (int c = 0; c < columns; ++c, L += panel->stride)
        for (int b = 0; b < m; b += RLS_LANES) RLS_FOUR (weight[c] + b) = RLS_CONST_FOUR (L + b);
}

/* Subtracts the products of position k from a later position of its supernode. */
RLS_INLINE void pass_inside (const rls_factor *f, const supernode_panel *panel, int g, int k, int to,
                             const int m)
{
    const rls_order *o = f->order;
    double weight[RLS_MAX_ROWS][RLS_WEIGHTS];
    weigh_block (panel, f->column0[k] - f->column0[o->supernode[g]], o->column[k].size, o->column[to].top, m,
                 weight);
    rls_subtract_product (entries (f, g, to), height (f, g), entries (f, g, k), height (f, g), weight,
                          o->column[k].size, m, (int)height (f, g));
}

/* Subtracts the products of the whole supernode from position to of a supernode above it, in whose list the
 * border rows of this one are at reach_place. */
RLS_INLINE void pass_above (const rls_factor *f, const supernode_panel *panel, int g, int row, int to,
                            const int m)
{
    const rls_order *o = f->order;
    const int above = o->column[to].supernode, count = reaching (f, g), first = o->supernode[g];
    const int columns = f->column0[o->supernode[g + 1]] - f->column0[first];
    const size_t own = height (f, g), its = height (f, above);
    double weight[RLS_SUPERNODE_COLUMNS][RLS_WEIGHTS], *T = f->reach_work;
    weigh_block (panel, 0, columns, row, m, weight);
    memset (T, 0, sizeof (double) * own * (size_t)m);
    rls_subtract_product (T, own, entries (f, g, first), own, weight, columns, m, (int)own);
    for (int b = 0; b < m; ++b, T += own)
    {
        double *at = entries (f, above, to) + (size_t)b * its;
        for (int i = 0; i < count; ++i) at[f->reach_place[i]] += T[i];
    }
}

/* reach_place := the places of the border rows of supernode g in the list of one above it. */
static void find_places (const rls_factor *f, int g, int above)
{
    const int *own = f->reach + f->reach0[g], *its = f->reach + f->reach0[above];
    for (int i = 0, at = 0; i < reaching (f, g); ++i, ++at)
    {
        while (its[at] != own[i]) ++at;
        f->reach_place[i] = at;
    }
}

/* Multiplies the entries of position k by L_kk^-1, with 0 in rows that are not kept. */
RLS_INLINE void pass_block (const rls_factor *f, const supernode_panel *panel, int g, int k)
{
    const rls_order *o = f->order;
    const size_t own = height (f, g);
    const double *L =
        panel->L + (size_t)(f->column0[k] - f->column0[o->supernode[g]]) * panel->stride + o->column[k].top;
    for (int c = 0; c < o->column[k].size; ++c, L += panel->stride)
    {
        double *from = entries (f, g, k) + (size_t)c * own, *to = from;
        if (f->inverse_pivot[o->column[k].scalar + c] == 0) memset (from, 0, sizeof (double) * own);
        for (int r = c + 1; r < o->column[k].size; ++r)
        {
            to += own;
            for (size_t i = 0; i < own; i += RLS_LANES) RLS_FOUR (to + i) -= L[r] * RLS_CONST_FOUR (from + i);
        }
    }
}

/* Forward substitution with supernode g. */
RLS_VECTOR_CLONES static void pass_supernode (const rls_factor *f, int g)
{
    const rls_order *o = f->order;
    const int past = o->supernode[g + 1], last = past - 1;
    supernode_panel panel;
    open_panel (f, g, &panel);
    for (int k = o->supernode[g]; k < past; ++k)
        for (int to = k + 1; to < past; ++to)
        {
#define INSIDE(m) pass_inside (f, &panel, g, k, to, m)
            RLS_FOR_EACH_SIZE (o->column[to].size, INSIDE)
        }
    for (int x = o->start[last], above = -1; x < o->end[last]; ++x)
    {
        const int to = o->index[x];
        if (o->column[to].supernode != above) find_places (f, g, above = o->column[to].supernode);
#define ABOVE(m) pass_above (f, &panel, g, o->below[x], to, m)
        RLS_FOR_EACH_SIZE (o->column[to].size, ABOVE)
    }
    for (int k = o->supernode[g]; k < past; ++k) pass_block (f, &panel, g, k);
}

/* ---- products ---- */

/* S -= Y' D^-1 Y of supernode g, on and above the diagonal. */
RLS_VECTOR_CLONES static void subtract_supernode (const rls_factor *f, int g)
{
    const rls_order *o = f->order;
    const int count = reaching (f, g), *list = f->reach + f->reach0[g];
    const size_t own = height (f, g);
    const double *Y = entries (f, g, o->supernode[g]);
    double weight[RLS_SUPERNODE_COLUMNS][RLS_WEIGHTS], *T = f->reach_work;
    for (int j = 0; j < count; j += RLS_LANES)
    {
        int columns = 0;
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
            for (int c = 0; c < o->column[k].size; ++c, ++columns)
                RLS_FOUR (weight[columns]) = f->inverse_pivot[o->column[k].scalar + c] *
                                             RLS_CONST_FOUR (Y + (size_t)columns * own + (size_t)j);
        memset (T, 0, sizeof (double) * RLS_LANES * own);
        rls_subtract_product (T, own, Y + j, own, weight, columns, RLS_LANES, (int)own - j);
        for (int b = 0; b < RLS_LANES && j + b < count; ++b)
        {
            double *S = f->border_ld + (size_t)list[j + b] * (size_t)f->borders;
            for (int i = b; j + i < count; ++i) S[list[j + i]] += T[(size_t)b * own + (size_t)i];
        }
    }
}

int rls_reach_form (rls_factor *f, const rls_rows *rows)
{
    if (!find_reach (f, rows)) return 0;
    if (rows->parts.count > 0) return 1;
    memset (f->border_ld, 0, sizeof (double) * (size_t)f->borders * (size_t)f->borders);
    start_lists (f);
    for (int a = 0; a < f->borders; ++a) couple_row (f, rows, a, 1);
    for (int g = 0; g < f->order->supernodes; ++g)
    {
        if (reaching (f, g) == 0) continue;
        pass_supernode (f, g);
        subtract_supernode (f, g);
    }
    return 1;
}

RLS_VECTOR_CLONES void rls_reach_subtract_rows (const rls_factor *f, const double *x, double *z)
{
    const rls_order *o = f->order;
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int count = reaching (f, g), *list = f->reach + f->reach0[g];
        const size_t own = height (f, g);
        const double *Y = entries (f, g, o->supernode[g]);
        double *sum = f->reach_work;
        if (count == 0) continue;
        memset (sum, 0, sizeof (double) * own);
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
            for (int c = 0; c < o->column[k].size; ++c, Y += own)
                for (size_t i = 0; i < own; i += RLS_LANES)
                    RLS_FOUR (sum + i) += x[o->column[k].scalar + c] * RLS_CONST_FOUR (Y + i);
        for (int i = 0; i < count; ++i) z[list[i]] -= sum[i];
    }
}

RLS_VECTOR_CLONES void rls_reach_subtract (const rls_factor *f, const double *z, double *x)
{
    const rls_order *o = f->order;
    for (int g = 0; g < o->supernodes; ++g)
    {
        const int count = reaching (f, g), *list = f->reach + f->reach0[g];
        const size_t own = height (f, g);
        const double *Y = entries (f, g, o->supernode[g]);
        double *part = f->reach_work;
        if (count == 0) continue;
        for (int i = 0; i < (int)own; ++i) part[i] = i < count ? z[list[i]] : 0;
        for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
            for (int c = 0; c < o->column[k].size; ++c, Y += own)
                x[o->column[k].scalar + c] -=
                    f->inverse_pivot[o->column[k].scalar + c] * rls_dot_fours (Y, part, (int)own);
    }
}
