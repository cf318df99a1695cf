/* Work shared out over threads: every piece once, whoever comes, and nothing waits for those who do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "pool.h"

#define MOST 5000

typedef struct
{
    rls_workers *workers;
    int times[MOST];
    int inside; /* pieces that each piece shares out in its turn */
} count;

static void add_one (void *context, int piece) { ++((count *)context)->times[piece]; }

static void check_times (const count *c, int pieces, int times)
{
    for (int i = 0; i < MOST; ++i) assert_int_equal (c->times[i], i < pieces ? times : 0);
}

static void every_piece_once (void **state)
{
    (void)state;
    static const int pieces[] = {0, 1, 2, 3, 7, 64, 1000, MOST};
    for (int threads = 1; threads <= CREW_MOST; ++threads)
    {
        crew c = {0};
        pool_begin (&c, threads);
        for (int round = 0; round < 400; ++round)
        {
            count counted = {0};
            const int n = pieces[round % 8];
            rls_workers_run (&c.workers, n, add_one, &counted);
            check_times (&counted, n, 1);
        }
        pool_end (&c);
    }
}

static void add_range (void *context, int from, int to)
{
    for (int i = from; i < to; ++i) add_one (context, i);
}

static void ranges_cover_all (void **state)
{
    (void)state;
    crew c = {0};
    pool_begin (&c, 3);
    for (int n = 0; n < 300; n += 7)
        for (int grain = 1; grain < 100; grain += 13)
            for (int with_workers = 0; with_workers < 2; ++with_workers)
            {
                count counted = {0};
                rls_workers_ranges (with_workers ? &c.workers : NULL, n, grain, add_range, &counted);
                check_times (&counted, n, 1);
            }
    pool_end (&c);
}

/* A piece that shares out work itself does all of it. */
static void share_out_inside (void *context, int piece)
{
    count *c = context, inner = {0};
    rls_workers_run (c->workers, c->inside, add_one, &inner);
    check_times (&inner, c->inside, 1);
    add_one (c, piece);
}

static void pieces_may_share_out (void **state)
{
    (void)state;
    crew c = {0};
    pool_begin (&c, 4);
    for (int round = 0; round < 50; ++round)
    {
        count counted = {.workers = &c.workers, .inside = 40};
        rls_workers_run (&c.workers, 20, share_out_inside, &counted);
        check_times (&counted, 20, 1);
    }
    pool_end (&c);
}

/* Threads that are late, or never come, or come when all is over; a workers that is used again. */
static void nobody_is_waited_for (void **state)
{
    (void)state;
    crew c = {0};
    for (int step = 0; step < 20; ++step)
    {
        count counted = {0};
        rls_workers_prepare (&c.workers, 4);
        assert_int_equal (rls_workers_join (&c.workers), 1);
        rls_workers_run (&c.workers, 100, add_one, &counted);
        check_times (&counted, 100, 1);
        assert_int_equal (pthread_create (&c.thread[1], NULL, pool_member, &c.workers), 0);
        rls_workers_run (&c.workers, 100, add_one, &counted);
        check_times (&counted, 100, 2);
        rls_workers_dismiss (&c.workers);
        pthread_join (c.thread[1], NULL);
        assert_int_equal (rls_workers_join (&c.workers), 0);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (every_piece_once),
        cmocka_unit_test (ranges_cover_all),
        cmocka_unit_test (pieces_may_share_out),
        cmocka_unit_test (nobody_is_waited_for),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
