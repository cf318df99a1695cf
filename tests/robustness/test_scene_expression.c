/* Expressions of time: values, exact derivatives, and what is no expression. */
#include "scene_rig.h"

static double value (const char *text, double t, double *first, double *second)
{
    char error[200] = "";
    expression *e = expression_parse (text, error, sizeof error);
    if (!e) fail_msg ("%s: %s", text, error);
    double v = expression_evaluate (e, t, first, second);
    expression_free (e);
    return v;
}

static void expect (const char *text, double t, double v, double d, double dd)
{
    double first, second, got = value (text, t, &first, &second), scale = 1 + fabs (v) + fabs (d) + fabs (dd);
    if (fabs (got - v) + fabs (first - d) + fabs (second - dd) > 1e-14 * scale)
        fail_msg ("%s at %g: %.17g %.17g %.17g instead of %.17g %.17g %.17g", text, t, got, first, second, v,
                  d, dd);
}

static void test_values (void **state)
{
    (void)state;
    expect ("1+2*3", 0, 7, 0, 0);
    expect ("(1+2)*3", 0, 9, 0, 0);
    expect ("2-3-4", 0, -5, 0, 0);
    expect ("8/4/2", 0, 1, 0, 0);
    expect ("2^3^2", 0, 512, 0, 0);
    expect ("-2^2", 0, -4, 0, 0);
    expect ("2^-1", 0, 0.5, 0, 0);
    expect ("--3", 0, 3, 0, 0);
    expect ("2*-3", 0, -6, 0, 0);
    expect ("+t - -t", 2, 4, 2, 0);
    expect (" 1.5e1 * .5 ", 0, 7.5, 0, 0);
    expect ("pi/e", 0, M_PI / M_E, 0, 0);
    expect ("exp(1)-e", 0, 0, 0, 0);
}

static void test_derivatives (void **state)
{
    (void)state;
    const double t = 0.7, s = sin (t), c = cos (t);
    expect ("t", t, t, 1, 0);
    expect ("t^3", t, t * t * t, 3 * t * t, 6 * t);
    expect ("t^3", -2, -8, 12, -12);
    expect ("t^2", 0, 0, 0, 2);
    expect ("t^1", 0, 0, 1, 0);
    expect ("t^0", 0, 1, 0, 0);
    expect ("t^0.5", t, sqrt (t), 0.5 / sqrt (t), -0.25 / (t * sqrt (t)));
    expect ("1/t", t, 1 / t, -1 / (t * t), 2 / (t * t * t));
    expect ("sin(t)", t, s, c, -s);
    expect ("cos(2*t)", t, cos (2 * t), -2 * sin (2 * t), -4 * cos (2 * t));
    expect ("tan(t)", t, s / c, 1 / (c * c), 2 * s / (c * c * c));
    expect ("exp(-t^2)", t, exp (-t * t), -2 * t * exp (-t * t), (4 * t * t - 2) * exp (-t * t));
    expect ("log(t)", t, log (t), 1 / t, -1 / (t * t));
    expect ("sqrt(1+t)", t, sqrt (1 + t), 0.5 / sqrt (1 + t), -0.25 / ((1 + t) * sqrt (1 + t)));
    expect ("abs(t)", -t, t, -1, 0);
    expect ("t*sin(t)", t, t * s, s + t * c, 2 * c - t * s);
    expect ("sin(t)/t", t, s / t, (c * t - s) / (t * t), (-s * t * t - 2 * (c * t - s)) / (t * t * t));
    expect ("2^t", t, pow (2, t), log (2) * pow (2, t), log (2) * log (2) * pow (2, t));
    expect ("t^t", 1, 1, 1, 2);
    expect ("asin(t)", t, asin (t), 1 / sqrt (1 - t * t), t / pow (1 - t * t, 1.5));
    expect ("acos(t)+asin(t)", t, M_PI / 2, 0, 0);
    expect ("atan(t)", t, atan (t), 1 / (1 + t * t), -2 * t / pow (1 + t * t, 2));
    expect ("cosh(t)^2-sinh(t)^2", t, 1, 0, 0);
    expect ("tanh(t)", t, tanh (t), 1 / pow (cosh (t), 2), -2 * tanh (t) / pow (cosh (t), 2));
    expect ("(pi/3)*(1-cos(2*pi*t/5))", 2.5, 2 * M_PI / 3, 0, -4 * pow (M_PI, 3) / 75);
    expect ("sqrt(0*t)+t", 1, 1, 1, 0);
}

/* Complex-free check of something long: central differences of the value. */
static void test_chain (void **state)
{
    (void)state;
    const char *text = "exp(sin(3*t)/(1+t^2))*atan(t-0.3)+log(2+cos(t))^1.7";
    const double h = 1e-4;
    double first, second, a, b;
    for (double t = -2; t < 2; t += 0.37)
    {
        double v = value (text, t, &first, &second);
        double before = value (text, t - h, &a, &b), after = value (text, t + h, &a, &b);
        rig_close (first, (after - before) / (2 * h), 1e-5);
        rig_close (second, (after - 2 * v + before) / (h * h), 1e-4);
    }
}

static void refuse (const char *text, const char *expected)
{
    char error[200] = "";
    expression *e = expression_parse (text, error, sizeof error);
    assert_null (e);
    assert_string_equal (error, expected);
}

static void test_errors (void **state)
{
    (void)state;
    refuse ("", "the expression ends too early at character 1");
    refuse ("1+", "the expression ends too early at character 3");
    refuse ("2 t", "an operator is expected at character 3");
    refuse ("sin t", "an opening parenthesis is missing at character 5");
    refuse ("(1", "a closing parenthesis is missing at character 3");
    refuse ("1)", "an operator is expected at character 2");
    refuse ("foo(t)", "unknown name 'foo' at character 1");
    refuse ("x", "unknown name 'x' at character 1");
    refuse ("1*/2", "a value is expected instead of '/' at character 3");
    refuse (".", "a number is expected at character 1");
}

static void test_bounds (void **state)
{
    (void)state;
    char text[20001], error[200];
    memset (text, '(', 20000);
    text[20000] = 0;
    assert_null (expression_parse (text, error, sizeof error));
    memset (text, '-', 20000);
    assert_null (expression_parse (text, error, sizeof error));
    for (int i = 0; i < 10000; i++) memcpy (text + 2 * i, "1+", 2);
    assert_null (expression_parse (text, error, sizeof error));
    /* Values that pile up on the stack: 1-(1-(1-(...))) is nested, 2^2^2^... as well. */
    for (int i = 0; i < 10000; i++) memcpy (text + 2 * i, "2^", 2);
    assert_null (expression_parse (text, error, sizeof error));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_values), cmocka_unit_test (test_derivatives), cmocka_unit_test (test_chain),
        cmocka_unit_test (test_errors), cmocka_unit_test (test_bounds),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
