/*
 * The result of a run: the extremes over all its steps, the last report, messages.
 */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include "choices.h"
#include "json.h"

#include <scene.h>

#define MESSAGE_MAX 12

/* What distinguishes one run of a scene from another. */
typedef struct
{
    stepper_kind stepper;
    int integrator, correction; /* of rls */
    double dt, duration;        /* s */
} run_setup;

/* The state of the world after a step. */
typedef struct
{
    double time;
    double kinetic, potential; /* J */
    dRLSViolation violation;
    dRLSReport report;   /* of the stepper, or of an analysis of ODE's world */
    double step_seconds; /* that the stepper took */
} sample;

typedef struct
{
    char name[64];
    double min[3], max[3], final[3];
    double reference_error; /* largest distance from the reference; NAN without one */
    double sampled_error;   /* the same only at the times for which the reference has a sample */
    int sampled;            /* how many of these times were among the steps */
} probe_result;

typedef struct
{
    char joint[128];
    int row, type; /* type: a dJointType */
    int status;    /* a dRLSRowStatus */
    double pivot, residual;
} row_result;

typedef enum
{
    run_ok = 0,
    run_conflicting, /* rows contradict each other */
    run_error        /* the stepper failed, or the state is no longer finite */
} run_status;

typedef struct
{
    int min, max;
} int_range;

typedef struct
{
    run_setup setup;
    char scene[128], order[32];
    long quick_iterations;
    long steps;
    double step_seconds; /* time in the stepper's calls, s */
    double step_used;    /* processor time there, s */
    int bodies, joints, rows;
    int_range rank, dof, redundant;
    dRLSViolation violation;                       /* largest of the run */
    double energy_initial, drift_max, drift_final; /* J; drift_max without its sign */
    int worked; /* 1 if drives, motors, stops, contacts or forces of the scene may have changed the energy */
    probe_result *probes;
    int probe_count;
    row_result *redundant_rows; /* of the last report */
    int redundant_row_count;
    run_status status;
    char failure[256]; /* why the run ended early; empty if it did not */
    char messages[MESSAGE_MAX][256];
    int message_count;
} run_result;

/* The series of a run's history; the three coordinates of each probe follow. */
enum
{
    series_position_m = 0,
    series_angle_rad,
    series_energy_drift,
    series_probes
};

/* How many rows the joints of a scene have without drives. */
int result_own_rows (const scene *s);

/* Prepares a result for a scene.  Returns 0 if memory is short. */
int result_start (run_result *r, const scene *s, const run_setup *setup);
void result_free (run_result *r);

/* Adds a sample; the first one, at time 0, sets the initial energy.  Returns 0, and changes nothing, if a
 * value of it is not finite. */
int result_add (run_result *r, const scene *s, const sample *now);

/* Sets the reason why the run failed.  Returns 0, so that callers can return the call. */
int result_failure (run_result *r, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Adds a message; those beyond MESSAGE_MAX are dropped. */
void result_message (run_result *r, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Fetches the redundant rows of a stepper's last report.  Returns 0 if memory is short. */
int result_take_rows (run_result *r, const scene *s, dRLSStepperID stepper);

/* Prints "bricard: 5 bodies, 6 joints, 30 rows", without an end of line. */
void result_print_size (FILE *file, const char *name, int bodies, int joints, int rows);

/* Names for tables and legends: "rls symplectic", "quick 20". */
void result_label (const run_result *r, char *text, size_t size);

/* The largest distance of a probe from its reference: at the times of the reference's samples if enough of
 * them were among the steps, otherwise at all steps, with interpolation between the samples.  NAN without a
 * reference. */
double probe_error (const probe_result *p);

/* The largest such distance of all probes; NAN if none has a reference. */
double result_reference_error (const run_result *r);

void result_write_json (const run_result *r, json *j);

#endif
