/* Small dense symmetric systems; contract in symmetric.h. */
#include "symmetric.h"
#include "kernels.h"

int rls_symmetric_factor (int n, double *A)
{
    int dependent = 0;
    for (int i = 0; i < n; ++i)
    {
        double *row = A + (size_t)i * (size_t)n;
        const double whole = row[i];

        /* the row of L D, then that of L and the pivot */
        for (int k = 0; k < i; ++k)
            for (int c = 0; c < k; ++c) row[k] -= row[c] * A[(size_t)k * (size_t)n + (size_t)c];
        for (int k = 0; k < i; ++k)
        {
            const double l = row[k] / A[(size_t)k * (size_t)(n + 1)];
            row[i] -= l * row[k];
            row[k] = l;
        }

        /* division by an infinite pivot leaves 0 in L and in solutions */
        if (row[i] > RLS_DEPENDENT * whole && row[i] < HUGE_VAL) continue;
        row[i] = HUGE_VAL;
        ++dependent;
    }
    return dependent;
}

void rls_symmetric_solve (int n, const double *factor, double *x)
{
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < i; ++c) x[i] -= factor[(size_t)i * (size_t)n + (size_t)c] * x[c];
    for (int i = n - 1; i >= 0; --i)
    {
        x[i] /= factor[(size_t)i * (size_t)(n + 1)];
        for (int k = i + 1; k < n; ++k) x[i] -= factor[(size_t)k * (size_t)n + (size_t)i] * x[k];
    }
}
