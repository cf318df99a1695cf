/*
 * The settings and their names.  See settings.h.
 */
#include "settings.h"

#include "free_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const layout_names[] = {"split", "a", "b", "ghost", NULL};
const char *const quality_names[] = {"auto", "low", "high", NULL};
const char *const detail_names[] = {"probe", "time", "residual", NULL};
const char *const heat_mode_names[] = {"off", "fitted", "fixed", NULL};
const char *const contact_mode_names[] = {"off", "depth", "slip", "force", NULL};
static const char *const map_words[] = {"bluered", "viridis", "cividis", "inferno", NULL};

#define AT(member) offsetof (settings, member)
#define SIDE_SETTINGS(letter, index, words)                                                                  \
    {letter ".solver", SETTING_CHOICE,          AT (choice.method[index].solver), 0, 0,                      \
     solver_words,     "stepper of side " words},                                                            \
        {letter ".integrator",                                                                               \
         SETTING_CHOICE,                                                                                     \
         AT (choice.method[index].integrator),                                                               \
         0,                                                                                                  \
         0,                                                                                                  \
         integrator_names,                                                                                   \
         "integrator of ode-rls on side " words},                                                            \
        {letter ".correction",                                                                               \
         SETTING_CHOICE,                                                                                     \
         AT (choice.method[index].correction),                                                               \
         0,                                                                                                  \
         0,                                                                                                  \
         correction_names,                                                                                   \
         "violation suppression on side " words},                                                            \
    {                                                                                                        \
        letter ".order", SETTING_CHOICE, AT (choice.method[index].order), 0, 0, order_names,                 \
            "elimination order on side " words                                                               \
    }

static const setting table[] = {
    SIDE_SETTINGS ("a", 0, "A"),
    SIDE_SETTINGS ("b", 1, "B"),
    {"dt", SETTING_REAL, AT (choice.common.step), 1e-6, 0.1, NULL, "step size, s"},
    {"gravity", SETTING_REAL, AT (choice.common.gravity), -1, 1000, NULL, "m/s2; -1 as in the scene"},
    {"erp", SETTING_REAL, AT (choice.common.erp), -1, 1, NULL,
     "error reduction of ODE's steppers; -1 as in the scene"},
    {"cfm", SETTING_REAL, AT (choice.common.cfm), -1, 1, NULL,
     "softening of ODE's steppers; -1 as in the scene"},
    {"tolerance", SETTING_REAL, AT (choice.common.tolerance), 1e-15, 0.1, NULL, "rank tolerance of ode-rls"},
    {"iterations", SETTING_WHOLE, AT (choice.common.quick_iterations), 1, 10000, NULL,
     "sweeps of dWorldQuickStep"},
    {"sleep", SETTING_SWITCH, AT (choice.common.sleep), 0, 1, NULL, "bodies at rest are put to sleep"},
    {"speed", SETTING_REAL, AT (speed), 0.001, 100, NULL, "seconds simulated in a second"},
    {"paused", SETTING_SWITCH, AT (paused), 0, 1, NULL, "hold the simulation"},
    {"race", SETTING_SWITCH, AT (race), 0, 1, NULL, "both sides as fast as they can, each by itself"},
    {"layout", SETTING_CHOICE, AT (layout), 0, 0, layout_names,
     "two views, one of them, or one over the other"},
    {"heat", SETTING_CHOICE, AT (heat_mode), 0, 0, heat_mode_names,
     "colour by opening: a scale that fits, or low to high"},
    {"contacts", SETTING_CHOICE, AT (contacts), 0, 0, contact_mode_names, "contacts by depth, slip or force"},
    {"map", SETTING_CHOICE, AT (heat.map), 0, 0, map_words, "colours of the heatmap"},
    {"low", SETTING_REAL, AT (heat.log_low), -20, 5, NULL, "log10 m at the heatmap's lower end"},
    {"high", SETTING_REAL, AT (heat.log_high), -20, 5, NULL, "log10 m at the heatmap's upper end"},
    {"accept", SETTING_REAL, AT (heat.log_tolerance), -20, 5, NULL,
     "log10 m of the violation that is shown white"},
    {"exaggerate", SETTING_REAL, AT (exaggerate), 1, 1e9, NULL, "how many times longer gaps are drawn"},
    {"labels", SETTING_SWITCH, AT (labels), 0, 1, NULL, "names of bodies and joints"},
    {"axes", SETTING_SWITCH, AT (axes), 0, 1, NULL, "joint axes"},
    {"reactions", SETTING_SWITCH, AT (reactions), 0, 1, NULL, "reaction forces and torques"},
    {"marks", SETTING_SWITCH, AT (marks), 0, 1, NULL, "rings around joints with redundant rows"},
    {"trails", SETTING_SWITCH, AT (trails), 0, 1, NULL, "paths of the scene's probes"},
    {"motion", SETTING_WHOLE, AT (free_motion), 0, FREE_MOTIONS, NULL,
     "the n-th free motion of the mechanism, 0 for none"},
    {"frames", SETTING_SWITCH, AT (frames), 0, 1, NULL, "axes of the bodies"},
    {"inertia", SETTING_SWITCH, AT (inertia), 0, 1, NULL, "centres of mass and boxes of the same inertia"},
    {"boxes", SETTING_SWITCH, AT (boxes), 0, 1, NULL, "bounding boxes; those of sleeping bodies are faint"},
    {"islands", SETTING_SWITCH, AT (islands), 0, 1, NULL,
     "bodies in the colours of their islands; those that sleep dark"},
    {"transparent", SETTING_SWITCH, AT (transparent), 0, 1, NULL, "bodies that let joints show through"},
    {"wireframe", SETTING_SWITCH, AT (wireframe), 0, 1, NULL, "edges only"},
    {"shadows", SETTING_SWITCH, AT (shadows), 0, 1, NULL, "shadows, where the quality has them"},
    {"floor", SETTING_SWITCH, AT (floor), 0, 1, NULL, "the floor and its grid"},
    {"panel", SETTING_SWITCH, AT (panel), 0, 1, NULL, "the panel on the left"},
    {"plots", SETTING_SWITCH, AT (plots), 0, 1, NULL, "the plots at the bottom"},
    {"story", SETTING_SWITCH, AT (story), 0, 1, NULL, "the sentence that says what is seen"},
    {"help", SETTING_SWITCH, AT (help), 0, 1, NULL, "the list of keys"},
    {"follow", SETTING_SWITCH, AT (follow), 0, 1, NULL, "the camera keeps everything in view"},
    {"quality", SETTING_CHOICE, AT (quality), 0, 0, quality_names, "auto is low on software renderers"},
    {"detail", SETTING_CHOICE, AT (detail), 0, 0, detail_names, "what the fourth plot shows"},
    {"window", SETTING_REAL, AT (plot_seconds), 0.5, 600, NULL, "seconds that the plots show"},
    {"width", SETTING_WHOLE, AT (window[0]), 0, 16384, NULL, "of the window, pixels; 0 for the usual one"},
    {"height", SETTING_WHOLE, AT (window[1]), 0, 16384, NULL, "likewise"},
    {"sections", SETTING_WHOLE, AT (unfolded), 0, 255, NULL,
     "open sections of the panel on the left, a bit each"},
    {"scale", SETTING_REAL, AT (scale), 0.5, 4, NULL, "size of text and controls"},
    {NULL, SETTING_SWITCH, 0, 0, 0, NULL, NULL}};

void settings_default (settings *s)
{
    memset (s, 0, sizeof *s);
    s->choice.method[0].solver = SOLVER_ODE;
    s->choice.method[1].solver = SOLVER_RLS;
    s->choice.common.step = 1.0 / 60;
    s->choice.common.gravity = s->choice.common.erp = s->choice.common.cfm = -1;
    s->choice.common.tolerance = dRLSRankToleranceDefault;
    s->choice.common.quick_iterations = 20;
    s->heat.log_low = -12;
    s->heat.log_high = -2;
    s->heat.log_tolerance = -6;
    s->heat_mode = HEAT_FITTED;
    s->contacts = CONTACTS_DEPTH;
    s->speed = s->exaggerate = s->scale = 1;
    s->plot_seconds = 6;
    s->unfolded = SETTINGS_UNFOLDED;
    s->marks = s->trails = s->shadows = s->floor = s->panel = s->plots = s->story = s->follow = 1;
}

const setting *settings_table (void) { return table; }

static int set_choice (settings *s, const setting *e, const char *value, char *error, size_t size)
{
    size_t used = (size_t)snprintf (error, size, "%s is one of", e->name);
    for (int i = 0; e->choices[i]; i++)
    {
        if (strcmp (e->choices[i], value) == 0)
        {
            *(int *)((char *)s + e->offset) = i;
            return 1;
        }
        if (used < size)
            used += (size_t)snprintf (error + used, size - used, "%s %s", i ? "," : "", e->choices[i]);
    }
    if (used < size) snprintf (error + used, size - used, "; not %s", value);
    return 0;
}

static int set_number (settings *s, const setting *e, const char *value, char *error, size_t size)
{
    char *end;
    double number = strtod (value, &end);
    if (e->kind == SETTING_REAL && end != value && *end == '/') number /= strtod (end + 1, &end); /* 1/60 */
    if (e->kind == SETTING_SWITCH && strcmp (value, "on") == 0)
        number = 1;
    else if (e->kind == SETTING_SWITCH && strcmp (value, "off") == 0)
        number = 0;
    else if (end == value || *end || !(number >= e->low && number <= e->high) ||
             (e->kind != SETTING_REAL && number != floor (number)))
    {
        snprintf (error, size, "%s is %s from %g to %g; not %s", e->name,
                  e->kind == SETTING_REAL ? "a number" : "a whole number", e->low, e->high, value);
        return 0;
    }
    if (e->kind == SETTING_REAL)
        *(double *)((char *)s + e->offset) = number;
    else
        *(int *)((char *)s + e->offset) = (int)number;
    return 1;
}

int settings_set (settings *s, const char *name, const char *value, char *error, size_t size)
{
    for (const setting *e = table; e->name; e++)
        if (strcmp (e->name, name) == 0)
            return e->kind == SETTING_CHOICE ? set_choice (s, e, value, error, size)
                                             : set_number (s, e, value, error, size);
    snprintf (error, size, "there is no setting %s", name);
    return 0;
}

void settings_get (const settings *s, const setting *e, char *out, size_t size)
{
    const char *at = (const char *)s + e->offset;
    switch (e->kind)
    {
    case SETTING_REAL:
        /* With as few digits as give the same number when it is read. */
        for (int digits = 6; digits <= 17; digits++)
        {
            snprintf (out, size, "%.*g", digits, *(const double *)at);
            if (strtod (out, NULL) == *(const double *)at) break;
        }
        break;
    case SETTING_CHOICE:
        snprintf (out, size, "%s", e->choices[*(const int *)at]);
        break;
    default:
        snprintf (out, size, "%d", *(const int *)at);
    }
}
