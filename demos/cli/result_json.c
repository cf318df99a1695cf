/*
 * Writes the result of a run as a JSON object.
 */
#include "result.h"

static void write_probe (const probe_result *p, json *j)
{
    json_open_object (j, p->name);
    json_vector (j, "min", p->min);
    json_vector (j, "max", p->max);
    json_vector (j, "final", p->final);
    json_number (j, "reference_error_max_m", probe_error (p));
    json_close_object (j);
}

static void write_row (const row_result *row, json *j)
{
    json_open_object (j, NULL);
    json_string (j, "joint", row->joint);
    json_integer (j, "row", row->row);
    json_string (j, "status", row->status == dRLSRowConflicting ? "conflicting" : "redundant");
    json_number (j, "pivot", row->pivot);
    json_number (j, "residual", row->residual);
    json_close_object (j);
}

void result_write_json (const run_result *r, json *j)
{
    static const char *const status[] = {"ok", "conflicting", "error"};
    const run_setup *u = &r->setup;
    int ours = u->stepper == stepper_rls;

    json_open_object (j, NULL);
    json_string (j, "scene", r->scene);
    json_string (j, "stepper", choice_word (stepper_choices, u->stepper));
    json_string (j, "integrator", ours ? choice_word (integrator_choices, u->integrator) : NULL);
    json_string (j, "correction", ours ? choice_word (correction_choices, u->correction) : NULL);
    json_string (j, "order", ours ? r->order : NULL);
    json_number (j, "dt", u->dt);
    json_number (j, "duration", u->duration);
    json_integer (j, "steps", r->steps);
    json_number (j, "wall_s", r->step_seconds);
    json_number (j, "cpu_s", r->step_used);
    json_number (j, "us_per_step", r->steps ? 1e6 * r->step_seconds / (double)r->steps : 0);
    json_integer (j, "bodies", r->bodies);
    json_integer (j, "joints", r->joints);
    json_integer (j, "rows", r->rows);
    json_range (j, "rank", r->rank.min, r->rank.max);
    json_range (j, "dof", r->dof.min, r->dof.max);
    json_range (j, "redundant", r->redundant.min, r->redundant.max);

    json_open_object (j, "violation");
    json_number (j, "position_m", r->violation.position_m);
    json_number (j, "angle_rad", r->violation.angle_rad);
    json_number (j, "velocity_m_s", r->violation.velocity_m_s);
    json_number (j, "velocity_rad_s", r->violation.velocity_rad_s);
    json_close_object (j);

    json_open_object (j, "energy");
    json_number (j, "initial_J", r->energy_initial);
    json_number (j, "drift_max_J", r->drift_max);
    json_number (j, "drift_final_J", r->drift_final);
    json_close_object (j);

    json_open_object (j, "probes");
    for (int i = 0; i < r->probe_count; i++) write_probe (&r->probes[i], j);
    json_close_object (j);

    json_open_array (j, "redundant_rows");
    for (int i = 0; i < r->redundant_row_count; i++) write_row (&r->redundant_rows[i], j);
    json_close_array (j);

    json_string (j, "status", status[r->status]);
    json_open_array (j, "messages");
    if (r->failure[0]) json_string (j, NULL, r->failure);
    for (int i = 0; i < r->message_count; i++) json_string (j, NULL, r->messages[i]);
    json_close_array (j);
    json_close_object (j);
}
