/*
 * The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab 2007 (Proc. R. Soc. A 463, 1955-1982):
 * the eigenvalues of its straight upright motion at 0 to 10 m/s.  The stepper is linearised by what it does:
 * a few motions near the straight one, lean and steer and their rates at one time and T later, give the
 * matrix of the linear map between them, whose eigenvalues are exp (lambda T).  Motions struck to either side
 * are subtracted, so that errors are of third order in the stroke.
 */
#include "../robustness/scene_rig.h"

#include <complex.h>

#define RADIUS_REAR 0.3
#define RADIUS_FRONT 0.35
#define STEP 1e-3   /* s */
#define STEPS 100   /* that T has */
#define STRUCK 2e-4 /* rad/s: lean rate, and steer torque in N m */
#define MOTIONS 2
#define STATES 4

/* Weave, capsize and castering, or at low speed two pairs: of the published linear equations, which give the
 * values of the paper's table 2 at 0 and 5 m/s to its 14 digits. */
typedef double complex number;

static const struct
{
    double v;
    double re[STATES], im[STATES];
} published[] = {
    {0,
     {-5.530943717654, -3.131643247907, 3.131643247907, 5.530943717654},
     {0.000000000000, 0.000000000000, 0.000000000000, 0.000000000000}},
    {1,
     {-7.110080146374, -3.134231250666, 3.526961709901, 3.526961709901},
     {0.000000000000, 0.000000000000, -0.807740275199, 0.807740275199}},
    {2,
     {-8.673879848317, -3.071586456415, 2.682345175127, 2.682345175127},
     {0.000000000000, 0.000000000000, -1.680662965907, 1.680662965907}},
    {3,
     {-10.351014672459, -2.633661372537, 1.706756056640, 1.706756056640},
     {0.000000000000, 0.000000000000, -2.315824473843, 2.315824473843}},
    {4,
     {-12.158614265764, -1.429444273613, 0.413253315211, 0.413253315211},
     {0.000000000000, 0.000000000000, 3.079108186032, -3.079108186032}},
    {5,
     {-14.078389692798, -0.775341882196, -0.775341882196, -0.322866429004},
     {0.000000000000, -4.464867713788, 4.464867713788, 0.000000000000}},
    {6,
     {-16.085371230980, -1.526444865841, -1.526444865841, -0.004066900770},
     {0.000000000000, -5.876730605987, 5.876730605987, 0.000000000000}},
    {7,
     {-18.157884661252, -2.138756442584, -2.138756442584, 0.102681705748},
     {0.000000000000, 7.195259133298, -7.195259133298, 0.000000000000}},
    {8,
     {-20.279408943945, -2.693486835811, -2.693486835811, 0.143278797657},
     {0.000000000000, -8.460379713969, 8.460379713969, 0.000000000000}},
    {9,
     {-22.437885590408, -3.216754022525, -3.216754022525, 0.157901840309},
     {0.000000000000, -9.693773515318, 9.693773515318, 0.000000000000}},
    {10,
     {-24.624596350174, -3.720168404373, -3.720168404373, 0.161053386532},
     {0.000000000000, -10.906811394763, 10.906811394763, 0.000000000000}},
};

typedef struct
{
    double state[2 * STATES + 1][STATES]; /* at multiples of T / 2 */
} motion;

static void look (const scene *s, double state[STATES])
{
    const dBodyID frame = rig_body_id (s, "rear_frame");
    const dReal *R = dBodyGetRotation (frame), *w = dBodyGetAngularVel (frame);
    state[0] = asin ((double)R[9]); /* the frame's y axis out of the level */
    state[1] = scene_axis_position (s, &s->axes[1]);
    state[2] = (double)(w[0] * R[0] + w[1] * R[4] + w[2] * R[8]);
    state[3] = scene_axis_rate (s, &s->axes[1]);
}

static void set_off (const scene *s, double v, double lean_rate)
{
    for (int i = 0; i < scene_body_count (s); i++)
    {
        const dBodyID body = scene_body_at (s, i)->body;
        const double z = (double)dBodyGetPosition (body)[2];
        const char *name = scene_body_at (s, i)->name;
        const double spin = strcmp (name, "rear_wheel") == 0    ? v / RADIUS_REAR
                            : strcmp (name, "front_wheel") == 0 ? v / RADIUS_FRONT
                                                                : 0;
        dBodySetLinearVel (body, (dReal)v, (dReal)(-lean_rate * z), 0);
        dBodySetAngularVel (body, (dReal)lean_rate, (dReal)spin, 0);
    }
}

/* Which: 0 struck, 1 with a steer torque in the first T. */
static motion ride (double v, int which, double side)
{
    motion m;
    scene *s = rig_open (SCENES "/zoo/bicycle.sdf");
    if (!s) fail_msg ("%s", rig_error);
    scene_set_time_step (s, STEP);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    assert_true (scene_prepare_stepper (s, stepper));
    dRLSStepperSetForceCallback (stepper, scene_forces, s);
    dRLSStepperSetIntegrator (stepper, dRLSIntegratorRK4);
    set_off (s, v, which == 0 ? side * STRUCK : 0);
    for (int i = 0; i <= (STATES + 1) * STEPS; i++)
    {
        /* from T on, when the torque is over */
        if (i >= STEPS && (i - STEPS) % (STEPS / 2) == 0) look (s, m.state[(i - STEPS) / (STEPS / 2)]);
        scene_before_step (s, i * STEP, 1);
        if (which == 1 && i < STEPS) s->axes[1].effort = side * STRUCK;
        if (which == 1 && i == STEPS) s->axes[1].effort = 0;
        assert_true (dRLSStepperStep (stepper, (dReal)STEP));
        scene_after_step (s);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return m;
}

/* det A, which is destroyed, by elimination with row pivots. */
static number determinant (number A[STATES][STATES])
{
    number det = 1;
    for (int k = 0; k < STATES; k++)
    {
        int best = k;
        for (int i = k + 1; i < STATES; i++)
            if (cabs (A[i][k]) > cabs (A[best][k])) best = i;
        for (int j = 0; j < STATES; j++)
        {
            const number swap = A[k][j];
            A[k][j] = A[best][j], A[best][j] = swap;
        }
        if (best != k) det = -det;
        det *= A[k][k];
        if (A[k][k] == 0) return 0;
        for (int i = k + 1; i < STATES; i++)
        {
            const number factor = A[i][k] / A[k][k];
            for (int j = k; j < STATES; j++) A[i][j] -= factor * A[k][j];
        }
    }
    return det;
}

/* det (Y1 - z Y0): zero for the eigenvalues of Y1 Y0^-1. */
static number characteristic (const double Y0[STATES][STATES], const double Y1[STATES][STATES], number z)
{
    number A[STATES][STATES];
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++) A[i][j] = Y1[i][j] - z * Y0[i][j];
    return determinant (A);
}

/* The eigenvalue next to a guess: secants on the characteristic polynomial. */
static number eigenvalue (const double Y0[STATES][STATES], const double Y1[STATES][STATES], number guess)
{
    const double T = STEP * STEPS;
    number z0 = cexp (guess * T), z1 = cexp ((guess + 1e-3) * T);
    number f0 = characteristic (Y0, Y1, z0), f1 = characteristic (Y0, Y1, z1);
    for (int i = 0; i < 30 && f1 != f0; i++)
    {
        const number next = z1 - f1 * (z1 - z0) / (f1 - f0);
        z0 = z1, f0 = f1;
        z1 = next, f1 = characteristic (Y0, Y1, z1);
    }
    const double turns = round ((cimag (guess) * T - carg (z1)) / (2 * M_PI));
    return (log (cabs (z1)) + I * (carg (z1) + 2 * M_PI * turns)) / T;
}

static void eigenvalues (void **state)
{
    (void)state;
    double worst = 0;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
    {
        double Y0[STATES][STATES], Y1[STATES][STATES], off = 0;
        for (int which = 0; which < MOTIONS; which++)
        {
            const motion left = ride (published[i].v, which, 1), right = ride (published[i].v, which, -1);
            for (int n = 0; n < STATES / MOTIONS; n++)
                for (int k = 0; k < STATES; k++)
                {
                    const int column = 2 * which + n, at = 4 * n;
                    Y0[k][column] = (left.state[at][k] - right.state[at][k]) / STRUCK;
                    Y1[k][column] = (left.state[at + 2][k] - right.state[at + 2][k]) / STRUCK;
                }
        }
        for (int n = 0; n < STATES; n++)
        {
            const number wanted = published[i].re[n] + I * published[i].im[n],
                         found =
                             eigenvalue ((const double (*)[STATES])Y0, (const double (*)[STATES])Y1, wanted);
            off = fmax (off, cabs (found - wanted));
        }
        print_message ("%2g m/s: eigenvalues off by %.1e\n", published[i].v, off);
        worst = fmax (worst, off);
    }
    if (!(worst < 1e-6)) fail_msg ("an eigenvalue is off by %g", worst);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (eigenvalues)};
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
