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
#include "bounded/bounded.h"
#include "stepper/stepper.h"
#include "stepper/workspace.h"

#define STEPS 40
#define CALLS_A_STEP 2
#define HARD 1e-6    /* of 1 plus the largest velocity: joints that are open by 1e-8 m, over the step */
#define OPEN 1e-9    /* m or rad */
#define SEEN 3.2e-5  /* m or rad: what the rank tolerance forgives redundant rows */
#define PENALTY 2e-2 /* augmented: its accelerations are projected ones, of the accuracy of its rule */
#define BOUNDED 5e-3 /* limits, motors and contacts: iterated, in rows of poor condition */
#define CLEAN 1e-6   /* of forces and velocities: what a certificate may find of an answer */
#define PART 0.1     /* of what is allowed: the bare step is not as long as the whole */
#define NUDGES 8
#define NUDGE 1e-10 /* m/s: of velocities, a ten-thousandth of what is allowed or less */
#define NEARLY 1e-6 /* relative pivot so small that rounding decides on the rank */

/*
 * What becomes of a step of both steppers.  The first two agree.  Then come those that differ and have a
 * stated loss: a warning, of which the gravest counts.  Their methods depend on the past by design.
 */
enum
{
    SAME,
    BOTH_REFUSE,
    UNDECIDED, /* rounding decides on the rank */
    SEVERAL,   /* the problem of bounds has several answers, and both have found one: seen from outside, */
    SEVERAL_IN_HALVES, /* or by what the step's own problems leave */
    EXTRAPOLATED,      /* rows of contacts go on from the step before */
    LOST_TO_CONFLICT,
    LOST_TO_PROJECTION,
    LOST_TO_FALLBACK,
    LOST_TO_STIFFNESS,
    LOST_TO_SINGULARITY,
    LOST_TO_ITERATIONS,
    ONE_REFUSES, /* from here on they are wrong */
    APART,
    APART_WITH_BOUNDS,
    SILENTLY_OPEN,
    KINDS
};
static const char *const kinds[KINDS] = {
    "the same",
    "refused by both",
    "decided by rounding",
    "several answers",
    "several, in halves",
    "contacts extrapolated",
    "joints contradict",
    "joints left open",
    "taken in another way",
    "inertia raised",
    "beside a singular one",
    "iterations ended early",
    "refused by one",
    "apart",
    "apart, with bounds",
    "open, not warned of",
};

/* The warning of each, the gravest first. */
static const int loss[] = {dRLSWarningConflict, dRLSWarningProjection, dRLSWarningFallback,
                           dRLSWarningStiff,    dRLSWarningSingular,   dRLSWarningBounded};
#define LOSSES ((int)(sizeof (loss) / sizeof (*loss)))

typedef struct
{
    unsigned long steps, warned, of_kind[KINDS]; /* warned: of those that are the same */
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
    int done, status, rank, redundant, most; /* most: rows with bounds or springs */
    int lost[LOSSES];
    double gap, residual; /* of bounded rows: natural map, relative to the largest impulse */
    dRLSRow row[SCENE_MOST];
    dRLSStepCertificate proof; /* of worlds with bounds */
} outcome;

static void step (random_world *w, dRLSStepperID stepper, outcome *o)
{
    unsigned long before[LOSSES];
    for (int i = 0; i < LOSSES; ++i) before[i] = dRLSStepperGetWarningCount (stepper, loss[i]);
    const int bare =
        w->choices.correction == dRLSCorrectionERP ||
        w->choices.correction == dRLSCorrectionCompliant; /* where positions are closed it says little */
    const dRLSCertificateID certificate = bare && !w->hard ? dRLSCertificateCreate () : NULL;
    o->proof = (dRLSStepCertificate){.struct_size = sizeof (o->proof)};
    if (certificate) assert_int_equal (dRLSCertificateBegin (certificate, w->scene.body, w->scene.bodies), 1);
    o->done = dRLSStepperStep (stepper, (dReal)w->h);
    if (certificate) assert_int_equal (dRLSCertificateEnd (certificate, (dReal)w->h, &o->proof), 1);
    dRLSCertificateDestroy (certificate);
    o->status = dRLSStepperGetStatus (stepper);
    dRLSReport report = {.struct_size = sizeof (report)};
    assert_int_equal (dRLSStepperGetReport (stepper, &report), 1);
    o->rank = report.rank;
    o->gap = (double)report.rank_gap;
    o->residual = (double)report.bounded_residual;
    for (int i = 0; i < LOSSES; ++i) o->lost[i] = dRLSStepperGetWarningCount (stepper, loss[i]) != before[i];
    o->lost[LOSSES - 1] |= o->done && o->residual > CLEAN; /* the report says so */
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

/* Seen from outside, the step keeps Newton's law with reactions within their bounds, and misses no row but
 * for a bound. */
static int is_an_answer (const scene *s, const outcome *o)
{
    const double force = 1 + (double)o->proof.largest_force + (double)o->proof.largest_torque;
    return o->done && (double)o->proof.outside <= CLEAN * force &&
           (double)o->proof.force_balance <= CLEAN * force &&
           (double)o->proof.torque_balance <= CLEAN * force &&
           (double)o->proof.missed <= CLEAN * (1 + largest_velocity (s, o));
}

/* The gravest loss that one of the two has told of, -1 for none. */
static int told (const outcome *fresh, const outcome *lived)
{
    int i = 0;
    while (i < LOSSES && !fresh->lost[i] && !lived->lost[i]) ++i;
    return i < LOSSES ? i : -1;
}

/* Joints of a method that closes them are open, and the stepper has not said so. */
static int silently_open (const outcome *o, double open)
{
    return o->done && !(open <= SEEN) && !o->lost[0] && !o->lost[1];
}

/* apart: by how many times what is allowed the two differ, or in m or rad a joint is open. */
static int judge (const scene *s, const outcome *fresh, const outcome *lived, int closes, double allowed,
                  double *apart)
{
    *apart = HUGE_VAL;
    if (!fresh->done && !lived->done) return BOTH_REFUSE;
    *apart = closes ? violation (s) : 0;
    if (silently_open (lived, *apart)) return SILENTLY_OPEN;
    const int loss_told = told (fresh, lived);
    if (fresh->done != lived->done)
    {
        *apart = HUGE_VAL;
        return loss_told < 0 ? ONE_REFUSES : LOST_TO_CONFLICT + loss_told;
    }
    *apart = difference (s, fresh, lived) / allowed;
    if (*apart <= 1) return SAME;
    if (loss_told >= 0) return LOST_TO_CONFLICT + loss_told;
    if (fmin (fresh->gap, lived->gap) < NEARLY) return UNDECIDED;
    if (!decided_alike (fresh, lived) && (!closes || is_open (lived))) return UNDECIDED;
    return lived->most == 0 ? APART : APART_WITH_BOUNDS;
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

typedef void change (random_world *w, dRLSStepperID stepper);

/* Euler's method alone: nothing is closed, no body is given a gyroscopic torque.  Then a certificate can be
 * clean to rounding. */
static void lay_bare (random_world *w, dRLSStepperID stepper)
{
    w->choices.integrator = dRLSIntegratorEuler;
    if (w->choices.correction != dRLSCorrectionCompliant) w->choices.correction = dRLSCorrectionERP;
    random_settle (&w->scene, stepper, &w->choices);
    for (int b = 0; b < w->scene.bodies; ++b) dBodySetGyroscopicMode (w->scene.body[b], 0);
}

/* At another time contacts have no rows of the step before to go on from. */
static void shift_time (random_world *w, dRLSStepperID stepper)
{
    (void)w;
    assert_int_equal (dRLSStepperSetTime (stepper, dRLSStepperGetTime (stepper) + 1), 1);
}

/* The impulses of the last step, where iterations begin, and its contacts' rows are forgotten. */
static void begin_without_impulses (random_world *w, dRLSStepperID stepper)
{
    (void)w;
    for (int i = 0; i < stepper->workspaces.count; ++i)
    {
        rls_island *island = &stepper->workspaces.of[i]->island;
        rls_bounded_free (island->bounded_kept);
        island->bounded_kept = NULL;
    }
}

/* A step of each from what it had at the beginning, with something changed; then all is as it was. */
static void repeat (random_world *w, dRLSStateID const begun[2], change *make, outcome o[2])
{
    scene *s = &w->scene;
    const random_choices chosen = w->choices;
    const dRLSStateID ended = dRLSStateCreate ();
    const dRLSStepperID other = dRLSStepperCreate (s->world, NULL);
    int gyroscopic[SCENE_MOST];
    assert_true (ended && other && dRLSStepperSaveState (s->stepper, ended, s->body, s->bodies));
    for (int b = 0; b < s->bodies; ++b) gyroscopic[b] = dBodyGetGyroscopicMode (s->body[b]);
    for (int k = 0; k < 2; ++k)
    {
        const dRLSStepperID stepper = k ? s->stepper : other;
        assert_int_equal (dRLSStepperRestoreState (stepper, begun[k]), 1);
        w->choices = chosen;
        random_settle (s, stepper, &w->choices);
        make (w, stepper);
        step (w, stepper, &o[k]);
    }
    for (int b = 0; b < s->bodies; ++b) dBodySetGyroscopicMode (s->body[b], gyroscopic[b]);
    w->choices = chosen;
    random_settle (s, s->stepper, &w->choices);
    dRLSStepperDestroy (other);
    assert_int_equal (dRLSStepperRestoreState (s->stepper, ended), 1);
    dRLSStateDestroy (ended);
}

static int agree (const scene *s, const outcome o[2], double allowed)
{
    return o[0].done && o[1].done && difference (s, &o[0], &o[1]) <= allowed;
}

/*
 * Rigid bodies with friction have problems of several answers: a body that is wedged between a joint and
 * contacts presses on them by as much as it did.  Then both steppers, each with what it carries, find an
 * answer of the bare problem that is clean by the certificate, and the two are not the same.
 *
 * Contacts' rows at the end of a step go on from those of the step before, which a new stepper has not.
 *
 * And a step in halves has two such problems, neither of which is the bare one, nor do mean reactions tell
 * them: there the report's residual (unit.test_bounded_oracle and fuzz.bounded hold it to a dense one) says
 * that both have answered theirs, and without the impulses to begin with both come to the same.
 */
static int explain (random_world *w, dRLSStateID const begun[2], double allowed)
{
    const scene *s = &w->scene;
    outcome o[2];
    repeat (w, begun, lay_bare, o);
    if (is_an_answer (s, &o[0]) && is_an_answer (s, &o[1]) && difference (s, &o[0], &o[1]) > PART * allowed)
        return SEVERAL;
    repeat (w, begun, shift_time, o);
    if (agree (s, o, allowed)) return EXTRAPOLATED;
    if (o[0].residual > CLEAN || o[1].residual > CLEAN) return APART_WITH_BOUNDS;
    repeat (w, begun, begin_without_impulses, o);
    return agree (s, o, allowed) ? SEVERAL_IN_HALVES : APART_WITH_BOUNDS;
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
        const dRLSStateID begun = dRLSStateCreate (), lived_begun = dRLSStateCreate ();
        const dRLSStateID both[2] = {begun, lived_begun};
        assert_true (other && begun && lived_begun);
        random_settle (s, other, &w.choices);
        assert_int_equal (dRLSStepperSetTime (other, dRLSStepperGetTime (s->stepper)), 1);
        assert_int_equal (dRLSStepperSaveState (other, begun, s->body, s->bodies), 1);
        step (&w, other, &fresh);
        assert_int_equal (dRLSStepperRestoreState (other, begun), 1);
        assert_int_equal (dRLSStepperSaveState (s->stepper, lived_begun, s->body, s->bodies), 1);
        step (&w, s->stepper, &lived);
        dRLSStepperDestroy (other);

        double apart = 0;
        const double allowed = lived.most > 0                          ? BOUNDED
                               : correction == dRLSCorrectionAugmented ? PENALTY
                                                                       : HARD;
        const int closes = correction == dRLSCorrectionProjection && hard;
        int kind = judge (s, &fresh, &lived, closes, allowed, &apart);
        if (kind >= ONE_REFUSES && kind != SILENTLY_OPEN && rounding_decides (&w, begun, &fresh, allowed))
            kind = UNDECIDED;
        if (kind == APART_WITH_BOUNDS) kind = explain (&w, both, allowed);
        dRLSStateDestroy (begun), dRLSStateDestroy (lived_begun);
        ++t->steps;
        ++t->of_kind[kind];
        t->warned += kind == SAME && told (&fresh, &lived) >= 0;
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
            all->steps += t.steps, all->warned += t.warned;
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

/* Worlds in which it was: rows left out that kept their force, and accelerations of other velocities, were
 * carried from step to step; iterations that did not converge were taken for steps; rk4 began with velocities
 * that the rows do not allow, and what came of them was up to the rows that were left out. */
static void nor_where_it_was (void **state)
{
    (void)state;
    static const struct
    {
        uint64_t seed;
        int correction, integrator;
    } found[] = {{20550, dRLSCorrectionConserving, dRLSIntegratorAuto},
                 {20642, dRLSCorrectionConserving, dRLSIntegratorAuto},
                 {20655, dRLSCorrectionConserving, dRLSIntegratorAuto},
                 {20638, dRLSCorrectionAugmented, dRLSIntegratorAuto},
                 {20993, dRLSCorrectionAugmented, dRLSIntegratorAuto},
                 {20576, dRLSCorrectionAugmented, dRLSIntegratorAuto},
                 {21798, dRLSCorrectionProjection, dRLSIntegratorRK4},
                 {21798, dRLSCorrectionSimultaneous, dRLSIntegratorRK4},
                 {21798, dRLSCorrectionEnergy, dRLSIntegratorRK4}};
    for (size_t i = 0; i < sizeof (found) / sizeof (*found); ++i)
    {
        tally t = {0};
        run (found[i].seed, 10, found[i].integrator, found[i].correction, 1, &t);
        if (wrong (&t) > 0) fail_msg ("seed %lu: %lu steps wrong", (unsigned long)found[i].seed, wrong (&t));
    }
}

int main (int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (the_past_is_not_seen),
                                       cmocka_unit_test (nor_where_it_was)};
    if (count < 3) return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
    tally all = {0};
    scene_start_ode (NULL);
    run_all ((uint64_t)atoll (arguments[1]), atoi (arguments[2]), count > 3 ? atoi (arguments[3]) : STEPS,
             &all);
    printf ("%-26s %12s\n%-26s %12d\n%-26s %12lu\n", "", "count", "worlds", 50 * atoi (arguments[2]), "steps",
            all.steps);
    for (int kind = 0; kind < KINDS; ++kind)
    {
        printf ("%-26s %12lu\n", kinds[kind], all.of_kind[kind]);
        if (kind == SAME) printf ("%-26s %12lu\n", "  of them with a warning", all.warned);
    }
    if (wrong (&all) > 0)
        printf ("worst: %g of what is allowed, seed %lu after %s\n", all.worst, (unsigned long)all.worst_seed,
                all.worst_call);
    scene_stop_ode (NULL);
    return wrong (&all) > 0;
}
