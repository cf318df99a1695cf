/*
 * Writes the state as JSON.  See state_dump.h.
 */
#include "state_dump.h"

#include "gpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <whole_file.h>

static void put_text (FILE *f, const char *text)
{
    fputc ('"', f);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p == '"' || *p == '\\')
            fprintf (f, "\\%c", *p);
        else if (*p < 0x20)
            fprintf (f, "\\u%04x", *p);
        else
            fputc (*p, f);
    fputc ('"', f);
}

static void put_number (FILE *f, const char *name, double value)
{
    if (isfinite (value))
        fprintf (f, "\"%s\":%.17g", name, value);
    else
        fprintf (f, "\"%s\":null", name);
}

static int sleepers (const app *a, const snapshot *shot)
{
    int count = 0;
    for (int b = 0; b < stage_model (a->stage)->bodies; b++) count += shot->body[b].asleep;
    return count;
}

static void put_side (FILE *f, app *a, int side)
{
    const snapshot *shot = stage_shown (a->stage, side);
    const sample *n = &shot->now;
    fprintf (f, "{\"solver\":\"%s\",\"step\":%ld,", solver_words[a->set.choice.method[side].solver], n->step);
    const struct
    {
        const char *name;
        double value;
    } numbers[] = {
        {"time", n->time},        {"violation", n->violation}, {"worst", a->story[side].worst},
        {"kinetic", n->kinetic},  {"potential", n->potential}, {"energy_lost", a->story[side].energy_lost},
        {"residual", n->residual}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    {
        put_number (f, numbers[i].name, numbers[i].value);
        fputc (',', f);
    }
    fprintf (f, "\"probe\":[%.9g,%.9g,%.9g],", n->probe[0], n->probe[1], n->probe[2]);
    fprintf (f,
             "\"rank\":%d,\"dof\":%d,\"rows\":%d,\"redundant\":%d,\"conflicting\":%d,\"bounded\":%d,"
             "\"failed\":%d,\"warnings\":%ld,\"contacts\":%d,\"listed_rows\":%d,\"busy\":%.3f,\"balls\":%d,"
             "\"asleep\":%d,",
             n->rank, n->dof, n->rows, n->redundant, n->conflicting, n->bounded, shot->failed, shot->warnings,
             shot->contacts, shot->rows, a->story[side].busy, shot->balls, sleepers (a, shot));
    fprintf (f, "\"message\":");
    put_text (f, shot->message);
    fprintf (f, ",\"badge\":");
    put_text (f, a->story[side].badge);
    fprintf (f, ",\"story\":");
    put_text (f, a->narration.line[side]);
    const area *v = &a->layout.view[side];
    fprintf (f, ",\"view\":[%g,%g,%g,%g],\"bodies\":{", (double)v->x, (double)v->y, (double)v->w,
             (double)v->h);
    /* Where each body's centre is on the screen. */
    const model *m = stage_model (a->stage);
    const double rect[4] = {(double)v->x, (double)v->y, (double)v->w, (double)v->h};
    mat4 view, projection, both;
    camera_matrices (&a->eye, v->h > 0 ? rect[2] / rect[3] : 1, view, projection);
    glm_mat4_mul (projection, view, both);
    const char *comma = "";
    for (int b = 0; b < m->bodies && b < 100 && v->w > 0; b++)
    {
        double pixel[2];
        if (!camera_project (both, shot->body[b].position, rect, pixel)) continue;
        fputs (comma, f);
        put_text (f, m->body[b].name);
        fprintf (f, ":[%.1f,%.1f]", pixel[0], pixel[1]);
        comma = ",";
    }
    fprintf (f, "},\"joints\":{");
    for (int j = 0; j < m->joints && j < 100; j++)
    {
        const joint_state *state = &shot->joint[j];
        if (j) fputc (',', f);
        put_text (f, m->joint[j].name);
        fprintf (f, ":{\"place\":%.9g,\"motor\":%d,\"cut\":%d,\"redundant\":%d}", state->place,
                 state->motor.mode, state->cut, state->redundant);
    }
    fprintf (f, "}}");
}

static void put_all (FILE *f, app *a)
{
    fprintf (f, "{\"frame\":%ld,\"scene\":", a->frame);
    const model *m = stage_model (a->stage);
    put_text (f, m ? m->name : "");
    fprintf (f, ",\"size\":%.9g,\"scroll\":%d,\"pulling\":%d,\"selected_joint\":%d,\"draw_calls\":%d,",
             m ? m->size : 0, m ? stage_scroll (a->stage) : 0, a->drag == DRAG_PULL ? a->pull.body : -1,
             a->selected_joint, renderer_draw_calls (a->gl));
    fprintf (f, "\"opening\":");
    put_text (f, stage_opening (a->stage) ? stage_opening (a->stage) : "");
    fprintf (f, ",\"heat\":[%.6g,%.6g],\"sharing\":%d,\"kept\":%d,", a->heat.log_low, a->heat.log_high,
             a->share, stage_kept (a->stage));
    fprintf (f, "\"renderer\":");
    put_text (f, gpu_renderer ());
    fprintf (f, ",\"frame_ms\":%.3f,\"real_ratio\":%.3g,\"font\":", 1e3 * a->frame_seconds, a->real_ratio);
    put_text (f, ui_font_name ());
    fprintf (f, ",\"notice\":");
    put_text (f, a->clock < a->notice_until ? a->notice : "");
    fprintf (f, ",\"shader_error\":");
    put_text (f, a->shader_error);
    fprintf (f, ",\"camera\":{\"yaw\":%.6f,\"pitch\":%.6f,\"distance\":%.6f,\"target\":[%.6f,%.6f,%.6f]}",
             a->eye.goal_yaw, a->eye.goal_pitch, a->eye.goal_distance, a->eye.goal_target[0],
             a->eye.goal_target[1], a->eye.goal_target[2]);
    fprintf (f, ",\"settings\":{");
    for (const setting *e = settings_table (); e->name; e++)
    {
        char value[64];
        settings_get (&a->set, e, value, sizeof value);
        fprintf (f, "%s\"%s\":\"%s\"", e == settings_table () ? "" : ",", e->name, value);
    }
    fprintf (f, "},\"sides\":[");
    for (int side = 0; side < SIDES && m; side++)
    {
        if (side) fputc (',', f);
        put_side (f, a, side);
    }
    fprintf (f, "],\"widgets\":{");
    int count;
    const ui_widget *w = ui_widgets (&count);
    for (int i = 0; i < count; i++)
    {
        if (i) fputc (',', f);
        put_text (f, w[i].name);
        fprintf (f, ":[%.1f,%.1f,%.1f,%.1f]", (double)w[i].rect[0], (double)w[i].rect[1],
                 (double)w[i].rect[2], (double)w[i].rect[3]);
    }
    fprintf (f, "}}\n");
}

int state_dump (app *a, const char *path, char *error, size_t size)
{
    whole_file file = whole_file_open (path);
    if (file.f) put_all (file.f, a);
    return whole_file_close (&file, 1, error, size);
}
