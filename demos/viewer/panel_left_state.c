/*
 * Two sections of the panel on the left: motors on joints, and states that are kept.
 */
#include "app_parts.h"

#include "theme.h"
#include "vec.h"

#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

#define SHOWN_JOINTS 100

int app_has_motor (const model *m, int joint)
{
    const int type = m->joint[joint].type;
    return type == dJointTypeHinge || type == dJointTypeSlider;
}

/* The largest force (N) or torque (N m) of a user's motor. */
static double motor_limit (const model *m, int joint)
{
    /* Enough to lift the whole scene ten times over, for a hinge at half of its size. */
    const double weight = m->weight > 0 ? m->weight : 1;
    return m->joint[joint].type == dJointTypeSlider ? 10 * weight : 5 * weight * m->size;
}

void app_set_motor (app *a, int joint, int mode, double target)
{
    const double limit = motor_limit (stage_model (a->stage), joint);
    stage_do (a->stage, &(stage_edit){.kind = EDIT_MOTOR, .joint = joint, .motor = {mode, target, limit}});
}

/* A slider for the position of a joint.  Dragging it gives the joint a motor that goes there.  The selected
   joint has a slider for its rate as well. */
static void motor_of (app *a, int joint)
{
    const model *m = stage_model (a->stage);
    const model_joint *j = &m->joint[joint];
    const joint_state *state = &stage_shown (a->stage, 1)->joint[joint];
    const int slides = j->type == dJointTypeSlider, selected = joint == a->selected_joint;
    char widget[96], label[80];
    const double reach = slides ? 0.5 * m->size : M_PI;
    double place = state->motor.mode == MOTOR_PLACE ? state->motor.target : state->place,
           rate = state->motor.mode == MOTOR_RATE ? state->motor.target : 0;
    snprintf (widget, sizeof widget, "place/%.60s", j->name);
    snprintf (label, sizeof label, "%.40s%s", j->name,
              state->motor.mode == MOTOR_OWN    ? ""
              : state->motor.mode == MOTOR_RATE ? "  turns"
                                                : "  holds");
    if (slides && state->motor.mode == MOTOR_RATE) snprintf (label, sizeof label, "%.40s  moves", j->name);
    if (ui_slider (widget, label, &place, -reach, reach, 0, slides ? "%.3f m" : "%.2f rad"))
        app_set_motor (a, joint, MOTOR_PLACE, place);
    ui_tip ("Drag: a motor takes the joint there, on both sides.  Select the joint for its rate");
    if (!selected) return;
    snprintf (widget, sizeof widget, "rate/%.60s", j->name);
    if (ui_slider (widget, "its rate", &rate, slides ? -m->size : -10, slides ? m->size : 10, 0,
                   slides ? "%.2f m/s" : "%.1f rad/s"))
        app_set_motor (a, joint, MOTOR_RATE, rate);
    int own = state->motor.mode == MOTOR_OWN;
    if (ui_check ("motor-own", "as the scene has it", &own))
        app_set_motor (a, joint, own ? MOTOR_OWN : MOTOR_RATE, 0);
}

void panel_motors (app *a)
{
    const model *m = stage_model (a->stage);
    int joints = 0, shown = 0;
    for (int j = 0; m && j < m->joints; j++) joints += app_has_motor (m, j);
    if (!joints || !panel_section_open (a, SECTION_MOTORS, "motors", "Motors on joints")) return;
    const float line = ui_frame_height () + 7 * ui_scale ();
    ui_list_begin ("motor-list", (float)(joints < 7 ? joints + 2 : 9) * line);
    for (int j = 0; j < m->joints && shown < SHOWN_JOINTS; j++)
    {
        if (!app_has_motor (m, j)) continue;
        motor_of (a, j);
        shown++;
    }
    ui_list_end ();
    if (joints > shown) ui_text (UI_SMALL, COLOR_FAINT, "and %d more", joints - shown);
    ui_gap (4 * ui_scale ());
}

void panel_states (app *a)
{
    char text[64], widget[32];
    if (!stage_model (a->stage) || !panel_section_open (a, SECTION_STATES, "states", "States kept")) return;
    const int kept = stage_kept (a->stage);
    if (!kept) ui_text (UI_SMALL, COLOR_FAINT, "U keeps the present one");
    for (int i = 0; i < kept; i++)
    {
        snprintf (text, sizeof text, "%d", i + 1);
        snprintf (widget, sizeof widget, "state/%d", i + 1);
        char time[32];
        snprintf (time, sizeof time, "%.2f s", stage_kept_time (a->stage, i));
        if (ui_row (widget, text, time, 0, 0, 0)) app_come_back (a, i);
        ui_tip ("Both sides come back to this state");
    }
    ui_gap (4 * ui_scale ());
}
