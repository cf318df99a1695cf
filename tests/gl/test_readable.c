/*
 * What is read off the screen: numbers that stand still, scales that fit, colours that differ and can be
 * read.
 */
#include "format.h"
#include "heat_fit.h"
#include "palette.h"
#include "stage.h"
#include "theme.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

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

static void units_stay_with_their_numbers (void **state)
{
    (void)state;
    const char *text = "closed to 2e-14 m.";
    assert_true (format_may_break (text, 6));
    assert_true (format_may_break (text, 9));
    assert_false (format_may_break (text, 15));
    assert_false (format_may_break (text, 2));
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
int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (numbers_stand_still),
        cmocka_unit_test (units_stay_with_their_numbers),
        cmocka_unit_test (the_scale_fits),
        cmocka_unit_test (text_can_be_read),
        cmocka_unit_test (meanings_have_their_own_colours),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
