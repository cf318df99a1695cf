/* Integrators of higher order, by symmetric composition of the symplectic step (section 7 of method.md). */
#include "symplectic.h"

/* Fills a symmetric sequence from its first half; the middle one makes the sum 1.  Returns the number. */
static int symmetric (const double *half, int pairs, double *fraction)
{
    double sum = 0;
    for (int i = 0; i < pairs; ++i)
    {
        fraction[i] = fraction[2 * pairs - i] = half[i];
        sum += half[i];
    }
    fraction[pairs] = 1 - 2 * sum;
    return 2 * pairs + 1;
}

int rls_composition (int order, double fraction[RLS_MOST_STAGES])
{
    static const double six[] = {0.21375583945878254556, 0.18329381407425713911, 0.17692819473098943795,
                                 -0.44329082681170215850, 0.11728560432865935385};
    static const double eight[] = {0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
                                   0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
                                   0.25837438768632204729, 0.29501172360931029887};
    const double g = 1 / (6 - cbrt (6)), four[] = {g, g, g};
    switch (order)
    {
    case 2:
        return symmetric (four, 0, fraction);
    case 4:
        return symmetric (four, 3, fraction);
    case 6:
        return symmetric (six, 5, fraction);
    case 8:
        return symmetric (eight, 8, fraction);
    default:
        return 0;
    }
}
