/*
 * Nothing is silent: random worlds of many kinds that the program changes between steps, and a judge who
 * knows ODE's bodies alone. Where a hard joint ends a step open by more than the header says, or energy
 * appears that nothing has given, a warning must have been raised in that step.
 *
 * Without arguments the first worlds of each kind, and those that were wrong once. "test_silent FROM COUNT
 * [KIND [LIVELY [SAY]]]" takes COUNT seeds of each kind (or of that one) from FROM on, LIVELY 1 with more and
 * faster bodies and four times the steps; SAY 1 says what was wrong, 2 what was told as well. It prints how
 * many steps came to what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_changing.h"

#define WORLDS 10
#define STEPS 120
#define OPEN 1e-8 /* m or rad: each row of a joint is told from 1e-9 on */
#define REDUNDANT                                                                                            \
    1e-4 /* the same of rows that others imply: the root of the rank tolerance, times an arm of 3 m */
#define GAINED                                                                                               \
    0.05 /* of the energies before and after, which is told; summed over steps of twice the largest */
#define ROUNDING 1e-7 /* of the energies that are subtracted */
#define SLOP 0.1      /* of m (g h)^2: what taking back depths may lift */

typedef struct
{
    unsigned long worlds, steps, warned, faults, silent, refused;
    double silent_gain, told_gain, silent_open; /* over what is allowed, beside it; m or rad */
} tally;

/* What is carried from step to step: J that impacts have lost, which lift what is deep, J gained since the
 * program's last change or the last warning, and the largest energy of motion since. */
typedef struct
{
    double paid, gained, most;
} ledger;

static unsigned long warnings (const scene *s)
{
    unsigned long sum = 0;
    for (int k = 0; k < dRLSWarningCount; ++k) sum += dRLSStepperGetWarningCount (s->stepper, k);
    return sum;
}

/*
 * What has been gained (J) that nothing gave, over what is allowed.  Energy of motion has come from what fell
 * or was given; energy on the whole may have been lifted by joints that were open, and by depths as far as
 * impacts have paid. *allowed: how much.
 */
static double gained_beyond (const changing_world *w, const changing_account *from,
                             const changing_account *to, double begun_open, double depth, ledger *l,
                             double *allowed)
{
    dVector3 g;
    dWorldGetGravity (w->scene.world, g);
    const double gravity = sqrt ((double)dCalcVectorDot3 (g, g)), kick = gravity * w->h, mass = from->mass,
                 closed = begun_open > OPEN ? begun_open / w->size : 0;
    double doubt;
    const double work =
                     changing_work_of_motors (w, from, to) + changing_work_of_platform (w, from, to, &doubt),
                 motion = to->kinetic - from->kinetic - work,
                 other = to->fallen + to->spring - from->fallen - from->spring, all = motion + other;
    const double springs = changing_is_springy (w) ? from->spring + to->spring : 0,
                 moving = from->kinetic + to->kinetic + springs,
                 little = ROUNDING * (from->scale + to->scale) + doubt;
    *allowed = (GAINED + closed) * moving + little + SLOP * mass * kick * kick;
    if (closed > 0) *allowed += mass * kick * (to->fastest + kick); /* has fallen while it was lifted */
    const double lifted = 3 * closed * w->size * mass * gravity;

    /* depths are taken back by pushes, by Euler's method as velocities */
    const int bounded = changing_is_bounded (w),
              euler = dRLSStepperGetIntegrator (w->scene.stepper) == dRLSIntegratorEuler;
    const double paid = bounded ? l->paid : 0, pushed = euler ? paid : fmin (paid, mass * gravity * depth);
    const double thrown = motion + fmin (0, other) - pushed;
    l->paid = bounded ? fmax (0, l->paid - all) : 0;
    l->gained = fmax (0, l->gained + (bounded ? thrown : all) - lifted - little);
    l->most = fmax (l->most, to->kinetic + springs);
    return changing_is_driven (w)
               ? 0
               : fmax (fmax (thrown, all - lifted - paid), l->gained - 2 * GAINED * l->most) - *allowed;
}

static void take_step (changing_world *w, int step, ledger *l, tally *t, int say)
{
    const double begun_open = changing_open_by (w),
                 depth = fmax (w->deepest, changing_beyond_stops (w) * fmax (1, w->size));
    const changing_account from = changing_look (w);
    const unsigned long before = warnings (&w->scene);
    ++t->steps;
    if (!dRLSStepperStep (w->scene.stepper, (dReal)w->h))
    {
        ++t->refused;
        return;
    }
    const changing_account to = changing_look (w);
    const int told = warnings (&w->scene) != before;

    /* the judgement */
    double allowed;
    const double gain = gained_beyond (w, &from, &to, begun_open, depth, l, &allowed) / allowed,
                 open = changing_open_by (w),
                 most_open = fmax (1, w->size) * (w->looped || begun_open > OPEN ? REDUNDANT : OPEN);
    const int too_open = !(open <= most_open),
              fault = too_open || !(gain <= 0) || !isfinite (to.scale + to.fastest);
    if (fault || told) l->gained = l->most = 0;

    /* and what comes of it */
    t->warned += told, t->faults += fault, t->silent += fault && !told;
    if (told) t->told_gain = fmax (t->told_gain, gain);
    if (!told)
        t->silent_gain = fmax (t->silent_gain, gain),
        t->silent_open = fmax (t->silent_open, too_open ? open : 0);
    if (fault && say > told)
        printf ("    step %d of %.3g s, %d bodies, %d joints: open %.2g -> %.2g; kinetic %.4g -> %.4g J, "
                "gained %.2g times "
                "%.3g J too much%s\n",
                step, w->h, w->scene.bodies, w->ties, begun_open, open, from.kinetic, to.kinetic, gain,
                allowed, told ? ", told" : "");
}

static void live (int kind, uint64_t seed, int lively, tally *t, int say)
{
    changing_world w = changing_open (kind, seed, lively);
    ledger l = {0, 0, 0};
    const unsigned long silent = t->silent;
    ++t->worlds;
    for (int i = 0; i < (lively ? 4 * STEPS : STEPS); ++i)
    {
        if (changing_interfere (&w, i)) l.gained = l.most = 0;
        take_step (&w, i, &l, t, say);
    }
    if (t->silent > silent)
        printf ("  %s %d: %d steps silent\n", changing_names[kind], (int)seed, (int)(t->silent - silent));
    changing_close (&w);
}

static void print (const tally *t)
{
    printf ("%-9s %7s %8s %7s %7s %7s %7s %9s %9s %9s\n", "", "worlds", "steps", "warned", "faults", "silent",
            "refused", "gained", "told", "open");
    for (int k = 0; k < CHANGING_KINDS; ++k)
        if (t[k].worlds > 0)
            printf ("%-9s %7lu %8lu %7lu %7lu %7lu %7lu %9.2g %9.2g %9.2g\n", changing_names[k], t[k].worlds,
                    t[k].steps, t[k].warned, t[k].faults, t[k].silent, t[k].refused, t[k].silent_gain,
                    t[k].told_gain, t[k].silent_open);
}

static int kind_of (const char *name)
{
    int kind = 0;
    while (kind < CHANGING_KINDS && strcmp (name, changing_names[kind]) != 0) ++kind;
    return kind;
}

static void nothing_is_silent (void **state)
{
    static const struct
    {
        const char *kind;
        int seed;
    } wrong[] = {{"springs", 172}, {"springs", 201}, {"springs", 670}, {"forces", 34},    {"forces", 294},
                 {"forces", 684},  {"restored", 91}, {"soft", 37},     {"soft", 75},      {"soft", 91},
                 {"soft", 569},    {"methods", 94},  {"methods", 257}, {"methods", 575},  {"all", 237},
                 {"all", 465},     {"all", 504},     {"lifted", 369},  {"lifted", 578},   {"lifted", 10511}};
    tally t[CHANGING_KINDS] = {{0}};
    (void)state;
    for (int kind = 0; kind < CHANGING_KINDS; ++kind)
        for (int seed = 1; seed <= WORLDS; ++seed) live (kind, (uint64_t)seed, 0, &t[kind], 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        live (kind_of (wrong[i].kind), (uint64_t)wrong[i].seed, 0, &t[kind_of (wrong[i].kind)], 1);
    print (t);
    for (int kind = 0; kind < CHANGING_KINDS; ++kind) assert_int_equal (t[kind].silent, 0);
}

/* ---- joints that the program changes at their other end ---- */

static scene chain_of (int links)
{
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < links; ++i)
    {
        scene_box (&s, (dReal)(0.3 * i + 0.15), 0, 1, 1, (dReal)0.3, (dReal)0.2, (dReal)0.1);
        scene_ball (&s, i, i > 0 ? i - 1 : NO_BODY, (double[3]){0.3 * i, 0, 1});
    }
    return s;
}

/* As by a mouse that holds a ragdoll: the anchor in the world moves, and nothing else. The links had the old
 * one for ever, and stood open by the whole way. */
static void an_anchor_in_the_world_is_followed (void **state)
{
    (void)state;
    for (int links = 1; links < 12; ++links)
    {
        scene s = chain_of (links);
        scene_step (&s, (dReal)0.01, 20);
        for (int i = 1; i <= 10; ++i)
        {
            dVector3 here, there;
            dJointSetBallAnchor2 (s.joint[0], (dReal)(0.002 * i), 0, 1);
            scene_step (&s, (dReal)0.01, 1);
            dJointGetBallAnchor (s.joint[0], here), dJointGetBallAnchor2 (s.joint[0], there);
            for (int k = 0; k < 3; ++k) assert_true (fabs ((double)(here[k] - there[k])) <= OPEN);
        }
        scene_close (&s);
    }
}

/* The axes of a hinge whose body is turned over point in opposite directions, nearly: ODE closes what is
 * left, and so it is here. Which of both it is shows in the axis alone, seen from the body. */
static void axes_that_are_turned_over_close (void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i)
    {
        scene s = chain_of (1);
        dJointDestroy (s.joint[0]);
        s.joint[0] = dJointCreateHinge (s.world, NULL);
        dJointAttach (s.joint[0], s.body[0], NULL);
        dJointSetHingeAnchor (s.joint[0], (dReal)0.15, 0, 1);
        dJointSetHingeAxis (s.joint[0], 0, 1, 0);
        scene_step (&s, (dReal)0.01, 3);
        dQuaternion over;
        dQFromAxisAndAngle (over, 1, 0, (dReal)(0.1 * i), (dReal)(3.14159 - 0.01 * (i + 1)));
        dBodySetQuaternion (s.body[0], over);
        scene_step (&s, (dReal)0.01, 3);
        dVector3 axis;
        dBodyVectorToWorld (s.body[0], 0, 1, 0, axis);
        assert_true (fabs ((double)axis[0]) <= OPEN && fabs ((double)axis[2]) <= OPEN);
        scene_close (&s);
    }
}

static int many (int argc, char **argv)
{
    const int from = atoi (argv[1]), count = atoi (argv[2]),
              kind = argc > 3 ? kind_of (argv[3]) : CHANGING_KINDS, lively = argc > 4 && atoi (argv[4]),
              say = argc > 5 ? atoi (argv[5]) : 1;
    tally t[CHANGING_KINDS] = {{0}};
    unsigned long silent = 0;
    if (!dInitODE2 (0)) return 1;
    for (int k = 0; k < CHANGING_KINDS; ++k)
    {
        for (int i = 0; i < count && (kind == CHANGING_KINDS || kind == k); ++i)
            live (k, (uint64_t)(from + i), lively, &t[k], say);
        silent += t[k].silent;
    }
    print (t);
    dCloseODE ();
    return silent > 0;
}

int main (int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (nothing_is_silent),
                                       cmocka_unit_test (an_anchor_in_the_world_is_followed),
                                       cmocka_unit_test (axes_that_are_turned_over_close)};
    if (argc > 2) return many (argc, argv);
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
