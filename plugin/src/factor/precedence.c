/* Rows on which others depend and which are to give way to them.  The contract is in factor.h. */
#include "factor.h"
#include <stdlib.h>

static void lay_out (rls_precedence *y, rls_arena_cursor *c)
{
    const size_t rows = (size_t)y->rows;
    RLS_TAKE (c, rows, y->turn, y->priority, y->tolerance, y->late);
}

int rls_precedence_lay_out (rls_precedence *y, int bodies, int rows)
{
    const int fits = RLS_FIT (y, bodies, rows, lay_out);
    if (fits == RLS_ANEW && rows > 0)
    {
        memset (y->turn, 0, sizeof (int) * (size_t)rows);
        memset (y->priority, 0, sizeof (int) * (size_t)rows);
        memset (y->late, 0, (size_t)rows);
    }
    if (!fits) y->count = y->ranked = 0;
    return fits != 0;
}

/* True if a redundant row depends on the drive, which is to give way to it. */
static int is_in_the_way (const rls_precedence *y, const rls_factor *factor, int drive)
{
    const double unit = sqrt (factor->diagonal[drive]), *x = factor->of_rows;
    for (int r = 0; r < y->rows; ++r)
        if (factor->decision[r] == RLS_REDUNDANT && rls_comes_after (y, drive, r) &&
            fabs (x[r]) * unit > RLS_DEPENDS * sqrt (factor->diagonal[r]))
            return 1;
    return 0;
}

/* Marks as late the rows of larger priority numbers on which a redundant row of the border depends.
 * (Redundant rows outside of the border came in the order of their priorities.)  Returns 1 if there are any.
 */
static int find_ranked (rls_precedence *y, const rls_factor *factor, const rls_rows *rows)
{
    int found = 0;
    double *x = factor->of_rows;
    for (int a = factor->borders; a < factor->waited; ++a)
    {
        const int out = factor->border_row[a];
        const double unit = RLS_DEPENDS * sqrt (factor->diagonal[out]);

        /* x := the coefficients of the kept rows in the redundant one */
        memset (x, 0, sizeof (double) * (size_t)y->rows);
        x[out] = 1;
        rls_rows_delassus (rows, x, factor->of_bodies, x);
        rls_factor_solve (factor, rows, x);
        for (int r = 0; r < y->rows; ++r)
        {
            if (y->late[r] || !rls_comes_after (y, r, out) || factor->decision[r] == RLS_REDUNDANT) continue;
            if (rows->sigma2[r] > 0 || fabs (x[r]) * sqrt (factor->diagonal[r]) <= unit) continue;
            y->late[r] = 1;
            found = 1;
        }
    }
    return found;
}

int rls_precedence_find (rls_precedence *y, const rls_factor *factor, const rls_rows *rows)
{
    int found = y->ranked && find_ranked (y, factor, rows), left_out = 0;
    double *x = factor->of_rows;
    for (int r = 0; r < y->rows && y->count > 0; ++r) left_out += factor->decision[r] == RLS_REDUNDANT;
    for (int r = 0; r < y->rows && left_out > 0; ++r)
    {
        if (y->turn[r] == 0 || y->late[r] || factor->decision[r] == RLS_REDUNDANT) continue;

        /* x := the velocity along each row if that along the drive is 1 and those along all other kept rows
         * are 0: the coefficient of the drive in each redundant row */
        memset (x, 0, sizeof (double) * (size_t)y->rows);
        x[r] = 1;
        rls_factor_solve (factor, rows, x);
        rls_rows_delassus (rows, x, factor->of_bodies, x);
        if (!is_in_the_way (y, factor, r)) continue;
        y->late[r] = 1;
        found = 1;
    }
    return found;
}
