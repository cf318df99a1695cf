/*
 * many_worlds: a parameter sweep, one world a variant, on several threads.
 *
 *     many_worlds [THREADS [VARIANTS]]
 *
 * The rocker's length of a four-bar linkage is varied (fourbar_variant.c).  CSV on standard output; on
 * standard error what it took.  The numbers do not depend on the number of threads.
 */
#include "fourbar_variant.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_THREADS 256
#define MOST_VARIANTS 1000000

static variant *variants;
static int variant_count;
static atomic_int next_variant;

static void *work (void *unused)
{
    (void)unused;
    dAllocateODEDataForThread (dAllocateFlagBasicData);
    for (int i; (i = atomic_fetch_add (&next_variant, 1)) < variant_count;) run_variant (&variants[i]);
    dCleanupODEAllDataForThread ();
    return NULL;
}

static double seconds (void)
{
    struct timespec t;
    timespec_get (&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main (int argc, char **argv)
{
    const int count = argc > 1 ? atoi (argv[1]) : 2;
    variant_count = argc > 2 ? atoi (argv[2]) : VARIANTS;
    if (count < 1 || count > MOST_THREADS || variant_count < 1 || variant_count > MOST_VARIANTS || argc > 3)
    {
        fprintf (stderr, "usage: many_worlds [THREADS [VARIANTS]]\n");
        return 2;
    }
    variants = calloc ((size_t)variant_count, sizeof *variants);
    if (!variants) return 1;
    for (int i = 0; i < variant_count; i++) variants[i] = make_variant (i, variant_count);
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }

    const double start = seconds ();
    pthread_t threads[MOST_THREADS];
    int started = 0;
    while (started < count && pthread_create (&threads[started], NULL, work, NULL) == 0) started++;
    if (started == 0) work (NULL);
    for (int i = 0; i < started; i++) pthread_join (threads[i], NULL);
    fprintf (stderr, "%d worlds on %d threads: %.2f s\n", variant_count, started, seconds () - start);

    const int failed = print_variants (variants, variant_count);
    free (variants);
    dCloseODE ();
    return failed;
}
