/*
 * The viewer's parts that need no picture: colour scales, the ring of past steps, shader errors,
 * settings, the camera, formats.
 */
#include "adapter.h"
#include "camera.h"
#include "format.h"
#include "gpu.h"
#include "headless.h"
#include "heatmap.h"
#include "ring.h"
#include "settings.h"
#include "shader_source.h"
#include "sim.h"
#include "vec.h"
#include "worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const heatmap_scale usual = {HEATMAP_BLUE_RED, -12, -2, -6};

static void scale_places (void **state)
{
    (void)state;
    assert_true (fabs (heatmap_place (&usual, 1e-7) - 0.5) < 1e-12);
    assert_true (heatmap_place (&usual, 0) == 0);
    assert_true (heatmap_place (&usual, 1e300) == 1);
    assert_true (heatmap_place (&usual, NAN) == 1);
    assert_true (isfinite (heatmap_log (0)) && isfinite (heatmap_log (INFINITY)));
}

static void diverging_map_is_white_at_the_tolerance (void **state)
{
    (void)state;
    unsigned char table[HEATMAP_SIZE * 3], rgb[3];
    for (double tolerance = -10; tolerance <= -4; tolerance += 2)
    {
        heatmap_scale s = usual;
        s.log_tolerance = tolerance;
        heatmap_fill (&s, table);
        heatmap_color (table, &s, pow (10, tolerance), rgb);
        for (int i = 0; i < 3; i++) assert_true (rgb[i] > 225);
        heatmap_color (table, &s, 1e-12, rgb);
        assert_true (rgb[2] > 200 && rgb[0] < 80);
        heatmap_color (table, &s, 1e-2, rgb);
        assert_true (rgb[0] > 200 && rgb[2] < 80);
    }
}

/* Linear light of a colour as dichromats see it: both lack one of the long-wave cones.  Simulation
 * matrices of Machado, Oliveira & Fernandes 2009, severity 1. */
static void as_seen (const unsigned char rgb[3], const double matrix[3][3], double out[3])
{
    double linear[3];
    for (int i = 0; i < 3; i++) linear[i] = pow (rgb[i] / 255.0, 2.2);
    for (int i = 0; i < 3; i++) out[i] = pow (fmax (vec_dot (matrix[i], linear), 0), 1 / 2.2);
}

static void ends_differ_for_colour_blind_eyes (void **state)
{
    (void)state;
    static const double blindness[3][3][3] = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    unsigned char table[HEATMAP_SIZE * 3];
    for (int map = 0; map < HEATMAP_COUNT; map++)
    {
        heatmap_scale s = usual;
        s.map = (heatmap_kind)map;
        heatmap_fill (&s, table);
        for (int kind = 0; kind < 3; kind++)
        {
            double low[3], middle[3], high[3];
            as_seen (table, blindness[kind], low);
            as_seen (table + 3 * 153, blindness[kind], middle);
            as_seen (table + 3 * 255, blindness[kind], high);
            assert_true (vec_distance (low, high) > 0.35);
            assert_true (vec_distance (low, middle) > 0.25);
            assert_true (vec_distance (middle, high) > 0.25);
        }
    }
}

/* Brightness rises all along the sequential maps, and starts above the background's. */
static void sequential_maps_rise (void **state)
{
    (void)state;
    unsigned char table[HEATMAP_SIZE * 3];
    for (int map = HEATMAP_VIRIDIS; map < HEATMAP_COUNT; map++)
    {
        heatmap_scale s = usual;
        s.map = (heatmap_kind)map;
        heatmap_fill (&s, table);
        double last = 20; /* that of the panels */
        for (int i = 0; i < HEATMAP_SIZE; i += 15)
        {
            const unsigned char *c = table + 3 * i;
            double brightness = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
            assert_true (brightness > last);
            last = brightness;
        }
    }
}

static void ring_forgets_the_oldest (void **state)
{
    (void)state;
    ring r;
    assert_true (ring_init (&r, 1, 2, 1 << 20, 100));
    assert_int_equal (ring_find (&r, 1), -1);
    for (int i = 0; i < 250; i++)
    {
        int slot = ring_push (&r);
        r.sample[slot].time = i;
        r.opening[2 * slot + 1] = (float)i;
        r.state[STATE_DOUBLES * slot] = i;
    }
    assert_int_equal (r.count, 100);
    for (int i = 0; i < 100; i++)
    {
        assert_true (ring_sample (&r, i)->time == 150 + i);
        assert_true (ring_opening (&r, i)[1] == (float)(150 + i));
        assert_true (ring_state (&r, i)[0] == 150 + i);
    }
    assert_int_equal (ring_find (&r, 160.5), 10);
    assert_int_equal (ring_find (&r, 0), 0);
    assert_int_equal (ring_find (&r, 1e9), 99);
    ring_truncate (&r, 10);
    assert_int_equal (r.count, 11);
    int slot = ring_push (&r);
    r.sample[slot].time = 160.7;
    assert_int_equal (ring_find (&r, 1e9), 11);
    ring_free (&r);
}

static void shader_logs_name_files (void **state)
{
    (void)state;
    shader_source s;
    char text[400];
    assert_true (shader_source_load (&s, NULL, "solid.frag", "SHADOWS", text, sizeof text));
    assert_true (strncmp (s.text, "#version 330 core\n#define SHADOWS 1\n", 35) == 0);
    assert_string_equal (s.part[0], "solid.frag");
    assert_string_equal (s.part[1], "frame.glsl");
    shader_source_explain (&s, "0:12(5): error: one\n1:3(1): warning: two\n", text, sizeof text);
    assert_string_equal (text, "solid.frag:12: error: one\nframe.glsl:3: warning: two");
    shader_source_explain (&s, "1(7) : error C0000: three", text, sizeof text);
    assert_string_equal (text, "frame.glsl:7: error C0000: three");
    shader_source_explain (&s, "link failed", text, sizeof text);
    assert_string_equal (text, "solid.frag: link failed");
    shader_source_explain (&s, "0:12(5): error: cut off by a short buffer", text, 20);
    assert_true (strlen (text) < 20);
    shader_source_free (&s);
    assert_false (shader_source_load (&s, NULL, "absent.frag", NULL, text, sizeof text));
    assert_non_null (strstr (text, "absent.frag"));
}

/* Every setting can be read back as it was written, and none takes nonsense. */
static void settings_round_trip (void **state)
{
    (void)state;
    settings a, b;
    char value[64], error[400];
    settings_default (&a);
    settings_default (&b);
    for (const setting *e = settings_table (); e->name; e++)
    {
        settings_get (&a, e, value, sizeof value);
        assert_true (settings_set (&b, e->name, value, error, sizeof error));
        assert_false (settings_set (&b, e->name, "nonsense", error, sizeof error));
        assert_non_null (strstr (error, e->name));
        if (e->kind == SETTING_CHOICE) continue;
        assert_false (settings_set (&b, e->name, "1e30", error, sizeof error));
        assert_false (settings_set (&b, e->name, "nan", error, sizeof error));
    }
    assert_memory_equal (&a, &b, sizeof a);
}

static void camera_sees_the_box (void **state)
{
    (void)state;
    static const double ups[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    const double low[3] = {-1, 2, -3}, high[3] = {4, 2.5, 1}, rect[4] = {100, 50, 640, 480};
    for (int u = 0; u < 3; u++)
        for (int preset = 0; preset < CAMERA_PRESETS; preset++)
        {
            camera c;
            mat4 view, projection, both;
            camera_init (&c, ups[u]);
            assert_true (fabs (vec_dot (c.up, c.east)) < 1e-12 && fabs (vec_length (c.east) - 1) < 1e-12);
            camera_look (&c, preset);
            camera_fit (&c, low, high, rect[2] / rect[3], 0.05, 1);
            camera_matrices (&c, rect[2] / rect[3], view, projection);
            glm_mat4_mul (projection, view, both);
            for (int corner = 0; corner < 8; corner++)
            {
                double p[3], pixel[2], eye[3], ray[3], to[3];
                for (int i = 0; i < 3; i++) p[i] = corner >> i & 1 ? high[i] : low[i];
                assert_true (camera_project (both, p, rect, pixel));
                assert_true (pixel[0] > rect[0] && pixel[0] < rect[0] + rect[2]);
                assert_true (pixel[1] > rect[1] && pixel[1] < rect[1] + rect[3]);
                /* The ray through that pixel meets the corner again. */
                camera_eye (&c, eye);
                camera_ray (&c, rect, pixel, ray);
                vec_sub (to, p, eye);
                assert_true (vec_dot (to, ray) > (1 - 1e-6) * vec_length (to));
            }
        }
}

static void lengths_are_readable (void **state)
{
    (void)state;
    static const struct
    {
        double metres;
        const char *text;
    } cases[] = {{4796.3, "4.80 km"},        {2.5, "2.50 m"},      {0.194, "19.4 cm"}, {1.2e-3, "1.20 mm"},
                 {3.5e-5, "35.0 \xc2\xb5m"}, {3.2e-15, "3e-15 m"}, {0, "0 m"},         {1e9, "> 1000 km"},
                 {NAN, "not finite"}};
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        format_length (cases[i].metres, text, sizeof text);
        assert_string_equal (text, cases[i].text);
    }
}

static void add_one (void *context) { ++*(int *)context; }

static void worker_does_its_jobs (void **state)
{
    (void)state;
    int done = 0;
    worker *w = worker_start (NULL);
    assert_non_null (w);
    for (int i = 1; i <= 200; i++)
    {
        worker_post (w, add_one, &done);
        assert_true (worker_wait (w, -1));
        assert_int_equal (done, i);
        assert_false (worker_busy (w));
    }
    worker_stop (w);
}

/* A driven mechanism goes on after a rewind bit for bit as it did before, also from a step that ODE made. */
static void rewinding_repeats (void **state)
{
    (void)state;
    char error[300];
    sim *s = sim_open (SCENES "/biped3.sdf", error, sizeof error);
    if (!s) fail_msg ("%s", error);
    const sim_common common = {0.01, -1, -1, -1, 1e-9, 20, 0};
    for (int by_ode = 0; by_ode < 2; by_ode++)
    {
        sim_method method = {SOLVER_RLS, 0, 0, 0};
        sim_configure (s, &method, &common);
        for (int i = 0; i < 40; i++) assert_true (sim_advance (s));
        if (by_ode)
        {
            method.solver = SOLVER_ODE;
            sim_configure (s, &method, &common);
            assert_true (sim_advance (s));
            method.solver = SOLVER_RLS;
            sim_configure (s, &method, &common);
        }
        sim_measure (s);
        sim_publish (s);
        const int from = sim_past (s)->count - 1, bytes = STATE_DOUBLES * sim_past (s)->bodies * 8;
        double *first = malloc ((size_t)bytes);
        for (int time = 0; time < 2; time++)
        {
            sim_restore (s, from);
            for (int i = 0; i < 20; i++) assert_true (sim_advance (s));
            sim_measure (s);
            sim_publish (s);
            assert_int_equal (sim_past (s)->count, from + 21);
            if (time == 0)
                memcpy (first, ring_state (sim_past (s), from + 20), (size_t)bytes);
            else
                assert_memory_equal (first, ring_state (sim_past (s), from + 20), (size_t)bytes);
        }
        free (first);
        /* driven axes are where they should be at that time */
        assert_true (sim_shown (s)->now.position_m < 1e-9 && sim_shown (s)->now.angle_rad < 1e-9);
    }
    sim_close (s);
}

static void driver_errors_are_printed (void **state)
{
    (void)state;
    char error[256], line[256] = "";
    headless *context = headless_create (1, error, sizeof error);
    FILE *kept = tmpfile ();
    assert_non_null (context);
    assert_non_null (kept);
    const int standard_error = dup (2);
    dup2 (fileno (kept), 2);
    gpu_print_messages ();
    glEnable (0xffff); /* no such capability */
    fflush (stderr);
    dup2 (standard_error, 2);
    close (standard_error);
    headless_free (context);
    rewind (kept);
    assert_non_null (fgets (line, sizeof line, kept));
    fclose (kept);
    assert_int_equal (strncmp (line, "OpenGL error: ", 14), 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (scale_places),
        cmocka_unit_test (diverging_map_is_white_at_the_tolerance),
        cmocka_unit_test (ends_differ_for_colour_blind_eyes),
        cmocka_unit_test (sequential_maps_rise),
        cmocka_unit_test (ring_forgets_the_oldest),
        cmocka_unit_test (shader_logs_name_files),
        cmocka_unit_test (settings_round_trip),
        cmocka_unit_test (camera_sees_the_box),
        cmocka_unit_test (lengths_are_readable),
        cmocka_unit_test (worker_does_its_jobs),
        cmocka_unit_test (rewinding_repeats),
        cmocka_unit_test (driver_errors_are_printed),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
