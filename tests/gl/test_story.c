/*
 * The narrator, situation by situation: pasts are made up, and what it says of them is judged.
 */
#include "adapter.h"
#include "app_parts.h"
#include "format.h"
#include "heat_fit.h"
#include "palette.h"
#include "row_log.h"
#include "scene_list.h"
#include "stage.h"
#include "story.h"
#include "theme.h"
#include "undo.h"
#include "worker.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
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
            s.kinetic = i ? energy : 0.4 * energy;
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
            const double base = i ? energy : 0.4 * energy;
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

/* ---- numbers that stand still (6) ---------------------------------------------------------------------- */

static void numbers_stand_still (void **state)
{
    (void)state;
    steady_number n = {0};
    steady_count c = {0};
    int changes = 0, count_changes = 0, last_count = 29;
    double last = -1;
    for (int k = 0; k < 240; k++)
    {
        const double clock = k / 60.0, shown = steady_number_add (&n, 1e-5 * (1 + 0.3 * sin (k)), clock);
        const int rank = steady_count_add (&c, k % 7 == 3 ? 28 : 29, clock);
        changes += shown != last;
        count_changes += rank != last_count;
        last = shown;
        last_count = rank;
        if (k > 60)
            assert_true (shown >= 1.2e-5 && shown <= 1.3e-5); /* the largest of a quarter of a second */
    }
    assert_true (changes <= 17);
    assert_int_equal (count_changes, 0);
    for (int k = 0; k < 60; k++) last_count = steady_count_add (&c, 25, 4 + k / 60.0);
    assert_int_equal (last_count, 25);
}

/* ---- colours (7, 8) ------------------------------------------------------------------------------------ */

static void the_scale_fits (void **state)
{
    (void)state;
    heat_range r = {0};
    heat_range_add (&r, -15.2, -0.4, -18, 4, 1.0 / 60);
    assert_true (r.low <= -15.2 && r.high >= -0.4); /* nothing saturates at once */
    for (int k = 0; k < 1200; k++) heat_range_add (&r, -7, -5, -18, 4, 1.0 / 60);
    assert_true (r.low > -9.2 && r.high < -4.8); /* and in time it is used */
    heat_range_add (&r, -7, 2, -18, 4, 1.0 / 60);
    assert_true (r.high >= 2);
    heat_range_add (&r, INFINITY, -INFINITY, -18, 4, 1.0 / 60);
    assert_true (r.high >= 2);
}

static double luminance (ui_color c)
{
    double sum = 0;
    const double weight[3] = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; i++)
    {
        const double v = (double)(c >> (8 * i) & 255) / 255;
        sum += weight[i] * (v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* WCAG 2.1's ratio, 4.5 for text. */
static double contrast (ui_color a, ui_color b)
{
    const double x = luminance (a), y = luminance (b);
    return (fmax (x, y) + 0.05) / (fmin (x, y) + 0.05);
}

static void text_can_be_read (void **state)
{
    (void)state;
    const ui_color text[] = {COLOR_TEXT,           COLOR_SOFT,          COLOR_FAINT, COLOR_ACCENT,
                             COLOR_ALARM,          COLOR_EXTRA,         COLOR_FORCE, theme_stepper (0, 0),
                             theme_stepper (1, 0), theme_stepper (2, 0)};
    const ui_color behind[] = {COLOR_WINDOW, COLOR_PANEL, COLOR_RAISED};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
            if (!(contrast (text[i], behind[k]) >= 4.5))
                fail_msg ("colour %zu on %zu: %.2f", i, k, contrast (text[i], behind[k]));
    for (int i = 0; i < 3; i++)
        assert_true (contrast (theme_of (palette_stepper_paper[i]), UI_RGB (250, 250, 251)) >= 3);
}

static void meanings_have_their_own_colours (void **state)
{
    (void)state;
    const ui_color meaning[] = {theme_stepper (0, 0), theme_stepper (1, 0), theme_stepper (2, 0), COLOR_EXTRA,
                                COLOR_ALARM,          COLOR_FORCE,          COLOR_ACCENT};
    const int n = sizeof meaning / sizeof *meaning;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
        {
            double apart = 0;
            for (int b = 0; b < 24; b += 8)
            {
                const double d = (double)(meaning[i] >> b & 255) - (double)(meaning[k] >> b & 255);
                apart += d * d;
            }
            assert_true (sqrt (apart) > 45);
        }
    /* the same stepper on both sides: two tones */
    assert_true (theme_stepper (SOLVER_RLS, 0) != theme_stepper (SOLVER_RLS, 1));
}

/* ---- the past, lists, settings ------------------------------------------------------------------------- */

/* 9: looking back finds the rows that were redundant then. */
static void redundant_rows_are_remembered (void **state)
{
    (void)state;
    row_log *log = calloc (1, sizeof *log);
    row_state one = {4, 3, 0, 1e-15, 0}, two[2] = {{4, 3, 0, 2e-15, 0}, {1, 0, 0, 0, 0}};
    row_log_note (log, 0, &one, 1);
    for (int k = 1; k < 10; k++) row_log_note (log, k, &one, 1);
    assert_int_equal (log->entries, 1);
    row_log_note (log, 10, two, 2);
    assert_int_equal (row_log_find (log, 5)->count, 1);
    assert_int_equal (row_log_find (log, 5)->row[0].joint, 4);
    assert_int_equal (row_log_find (log, 99)->count, 2);
    row_log_truncate (log, 7);
    assert_int_equal (row_log_find (log, 99)->count, 1);
    for (int k = 0; k < 3 * ROW_LOG_ENTRIES; k++) row_log_note (log, 100 + k, k % 2 ? two : &one, 1 + k % 2);
    assert_int_equal (log->entries, ROW_LOG_ENTRIES);
    assert_null (row_log_find (log, 5));
    row_log_free (log);
    free (log);
}

static void scrolling_shows_redundant_rows (void **state)
{
    (void)state;
    char error[300];
    stage *s = stage_create (0);
    stage_choice choice = {.method = {{SOLVER_ODE, 0, 0, 0}, {SOLVER_RLS, 0, 0, 0}},
                           .common = {1.0 / 60, -1, -1, -1, 1e-9, 20}};
    stage_open (s, SCENES "/bricard.sdf");
    assert_int_equal (stage_opened (s, error, sizeof error), STAGE_OPENED);
    for (int k = 0; k < 60; k++)
    {
        stage_poll (s, &choice);
        for (int i = 0; i < SIDES; i++) stage_run (s, i, 1, 1);
    }
    stage_scroll_to (s, 20);
    assert_int_equal (stage_scroll (s), 20);
    for (int i = 0; i < SIDES; i++)
    {
        const snapshot *shot = stage_shown (s, i);
        assert_int_equal (shot->rows, 1);
        assert_string_equal (stage_model (s)->joint[shot->row[0].joint].name, "J4");
        assert_true (shot->joint[shot->row[0].joint].redundant == 1);
        assert_int_equal (shot->now.step, 40);
    }
    /* going on from there forgets what came after */
    stage_run (s, 1, 1, 1);
    assert_int_equal (stage_scroll (s), 0);
    assert_int_equal (stage_shown (s, 0)->now.step, 40);
    assert_int_equal (stage_shown (s, 1)->now.step, 41);
    stage_free (s);
}

/* A joint is cut, mended and doubled while the mechanism runs, on both sides alike. */
static void joints_are_cut_and_doubled (void **state)
{
    (void)state;
    char error[300];
    stage *s = stage_create (0);
    stage_choice choice = {.method = {{SOLVER_ODE, 0, 0, 0}, {SOLVER_RLS, 0, 0, 0}},
                           .common = {1.0 / 60, -1, -1, -1, 1e-9, 20}};
    stage_open (s, SCENES "/bricard.sdf");
    assert_int_equal (stage_opened (s, error, sizeof error), STAGE_OPENED);
    const int wanted[][2] = {
        {1, 1}, {6, 1}, {1, 1}}; /* redundant rows, degrees of freedom: whole, doubled; then cut */
    for (int act = 0; act < 3; act++)
    {
        if (act == 1) stage_double (s, 2);
        if (act == 2) stage_cut (s, 2);
        for (int k = 0; k < 10; k++)
        {
            stage_poll (s, &choice);
            for (int i = 0; i < SIDES; i++) stage_run (s, i, 1, 1);
        }
        for (int i = 0; i < SIDES; i++)
        {
            const sample *now = &stage_shown (s, i)->now;
            assert_int_equal (now->redundant, wanted[act][0]);
            assert_int_equal (now->dof, wanted[act][1]);
            if (act) assert_true (now->changed_at > 0);
        }
    }
    stage_free (s);
}

/* 9: scenes of the command line come first, in their order. */
static void arguments_are_a_playlist (void **state)
{
    (void)state;
    scene_list list = {0};
    scene_list_add (&list, "/s/agile.sdf");
    scene_list_add (&list, "/s/bricard.sdf");
    scene_list_add (&list, "/s/scissor.sdf");
    assert_int_equal (scene_list_play (&list, "scissor"), 0);
    assert_int_equal (scene_list_play (&list, "/else/own.sdf"), 1);
    assert_int_equal (scene_list_play (&list, "agile"), 2);
    assert_int_equal (scene_list_play (&list, "scissor"), 0);
    assert_int_equal (list.playlist, 3);
    const char *const names[] = {"scissor", "own", "agile", "bricard"};
    assert_int_equal (list.count, 4);
    for (int i = 0; i < 4; i++) assert_string_equal (list.entry[i].name, names[i]);
    scene_list_free (&list);
}

static void settings_are_taken_back (void **state)
{
    (void)state;
    undo_list *u = calloc (1, sizeof *u);
    settings s, start;
    settings_default (&s);
    start = s;
    undo_watch (u, &s, 0);
    assert_false (undo_back (u, &s));
    s.choice.common.gravity = 3;
    undo_watch (u, &s, 1); /* still dragging */
    s.choice.common.gravity = 5;
    undo_watch (u, &s, 1);
    undo_watch (u, &s, 0);
    s.labels = 1;
    undo_watch (u, &s, 0);
    s.paused = 1; /* no setting */
    undo_watch (u, &s, 0);
    assert_true (undo_back (u, &s));
    assert_true (s.labels == 0 && s.choice.common.gravity == 5 && s.paused);
    assert_true (undo_back (u, &s));
    assert_true (s.choice.common.gravity == start.choice.common.gravity);
    assert_false (undo_back (u, &s));
    free (u);
}

/* ---- time (3) ------------------------------------------------------------------------------------------ */

static double seconds (void)
{
    struct timespec t;
    clock_gettime (CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int released; /* by the test */
static int left;     /* the last thing an abandoned worker did */

static void wait_for_release (void *context)
{
    (void)context;
    while (!__atomic_load_n (&released, __ATOMIC_ACQUIRE)) usleep (1000);
}

static void note_leaving (void *context)
{
    (void)context;
    __atomic_store_n (&left, 1, __ATOMIC_RELEASE);
}

static void busy_workers_are_left_behind (void **state)
{
    (void)state;
    worker *w = worker_start (NULL);
    assert_non_null (w);
    worker_post (w, wait_for_release, NULL);
    assert_true (worker_busy (w));
    worker_abandon (w, note_leaving, NULL); /* does not wait: the job ends only below */
    assert_int_equal (__atomic_load_n (&left, __ATOMIC_ACQUIRE), 0);
    __atomic_store_n (&released, 1, __ATOMIC_RELEASE);
    for (int k = 0; k < 20000 && !__atomic_load_n (&left, __ATOMIC_ACQUIRE); k++) usleep (1000);
    assert_int_equal (__atomic_load_n (&left, __ATOMIC_ACQUIRE), 1);
}

/* A step that takes seconds holds up neither the other side nor the end. */
static void a_slow_side_holds_nobody_up (void **state)
{
    (void)state;
    char error[300];
    stage *s = stage_create (1);
    stage_choice choice = {.method = {{SOLVER_ODE, 0, 0, 0}, {SOLVER_RLS, 0, 0, 0}},
                           .common = {1.0 / 60, -1, -1, -1, 1e-9, 20}};
    stage_open (s, "net:30");
    stage_result result;
    while ((result = stage_opened (s, error, sizeof error)) == STAGE_NOTHING) usleep (1000);
    assert_int_equal (result, STAGE_OPENED);
    double busiest = 0;
    /* one step of dWorldStep on it takes as long as hundreds of ode-rls's */
    while (stage_shown (s, 1)->now.step < 20)
    {
        stage_poll (s, &choice);
        for (int i = 0; i < SIDES; i++) stage_run (s, i, 1, 0.01);
        busiest = fmax (busiest, stage_busy (s, 0));
        usleep (1000);
    }
    assert_true (busiest > 0);
    assert_true (stage_shown (s, 0)->now.step < 20);
    assert_true (stage_busy (s, 0) > 0);
    stage_free (s); /* with the step in hand: returns at once, or the test would take half a minute */
    assert_true (seconds () > 0);
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
        cmocka_unit_test (numbers_stand_still),
        cmocka_unit_test (the_scale_fits),
        cmocka_unit_test (text_can_be_read),
        cmocka_unit_test (meanings_have_their_own_colours),
        cmocka_unit_test (redundant_rows_are_remembered),
        cmocka_unit_test (scrolling_shows_redundant_rows),
        cmocka_unit_test (joints_are_cut_and_doubled),
        cmocka_unit_test (arguments_are_a_playlist),
        cmocka_unit_test (settings_are_taken_back),
        cmocka_unit_test (busy_workers_are_left_behind),
        cmocka_unit_test (a_slow_side_holds_nobody_up),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
