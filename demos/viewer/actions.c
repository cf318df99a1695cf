/*
 * The table of actions and what each does.  action_keys.c says which key stands for which action.
 */
#include "actions.h"
#include "settings_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const action actions[ACTION_COUNT] = {
    [ACTION_PAUSE] = {"pause", "Space", "play or pause"},
    [ACTION_FORWARD] = {"step", "Right  Left", "one step forward or back"},
    [ACTION_BACK] = {"back", "Left", "one step back", 1},
    [ACTION_FORWARD_FAR] = {"forward", "Shift Right", "ten steps forward", 1},
    [ACTION_BACK_FAR] = {"rewind", "Shift Left", "ten steps back", 1},
    [ACTION_RESET] = {"reset", "Backspace", "start again"},
    [ACTION_SLOWER] = {"slower", "-  +", "slower, faster"},
    [ACTION_FASTER] = {"faster", "+", "faster", 1},
    [ACTION_A_ODE] = {"a.ode", "1  2  3", "side A: dWorldStep, QuickStep, ode-rls"},
    [ACTION_A_QUICK] = {"a.quick", "2", "side A: dWorldQuickStep", 1},
    [ACTION_A_RLS] = {"a.rls", "3", "side A: ode-rls", 1},
    [ACTION_B_ODE] = {"b.ode", "Shift 1  2  3", "side B"},
    [ACTION_B_QUICK] = {"b.quick", "Shift 2", "side B: dWorldQuickStep", 1},
    [ACTION_B_RLS] = {"b.rls", "Shift 3", "side B: ode-rls", 1},
    [ACTION_INTEGRATOR_B] = {"b.integrator", "I", "next integrator of ode-rls"},
    [ACTION_INTEGRATOR_A] = {"a.integrator", "Shift I", "the same on side A", 1},
    [ACTION_STEP_SIZE] = {"step-size", "[  ]", "smaller or larger time step"},
    [ACTION_NEXT_SCENE] = {"next", "PgDn  PgUp", "next or previous scene"},
    [ACTION_LAST_SCENE] = {"previous", "PgUp", "previous scene", 1},
    [ACTION_LAYOUT] = {"layout", "S", "two views or one"},
    [ACTION_GHOST] = {"ghost", "G", "A as a ghost over B"},
    [ACTION_MAP] = {"map", "M", "next colour map"},
    [ACTION_LABELS] = {"labels", "L", "labels"},
    [ACTION_REACTIONS] = {"reactions", "R", "reaction forces and torques"},
    [ACTION_AXES] = {"axes", "A", "joint axes"},
    [ACTION_GAPS] = {"gaps", "E", "exaggerate gaps a hundredfold"},
    [ACTION_MOTION] = {"motion", "D", "free motions, one after another"},
    [ACTION_GLASS] = {"glass", "T", "transparent bodies"},
    [ACTION_WIRE] = {"wire", "W", "wireframe"},
    [ACTION_TRAILS] = {"trails", "P", "trails of probes"},
    [ACTION_SHADOWS] = {"shadows", "Ctrl S", "shadows"},
    [ACTION_FIT] = {"fit", "F", "everything in view"},
    [ACTION_LOOK] = {"look", "4 ... 9", "camera presets"},
    [ACTION_NEXT_JOINT] = {"joint", "N", "select the next joint"},
    [ACTION_CUT] = {"cut", "X", "cut the joint, or mend it"},
    [ACTION_DOUBLE] = {"double", "Y", "add the joint once more: redundant"},
    [ACTION_THROW] = {"throw", "Z", "throw a ball to where the mouse points"},
    [ACTION_KEEP_STATE] = {"keep-state", "U", "keep this state"},
    [ACTION_COME_BACK] = {"come-back", "Shift U", "come back to the state kept"},
    [ACTION_CONTACTS] = {"contacts", "O", "contacts by depth, slip or force"},
    [ACTION_RACE] = {"race", "Q", "race: each side as fast as it can"},
    [ACTION_UNDO] = {"undo", "Ctrl Z", "undo the last setting"},
    [ACTION_SHARE] = {"share", "Shift V", "a film of six seconds to share"},
    [ACTION_PLOTS] = {"plots", "B", "plots"},
    [ACTION_DETAIL] = {"detail", "J", "probe, step time or residual"},
    [ACTION_PANEL] = {"panel", "Tab", "controls on the left"},
    [ACTION_PICTURE] = {"picture", "F12", "save a picture"},
    [ACTION_FILM] = {"film", "V", "record a film"},
    [ACTION_CSV] = {"csv", "C", "record a CSV file"},
    [ACTION_KEEP] = {"keep", "K", "keep these settings for next time"},
    [ACTION_FORGET] = {"forget", "Shift K", "forget the settings kept", 1},
    [ACTION_SHADERS] = {"shaders", "F5", "read the shaders again", 1},
    [ACTION_HELP] = {"help", "H  F1", "this help"},
    [ACTION_KEYBOARD] = {"keyboard", "F2", "arrows and Enter work the controls"},
    [ACTION_FULL_SCREEN] = {"full-screen", "F11", "full screen"},
    [ACTION_QUIT] = {"quit", "Ctrl Q", "quit"},
    [ACTION_ESCAPE] = {"escape", "Esc", "close the help, select nothing", 1},
};

const action *action_at (int kind) { return &actions[kind]; }

int action_find (const char *name)
{
    for (int i = 0; i < ACTION_COUNT; i++)
        if (strcmp (actions[i].name, name) == 0) return i;
    return -1;
}

/* Looks back by so many steps further, or forward where by is negative.  In front of the newest step, single
   steps are made instead. */
static void scroll (app *a, int by)
{
    int back = stage_scroll (a->stage);
    a->set.paused = 1;
    if (by < 0 && !back)
        a->single_steps -= by;
    else
        stage_scroll_to (a->stage, back + by);
}

const double action_speeds[ACTION_SPEEDS] = {0.05, 0.1, 0.25, 0.5, 1, 2, 5};

int action_nearest (const double *list, int count, double value)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (fabs (log (list[i] / value)) < fabs (log (list[best] / value))) best = i;
    return best;
}

/* The next larger or smaller value of a list after the one nearest to value; at the end of the list that one.
 */
static double next_of (const double *list, int count, double value, int larger)
{
    const int at = action_nearest (list, count, value) + (larger ? 1 : -1);
    return list[at < 0 ? 0 : at >= count ? count - 1 : at];
}

static void change_speed (app *a, int faster)
{
    a->set.speed = next_of (action_speeds, ACTION_SPEEDS, a->set.speed, faster);
    app_say (a, 0, "Speed %g x", a->set.speed);
}

/* Opens the next or previous scene: of the playlist while one of its scenes is shown, otherwise of the whole
 * list. */
static void change_scene (app *a, int by)
{
    int n = a->scenes.count;
    if (!n) return;
    if (a->scenes.playlist > 1 && a->scenes.current < a->scenes.playlist) n = a->scenes.playlist;
    int next = a->scenes.current < 0 ? 0 : (a->scenes.current + by + n) % n;
    /* It counts as current even if it cannot be read, so that the next press goes past it. */
    a->scenes.current = next;
    app_open (a, a->scenes.entry[next].path);
}

static void change_integrator (app *a, int side)
{
    sim_method *m = &a->set.choice.method[side];
    m->integrator = (m->integrator + 1) % dRLSIntegratorCount;
    app_say (a, 0, "Side %c: integrator %s", 'A' + side, integrator_names[m->integrator]);
}

static void change_joint (app *a)
{
    const model *m = stage_model (a->stage);
    if (m && m->joints) a->selected_joint = a->selected_joint + 1 < m->joints ? a->selected_joint + 1 : -1;
}

/* The joint that an action is meant for: the selected one, the one under the mouse, the one with the first
   redundant row, or the last one.  Returns -1 if there is none. */
static int meant_joint (app *a)
{
    const model *m = stage_model (a->stage);
    if (!m) return -1;
    if (a->selected_joint >= 0) return a->selected_joint;
    if (a->hovered_joint >= 0) return a->hovered_joint;
    for (int side = SIDES - 1; side >= 0; side--)
    {
        const snapshot *shot = stage_shown (a->stage, side);
        if (shot->rows) return shot->row[0].joint;
    }
    return m->joints ? m->joints - 1 : -1;
}

/* Cuts the joint that is meant, or mends it if it is cut; with twice, adds it once more.  This happens at the
   newest step, also while the past is being looked at. */
static void edit_joint (app *a, int twice)
{
    const int joint = meant_joint (a);
    if (joint < 0) return;
    const char *name = stage_model (a->stage)->joint[joint].name;
    const int cut = stage_shown (a->stage, 1)->joint[joint].cut;
    if (stage_scroll (a->stage)) stage_scroll_to (a->stage, 0);
    stage_do (a->stage, &(stage_edit){.kind = twice ? EDIT_DOUBLE : EDIT_CUT, .joint = joint});
    app_say (a, 0, "Joint %s is %s on both sides", name, twice ? "there twice" : cut ? "mended" : "cut");
}

static void keep_state (app *a)
{
    const int number = stage_keep (a->stage);
    if (number >= 0)
        app_say (a, 0, "State %d kept, %.2f s: Shift U comes back to it", number + 1,
                 stage_kept_time (a->stage, number));
}

/* Goes back to the state that was kept last. */
static void come_back (app *a)
{
    const int last = stage_kept (a->stage) - 1;
    if (last >= 0)
        app_come_back (a, last);
    else
        app_say (a, 0, "No state is kept; U keeps one");
}

/* Shows the next free motion, and none after the last. */
static void change_motion (app *a)
{
    if (!stage_model (a->stage)) return;
    int dof = stage_shown (a->stage, 1)->now.dof, most = dof < FREE_MOTIONS ? dof : FREE_MOTIONS;
    a->set.free_motion = a->set.free_motion < most ? a->set.free_motion + 1 : 0;
}

static void set_solver (app *a, int side, int solver)
{
    a->set.choice.method[side].solver = solver;
    app_say (a, 0, "Side %c: %s", 'A' + side, solver_names[solver]);
}

static void take_picture (app *a)
{
    app_unused_name (a, "png", a->picture_path, sizeof a->picture_path);
    a->want_picture = 1;
}

/* Keeps settings for the next window, and says that it is done or why not. */
static void keep (app *a, const settings *s, const char *done)
{
    char error[512];
    int good = settings_keep (s, error, sizeof error);
    app_say (a, !good, "%s", good ? done : error);
}

/* The setting that an action only switches on and off; NULL if it does something else. */
static int *switch_of (settings *s, int kind)
{
    int *const switches[ACTION_COUNT] = {
        [ACTION_PAUSE] = &s->paused,  [ACTION_LABELS] = &s->labels,     [ACTION_REACTIONS] = &s->reactions,
        [ACTION_AXES] = &s->axes,     [ACTION_GLASS] = &s->transparent, [ACTION_WIRE] = &s->wireframe,
        [ACTION_TRAILS] = &s->trails, [ACTION_SHADOWS] = &s->shadows,   [ACTION_PLOTS] = &s->plots,
        [ACTION_RACE] = &s->race,     [ACTION_PANEL] = &s->panel,       [ACTION_HELP] = &s->help};
    return switches[kind];
}

void action_do (app *a, int kind)
{
    settings *s = &a->set;
    int *flag = switch_of (s, kind);
    if (flag)
    {
        *flag = !*flag;
        return;
    }
    switch (kind)
    {
    case ACTION_FORWARD:
        scroll (a, -1);
        break;
    case ACTION_BACK:
        scroll (a, 1);
        break;
    case ACTION_FORWARD_FAR:
        scroll (a, -10);
        break;
    case ACTION_BACK_FAR:
        scroll (a, 10);
        break;
    case ACTION_RESET:
        app_reset (a);
        break;
    case ACTION_SLOWER:
        change_speed (a, 0);
        break;
    case ACTION_FASTER:
        change_speed (a, 1);
        break;
    case ACTION_A_ODE:
    case ACTION_A_QUICK:
    case ACTION_A_RLS:
        set_solver (a, 0, kind - ACTION_A_ODE + SOLVER_ODE);
        break;
    case ACTION_B_ODE:
    case ACTION_B_QUICK:
    case ACTION_B_RLS:
        set_solver (a, 1, kind - ACTION_B_ODE + SOLVER_ODE);
        break;
    case ACTION_INTEGRATOR_A:
        change_integrator (a, 0);
        break;
    case ACTION_INTEGRATOR_B:
        change_integrator (a, 1);
        break;
    case ACTION_NEXT_SCENE:
        change_scene (a, 1);
        break;
    case ACTION_LAST_SCENE:
        change_scene (a, -1);
        break;
    case ACTION_LAYOUT:
        s->layout = s->layout == LAYOUT_SPLIT ? LAYOUT_A : s->layout == LAYOUT_A ? LAYOUT_B : LAYOUT_SPLIT;
        break;
    case ACTION_GHOST:
        s->layout = s->layout == LAYOUT_GHOST ? LAYOUT_SPLIT : LAYOUT_GHOST;
        break;
    case ACTION_MAP:
        s->heat.map = (heatmap_kind)((s->heat.map + 1) % HEATMAP_COUNT);
        break;
    case ACTION_GAPS:
        s->exaggerate = s->exaggerate > 1 ? 1 : 100;
        break;
    case ACTION_MOTION:
        change_motion (a);
        break;
    case ACTION_FIT:
        a->eye.held = 0;
        break;
    case ACTION_NEXT_JOINT:
        change_joint (a);
        break;
    case ACTION_CUT:
        edit_joint (a, 0);
        break;
    case ACTION_DOUBLE:
        edit_joint (a, 1);
        break;
    case ACTION_THROW:
        app_throw (a);
        break;
    case ACTION_KEEP_STATE:
        keep_state (a);
        break;
    case ACTION_COME_BACK:
        come_back (a);
        break;
    case ACTION_CONTACTS:
        s->contacts = (s->contacts + 1) % CONTACTS_COUNT;
        app_say (a, 0, "Contacts: %s", contact_mode_names[s->contacts]);
        break;
    case ACTION_UNDO:
        app_say (a, 0, undo_back (&a->undo, s) ? "Undone" : "Nothing to undo");
        break;
    case ACTION_SHARE:
        app_share (a);
        break;
    case ACTION_DETAIL:
        s->detail = (s->detail + 1) % DETAIL_COUNT;
        break;
    case ACTION_PICTURE:
        take_picture (a);
        break;
    case ACTION_FILM:
        a->want_film = 1;
        break;
    case ACTION_CSV:
        app_toggle_csv (a, NULL);
        break;
    case ACTION_KEEP:
        s->window[0] = (int)a->layout.top.w;
        s->window[1] = (int)(a->layout.top.h + a->layout.left.h);
        keep (a, s, "These settings are kept for next time; Shift K forgets them");
        break;
    case ACTION_FORGET:
    {
        settings plain;
        settings_default (&plain);
        keep (a, &plain, "The next window opens as usual");
        break;
    }
    case ACTION_SHADERS:
        a->want_shaders = 1;
        break;
    case ACTION_KEYBOARD:
        a->keyboard = !a->keyboard;
        if (a->keyboard) s->panel = 1;
        ui_keyboard_mode (a->keyboard);
        app_say (a, 0,
                 a->keyboard ? "Arrows, Space and Enter work the controls; F2 ends it"
                             : "Keys are shortcuts again");
        break;
    case ACTION_FULL_SCREEN:
        a->full_screen = !a->full_screen;
        break;
    case ACTION_QUIT:
        a->quit = 1;
        break;
    case ACTION_ESCAPE:
        s->help = 0;
        a->selected_joint = -1;
        break;
    default:
        break;
    }
}

void action_step_size (app *a, int larger)
{
    static const double steps[] = {0.0001, 0.001, 0.005, 1.0 / 120, 0.01, 1.0 / 60, 1.0 / 30};
    double *h = &a->set.choice.common.step;
    *h = next_of (steps, sizeof steps / sizeof *steps, *h, larger);
    app_say (a, 0, "Step %.4g s", *h);
}

void action_look (app *a, int preset)
{
    camera_look (&a->eye, preset);
    a->eye.held = 0;
    app_say (a, 0, "Camera: %s", camera_preset_names[preset]);
}
