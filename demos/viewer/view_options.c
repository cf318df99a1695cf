/*
 * Reads the command line of ode-rls view.
 */
#include "view_options.h"

#include "actions.h"
#include "settings_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options that stand for a setting. */
static const struct
{
    const char *option, *setting;
} shortcuts[] = {{"--dt", "dt"},
                 {"--a", "a.solver"},
                 {"--b", "b.solver"},
                 {"--integrator", "b.integrator"},
                 {"--correction", "b.correction"},
                 {"--order", "b.order"},
                 {"--tolerance", "tolerance"},
                 {"--cfm", "cfm"},
                 {"--erp", "erp"},
                 {"--quick-iterations", "iterations"},
                 {"--speed", "speed"},
                 {"--layout", "layout"},
                 {"--map", "map"},
                 {"--quality", "quality"},
                 {"--scale", "scale"}};

static int parse_size (view_options *o, const char *text)
{
    char rest;
    return sscanf (text, "%dx%d%c", &o->width, &o->height, &rest) == 2 && o->width >= VIEW_WIDTH &&
           o->height >= VIEW_HEIGHT && o->width <= 8192 && o->height <= 8192;
}

static int parse_frames (view_options *o, const char *text)
{
    char *end;
    long n = strtol (text, &end, 10);
    if (end == text || *end || n < 1 || n > 10000000) return 0;
    o->frames = (int)n;
    return 1;
}

static int set_by_pair (settings *s, const char *pair, char *error, size_t size)
{
    char name[64];
    const char *equals = strchr (pair, '=');
    if (!equals || (size_t)(equals - pair) >= sizeof name)
    {
        snprintf (error, size, "--set needs NAME=VALUE; not %s", pair);
        return 0;
    }
    memcpy (name, pair, (size_t)(equals - pair));
    name[equals - pair] = 0;
    return settings_set (s, name, equals + 1, error, size);
}

static int take_flag (view_options *o, const char *option)
{
    if (strcmp (option, "--headless") == 0)
        o->headless = 1;
    else if (strcmp (option, "--paused") == 0)
        o->set.paused = 1;
    else if (strcmp (option, "--timings") == 0)
        o->timings = 1;
    else if (strcmp (option, "--draw-all") == 0)
        o->draw_all = 1;
    else if (strcmp (option, "--gl-messages") == 0)
        o->gl_messages = 1;
    else if (strcmp (option, "--help") == 0 || strcmp (option, "-h") == 0)
        o->help = 1;
    else
        return 0;
    return 1;
}

/* Reads the value of an option.  Returns 1, 0 with one line in error, or -1 if there is no such option. */
static int take_value (view_options *o, const char *option, const char *value, char *error, size_t size)
{
    const struct
    {
        const char *option;
        const char **text;
    } texts[] = {{"--png", &o->png},
                 {"--mp4", &o->mp4},
                 {"--csv", &o->csv},
                 {"--state", &o->state},
                 {"--script", &o->script},
                 {"--scenes", &o->scenes_folder},
                 {"--shaders", &o->shader_folder}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp (option, texts[i].option) == 0)
        {
            *texts[i].text = value;
            return 1;
        }
    for (size_t i = 0; i < sizeof shortcuts / sizeof *shortcuts; i++)
        if (strcmp (option, shortcuts[i].option) == 0)
            return settings_set (&o->set, shortcuts[i].setting, value, error, size);
    if (strcmp (option, "--set") == 0) return set_by_pair (&o->set, value, error, size);
    if (strcmp (option, "--size") == 0)
    {
        snprintf (error, size, "--size is WIDTHxHEIGHT from %dx%d to 8192x8192; not %s", VIEW_WIDTH,
                  VIEW_HEIGHT, value);
        return parse_size (o, value);
    }
    if (strcmp (option, "--frames") == 0)
    {
        snprintf (error, size, "--frames is a whole number of at least 1; not %s", value);
        return parse_frames (o, value);
    }
    return -1;
}

/* Options that have no effect with the others are errors. */
static int fit_together (const view_options *o, char *error, size_t size)
{
    const char *wish = o->frames     ? "--frames"
                       : o->png      ? "--png"
                       : o->script   ? "--script"
                       : o->draw_all ? "--draw-all"
                                     : NULL;
    if (wish && !o->headless)
        snprintf (error, size, "view: %s needs --headless", wish);
    else if (o->png && o->script)
        snprintf (error, size, "view: pictures of a --script are taken by its command shot, not by --png");
    else
        return 1;
    return 0;
}

int view_options_parse (view_options *o, const settings *begin, int argc, char **argv, char *error,
                        size_t size)
{
    memset (o, 0, sizeof *o);
    o->set = *begin;
    o->width = begin->window[0] >= VIEW_WIDTH ? begin->window[0] : 1280;
    o->height = begin->window[1] >= VIEW_HEIGHT ? begin->window[1] : 720;
    for (int i = 0; i < argc; i++)
    {
        const char *option = argv[i];
        if (option[0] != '-')
        {
            if (o->scenes == VIEW_SCENES)
            {
                snprintf (error, size, "at most %d scenes", VIEW_SCENES);
                return 0;
            }
            o->scene[o->scenes++] = option;
            continue;
        }
        if (take_flag (o, option)) continue;
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        view_options trial = *o;
        int taken = take_value (&trial, option, value ? value : "", error, size);
        if (taken < 0)
        {
            snprintf (error, size, "view: there is no option %s", option);
            return 0;
        }
        if (!value)
        {
            snprintf (error, size, "view: %s needs a value", option);
            return 0;
        }
        if (!taken) return 0;
        take_value (o, option, value, error, size);
        i++;
    }
    return o->help || fit_together (o, error, size);
}

void view_options_help (void)
{
    printf (
        "Usage: ode-rls view [SCENE ...] [options]\n"
        "\n"
        "Shows a scene under two steppers side by side: A and B start from the same state, and the colour\n"
        "of every joint tells how far it is open.  Several SCENEs are a playlist (PgDn, PgUp); without any: "
        "the\n"
        "Bricard mechanism.\n"
        "\n"
        "  --a S, --b S          steppers of the two sides: ode, quick, rls      (ode, rls)\n"
        "  --dt S                step, s                                         (1/60)\n"
        "  --integrator I, --correction C, --order O, --tolerance X              of ode-rls on side B\n"
        "  --erp X, --cfm X, --quick-iterations N                                of ODE's steppers\n"
        "  --speed X, --paused, --layout split|a|b|ghost, --map bluered|viridis|cividis|inferno\n"
        "  --size WxH, --scale X, --quality auto|low|high\n"
        "  --scenes FOLDER       where the list of scenes comes from\n"
        "  --shaders FOLDER      read shaders from there, again whenever they change\n"
        "  --state FILE          keep the viewer's state there as JSON\n"
        "  --gl-messages         print errors and remarks of the OpenGL driver\n"
        "  --set NAME=VALUE      any setting of the list below\n"
        "\n"
        "Without a display:\n"
        "  --headless            draw into memory, the same picture in every run\n"
        "  --frames N            how many frames of 1/60 s                       (240)\n"
        "  --png F, --mp4 F, --csv F, --state F    what to write\n"
        "  --script F            commands, one a line; see below\n"
        "  --timings             show clocks, too\n"
        "  --draw-all            draw all frames, also those that are not saved, to measure their time\n"
        "\n"
        "Commands of scripts: wait SECONDS, frames N, do ACTION, set NAME VALUE, open SCENE, look PRESET,\n"
        "  motor JOINT own | rate X | place X,\n"
        "  view YAW PITCH [ZOOM], move X Y, press, release, wheel N, click WIDGET, shot FILE, film [FILE],\n"
        "  csv [FILE], state FILE, quit\n"
        "\n"
        "Settings:\n");
    for (const setting *e = settings_table (); e->name; e++)
    {
        printf ("  %-14s %s", e->name, e->help);
        for (int i = 0; e->kind == SETTING_CHOICE && e->choices[i]; i++)
            printf ("%s%s", i ? ", " : ": ", e->choices[i]);
        printf ("\n");
    }
    printf ("\nActions and keys:\n");
    for (int i = 0; i < ACTION_COUNT; i++)
        printf ("  %-14s %-13s %s\n", action_at (i)->name, action_at (i)->keys, action_at (i)->help);
    char path[4096];
    if (settings_file (path, sizeof path))
        printf ("\nSettings that are kept (K) begin the next window; they are in %s.\n", path);
}
