/* What is right for a made-up island: rank and velocity by singular values of the dense matrix. */
#include "oracle_rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lower triangle of the 3 x 3 Cholesky factor. */
static void cholesky3 (const double A[9], double L[9])
{
    for (int i = 0; i < 9; ++i) L[i] = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j)
        {
            double sum = A[3 * i + j];
            for (int k = 0; k < j; ++k) sum -= L[3 * i + k] * L[3 * j + k];
            L[3 * i + j] = i == j ? sqrt (sum) : sum / L[3 * j + j];
        }
}

/* A square root of one body's inverse mass: S S' = M^-1. */
static void mass_root (const oracle_system *s, int body, double S[6][6])
{
    double L[9];
    memset (S, 0, sizeof (double[6][6]));
    if (!s->movable[body]) return;
    cholesky3 (s->W[body], L);
    for (int i = 0; i < 3; ++i)
    {
        S[i][i] = 1 / sqrt (s->mass[body]);
        for (int k = 0; k < 3; ++k) S[3 + i][3 + k] = L[3 * i + k];
    }
}

oracle_matrix oracle_row_matrix (const oracle_system *s, const unsigned char *skip)
{
    oracle_matrix H = oracle_zeros (s->rows.rows, 6 * s->bodies);
    for (int j = 0; j < s->rows.joints; ++j)
        for (int r = s->row0[j]; r < s->row0[j + 1]; ++r)
            for (int side = 0; side < 2; ++side)
            {
                const int b = s->body[j][side];
                if (b < 0 || !s->movable[b] || (skip && skip[r])) continue;
                for (int k = 0; k < 6; ++k) oracle_row (&H, r)[6 * b + k] += s->rows.J[r][6 * side + k];
            }
    return H;
}

/*
 * With M^-1 = S S' and v' = v + S x the M-nearest v' has the x of least norm.  A soft row H v' + sigma^2 p =
 * y is a hard one with an unknown z = sigma p of its own beside x, also of least norm.  Rows are scaled to
 * unit length, which changes nothing but makes singular values comparable.
 */
oracle_answer oracle_solve (const oracle_system *s, const unsigned char *skip, double tolerance)
{
    const int rows = s->rows.rows, n = 6 * s->bodies;
    oracle_matrix H = oracle_row_matrix (s, skip), A = oracle_zeros (rows, n + rows);
    double *y = oracle_allocate ((size_t)rows, sizeof (double));
    double *x = oracle_allocate ((size_t)(n + rows), sizeof (double));
    int soft = 0;
    for (int j = 0; j < s->rows.joints; ++j)
        for (int r = s->row0[j]; r < s->row0[j + 1]; ++r)
        {
            if (skip && skip[r]) continue;
            double *a = oracle_row (&A, r), size = s->rows.sigma2[r];
            a[n + r] = sqrt (s->rows.sigma2[r]);
            soft += s->rows.sigma2[r] > 0;
            for (int b = 0; b < s->bodies; ++b)
            {
                double S[6][6];
                mass_root (s, b, S);
                for (int c = 0; c < 6; ++c)
                    for (int k = 0; k < 6; ++k) a[6 * b + c] += oracle_row (&H, r)[6 * b + k] * S[k][c];
            }
            for (int c = 0; c < n; ++c) size += a[c] * a[c];
            y[r] = s->rows.target[r] - oracle_row_speed (s, j, s->rows.J[r], (const double (*)[6])s->v);
            for (int c = 0; c < n + rows && size > 0; ++c) a[c] /= sqrt (size);
            if (size > 0) y[r] /= sqrt (size);
        }

    /* the fewer columns, the faster: decompose A' = U D V', so that A^+ = U D^+ V' */
    oracle_matrix At = oracle_transposed (&A);
    oracle_svd svd = oracle_decompose (&At);
    const int rank = oracle_rank (&svd, tolerance);
    oracle_answer answer = {rank - soft, rank > 0 ? svd.s[rank - 1] / svd.s[0] : 1,
                            rank < rows && rank > 0 ? svd.s[rank] / svd.s[0] : 0,
                            oracle_allocate ((size_t)s->bodies, sizeof (double[6]))};
    for (int k = 0; k < rank; ++k)
    {
        double along = 0;
        for (int r = 0; r < rows; ++r) along += oracle_row (&svd.V, r)[k] * y[r];
        for (int c = 0; c < n; ++c) x[c] += oracle_row (&svd.U, c)[k] * along / svd.s[k];
    }
    for (int b = 0; b < s->bodies; ++b)
    {
        double S[6][6];
        mass_root (s, b, S);
        for (int k = 0; k < 6; ++k)
        {
            answer.v[b][k] = s->v[b][k];
            for (int c = 0; c < 6; ++c) answer.v[b][k] += S[k][c] * x[6 * b + c];
        }
    }
    oracle_svd_free (&svd);
    oracle_free (&H), oracle_free (&A), oracle_free (&At);
    free (x), free (y);
    return answer;
}

void oracle_answer_free (oracle_answer *answer)
{
    free (answer->v);
    *answer = (oracle_answer){0};
}

double oracle_distance (int bodies, const double (*a)[6], const double (*b)[6])
{
    double worst = 0;
    for (int i = 0; i < bodies; ++i)
        for (int k = 0; k < 6; ++k)
        {
            const double d = fabs (a[i][k] - b[i][k]);
            if (!(d <= worst)) worst = isnan (d) ? HUGE_VAL : d;
        }
    return worst;
}
