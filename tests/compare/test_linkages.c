/*
 * Linkages whose motion is known in closed form: points of them are held against it step after step, under
 * every integrator.  They are overconstrained, so a row too many stops them and a row too few takes them
 * apart.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <scene.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct
{
    scene *scene;
    double time;
} motion;

static const int integrators[] = {dRLSIntegratorEuler, dRLSIntegratorSymplectic, dRLSIntegratorSymplectic4,
                                  dRLSIntegratorRK4};

static void point (const motion *m, const char *name, double p[3])
{
    for (int i = 0; i < scene_probe_count (m->scene); ++i)
        if (!strcmp (scene_probe_at (m->scene, i)->name, name))
        {
            scene_probe_position (m->scene, i, p);
            return;
        }
    fail_msg ("no probe %s", name);
}

static double distance (const double a[3], const double b[3])
{
    return hypot (hypot (a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* ---- closed forms: by how much the motion is off ---- */

/* D on a straight line, OC x OD constant. */
static double peaucellier (const motion *m)
{
    double C[3], D[3];
    const double power = 2 * 2 - 0.9 * 0.9;
    point (m, "C", C), point (m, "D", D);
    const double product = hypot (C[0], C[2]) * hypot (D[0], D[2]);
    return fmax (fabs (D[0] - power / 1.6), fabs (product - power));
}

/* The hinges' middles are two triangles; the product of their sides is twice the square of the thickness. */
static double kaleidocycle (const motion *m)
{
    double P[4][3];
    for (int i = 0; i < 4; ++i)
    {
        const char name[] = {'P', (char)('1' + i), 0};
        point (m, name, P[i]);
    }
    const double product = distance (P[0], P[2]) * distance (P[1], P[3]);
    return fmax (fabs (product - 2 * 0.5 * 0.5), fabs (distance (P[0], P[1]) - 0.5));
}

/* All pistons from the crank's angle. */
static double v8 (const motion *m)
{
    static const double turned[] = {0, M_PI / 2, 3 * M_PI / 2, M_PI};
    double c[3], p[3], worst = 0;
    point (m, "crank", c);
    const double angle = atan2 (c[1], c[2]), r = 0.05, l = 0.16;
    for (int i = 0; i < 8; ++i)
    {
        const double sense = i % 2 ? -1 : 1, bore = sense * M_PI / 4, to_bore = angle + turned[i / 2] - bore;
        const double stroke = r * cos (to_bore) + sqrt (l * l - pow (r * sin (to_bore), 2));
        const double piston[3] = {-0.3 + 0.2 * (i / 2) + 0.02 * sense, stroke * sin (bore),
                                  stroke * cos (bore)};
        char name[16];
        snprintf (name, sizeof name, "piston%d", i + 1);
        point (m, name, p);
        worst = fmax (worst, distance (p, piston));
    }
    return worst;
}

/* The angle of a shaft from where its pointer points, 1 m from the axis through (x, y), which leans by lean.
 */
static double angle_of (const motion *m, const char *name, double x, double y, double lean)
{
    double p[3];
    point (m, name, p);
    return atan2 (-((p[1] - y) * cos (lean) - (p[0] - x) * sin (lean)), p[2]);
}

/* Hooke's joint: the arms of a cross stay at right angles.  Two of them cancel out. */
static double cardan_shaft (const motion *m)
{
    const double lean = 0.5, t = m->time, given = 2 * t + 0.8 * sin (2 * t);
    const double first = angle_of (m, "first", -0.5, 0, 0);
    const double middle = angle_of (m, "middle", 0.5 * cos (lean), 0.5 * sin (lean), lean);
    const double last = angle_of (m, "last", cos (lean) + 0.5, sin (lean), 0);
    /* sin and cos of the angles, so that none of them has an infinite tangent */
    const double hooke = sin (middle) * cos (first) - sin (first) * cos (middle) * cos (lean);
    return fmax (fabs (hooke), fmax (fabs (remainder (first - given, 2 * M_PI)),
                                     fabs (remainder (last - given, 2 * M_PI))));
}

/* All axes go through one point, and there the eye stays. */
static double agile_eye (const motion *m)
{
    double p[3], view[3];
    const double nowhere[3] = {0, 0, 0};
    point (m, "centre", p), point (m, "view", view);
    return fmax (distance (p, nowhere), fabs (distance (view, nowhere) - 1));
}

/* Rows and columns of the lattice stay at right angles, and one's cells say how wide the other's are. */
static double miura (const motion *m)
{
    double far[3], side[3], end[3];
    point (m, "far", far), point (m, "side", side), point (m, "end", end);
    const double nowhere[3] = {0, 0, 0}, edge = 0.5, cells = 6, sector = 1.2;
    const double sum[3] = {side[0] + end[0], side[1] + end[1], side[2] + end[2]};
    const double across = side[0] * end[0] + side[1] * end[1] + side[2] * end[2];
    const double S = distance (side, nowhere) / cells, L = distance (end, nowhere) / cells;
    const double shape = L * L * (edge * edge - S * S) - pow (edge * edge * cos (sector), 2);
    return fmax (distance (far, sum), fmax (fabs (across), fabs (shape)));
}

/* ---- the table ---- */

static const struct
{
    const char *name; /* a file, or a generated scene */
    double (*off) (const motion *);
    double tolerance;
    int rank, dof;
    double drift; /* of the energy under symplectic4, relative to what moves; 0: it is driven */
} linkages[] = {
    {"peaucellier", peaucellier, 2e-12, 41, 1, 1e-4},
    {"kaleidocycle", kaleidocycle, 1e-13, 29, 7, 1e-8},
    {"v8", v8, 1e-11, 101, 1, 1e-7},
    {"cardan_shaft", cardan_shaft, 1e-13, 18, 0, 0},
    {"agile_eye", agile_eye, 1e-13, 42, 0, 0},
    {"miura:6", miura, 1e-11, 209, 1, 1e-7},
};

static double energy_of (const scene *s)
{
    double kinetic, potential;
    scene_energy (s, &kinetic, &potential);
    return kinetic + potential;
}

/* Largest drift of the energy over largest kinetic energy; h = 0: with the scene's own step, which never
 * lands on a singular configuration. */
static double follow (int which, int integrator, double h, int steps)
{
    char path[256], error[512];
    const int generated = strchr (linkages[which].name, ':') != NULL;
    snprintf (path, sizeof path, generated ? "%s" : SCENES "/%s.sdf", linkages[which].name);
    motion m = {scene_read (path, NULL, NULL, error, sizeof error), 0};
    if (!m.scene) fail_msg ("%s", error);
    const double start = energy_of (m.scene);
    const int regular = h == 0;
    if (regular) h = scene_time_step (m.scene);
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (m.scene), NULL);
    assert_int_equal (scene_prepare_stepper (m.scene, stepper), 1);
    assert_int_equal (dRLSStepperSetIntegrator (stepper, integrator), 1);
    double off = 0, drift = 0, fastest = 0;
    for (int step = 1; step <= steps; ++step)
    {
        dRLSReport report = {.struct_size = sizeof report};
        double kinetic, potential;
        scene_before_step (m.scene, m.time, 1);
        if (!dRLSStepperStep (stepper, (dReal)h)) fail_msg ("%s: %s", path, dRLSStepperGetMessage (stepper));
        scene_after_step (m.scene);
        m.time = step * h;
        dRLSStepperGetReport (stepper, &report);
        if (regular && (report.rank != linkages[which].rank || report.dof != linkages[which].dof))
            fail_msg ("%s, integrator %d, step %d: rank %d, %d degrees of freedom", path, integrator, step,
                      report.rank, report.dof);
        scene_energy (m.scene, &kinetic, &potential);
        fastest = fmax (fastest, kinetic);
        drift = fmax (drift, fabs (kinetic + potential - start));
        off = fmax (off, linkages[which].off (&m));
    }
    if (!(off <= linkages[which].tolerance)) fail_msg ("%s, integrator %d: off by %g", path, integrator, off);
    assert_true (fastest > 1e-3);
    dRLSStepperDestroy (stepper);
    scene_free (m.scene);
    return drift / fastest;
}

static void closed_forms (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof linkages / sizeof *linkages; ++i)
        for (size_t k = 0; k < sizeof integrators / sizeof *integrators; ++k)
        {
            const double drift = follow ((int)i, integrators[k], 0, 300), most = linkages[i].drift;
            if (integrators[k] == dRLSIntegratorSymplectic4 && most > 0 && !(drift <= most))
                fail_msg ("%s: energy off by %g", linkages[i].name, drift);
        }
}

/* Long steps fail at first where all bars but the crank fold into one line, 5 cm beside it at 10 m/s; pieces
 * of them do not, and nothing else is done about it.  (Euler's method leaves the way at 0.02.) */
static void through_the_fold (void **state)
{
    (void)state;
    for (size_t k = 1; k < sizeof integrators / sizeof *integrators; ++k)
        for (int i = 1; i < 3; ++i)
        {
            const double drift = follow (0, integrators[k], 0.01 * i, 1000 / i);
            if (!(drift <= 0.05))
                fail_msg ("integrator %d, h = 0.0%d: energy off by %g", integrators[k], i, drift);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (closed_forms), cmocka_unit_test (through_the_fold)};
    dInitODE ();
    const int failures = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failures;
}
