/*
 * What is carried from step to step may save work, but must not be seen: a stepper that has lived through
 * random worlds and random calls steps as a new one does, from the same state, in every integrator and
 * correction. And nothing is silent: hard joints that a step leaves open are warned of.
 *
 * Without arguments a few hundred worlds; "test_history FROM COUNT [STEPS]" runs COUNT seeds from FROM on, 50
 * worlds each (25 methods, with and without bounds), and prints how many steps came to what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_random.h"

#define STEPS 40
#define CALLS_A_STEP 2
#define HARD 1e-6    /* of 1 plus the largest velocity: joints that are open by 1e-8 m, over the step */
#define OPEN 1e-9    /* m or rad */
#define SEEN 3.2e-5  /* m or rad: what the rank tolerance forgives redundant rows */
#define PENALTY 2e-2 /* augmented: its accelerations are projected ones, of the accuracy of its rule */
#define BOUNDED 5e-3 /* limits, motors and contacts: iterated, in rows of poor condition */
#define CLEAN 1e-6   /* of forces and velocities: what a certificate may find of an answer */
#define NUDGES 8
#define NUDGE 1e-10 /* m/s: of velocities, a ten-thousandth of what is allowed or less */
#define NEARLY 1e-6 /* relative pivot so small that rounding decides on the rank */

/* What becomes of a step of both steppers. */
enum
{
    SAME,
    BOTH_REFUSE,
    WARNED,      /* one or both went another way, and said so: their methods depend on the past by design */
    UNDECIDED,   /* rounding decides on the rank */
    INACCURATE,  /* the method is farther from two steps of half the length */
    SEVERAL,     /* the problem of bounds has several answers, and both have found one */
    ONE_REFUSES, /* from here on they are wrong */
    APART,
    APART_WITH_BOUNDS,
    SILENTLY_OPEN,
    KINDS
};
static const char *const kinds[KINDS] = {
    "the same",        "refused by both", "warned of", "decided by rounding", "within the method's error",
    "several answers", "refused by one",  "apart",     "apart, with bounds",  "open, not warned of"};

typedef struct
{
    unsigned long steps, of_kind[KINDS];
    double worst;
    uint64_t worst_seed;
    const char *worst_call;
} tally;

static unsigned long wrong (const tally *t)
{
    return t->of_kind[ONE_REFUSES] + t->of_kind[APART] + t->of_kind[APART_WITH_BOUNDS] +
           t->of_kind[SILENTLY_OPEN];
}

typedef struct
{
    scene_body_state state[SCENE_MOST];
    int done, status, designed, rank, redundant, most; /* most: rows with bounds or springs */
    double gap;
    dRLSRow row[SCENE_MOST];
    dRLSStepCertificate proof; /* of worlds with bounds */
} outcome;

/* Steps that differ by their method: tried in pieces, by another integrator, with more inertia, beside a
 * singular configuration.  They depend on the steps before, to first order of the step. */
static unsigned long by_design (dRLSStepperID stepper)
{
    return dRLSStepperGetWarningCount (stepper, dRLSWarningConflict) +
           dRLSStepperGetWarningCount (stepper, dRLSWarningFallback) +
           dRLSStepperGetWarningCount (stepper, dRLSWarningStiff) +
           dRLSStepperGetWarningCount (stepper, dRLSWarningSingular) +
           dRLSStepperGetWarningCount (stepper, dRLSWarningBounded) +
           dRLSStepperGetWarningCount (stepper, dRLSWarningProjection);
}

static void step (random_world *w, dRLSStepperID stepper, outcome *o)
{
    const unsigned long before = by_design (stepper);
    const dRLSCertificateID certificate = w->hard ? NULL : dRLSCertificateCreate ();
    o->proof = (dRLSStepCertificate){.struct_size = sizeof (o->proof)};
    if (certificate) assert_int_equal (dRLSCertificateBegin (certificate, w->scene.body, w->scene.bodies), 1);
    o->done = dRLSStepperStep (stepper, (dReal)w->h);
    if (certificate) assert_int_equal (dRLSCertificateEnd (certificate, (dReal)w->h, &o->proof), 1);
    dRLSCertificateDestroy (certificate);
    o->status = dRLSStepperGetStatus (stepper);
    o->designed = by_design (stepper) != before;
    dRLSReport report = {.struct_size = sizeof (report)};
    assert_int_equal (dRLSStepperGetReport (stepper, &report), 1);
    o->rank = report.rank;
    o->gap = (double)report.rank_gap;
    o->most = report.bounded_rows + report.soft_rows;
    o->redundant = dRLSStepperGetRedundantRows (stepper, o->row, SCENE_MOST);
    scene_look (&w->scene, o->state);
}

/* Rows are kept and left out alike.  What a method without projection leaves open makes rows that depend on
 * each other seem to differ: then its decisions, which have a hysteresis, decide on the motion. */
static int decided_alike (const outcome *a, const outcome *b)
{
    int alike = a->rank == b->rank && a->redundant == b->redundant;
    for (int i = 0; alike && i < a->redundant && i < SCENE_MOST; ++i)
        alike = a->row[i].joint == b->row[i].joint && a->row[i].row == b->row[i].row;
    return alike;
}

/* Redundant rows that are open, if by less than what is told as a conflict: which of them are left so is
 * decided by the order of elimination. */
static int is_open (const outcome *o)
{
    int open = 0;
    for (int i = 0; i < o->redundant && i < SCENE_MOST; ++i) open |= fabs ((double)o->row[i].residual) > OPEN;
    return open;
}

static double largest_velocity (const scene *s, const outcome *o)
{
    double worst = 0;
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 3; ++k)
            worst = fmax (worst, fmax (fabs ((double)o->state[b].v[k]), fabs ((double)o->state[b].w[k])));
    return worst;
}

static double difference (const scene *s, const outcome *a, const outcome *b)
{
    double worst = 0;
    for (int i = 0; i < s->bodies; ++i)
        for (int k = 0; k < 3; ++k)
        {
            worst = fmax (worst, fabs ((double)a->state[i].v[k] - (double)b->state[i].v[k]));
            worst = fmax (worst, fabs ((double)a->state[i].w[k] - (double)b->state[i].w[k]));
        }
    return worst / (1 + largest_velocity (s, a));
}

static int moves (dBodyID body) { return body && !dBodyIsKinematic (body); }

/* The largest violation of joints that have a body to move: what holds kinematic bodies is the program's. */
static double violation (const scene *s)
{
    double worst = 0;
    for (int j = 0; j < s->joints; ++j)
    {
        const dJointID joint = s->joint[j];
        dRLSViolation v;
        if (dJointIsEnabled (joint) &&
            (moves (dJointGetBody (joint, 0)) || moves (dJointGetBody (joint, 1))) &&
            dRLSMeasureJoint (joint, &v))
            worst = fmax (worst, fmax ((double)v.position_m, (double)v.angle_rad));
    }
    return worst;
}

/*
 * Seen from outside, the step keeps Newton's law with reactions within their bounds, and misses no row but
 * for a bound.  Two such steps from one state are two answers of one problem: rigid bodies with friction have
 * them (a body that is wedged between a joint and contacts presses on them by as much as it did).  Where
 * joints are closed after the step, velocities are changed by that, and no step is as clean.
 */
static int is_an_answer (const scene *s, const outcome *o)
{
    const double force = 1 + (double)o->proof.largest_force + (double)o->proof.largest_torque;
    return (double)o->proof.outside <= CLEAN * force && (double)o->proof.force_balance <= CLEAN * force &&
           (double)o->proof.torque_balance <= CLEAN * force &&
           (double)o->proof.missed <= CLEAN * (1 + largest_velocity (s, o));
}

/* apart: by how many times what is allowed the two differ, or in m or rad a joint is open. */
static int judge (const scene *s, const outcome *fresh, const outcome *lived, int correction, int hard,
                  double allowed, double *apart)
{
    *apart = HUGE_VAL;
    if (!fresh->done && !lived->done) return BOTH_REFUSE;
    if (fresh->designed || lived->designed) return WARNED;
    if (fresh->done != lived->done) return ONE_REFUSES;
    *apart = correction == dRLSCorrectionProjection && hard ? violation (s) : 0;
    if (!(*apart <= SEEN)) return SILENTLY_OPEN;
    if (fmin (fresh->gap, lived->gap) < NEARLY) return UNDECIDED;
    if (!decided_alike (fresh, lived) && (correction != dRLSCorrectionProjection || is_open (lived)))
        return UNDECIDED;
    *apart = difference (s, fresh, lived) / allowed;
    if (*apart <= 1) return SAME;
    if (lived->most == 0) return APART;
    return !hard && is_an_answer (s, fresh) && is_an_answer (s, lived) ? SEVERAL : APART_WITH_BOUNDS;
}

/* 1 if new steppers that begin a little beside the same state, and eliminate in other orders, are as far from
 * each other: rounding decides in a problem of poor condition, or one of several answers.  The world is left
 * as it is. */
static int rounding_decides (random_world *w, dRLSStateID begun, const outcome *fresh, double allowed)
{
    scene *s = &w->scene;
    const dRLSStateID ended = dRLSStateCreate ();
    int decides = 0;
    assert_true (ended && dRLSStepperSaveState (s->stepper, ended, s->body, s->bodies));
    for (unsigned seed = 1; seed <= NUDGES && !decides; ++seed)
    {
        const dRLSStepperID other = dRLSStepperCreate (s->world, NULL);
        random_source source = {seed};
        outcome beside;
        assert_true (other && dRLSStepperRestoreState (other, begun));
        random_settle (s, other, &w->choices);
        dRLSStepperSetOrder (other, dRLSOrderRandom);
        dRLSStepperSetOrderSeed (other, seed);
        for (int b = 0; b < s->bodies; ++b)
        {
            dReal v[3];
            dCopyVector3 (v, dBodyGetLinearVel (s->body[b]));
            for (int k = 0; k < 3; ++k) v[k] += (dReal)random_between (&source, -NUDGE, NUDGE);
            dBodySetLinearVel (s->body[b], v[0], v[1], v[2]);
        }
        step (w, other, &beside);
        decides = beside.done != fresh->done || difference (s, fresh, &beside) > allowed;
        dRLSStepperDestroy (other);
    }
    assert_int_equal (dRLSStepperRestoreState (s->stepper, ended), 1);
    dRLSStateDestroy (ended);
    return decides;
}

/* How far a new stepper's step is from two of half the length: the error of the method, which carries its
 * accelerations from step to step. The world is left as it is. */
static double method_error (random_world *w, dRLSStateID begun, const outcome *fresh)
{
    scene *s = &w->scene;
    const dRLSStateID ended = dRLSStateCreate ();
    const dRLSStepperID other = dRLSStepperCreate (s->world, NULL);
    outcome finer;
    assert_true (ended && other && dRLSStepperSaveState (s->stepper, ended, s->body, s->bodies));
    assert_true (dRLSStepperRestoreState (other, begun));
    random_settle (s, other, &w->choices);
    w->h /= 2;
    step (w, other, &finer);
    step (w, other, &finer);
    w->h *= 2;
    dRLSStepperDestroy (other);
    assert_int_equal (dRLSStepperRestoreState (s->stepper, ended), 1);
    dRLSStateDestroy (ended);
    return finer.done ? difference (s, fresh, &finer) : HUGE_VAL;
}

/* One world, through its steps. */
static void run (uint64_t seed, int steps, int integrator, int correction, int hard, tally *t)
{
    random_world w = random_world_open (seed, 2 + (int)(seed % 7), hard);
    scene *s = &w.scene;
    outcome fresh, lived;
    const char *call = "nothing";
    w.choices.integrator = integrator, w.choices.correction = correction;
    random_settle (s, scene_stepper (s), &w.choices);
    for (int i = 0; i < steps; ++i)
    {
        for (int k = 0; k < CALLS_A_STEP && i > 0; ++k)
            if (random_below (&w.source, 3) == 0)
                call = random_call (&w, random_below (&w.source, RANDOM_CALLS));
        random_settle (s, s->stepper, &w.choices);
        random_contacts (&w);
        for (int b = 0; b < s->bodies; ++b) dBodySetAutoDisableFlag (s->body[b], 0);

        dRLSStepperID other = dRLSStepperCreate (s->world, NULL);
        dRLSStateID begun = dRLSStateCreate ();
        assert_true (other && begun);
        random_settle (s, other, &w.choices);
        assert_int_equal (dRLSStepperSetTime (other, dRLSStepperGetTime (s->stepper)), 1);
        assert_int_equal (dRLSStepperSaveState (other, begun, s->body, s->bodies), 1);
        step (&w, other, &fresh);
        assert_int_equal (dRLSStepperRestoreState (other, begun), 1);
        step (&w, s->stepper, &lived);
        dRLSStepperDestroy (other);

        double apart = 0;
        const double allowed = lived.most > 0                          ? BOUNDED
                               : correction == dRLSCorrectionAugmented ? PENALTY
                                                                       : HARD;
        int kind = judge (s, &fresh, &lived, correction, hard, allowed, &apart);
        if (kind >= ONE_REFUSES && kind != SILENTLY_OPEN && rounding_decides (&w, begun, &fresh, allowed))
            kind = UNDECIDED;
        if ((kind == APART || kind == ONE_REFUSES) && correction == dRLSCorrectionAugmented &&
            method_error (&w, begun, &fresh) >= fmin (1, apart * allowed))
            kind = INACCURATE;
        dRLSStateDestroy (begun);
        ++t->steps;
        ++t->of_kind[kind];
        if (kind >= ONE_REFUSES && !(apart <= t->worst))
            t->worst = apart, t->worst_seed = seed, t->worst_call = call;
        if (kind >= ONE_REFUSES && getenv ("VERBOSE"))
            printf ("seed %lu integrator %d correction %d hard %d step %d after %s: %s, %.3g (%d rows with "
                    "bounds, h "
                    "%g, v %g, gap %g)\n",
                    (unsigned long)seed, integrator, correction, hard, i, call, kinds[kind], apart,
                    lived.most, w.h, largest_velocity (s, &lived), lived.gap);
        if (!fresh.done || !lived.done) break;
    }
    random_world_close (&w);
}

static int supported (int integrator, int correction)
{
    scene s = scene_open (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dRLSStepperID stepper = scene_stepper (&s);
    dRLSStepperSetIntegrator (stepper, integrator);
    dRLSStepperSetCorrection (stepper, correction);
    const int done = dRLSStepperStep (stepper, (dReal)0.01);
    scene_close (&s);
    return done;
}

/* Worlds from .. from + count - 1 for each integrator and correction. */
static void run_all (uint64_t from, int count, int steps, tally *all)
{
    for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        for (int correction = 0; correction < dRLSCorrectionCount; ++correction)
        {
            tally t = {0};
            if (!supported (integrator, correction)) continue;
            for (int i = 0; i < 2 * count; ++i)
                run (from + (uint64_t)(i / 2), steps, integrator, correction, i % 2, &t);
            all->steps += t.steps;
            for (int kind = 0; kind < KINDS; ++kind) all->of_kind[kind] += t.of_kind[kind];
            if (t.worst > all->worst)
                all->worst = t.worst, all->worst_seed = t.worst_seed, all->worst_call = t.worst_call;
        }
}

static void the_past_is_not_seen (void **state)
{
    (void)state;
    tally all = {0};
    run_all (1, 4, STEPS, &all);
    if (wrong (&all) > 0)
        fail_msg ("%lu of %lu steps wrong, worst by %g of what is allowed: seed %lu after %s", wrong (&all),
                  all.steps, all.worst, (unsigned long)all.worst_seed, all.worst_call);
    assert_true (all.of_kind[SAME] > all.steps / 2); /* else little has been compared */
}

int main (int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (the_past_is_not_seen)};
    if (count < 3) return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
    tally all = {0};
    scene_start_ode (NULL);
    run_all ((uint64_t)atoll (arguments[1]), atoi (arguments[2]), count > 3 ? atoi (arguments[3]) : STEPS,
             &all);
    printf ("%-26s %12s\n%-26s %12d\n%-26s %12lu\n", "", "count", "worlds", 50 * atoi (arguments[2]), "steps",
            all.steps);
    for (int kind = 0; kind < KINDS; ++kind) printf ("%-26s %12lu\n", kinds[kind], all.of_kind[kind]);
    if (wrong (&all) > 0)
        printf ("worst: %g of what is allowed, seed %lu after %s\n", all.worst, (unsigned long)all.worst_seed,
                all.worst_call);
    scene_stop_ode (NULL);
    return wrong (&all) > 0;
}
