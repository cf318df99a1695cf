/*
 * ode-rls inspect: the rows of a scene's joints, its rank and degrees of freedom, and the rows that are
 * redundant.
 */
#include "commands.h"
#include "failure.h"
#include "json.h"
#include "load.h"
#include "near_rows.h"
#include "output.h"
#include "result.h"
#include "row_meaning.h"
#include "table.h"

#include <ode_rls/ode_rls.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
    scene *s;
    dRLSStepperID stepper;
    dRLSReport report;
    run_result rows;  /* only its redundant_rows are used */
    near_rows near;   /* rows that are almost redundant */
    int is_near;      /* 1 if there are any */
    near_rows barely; /* the report of a smaller tolerance, by which some redundant rows are not redundant */
    int is_barely;
    int shared; /* joints whose reaction is not unique */
} inspection;

/* The name of a body; NULL is the world. */
static const char *body_name (const inspection *in, dBodyID body)
{
    for (int i = 0; body && i < scene_body_count (in->s); i++)
        if (scene_body_at (in->s, i)->body == body) return scene_body_at (in->s, i)->name;
    return body ? "?" : "world";
}

static int analyse (inspection *in, const options *o)
{
    in->stepper = make_stepper (in->s, o);
    if (!in->stepper) return 0;
    dRLSStepperSetReport (in->stepper, dRLSReportViolations | dRLSReportEnergy | dRLSReportReactions);
    in->report.struct_size = sizeof in->report;
    if (!dRLSStepperAnalyse (in->stepper) || !dRLSStepperGetReport (in->stepper, &in->report))
        return fail (0, "%s: %s", scene_name (in->s), dRLSStepperGetMessage (in->stepper));
    for (int i = 0; i < scene_joint_count (in->s); i++)
        in->shared += dRLSStepperIsReactionUnique (in->stepper, scene_joint_at (in->s, i)->joint) == 0;
    return result_take_rows (&in->rows, in->s, in->stepper) || fail (0, "out of memory");
}

/* Looks for rows that are almost redundant, or only just.  It uses a stepper of its own, because the last
   report of the other one is what is printed. */
static int look_nearby (inspection *in, const options *o)
{
    dRLSStepperID stepper = make_stepper (in->s, o);
    const int found = stepper ? near_rows_find (&in->near, in->s, stepper) : -1;
    const int left = found >= 0 ? near_rows_barely (&in->barely, &in->rows, stepper) : -1;
    in->is_near = found == 1, in->is_barely = left == 1;
    dRLSStepperDestroy (stepper);
    return left >= 0;
}

static int print_joints (const inspection *in, FILE *file)
{
    table *t = table_create ("<joint|<type|<first body|<second body|rows|gap (m)|angle (rad)|<reaction");
    for (int i = 0; t && i < scene_joint_count (in->s); i++)
    {
        const scene_joint *joint = scene_joint_at (in->s, i);
        int type = dJointGetType (joint->joint),
            unique = dRLSStepperIsReactionUnique (in->stepper, joint->joint);
        dRLSViolation v = {0, 0, 0, 0};
        dRLSMeasureJoint (joint->joint, &v);
        table_cell (t, "%s", joint->name);
        table_cell (t, "%s", joint_type_name (type));
        table_cell (t, "%s", body_name (in, dJointGetBody (joint->joint, 0)));
        table_cell (t, "%s", body_name (in, dJointGetBody (joint->joint, 1)));
        table_cell (t, "%d", joint_row_count (joint));
        table_measure (t, v.position_m);
        table_measure (t, v.angle_rad);
        table_cell (t, "%s", unique == 1 ? "unique" : unique == 0 ? "shared" : "-");
    }
    int good = table_print (t, file);
    table_free (t);
    return good;
}

/* Prints a table of rows; redundant is the word for those that do not conflict. */
static int print_rows (const run_result *rows, const char *redundant, FILE *file)
{
    table *t = table_create ("<joint|row|<meaning|<status|pivot|residual");
    for (int i = 0; t && i < rows->redundant_row_count; i++)
    {
        const row_result *row = &rows->redundant_rows[i];
        table_cell (t, "%s", row->joint);
        table_cell (t, "%d", row->row);
        table_cell (t, "%s", row_meaning (row->type, row->row));
        table_cell (t, "%s", row->status == dRLSRowConflicting ? "conflicting" : redundant);
        table_measure (t, row->pivot);
        table_measure (t, row->residual);
    }
    int good = table_print (t, file);
    table_free (t);
    return good;
}

static void print_freedom (FILE *file, int dof)
{
    fprintf (file, "%d degree%s of freedom", dof, dof == 1 ? "" : "s");
}

static int print_near (const inspection *in, FILE *file)
{
    const near_rows *near = &in->near;
    fputs ("\nAlmost implied as well, because axes are almost parallel, or bodies very light or thin.\n",
           file);
    fprintf (file, "With --tolerance %.0e, for axes within %.0e rad: rank %d, ", near->tolerance,
             sqrt (near->tolerance), near->report.rank);
    print_freedom (file, near->report.dof);
    fputs ("\n\n", file);
    return print_rows (&near->rows, "almost", file);
}

static void print_barely (const inspection *in, FILE *file)
{
    fprintf (
        file,
        "\nSome of them only just: axes a little out of line, or a long mechanism.  With --tolerance %.0e: "
        "rank %d, ",
        in->barely.tolerance, in->barely.report.rank);
    print_freedom (file, in->barely.report.dof);
    fputs (".\n", file);
}

static int print_all (const inspection *in, FILE *file)
{
    const dRLSReport *r = &in->report;
    result_print_size (file, scene_name (in->s), scene_body_count (in->s), scene_joint_count (in->s),
                       r->rows);
    fprintf (file, "\nrank %d, ", r->rank);
    print_freedom (file, r->dof);
    fprintf (file, ", %d redundant row%s", r->redundant, r->redundant == 1 ? "" : "s");
    if (r->conflicting) fprintf (file, ", %d conflicting", r->conflicting);
    if (r->soft_rows) fprintf (file, "; %d of the rows are soft", r->soft_rows);
    if (r->bounded_rows)
        fprintf (file, "; %d row%s of limits, motors and contacts besides", r->bounded_rows,
                 r->bounded_rows == 1 ? "" : "s");
    fputs ("\n", file);
    if (!scene_joint_count (in->s)) return 1;
    fputs ("\n", file);
    int good = print_joints (in, file);
    if (in->shared)
        fputs ("\nA shared reaction depends on how redundant rows divide the load; the smallest one is "
               "reported.\n",
               file);
    if (in->rows.redundant_row_count)
    {
        fputs ("\nRows that the others already imply (rows count from 0; pivot 0 but for rounding; "
               "residual in m or rad):\n\n",
               file);
        good = good && print_rows (&in->rows, "redundant", file);
    }
    if (in->is_barely) print_barely (in, file);
    if (in->is_near) good = good && print_near (in, file);
    return good || fail (0, "out of memory");
}

static void write_joint (const inspection *in, const scene_joint *joint, json *j)
{
    int type = dJointGetType (joint->joint);
    dRLSViolation v = {0, 0, 0, 0};
    dRLSMeasureJoint (joint->joint, &v);
    json_open_object (j, NULL);
    json_string (j, "name", joint->name);
    json_string (j, "type", joint_type_name (type));
    json_string (j, "body1", body_name (in, dJointGetBody (joint->joint, 0)));
    json_string (j, "body2", body_name (in, dJointGetBody (joint->joint, 1)));
    json_integer (j, "rows", joint_row_count (joint));
    json_number (j, "position_m", v.position_m);
    json_number (j, "angle_rad", v.angle_rad);
    json_boolean (j, "reaction_unique", dRLSStepperIsReactionUnique (in->stepper, joint->joint));
    json_close_object (j);
}

static void write_body (const scene_body *body, json *j)
{
    dMass mass;
    const dReal *at = dBodyGetPosition (body->body);
    const double position[3] = {at[0], at[1], at[2]};
    dBodyGetMass (body->body, &mass);
    json_open_object (j, NULL);
    json_string (j, "name", body->name);
    json_number (j, "mass_kg", mass.mass);
    json_vector (j, "position_m", position);
    json_close_object (j);
}

static void write_rows (const run_result *rows, json *j)
{
    json_open_array (j, "redundant_rows");
    for (int i = 0; i < rows->redundant_row_count; i++)
    {
        const row_result *row = &rows->redundant_rows[i];
        json_open_object (j, NULL);
        json_string (j, "joint", row->joint);
        json_integer (j, "row", row->row);
        json_string (j, "meaning", row_meaning (row->type, row->row));
        json_string (j, "status", row->status == dRLSRowConflicting ? "conflicting" : "redundant");
        json_number (j, "pivot", row->pivot);
        json_number (j, "residual", row->residual);
        json_close_object (j);
    }
    json_close_array (j);
}

/* The analysis by another tolerance, with the rows that are then redundant as well, unless rows is NULL. */
static void write_near (const char *name, const near_rows *near, const run_result *rows, json *j)
{
    json_open_object (j, name);
    json_number (j, "tolerance", near->tolerance);
    json_integer (j, "rank", near->report.rank);
    json_integer (j, "dof", near->report.dof);
    if (rows) write_rows (rows, j);
    json_close_object (j);
}

static void write_json (const inspection *in, FILE *file)
{
    const dRLSReport *r = &in->report;
    json j;
    json_start (&j, file, 0);
    json_open_object (&j, NULL);
    json_string (&j, "scene", scene_name (in->s));
    json_integer (&j, "bodies", scene_body_count (in->s));
    json_integer (&j, "joints", scene_joint_count (in->s));
    json_integer (&j, "islands", r->islands);
    json_integer (&j, "rows", r->rows);
    json_integer (&j, "soft_rows", r->soft_rows);
    json_integer (&j, "bounded_rows", r->bounded_rows);
    json_integer (&j, "rank", r->rank);
    json_integer (&j, "dof", r->dof);
    json_integer (&j, "redundant", r->redundant);
    json_integer (&j, "conflicting", r->conflicting);
    json_number (&j, "smallest_kept_pivot", r->rank_gap);
    json_open_object (&j, "violation");
    json_number (&j, "position_m", r->violation_m);
    json_number (&j, "angle_rad", r->violation_rad);
    json_number (&j, "velocity_m_s", r->violation_m_s);
    json_number (&j, "velocity_rad_s", r->violation_rad_s);
    json_close_object (&j);
    write_rows (&in->rows, &j);
    if (in->is_near) write_near ("almost_redundant", &in->near, &in->near.rows, &j);
    if (in->is_barely) write_near ("barely_redundant", &in->barely, NULL, &j);
    json_open_array (&j, "joint_list");
    for (int i = 0; i < scene_joint_count (in->s); i++) write_joint (in, scene_joint_at (in->s, i), &j);
    json_close_array (&j);
    json_open_array (&j, "body_list");
    for (int i = 0; i < scene_body_count (in->s); i++) write_body (scene_body_at (in->s, i), &j);
    json_close_array (&j);
    json_close_object (&j);
    json_end (&j);
}

int inspect_main (int argc, char **argv)
{
    options o;
    inspection in = {0};
    output file = {0};
    thread_pool *pool = NULL;
    int status = exit_bad_arguments;
    if (options_parse (&o, command_inspect, argc, argv) &&
        (in.s = load_scene (o.names[0], o.strict, 0)) != NULL && (!o.json || output_open (&file, o.json)))
    {
        /* If JSON goes to standard output, the table is not printed. */
        int shown = file.file != stdout;
        status = exit_failed;
        if (prepare_world (in.s, &o, &pool) && analyse (&in, &o) && look_nearby (&in, &o) &&
            (!shown || print_all (&in, stdout)))
        {
            if (file.file) write_json (&in, file.file);
            if (output_commit (&file)) status = exit_done;
        }
    }
    output_discard (&file);
    dRLSStepperDestroy (in.stepper);
    result_free (&in.rows);
    near_rows_free (&in.near);
    if (in.s) scene_free (in.s);
    options_free (&o);
    return status;
}
