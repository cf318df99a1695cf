/*
 * Two sides and what a user does to them: going back, cutting and doubling joints, motors, balls, kept
 * states; lists, settings and side threads.
 */
#include "adapter_parts.h"
#include "row_log.h"
#include "scene_list.h"
#include "stage.h"
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
#include <unistd.h>
#include <cmocka.h>

static const stage_choice choice = {.method = {{SOLVER_ODE, 0, 0, 0}, {SOLVER_RLS, 0, 0, 0}},
                                    .common = {1.0 / 60, -1, -1, -1, 1e-9, 20, 0}};

static stage *open_scene (const char *path)
{
    char error[300];
    stage *s = stage_create (0);
    stage_open (s, path);
    assert_int_equal (stage_opened (s, error, sizeof error), STAGE_OPENED);
    return s;
}

static void run (stage *s, int steps)
{
    for (int k = 0; k < steps; k++)
    {
        stage_poll (s, &choice);
        for (int i = 0; i < SIDES; i++) stage_run (s, i, 1, 1);
    }
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
    stage *s = open_scene (SCENES "/bricard.sdf");
    run (s, 60);
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
    stage *s = open_scene (SCENES "/bricard.sdf");
    const int wanted[][2] = {
        {1, 1}, {6, 1}, {1, 1}}; /* redundant rows, degrees of freedom: whole, doubled; then cut */
    for (int act = 0; act < 3; act++)
    {
        if (act) stage_do (s, &(stage_edit){.kind = act == 1 ? EDIT_DOUBLE : EDIT_CUT, .joint = 2});
        run (s, 10);
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

/* Both steppers take a joint to where its slider is; what the scene had comes back. */
static void motors_take_joints_along (void **state)
{
    (void)state;
    stage *s = open_scene (SCENES "/bricard.sdf");
    stage_edit edit = {.kind = EDIT_MOTOR, .joint = 1, .motor = {MOTOR_PLACE, 0.5, 500}};
    stage_do (s, &edit);
    run (s, 120);
    for (int i = 0; i < SIDES; i++)
    {
        assert_true (fabs (stage_shown (s, i)->joint[1].place - 0.5) < 1e-3);
        assert_int_equal (stage_shown (s, i)->now.pulled, HAND_MOTOR);
    }
    edit.motor = (sim_motor){MOTOR_RATE, 2, 500};
    stage_do (s, &edit);
    const double before = stage_shown (s, 1)->joint[1].place;
    run (s, 30);
    assert_true (fabs (stage_shown (s, 1)->joint[1].place - before - 1) < 0.05);
    edit.motor = (sim_motor){MOTOR_OWN, 0, 0};
    stage_do (s, &edit);
    run (s, 1);
    const sample *free = &stage_shown (s, 1)->now;
    assert_int_equal (free->pulled, HAND_NONE);
    const double energy = free->kinetic + free->potential;
    run (s, 60);
    const sample *later = &stage_shown (s, 1)->now;
    assert_true (fabs (later->kinetic + later->potential - energy) < 0.02 * fabs (energy));
    edit.joint = 99; /* no such joint */
    stage_do (s, &edit);
    run (s, 1);
    stage_free (s);
}

/* A state that was kept comes back on both sides, also after the scene was set back, and the motion goes on.
 */
static void states_are_kept (void **state)
{
    (void)state;
    char error[300];
    stage *s = open_scene (SCENES "/bricard.sdf");
    run (s, 60);
    double place[SIDES];
    for (int i = 0; i < SIDES; i++) place[i] = stage_shown (s, i)->joint[1].place;
    assert_int_equal (stage_keep (s), 0);
    for (int act = 0; act < 2; act++)
    {
        if (act) /* set back */
        {
            stage_open (s, stage_path (s));
            assert_int_equal (stage_opened (s, error, sizeof error), STAGE_OPENED);
        }
        run (s, act ? 5 : 30);
        stage_come_back (s, 0);
        stage_poll (s, &choice);
        for (int i = 0; i < SIDES; i++)
        {
            assert_true (fabs (stage_time (s, i) - 1) < 1e-9);
            assert_true (fabs (stage_shown (s, i)->joint[1].place - place[i]) < 1e-12);
        }
        run (s, 60);
        assert_true (stage_shown (s, 1)->now.violation < 1e-12);
        assert_true (fabs (stage_time (s, 1) - 2) < 1e-9);
        for (int k = 1; k < stage_past (s, 1)->count; k++) /* time goes on in the past, too */
            assert_true (ring_sample (stage_past (s, 1), k)->time >
                         ring_sample (stage_past (s, 1), k - 1)->time);
    }
    for (int k = 0; k < STAGE_KEPT + 3; k++) assert_true (stage_keep (s) >= 0);
    assert_int_equal (stage_kept (s), STAGE_KEPT);
    assert_true (stage_kept_time (s, 0) > 1.5); /* the oldest has gone */
    stage_come_back (s, STAGE_KEPT);            /* no such state */
    stage_open (s, SCENES "/fourbar.sdf");
    assert_int_equal (stage_opened (s, error, sizeof error), STAGE_OPENED);
    assert_int_equal (stage_kept (s), 0);
    stage_free (s);
}

/* Balls hit what they are thrown at, on both sides; going back takes them away. */
static void balls_are_thrown (void **state)
{
    (void)state;
    stage *s = open_scene ("stack:3");
    assert_true (stage_collides (s));
    run (s, 10);
    const stage_edit edit = {.kind = EDIT_THROW, .ball = {0.15, 60, {-2, 0, 1.2}, {8, 0, 0}}};
    const int top = stage_model (s)->bodies - 1;
    stage_do (s, &edit);
    run (s, 30);
    for (int i = 0; i < SIDES; i++)
    {
        const snapshot *shot = stage_shown (s, i);
        assert_int_equal (shot->balls, 1);
        assert_true (shot->body[top].velocity[0] > 0.5 || shot->body[top].position[0] > 0.2);
        assert_int_equal (shot->now.pulled, HAND_BALL);
    }
    for (int k = 0; k < SIM_BALLS + 2; k++) /* the last ones take the first ones' places */
    {
        stage_do (s, &edit);
        run (s, 10);
    }
    assert_int_equal (stage_shown (s, 1)->balls, SIM_BALLS);
    stage_scroll_to (s, stage_past (s, 1)->count - 9); /* before the first one */
    run (s, 30);
    for (int i = 0; i < SIDES; i++) assert_int_equal (stage_shown (s, i)->balls, 0);
    assert_true (fabs (stage_shown (s, 1)->body[top].velocity[0]) < 0.01); /* dWorldStep moves it by itself */
    stage_free (s);
    s = open_scene (SCENES "/bricard.sdf");
    assert_false (stage_collides (s)); /* links without geoms */
    stage_free (s);
}

/* Bodies that rest are put to sleep where that is asked for, and wake again; islands are what touches. */
static void islands_sleep (void **state)
{
    (void)state;
    stage *s = open_scene ("stacks:3");
    stage_choice sleepy = choice;
    sleepy.common.sleep = 1;
    for (int act = 0; act < 2; act++)
    {
        for (int k = 0; k < 120; k++)
        {
            stage_poll (s, act ? &choice : &sleepy);
            for (int i = 0; i < SIDES; i++) stage_run (s, i, 1, 1);
        }
        int asleep = 0;
        const int bodies = stage_model (s)->bodies;
        const snapshot *shot = stage_shown (s, 1);
        for (int b = 0; b < bodies; b++) asleep += shot->body[b].asleep;
        assert_int_equal (asleep, act ? 0 : bodies);
        if (!act) continue;
        int *island = adapter_islands (stage_model (s), shot), islands = 0;
        for (int b = 0; b < bodies; b++) islands += island[b] == b;
        assert_int_equal (islands, 3);
        free (island);
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
    stage_free (s); /* with the step in hand */
}
int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (redundant_rows_are_remembered),
        cmocka_unit_test (scrolling_shows_redundant_rows),
        cmocka_unit_test (joints_are_cut_and_doubled),
        cmocka_unit_test (motors_take_joints_along),
        cmocka_unit_test (states_are_kept),
        cmocka_unit_test (balls_are_thrown),
        cmocka_unit_test (islands_sleep),
        cmocka_unit_test (arguments_are_a_playlist),
        cmocka_unit_test (settings_are_taken_back),
        cmocka_unit_test (busy_workers_are_left_behind),
        cmocka_unit_test (a_slow_side_holds_nobody_up),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
