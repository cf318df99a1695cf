/*
 * The space of a scene misses no pair of geometries.  ODE's hash space does: of boxes of 0.2 to 0.7 m, thrown
 * into a cube of 2 m, it does not report 2 of 100 pairs that overlap, and heaps were lifted by what it found
 * late.
 */
#include "scene_rig.h"

#define TRIALS 2000

/* Random, from low to high, the same in every run. */
static double uniform (double low, double high)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ldexp ((double)(state >> 33), -31);
}

static void count (void *pairs, dGeomID a, dGeomID b)
{
    (void)a, (void)b;
    ++*(int *)pairs;
}

static void test_no_pair_is_missed (void **state)
{
    (void)state;
    scene *s = rig_good (MODEL ("<link name='a'/>"));
    int overlapping = 0;
    for (int i = 0; i < TRIALS; ++i)
    {
        dReal bounds[2][6];
        dGeomID box[2];
        int overlap = 1, pairs = 0;
        for (int g = 0; g < 2; ++g)
        {
            box[g] = dCreateBox (scene_space (s), (dReal)uniform (0.2, 0.7), (dReal)uniform (0.2, 0.7),
                                 (dReal)uniform (0.2, 0.7));
            dGeomSetPosition (box[g], (dReal)uniform (-1, 1), (dReal)uniform (-1, 1), (dReal)uniform (-1, 1));
            dGeomGetAABB (box[g], bounds[g]);
        }
        for (int k = 0; k < 3; ++k)
            overlap &= bounds[0][2 * k] < bounds[1][2 * k + 1] && bounds[1][2 * k] < bounds[0][2 * k + 1];
        dSpaceCollide (scene_space (s), &pairs, count);
        assert_true (pairs == 1 || !overlap);
        overlapping += overlap;
        for (int g = 0; g < 2; ++g) dGeomDestroy (box[g]);
    }
    assert_true (overlapping > TRIALS / 50);
    scene_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (test_no_pair_is_missed)};
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
