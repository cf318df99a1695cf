/*
 * many_worlds_mpi: the sweep of many_worlds.c spread over the ranks of MPI, for those who outgrow one
 * machine.
 *
 *     mpirun -n RANKS many_worlds_mpi [VARIANTS]
 *
 * Rank 0 hands out small batches as ranks run dry, so that slow variants hold nobody up, works on none itself
 * unless it is alone, and prints the table: the same, byte for byte, as that of many_worlds.
 */
#include "fourbar_variant.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 8
#define MOST_VARIANTS 1000000

enum
{
    TAG_WORK,
    TAG_RESULT
};

/* What travels: the batch's first variant and their number, and after the run the variants. */
typedef struct
{
    int first, count;
    variant variants[BATCH];
} batch;

static void run_batch (batch *b, int total)
{
    for (int i = 0; i < b->count; i++)
    {
        b->variants[i] = make_variant (b->first + i, total);
        run_variant (&b->variants[i]);
    }
}

static batch next_batch (int *next, int total)
{
    const int left = total - *next;
    const batch b = {.first = *next, .count = left < BATCH ? left : BATCH};
    *next += b.count;
    return b;
}

static void store (variant *all, const batch *b)
{
    for (int i = 0; i < b->count; i++) all[b->first + i] = b->variants[i];
}

/* Rank 0: everybody gets a batch, and whoever brings one back another; an empty one sends them home. */
static void hand_out (variant *all, int total, int ranks)
{
    int next = 0, busy = 0;
    for (int rank = 1; rank < ranks; rank++)
    {
        batch b = next_batch (&next, total);
        MPI_Send (&b, sizeof b, MPI_BYTE, rank, TAG_WORK, MPI_COMM_WORLD);
        busy += b.count > 0;
    }
    while (busy > 0)
    {
        batch b;
        MPI_Status status;
        MPI_Recv (&b, sizeof b, MPI_BYTE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &status);
        store (all, &b);
        b = next_batch (&next, total);
        MPI_Send (&b, sizeof b, MPI_BYTE, status.MPI_SOURCE, TAG_WORK, MPI_COMM_WORLD);
        busy -= b.count == 0;
    }
    while (next < total) /* alone */
    {
        batch b = next_batch (&next, total);
        run_batch (&b, total);
        store (all, &b);
    }
}

static void serve (int total)
{
    for (;;)
    {
        batch b;
        MPI_Recv (&b, sizeof b, MPI_BYTE, 0, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (b.count == 0) return;
        run_batch (&b, total);
        MPI_Send (&b, sizeof b, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

int main (int argc, char **argv)
{
    int rank, ranks, failed = 0;
    MPI_Init (&argc, &argv);
    MPI_Comm_rank (MPI_COMM_WORLD, &rank);
    MPI_Comm_size (MPI_COMM_WORLD, &ranks);
    const int total = argc > 1 ? atoi (argv[1]) : VARIANTS;
    if (total < 1 || total > MOST_VARIANTS || argc > 2)
    {
        if (rank == 0) fprintf (stderr, "usage: mpirun -n RANKS many_worlds_mpi [VARIANTS]\n");
        MPI_Finalize ();
        return 2;
    }
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    if (rank > 0)
        serve (total);
    else
    {
        variant *all = calloc ((size_t)total, sizeof *all);
        if (!all) MPI_Abort (MPI_COMM_WORLD, 1);
        const double start = MPI_Wtime ();
        hand_out (all, total, ranks);
        fprintf (stderr, "%d worlds on %d ranks: %.2f s\n", total, ranks, MPI_Wtime () - start);
        failed = print_variants (all, total);
        free (all);
    }
    dCloseODE ();
    MPI_Finalize ();
    return failed;
}
