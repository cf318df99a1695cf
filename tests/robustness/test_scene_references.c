/* Reference trajectories: columns, samples, interpolation, range; and files that are none. */
#include "scene_rig.h"

#define PROBE "<link name='a'/><rls:probe name='p' link='a'>1 2 3</rls:probe>\n"
#define REFERENCE(attributes) MODEL (PROBE "<rls:reference probe='p' file='r.csv' " attributes "/>")

static void write_track (double step, int count, double (*f) (double t))
{
    char *text = malloc ((size_t)count * 100 + 100);
    int used = sprintf (text, "t, x ,\"y\",z\n");
    for (int i = 0; i < count; i++)
        used += sprintf (text + used, "%.17g,%.17g,%.17g,%.17g\r\n", i * step, f (i * step), -f (i * step),
                         2 * f (i * step));
    rig_write ("r.csv", text);
    free (text);
}

static double cubic (double t) { return ((2 * t - 1) * t + 3) * t - 4; }
static double wave (double t) { return sin (3 * t) + cos (t); }

static void test_samples (void **state)
{
    (void)state;
    double p[3];
    write_track (0.1, 101, wave);
    scene *s = rig_good (REFERENCE ("columns='t x y z'"));
    for (int i = 0; i <= 100; i++)
    {
        /* Times that a loop adds up are not the same to the last bit. */
        double t = i * 0.1 * (1 + 2e-16);
        assert_true (scene_reference (s, 0, t, p) && scene_reference_is_sample (s, 0, t));
        rig_close (p[0], wave (i * 0.1), 0);
        rig_close (p[1], -wave (i * 0.1), 0);
        rig_close (p[2], 2 * wave (i * 0.1), 0);
    }
    assert_true (scene_reference (s, 0, 0.05, p) && !scene_reference_is_sample (s, 0, 0.05));
    assert_false (scene_reference (s, 0, -0.01, p));
    assert_false (scene_reference (s, 0, 10.01, p));
    assert_false (scene_reference (s, 0, NAN, p));
    assert_false (scene_reference_is_sample (s, 0, 10.1));
    scene_free (s);
}

static void test_interpolation (void **state)
{
    (void)state;
    double p[3];
    for (int count = 4; count <= 40; count += 9)
    {
        write_track (0.25, count, cubic);
        scene *s = rig_good (REFERENCE ("columns='t x y z'"));
        for (double t = 0; t <= 0.25 * (count - 1); t += 0.017)
        {
            assert_true (scene_reference (s, 0, t, p));
            rig_close (p[0], cubic (t), 1e-12 * (1 + fabs (cubic (t))));
        }
        scene_free (s);
    }
    /* The error of ten points is about 2e-4 (3 h)^10 here. */
    write_track (0.05, 201, wave);
    scene *s = rig_good (REFERENCE (""));
    for (double t = 1; t <= 9; t += 0.0137)
    {
        assert_true (scene_reference (s, 0, t, p));
        rig_close (p[2], 2 * wave (t), 1e-11);
    }
    scene_free (s);
}

static void test_columns (void **state)
{
    (void)state;
    double p[3];
    write_track (0.1, 11, wave);
    scene *s = rig_good (REFERENCE ("columns='t z 7 -' valid_to='0.5'"));
    assert_true (scene_reference (s, 0, 0.3, p));
    rig_close (p[0], 2 * wave (0.1 * 3), 0);
    rig_close (p[1], 7, 0);
    rig_close (p[2], 3, 0); /* as the probe is */
    assert_true (scene_reference (s, 0, 0.5, p));
    assert_false (scene_reference (s, 0, 0.51, p));
    scene_free (s);
    s = rig_good (REFERENCE ("columns='t y'"));
    assert_true (scene_reference (s, 0, 0.3, p));
    rig_close (p[0], -wave (0.1 * 3), 0);
    rig_close (p[1], 2, 0);
    scene_free (s);
    s = rig_good (MODEL (PROBE));
    assert_false (scene_reference (s, 0, 0, p));
    assert_false (scene_reference_is_sample (s, 0, 0));
    scene_free (s);
}

/* %s in an expected line stands for the folder. */
static void refuse (const char *csv, const char *attributes, const char *expected)
{
    char text[2000], line[1000];
    if (csv) rig_write ("r.csv", csv);
    snprintf (text, sizeof text, REFERENCE ("%s"), attributes);
    snprintf (line, sizeof line, expected, rig_folder);
    rig_bad (text, line);
}

static void test_errors (void **state)
{
    (void)state;
    refuse ("", "", "6: <rls:reference> '%s/r.csv' is empty");
    refuse ("t,x\n0,1\n", "", "6: <rls:reference> '%s/r.csv' has fewer than two samples");
    refuse ("t,x\n0,1\n1,a\n", "", "6: <rls:reference> %s/r.csv:3: 'a' is not a finite number");
    refuse ("t,x\n0,1\n1,nan\n", "", "6: <rls:reference> %s/r.csv:3: 'nan' is not a finite number");
    refuse ("t,x\n0,1\n1,\n", "", "6: <rls:reference> %s/r.csv:3: '' is not a finite number");
    refuse ("t,x\n0,1\n1\n", "", "6: <rls:reference> %s/r.csv:3: the line is too short");
    refuse ("t,x\n0,1\n0,2\n", "", "6: <rls:reference> %s/r.csv:3: time does not increase");
    refuse ("t,x\n0,1\n1,2\n", "columns='t q'",
            "6: <rls:reference> attribute columns: 'q' is not in the header of '%s/r.csv'");
    refuse (NULL, "columns='0 x'",
            "6: <rls:reference> attribute columns: '0' is not in the header of '%s/r.csv'");
    refuse (NULL, "columns='t'",
            "6: <rls:reference> attribute columns: needs a time and at least one coordinate");
    refuse (NULL, "columns='t x x x x'", "6: <rls:reference> attribute columns: has more than 4 names");
    refuse (NULL, "valid_to='soon'", "6: <rls:reference> attribute valid_to: 'soon' is not a number");
    rig_bad (MODEL (PROBE "<rls:reference probe='p' file='http://x/y.csv'/>"),
             "6: <rls:reference> 'http://x/y.csv' is not a local file; nothing is fetched from a network");
}

/* A scene that was copied without its reference moves all the same. */
static void test_missing (void **state)
{
    (void)state;
    char line[1000];
    double p[3];
    snprintf (line, sizeof line,
              "6: <rls:reference> '%s/no.csv' cannot be opened; there is nothing to compare with",
              rig_folder);
    rig_doubtful (MODEL (PROBE "<rls:reference probe='p' file='no.csv'/>"), line);
    write_track (0.1, 11, wave);
    scene *s = rig_good (MODEL (PROBE "<rls:reference probe='p' file='no.csv'/>"
                                      "<rls:reference probe='p' file='r.csv'/>"));
    assert_true (scene_reference (s, 0, 0.3, p));
    scene_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_samples), cmocka_unit_test (test_interpolation),
        cmocka_unit_test (test_columns), cmocka_unit_test (test_errors),
        cmocka_unit_test (test_missing),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
