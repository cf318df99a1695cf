/*
 * The narrator, situation by situation: pasts are made up, and what it says of them is judged.
 */
#include "story.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- made-up pasts ------------------------------------------------------------------------------------- */

static const model bricard = {.bodies = 5, .joints = 6, .weight = 49, .size = 2.2};
static const model wall = {.bodies = 100, .joints = 0, .weight = 980, .size = 3};

typedef struct
{
    ring past[SIDES];
    story_side side[SIDES];
    story_text text;
    double time;
} play;

static void begin (play *p, const model *m)
{
    memset (p, 0, sizeof *p);
    for (int i = 0; i < SIDES; i++) assert_true (ring_init (&p->past[i], 1, 1, 1 << 22, 4000));
    (void)m;
}

static void end (play *p)
{
    for (int i = 0; i < SIDES; i++) ring_free (&p->past[i]);
}

static sample *add (play *p, int side, const sample *s)
{
    sample *slot = &p->past[side].sample[ring_push (&p->past[side])];
    *slot = *s;
    slot->step = p->past[side].count - 1;
    if (s->time > p->time) p->time = s->time;
    return slot;
}

static void look (play *p, const model *m)
{
    for (int i = 0; i < SIDES; i++) story_look_back (&p->side[i], &p->past[i], p->time, m);
    story_compare (p->side, 0, m);
    story_tell (p->side, &p->text);
}

/* A pendulum that swings and keeps (or loses) energy: side 0 loses with a rate, side 1 does not. */
static void swing (play *p, double from, double to, double rate, sample first[SIDES])
{
    for (double t = from; t < to - 1e-9; t += 0.02)
        for (int i = 0; i < SIDES; i++)
        {
            sample s = first[i];
            const double left = i ? 1 : exp (-rate * t), phase = M_PI * t;
            s.time = t;
            s.kinetic = 9 * left * sin (phase) * sin (phase);
            s.potential = 9 * left * cos (phase) * cos (phase) - 9;
            add (p, i, &s);
        }
}

/* ---- faults of the narrator ---------------------------------------------------------------------------- */

/* 1: after a change of stepper the new one is not charged with what the old one did. */
static void a_change_of_method_begins_anew (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample first[SIDES] = {{.solver = SOLVER_ODE, .violation = 92e-6, .position_m = 92e-6},
                           {.solver = SOLVER_RLS, .violation = 2e-15, .position_m = 2e-15}};
    swing (&p, 0, 4, 1, first);
    look (&p, &bricard);
    assert_true (p.side[0].energy_lost > 0.8);
    assert_non_null (strstr (p.text.line[0], "dWorldStep"));
    const sample *last = ring_sample (&p.past[0], p.past[0].count - 1);
    sample now = {.solver = SOLVER_RLS,
                  .changed_at = last->time,
                  .free_since = last->time,
                  .free_energy = last->kinetic + last->potential,
                  .kinetic = last->kinetic,
                  .potential = last->potential};
    const double openings[] = {1e-9, 3e-15, 2e-15, 3e-15};
    for (int k = 0; k < 4; k++)
    {
        now.time = last->time + 0.02 * (k + 1);
        now.violation = now.position_m = openings[k];
        add (&p, 0, &now);
    }
    p.time = now.time;
    look (&p, &bricard);
    assert_true (p.side[0].worst < 1e-14);
    assert_true (p.side[0].energy_lost == 0);
    assert_string_equal (p.side[0].badge, "");
    assert_null (strstr (p.text.line[0], "gone"));
    assert_non_null (strstr (p.text.line[0], "ode-rls"));
    end (&p);
}

/* 1: what is taken over torn is said to be closing, and is no fault of who closes it. */
static void inherited_openings_are_not_charged (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample s = {.solver = SOLVER_QUICK, .violation = 0.2, .position_m = 0.2};
    for (int k = 0; k < 50; k++)
    {
        s.time = 0.02 * k;
        for (int i = 0; i < SIDES; i++) add (&p, i, &s);
    }
    s.changed_at = s.free_since = s.time;
    s.solver = SOLVER_RLS;
    for (int k = 0; k < 5; k++)
    {
        s.time += 0.02;
        s.violation = s.position_m *= 0.3;
        for (int i = 0; i < SIDES; i++) add (&p, i, &s);
    }
    look (&p, &bricard);
    assert_true (p.side[0].inherited && !p.side[0].torn);
    assert_non_null (strstr (p.text.line[0], "is closing joints"));
    assert_string_equal (p.side[0].badge, "");
    end (&p);
}

/* 2: nothing is said of energy before the motion has turned, nor where nothing moves. */
static void young_motions_are_not_judged (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    for (double t = 0; t < 0.1; t += 0.01)
        for (int i = 0; i < SIDES; i++)
        {
            sample s = {.time = t, .solver = i ? SOLVER_RLS : SOLVER_ODE};
            s.kinetic = i ? 0.3 * t / 0.1 : 0;
            s.potential = -0.3 * t / 0.1;
            add (&p, i, &s);
        }
    look (&p, &bricard);
    assert_true (p.side[0].energy_lost == 0);
    assert_string_equal (p.side[0].badge, "");
    end (&p);

    /* a net at rest that settles a little */
    begin (&p, &bricard);
    for (double t = 0; t < 5; t += 0.02)
        for (int i = 0; i < SIDES; i++)
        {
            sample s = {
                .time = t, .solver = i ? SOLVER_RLS : SOLVER_ODE, .kinetic = 1e-5, .potential = i ? 0 : -0.3};
            add (&p, i, &s);
        }
    look (&p, &bricard);
    assert_true (p.side[0].energy_lost == 0);
    assert_string_equal (p.side[0].badge, "");
    end (&p);
}

/* 5: the hand's work is nobody's gain; the joints stay under watch. */
static void pulling_is_not_a_gain (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample first[SIDES] = {{.solver = SOLVER_QUICK, .violation = 1e-5},
                           {.solver = SOLVER_RLS, .violation = 1e-15}};
    swing (&p, 0, 3, 0, first);
    const double from = p.time;
    double energy = 0;
    for (int k = 1; k <= 50; k++)
        for (int i = 0; i < SIDES; i++)
        {
            sample s = first[i];
            s.time = from + 0.02 * k;
            energy = 0.2 * k;
            s.kinetic = i ? energy : 0.1 * energy;
            s.pulled = 1;
            s.free_since = s.time;
            s.free_energy = s.kinetic;
            add (&p, i, &s);
        }
    look (&p, &bricard);
    assert_true (p.side[1].energy_lost == 0 && p.side[0].energy_lost == 0);
    assert_non_null (strstr (p.text.line[1], "You are pulling"));
    /* let go: the energy given is the new base */
    const double released = p.time;
    for (int k = 1; k <= 100; k++)
        for (int i = 0; i < SIDES; i++)
        {
            sample s = first[i];
            const double base = i ? energy : 0.1 * energy;
            s.time = released + 0.02 * k;
            s.kinetic = base * fabs (cos (0.1 * k));
            s.potential = base - s.kinetic;
            s.free_since = released;
            s.free_energy = base;
            add (&p, i, &s);
        }
    look (&p, &bricard);
    assert_true (p.side[1].energy_lost == 0 && p.side[0].energy_lost == 0);
    assert_string_equal (p.side[1].badge, "");
    end (&p);
}

/* 5: a side that refused, or has stopped, does not "keep moving", and no number that is not one is written.
 */
static void trouble_comes_first (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample first[SIDES] = {{.solver = SOLVER_RLS, .violation = 1e-15},
                           {.solver = SOLVER_RLS, .violation = 1e-15}};
    swing (&p, 0, 1, 0, first);
    sample bad = first[0];
    bad.time = p.time + 0.02;
    bad.kinetic = bad.potential = bad.violation = bad.position_m = NAN;
    add (&p, 0, &bad);
    p.time = bad.time;
    look (&p, &bricard);
    p.side[0].health = SIM_STOPPED;
    snprintf (p.side[0].reason, sizeof p.side[0].reason, "the motion blew up");
    p.side[1].health = SIM_REFUSED;
    snprintf (p.side[1].reason, sizeof p.side[1].reason, "no such combination");
    story_compare (p.side, 0, &bricard);
    story_tell (p.side, &p.text);
    assert_non_null (strstr (p.text.line[0], "blew up"));
    assert_null (strstr (p.text.line[0], "nan"));
    assert_null (strstr (p.text.line[0], "keeps moving"));
    assert_true (p.side[0].alarming);
    assert_non_null (strstr (p.text.line[1], "refuses this choice: no such combination"));
    assert_null (strstr (p.text.line[1], "moving"));
    assert_string_equal (p.side[1].badge, "refused");
    end (&p);
}

/* 3: a step that takes long is said so, with how long, and nothing else. */
static void a_long_step_is_said (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample s = {.solver = SOLVER_ODE};
    for (int i = 0; i < SIDES; i++) add (&p, i, &s);
    look (&p, &bricard);
    p.side[0].busy = 12.4;
    p.side[0].solver = SOLVER_ODE;
    story_tell (p.side, &p.text);
    assert_non_null (strstr (p.text.line[0], "computing one step for 12 s"));
    assert_null (strstr (p.text.line[0], "closed"));
    end (&p);
}

/* 10: why the first view stops is said in one sentence a side, also before anything has moved. */
static void the_redundant_row_is_named (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample first[SIDES] = {{.solver = SOLVER_ODE, .violation = 9e-5, .redundant = 1, .rows = 30},
                           {.solver = SOLVER_RLS, .violation = 1e-15, .redundant = 1, .rows = 30}};
    swing (&p, 0, 4, 1, first);
    look (&p, &bricard);
    snprintf (p.side[1].extra_row, sizeof p.side[1].extra_row, "row 3 of J4");
    story_tell (p.side, &p.text);
    assert_non_null (strstr (p.text.line[0], "One row too many: dWorldStep softens all rows"));
    assert_non_null (strstr (p.text.line[0], "brakes: 9"));
    assert_non_null (strstr (p.text.line[1], "dropped row 3 of J4"));
    end (&p);
}

/* Looking back, an entry is told by who made it and by what was before it alone. */
static void the_past_is_told_as_it_was (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample first[SIDES] = {{.solver = SOLVER_QUICK, .violation = 1e-5, .position_m = 1e-5},
                           {.solver = SOLVER_RLS, .violation = 1e-15, .position_m = 1e-15}};
    swing (&p, 0, 1, 0, first);
    first[0].violation = first[0].position_m = 0.5;
    swing (&p, 1, 2, 0, first);
    p.time = 0.9;
    look (&p, &bricard);
    assert_false (p.side[0].torn);
    p.time = 1.9;
    look (&p, &bricard);
    assert_true (p.side[0].torn);
    assert_non_null (strstr (p.text.line[0], "dWorldQuickStep"));
    end (&p);
}

/* Another gravity gives the bodies another energy: no gain. */
static void gravity_is_no_gain (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample first[SIDES] = {{.solver = SOLVER_ODE}, {.solver = SOLVER_RLS}};
    swing (&p, 0, 3, 0, first);
    const double at = p.time;
    for (int k = 1; k < 200; k++)
        for (int i = 0; i < SIDES; i++)
        {
            sample s = first[i];
            s.time = at + 0.02 * k;
            s.potential = i ? 40 : 41; /* not quite alike */
            s.kinetic = 3 * fabs (sin (0.1 * k));
            s.potential -= s.kinetic;
            s.changed_at = s.free_since = at;
            s.free_energy = i ? 40 : 41;
            add (&p, i, &s);
        }
    look (&p, &bricard);
    assert_true (p.side[0].energy_lost == 0 && p.side[1].energy_lost == 0);
    end (&p);
}

static void contacts_are_told_by_depth (void **state)
{
    (void)state;
    play p;
    begin (&p, &wall);
    sample s = {.solver = SOLVER_QUICK, .violation = 2.2e-3, .penetration = 2.2e-3, .bounded = 300};
    for (int i = 0; i < SIDES; i++) add (&p, i, &s);
    look (&p, &wall);
    assert_non_null (strstr (p.text.line[0], "deepest contact so far 2.20 mm"));
    end (&p);
}
/* What was torn and has closed again is told in the past, and does not alarm any more. */
static void healed_joints_are_told_as_such (void **state)
{
    (void)state;
    play p;
    begin (&p, &bricard);
    sample s = {.solver = SOLVER_ODE};
    for (int k = 0; k < 100; k++)
    {
        s.time = 0.02 * k;
        s.violation = s.position_m = k < 50 ? 0.2 : 1e-8;
        for (int i = 0; i < SIDES; i++) add (&p, i, &s);
        if (k != 40) continue;
        look (&p, &bricard);
        assert_non_null (strstr (p.text.line[0], "joints are torn open"));
        assert_true (p.side[0].alarming);
    }
    look (&p, &bricard);
    assert_non_null (strstr (p.text.line[0], "joints were torn open by 20.0 cm; they have closed again"));
    assert_string_equal (p.side[0].badge, "joints were torn open by 20.0 cm");
    assert_false (p.side[0].alarming);
    end (&p);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (a_change_of_method_begins_anew),
        cmocka_unit_test (inherited_openings_are_not_charged),
        cmocka_unit_test (young_motions_are_not_judged),
        cmocka_unit_test (pulling_is_not_a_gain),
        cmocka_unit_test (trouble_comes_first),
        cmocka_unit_test (a_long_step_is_said),
        cmocka_unit_test (the_redundant_row_is_named),
        cmocka_unit_test (the_past_is_told_as_it_was),
        cmocka_unit_test (gravity_is_no_gain),
        cmocka_unit_test (contacts_are_told_by_depth),
        cmocka_unit_test (healed_joints_are_told_as_such),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
