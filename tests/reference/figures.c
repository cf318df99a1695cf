/*
 * The reference problems, with what was asked of them and what is reached:
 *
 *     build/bin/reference_figures             the whole table, some minutes
 *     build/bin/reference_figures --quick     without the runs of 100 s and more at h = 0.001
 *
 * Errors are the largest distances of probes from the references in this folder, at the references' own
 * samples; of fourbar:N from the closed form.  Violations are measured from the geometry of the joints, in m
 * or rad.  The exit status is 1 if a run failed or a figure is missed by more than rounding explains; times,
 * which are the machine's as well, are only shown.
 *
 * Two openings of joints that are asked for are less than rounding makes them, which is computed
 * (rounding_of) and stands beside them.
 */
#include "scene.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ODE (-1) /* in the place of an integrator: dWorldStep */

typedef struct
{
    const char *scene;
    int integrator;
    double h, duration;
    void (*disturb) (scene *s);                 /* NULL, or what makes the start inconsistent */
    double (*error) (const scene *s, double t); /* NULL: against the scene's references */
    int rounded;                                /* 1: violations are compared with rounding */
} problem;

typedef struct
{
    int done;                                /* all steps */
    double error, drift, position, velocity; /* largest; the violations without the start */
    double end_position, apart;              /* at the end; between the cranks of a row (rad) */
    double rounding;                         /* what of the violation it explains */
    int dof[2], redundant;                   /* least and most; most */
    double factorisations, row_evaluations;  /* a step */
    double cpu;                              /* s in the stepper */
} outcome;

static int far_off;

static double cpu_now (void)
{
    struct timespec t;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double larger (double a, double b) { return !(b <= a) ? b : a; } /* not a number is the largest */

static double reference_error (const scene *s, double t)
{
    double worst = 0;
    for (int i = 0; i < scene_probe_count (s); ++i)
    {
        double x[3], wanted[3], sum = 0;
        if (!scene_reference_is_sample (s, i, t) || !scene_reference (s, i, t, wanted)) continue;
        scene_probe_position (s, i, x);
        for (int k = 0; k < 3; ++k) sum += (x[k] - wanted[k]) * (x[k] - wanted[k]);
        worst = larger (worst, sqrt (sum));
    }
    return worst;
}

/* Of the cranks of a row: their hinges come first, one a loop and one more. */
static double cranks_apart (const scene *s)
{
    const int cranks = (scene_body_count (s) + 1) / 2;
    double worst = 0;
    if (strncmp (scene_name (s), "fourbar", 7) != 0 || !strchr (scene_name (s), ':')) return 0;
    for (int i = 1; i < cranks; ++i)
        worst =
            larger (worst, fabs (remainder ((double)dJointGetHingeAngle (scene_joint_at (s, i)->joint) -
                                                (double)dJointGetHingeAngle (scene_joint_at (s, 0)->joint),
                                            2 * M_PI)));
    return worst;
}

/*
 * What rounding opens the joints by, if it opens each kept row by a unit in the last place of numbers between
 * 1 and 2: a redundant row h = sum of c_i h_i, which nothing closes, is open by the sum of all |c_i| of them.
 */
static double rounding_of (dRLSStepperID stepper)
{
    const dRLSEquationsID equations = dRLSEquationsCreate ();
    dRLSEquationsSize size = {.struct_size = sizeof (size)};
    double most = 1;
    if (!dRLSStepperGetEquations (stepper, equations) || !dRLSEquationsGetSize (equations, &size)) exit (1);
    dRLSEquationRow *const row = calloc ((size_t)size.rows, sizeof (*row));
    dReal *const x = calloc (3 * (size_t)size.rows, sizeof (*x)), *const along = x + size.rows,
                 *const c = along + size.rows;
    if (!row || !x) exit (1);
    dRLSEquationsGetRows (equations, row, size.rows);
    for (int r = 0; r < size.rows; ++r)
    {
        if (row[r].kept) continue;
        x[r] = 1;
        dRLSEquationsDelassus (equations, x, along);
        dRLSEquationsSolveDelassus (equations, along, c);
        x[r] = 0;
        double sum = 0;
        for (int i = 0; i < size.rows; ++i) sum += fabs ((double)c[i]);
        most = fmax (most, sum);
    }
    free (row);
    free (x);
    dRLSEquationsDestroy (equations);
    return DBL_EPSILON * most;
}

static outcome run (const problem *p)
{
    char path[512], message[512];
    outcome out = {.dof = {1000000, 0}};
    snprintf (path, sizeof (path), strchr (p->scene, ':') ? "%s" : SCENES "/%s.sdf", p->scene);
    scene *s = scene_read (path, NULL, NULL, message, sizeof (message));
    if (!s)
    {
        printf ("%s\n", message);
        exit (1);
    }
    scene_set_time_step (s, p->h);
    dRLSStepperID stepper = p->integrator == ODE ? NULL : dRLSStepperCreate (scene_world (s), NULL);
    if (stepper)
    {
        scene_prepare_stepper (s, stepper);
        if (scene_has_forces (s)) dRLSStepperSetForceCallback (stepper, scene_forces, s);
        dRLSStepperSetIntegrator (stepper, p->integrator);
        dRLSStepperSetReport (stepper, 0);
    }
    if (p->disturb) p->disturb (s);
    double kinetic, potential;
    scene_energy (s, &kinetic, &potential);
    const double start = kinetic + potential;
    const long steps = lround (p->duration / p->h);
    out.done = 1;
    for (long i = 1; i <= steps && out.done; ++i)
    {
        const double t = (double)i * p->h;
        scene_before_step (s, t - p->h, stepper != NULL);
        const double before = cpu_now ();
        out.done =
            stepper ? dRLSStepperStep (stepper, (dReal)p->h) : dWorldStep (scene_world (s), (dReal)p->h);
        out.cpu += cpu_now () - before;
        scene_after_step (s);
        dRLSViolation v;
        dRLSReport report = {.struct_size = sizeof (report)};
        scene_violation (s, &v);
        scene_energy (s, &kinetic, &potential);
        out.end_position = larger ((double)v.position_m, (double)v.angle_rad);
        out.position = larger (out.position, out.end_position);
        out.velocity = larger (out.velocity, larger ((double)v.velocity_m_s, (double)v.velocity_rad_s));
        out.drift = larger (out.drift, fabs (kinetic + potential - start));
        out.error = larger (out.error, (p->error ? p->error : reference_error) (s, t));
        out.apart = larger (out.apart, cranks_apart (s));
        if (!stepper || !dRLSStepperGetReport (stepper, &report)) continue;
        if (p->rounded && i % 100 == 0) out.rounding = fmax (out.rounding, rounding_of (stepper));
        out.dof[0] = report.dof < out.dof[0] ? report.dof : out.dof[0];
        out.dof[1] = report.dof > out.dof[1] ? report.dof : out.dof[1];
        out.redundant = report.redundant > out.redundant ? report.redundant : out.redundant;
        out.factorisations += (double)report.factorisations / (double)steps;
        out.row_evaluations += (double)report.row_evaluations / (double)steps;
    }
    if (stepper) dRLSStepperDestroy (stepper);
    scene_free (s);
    return out;
}

/* ---- the table ---- */

static const char *word (int integrator)
{
    static const char *const words[] = {"auto",        "euler",       "symplectic", "symplectic4",
                                        "symplectic6", "symplectic8", "rk4"};
    return integrator == ODE ? "dWorldStep" : words[integrator];
}

static void show (const problem *p, const char *what, double asked, double reached, double rounding)
{
    const int met = reached <= asked;
    printf ("%-18s %-11s %-8.4g %6.0f  %-26s %9.2g %9.2g  %s\n", p->scene, word (p->integrator), p->h,
            p->duration, what, asked, reached,
            met                   ? "met"
            : reached <= rounding ? "rounding"
                                  : "missed");
    fflush (stdout);
}

static void line (const problem *p, const char *what, double asked, double reached)
{
    show (p, what, asked, reached, 0);
    far_off |= !(reached <= asked);
}

/* A figure that nobody asked for. */
static void remark (const problem *p, const char *what, double reached)
{
    printf ("%-18s %-11s %-8.4g %6.0f  %-26s %9s %9.2g\n", p->scene, word (p->integrator), p->h, p->duration,
            what, "-", reached);
}

/* Negative limits are not asked for. */
static outcome ask (problem p, double error, double drift, double violation)
{
    const outcome o = run (&p);
    if (error >= 0) line (&p, "error (m)", error, o.done ? o.error : HUGE_VAL);
    if (drift >= 0) line (&p, "energy drift (J)", drift, o.done ? o.drift : HUGE_VAL);
    if (violation < 0) return o;
    show (&p, "violation (m, rad)", violation, o.done ? o.position : HUGE_VAL, o.rounding);
    if (p.rounded) remark (&p, "violation by rounding", o.rounding);
    far_off |= !(o.done && o.position <= fmax (violation, o.rounding));
    return o;
}

/* ---- problems ---- */

static void displace (scene *s, int body, double dx, double dy, double vx, double vy)
{
    const dBodyID b = scene_body_at (s, body)->body;
    const dReal *x = dBodyGetPosition (b), *v = dBodyGetLinearVel (b);
    dBodySetPosition (b, x[0] + (dReal)dx, x[1] + (dReal)dy, x[2]);
    dBodySetLinearVel (b, v[0] + (dReal)vx, v[1] + (dReal)vy, v[2]);
}
/* Braun & Goldfarb's, of the end of the rod; its middle moves half as far. */
static void disturb_pendulum (scene *s) { displace (s, 0, 0.5e-5, 0.5e-5, 0.5e-4, -0.5e-4); }
static void disturb_slider_crank (scene *s)
{
    for (int b = 0; b < 2; ++b) displace (s, b, 1e-3, 1e-2, 1e-3, 1e-2);
}

/* The pendulum over 1000 s has a reference of its own, with a sample every so often. */
static double pendulum_error (const scene *s, double t)
{
    static double sample[4096][3];
    static int samples, next;
    double x[3];
    if (samples == 0)
    {
        FILE *f = fopen (REFERENCES "/pendulum_1000s.csv", "r");
        if (!f || fscanf (f, "%*[^\n]") != 0) exit (1);
        while (samples < 4096 &&
               fscanf (f, "%lf,%lf,%lf", sample[samples], sample[samples] + 1, sample[samples] + 2) == 3)
            ++samples;
        fclose (f);
    }
    while (next < samples && sample[next][0] < t - 1e-6) ++next;
    if (next == samples || sample[next][0] > t + 1e-6) return 0;
    scene_probe_position (s, 0, x);
    return hypot (x[0] - sample[next][1], x[1] - sample[next][2]);
}

/*
 * A row of N loops has one degree of freedom, theta'' = -g ((N + 1) / 2 + N) / ((N + 1) I + N) cos theta with
 * theta the angle of the cranks and I their inertia about the hinge; theta = pi / 2 and theta' = -1 at the
 * start.  Integrated by Kutta's method in steps of 1e-4 s, which leaves 1e-13.
 */
static double row_error (const scene *s, double t)
{
    static double angle, rate, now;
    dMass crank;
    dBodyGetMass (scene_body_at (s, 0)->body, &crank);
    const double loops = (scene_body_count (s) - 1) / 2, inertia = (double)crank.I[10] + 0.25;
    const double c = -9.81 * (0.5 * (loops + 1) + loops) / ((loops + 1) * inertia + loops);
    if (t < now || now == 0) angle = M_PI / 2, rate = -1, now = 0;
    const int count = (int)ceil ((t - now) / 1e-4 - 1e-6);
    const double h = (t - now) / count;
    for (int i = 0; i < count; ++i)
    {
        const double v1 = rate, a1 = c * cos (angle), v2 = rate + h / 2 * a1,
                     a2 = c * cos (angle + h / 2 * v1);
        const double v3 = rate + h / 2 * a2, a3 = c * cos (angle + h / 2 * v2);
        const double v4 = rate + h * a3, a4 = c * cos (angle + h * v3);
        angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    now = t;
    double x[3];
    scene_probe_position (s, 0, x);
    return hypot (x[0] - cos (angle), x[1] - sin (angle));
}

static void bricard (int quick)
{
    const char *b = "bricard";
    const outcome o = ask ((problem){b, dRLSIntegratorSymplectic, 0.01, 10, 0, 0, 0}, 5e-4, 4e-4, 5e-15);
    const problem second = {b, dRLSIntegratorSymplectic, 0.01, 10, 0, 0, 0};
    line (&second, "factorisations a step", 1.1, o.factorisations);
    line (&second, "row evaluations a step", 3, o.row_evaluations);
    ask ((problem){b, dRLSIntegratorSymplectic, 0.01, quick ? 100 : 1000, 0, 0, 1}, -1, 4e-4, 5e-15);
    ask ((problem){b, dRLSIntegratorSymplectic4, 0.01, 10, 0, 0, 0}, 5e-9, -1, 5e-15);
    ask ((problem){b, dRLSIntegratorSymplectic6, 0.01, 10, 0, 0, 0}, 1e-11, 1e-11, 5e-15);
    ask ((problem){b, dRLSIntegratorRK4, 0.01, 10, 0, 0, 0}, 2e-8, -1, -1);
    ask ((problem){b, dRLSIntegratorRK4, 0.001, 10, 0, 0, 0}, 5e-12, -1, -1);
}

/* log2 of the ratio of errors at twice the step, where truncation is far above rounding. */
static void orders (void)
{
    static const struct
    {
        int integrator;
        double order, h;
    } of[] = {{dRLSIntegratorEuler, 1, 0.005},      {dRLSIntegratorSymplectic, 2, 0.01},
              {dRLSIntegratorSymplectic4, 4, 0.02}, {dRLSIntegratorRK4, 4, 0.005},
              {dRLSIntegratorSymplectic6, 6, 0.04}, {dRLSIntegratorSymplectic8, 8, 0.1}};
    for (int i = 0; i < 6; ++i)
    {
        problem p = {"bricard", of[i].integrator, of[i].h, 10, 0, 0, 0};
        const double fine = run (&p).error;
        p.h *= 2;
        const double measured = log2 (run (&p).error / fine);
        printf ("%-18s %-11s %.4g, %-4.4g  10  %-26s %9.0f %9.2f  %s\n", p.scene, word (p.integrator),
                p.h / 2, p.h, "order of convergence", of[i].order, measured,
                measured > of[i].order - 0.5 ? "met" : "missed");
        far_off |= !(measured > of[i].order - 1);
    }
}

/* CPU time for 1e-6 m, and what dWorldStep does with as much. */
static void cost (void)
{
    static const struct
    {
        int integrator;
        double h;
    } tried[] = {{dRLSIntegratorSymplectic4, 0.05},    {dRLSIntegratorSymplectic6, 0.1},
                 {dRLSIntegratorSymplectic6, 1.0 / 6}, {dRLSIntegratorSymplectic8, 0.2},
                 {dRLSIntegratorSymplectic8, 0.25},    {dRLSIntegratorRK4, 0.02}};
    problem best = {.scene = NULL};
    double least = HUGE_VAL;
    for (int i = 0; i < 6; ++i)
        for (int again = 0; again < 3; ++again)
        {
            const problem p = {"bricard", tried[i].integrator, tried[i].h, 10, 0, 0, 0};
            const outcome o = run (&p);
            if (o.error <= 1e-6 && o.cpu < least) least = o.cpu, best = p;
        }
    if (!best.scene) return;
    show (&best, "CPU for 1e-6 m (s)", 0.01, least, 0);
    problem ode = {"bricard", ODE, 0.001, 10, 0, 0, 0};
    ode.h *= run (&ode).cpu / least; /* steps of the same cost each, as many as fit */
    ode.h = 10 / ceil (10 / ode.h);
    const outcome o = run (&ode);
    remark (&ode, "CPU (s)", o.cpu);
    ode.h = 0.02 / ceil (0.02 / ode.h); /* to meet the reference's samples */
    remark (&ode, "error (m)", run (&ode).error);
}

static void pendulums (int quick)
{
    ask ((problem){"pendulum_compound", dRLSIntegratorSymplectic6, quick ? 0.01 : 0.001, quick ? 100 : 1000,
                   0, quick ? NULL : pendulum_error, 0},
         3e-7, -1, 1e-12);
    const problem p = {"pendulum_compound", dRLSIntegratorSymplectic4, 0.001, 10, disturb_pendulum, 0, 0};
    const outcome o = run (&p);
    line (&p, "from an open start: at the end", 1e-12, o.done ? o.end_position : HUGE_VAL);
    const problem c = {"slider_crank", dRLSIntegratorSymplectic4, 0.01, 100, disturb_slider_crank, 0, 0};
    const outcome d = run (&c);
    line (&c, "from an open start: at the end", 1e-12, d.done ? d.end_position : HUGE_VAL);
}

static void singular_passes (int quick)
{
    ask ((problem){"slider_crank", dRLSIntegratorSymplectic6, 0.01, 100, 0, 0, 0}, 2e-5, -1, 1e-14);

    /* through many singular configurations by steps so short that only rounding is left: 1e-9 m was asked
       before the runs, 1e-10 m of the short ones after them */
    const double h[] = {0.0008, 0.001, 0.00125, 0.0016};
    for (int i = 0; i < (quick ? 2 : 4); ++i)
        ask ((problem){"slider_crank", dRLSIntegratorSymplectic6, h[i], quick ? 20 : 80, 0, 0, 0},
             quick ? 1e-10 : 1e-9, -1, 1e-14);
    if (!quick)
        ask ((problem){"slider_crank", dRLSIntegratorSymplectic4, 0.001, 100, 0, 0, 0}, 5e-8, -1, 1e-14);
    ask ((problem){"nfourbar_n2", dRLSIntegratorSymplectic4, 0.01, 100, 0, 0, 0}, 1e-5, -1, 2e-14);
    ask ((problem){"nfourbar_n2", dRLSIntegratorSymplectic6, 0.01, 100, 0, 0, 0}, 2e-8, -1, 2e-14);
    if (!quick)
    {
        const problem p = {"nfourbar_n2", dRLSIntegratorSymplectic4, 0.001, 100, 0, 0, 0};
        const outcome o = ask (p, 1e-8, -1, 2e-14);
        remark (&p, "least degrees of freedom", o.dof[0]);
        remark (&p, "most degrees of freedom", o.dof[1]);
    }
    const problem row = {"fourbar:40", dRLSIntegratorSymplectic4, 0.01, 10, 0, row_error, 0};
    line (&row, "loops apart (rad)", 1e-9, ask (row, 1e-6, -1, 1e-12).apart);
    ask ((problem){"fourbar:40", dRLSIntegratorSymplectic6, 0.01, 10, 0, row_error, 0}, 2e-9, -1, -1);
    const problem long_row = {"fourbar:200", dRLSIntegratorSymplectic4, 0.01, 10, 0, row_error, 0};
    line (&long_row, "loops apart (rad)", 1e-6, ask (long_row, 1e-4, -1, -1).apart);
    const problem rhombus = {"fourbar_rhombus", dRLSIntegratorSymplectic4, 0.001, 10, 0, 0, 1};
    const outcome o = ask (rhombus, 1e-9, -1, 4e-16); /* 2e-16 at a scale of 2 m */
    line (&rhombus, "violation rate (m/s)", 3e-14, o.velocity);
}

static void others (void)
{
    static const double bands[] = {5.2e-11, 2.7e-11, 1.6e-12};
    static const char *const bipeds[] = {"biped1", "biped2", "biped3"};
    for (int i = 0; i < 3; ++i)
        ask ((problem){bipeds[i], dRLSIntegratorSymplectic, 0.01, 100, 0, 0, 0}, -1, -1, bands[i]);
    const problem spherical = {"spherical_pendulum", dRLSIntegratorSymplectic4, 0.025, 100, 0, 0, 0};
    remark (&spherical, "energy drift (J)", run (&spherical).drift);
    static const struct
    {
        const char *scene;
        double h, duration;
    } of[] = {{"spherical_pendulum", 0.025, 5}, {"spinning_top", 0.01, 250}, {"closedloop_par4", 0.01, 10}};
    static const int integrators[] = {ODE, dRLSIntegratorEuler, dRLSIntegratorSymplectic,
                                      dRLSIntegratorSymplectic4, dRLSIntegratorSymplectic6};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 5; ++k)
        {
            const problem p = {of[i].scene, integrators[k], of[i].h, of[i].duration, 0, 0, 0};
            remark (&p, "error (m)", run (&p).error);
        }
}

int main (int count, char **words)
{
    const int quick = count > 1 && strcmp (words[1], "--quick") == 0;
    dInitODE2 (0);
    printf ("%-18s %-11s %-8s %6s  %-26s %9s %9s\n", "problem", "integrator", "h (s)", "for", "figure",
            "asked", "reached");
    bricard (quick);
    orders ();
    cost ();
    pendulums (quick);
    singular_passes (quick);
    others ();
    dCloseODE ();
    return far_off;
}
