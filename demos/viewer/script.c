/*
 * Reads scripts and runs their commands, which script.h lists.
 */
#define _GNU_SOURCE
#include "script.h"

#include "actions.h"
#include "state_dump.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 4

typedef struct
{
    int line;
    char *text; /* the line, in which the words are */
    char *word[WORDS];
    int words;
} command;

struct script
{
    char *path;
    command *command;
    int count, next;
    double wait; /* s to wait before the next command */
    int frames;  /* frames to wait */
    float x, y, wheel;
    int down[3];
    int clicking; /* frames that a click still takes */
};

typedef struct
{
    script *s;
    app *a;
    const command *c;
    int width, height;
    char *error;
    size_t size;
} call;

/* Writes what is wrong with a command.  Returns 0, so that callers can return the call. */
static int complain (call *k, const char *what)
{
    snprintf (k->error, k->size, "%s:%d: %s: %s", k->s->path, k->c->line, k->c->word[0], what);
    return 0;
}

/* Reads a word of a command as a number. */
static int number (call *k, int word, double *value)
{
    char *end;
    if (word >= k->c->words) return complain (k, "a number is missing");
    *value = strtod (k->c->word[word], &end);
    return (end != k->c->word[word] && !*end && isfinite (*value)) || complain (k, "not a number");
}

static int do_wait (call *k) { return number (k, 1, &k->s->wait); }

static int do_frames (call *k)
{
    double n;
    if (!number (k, 1, &n)) return 0;
    k->s->frames = (int)n;
    return 1;
}

static int do_action (call *k)
{
    int kind = k->c->words > 1 ? action_find (k->c->word[1]) : -1;
    if (kind < 0) return complain (k, "no such action");
    action_do (k->a, kind);
    return 1;
}

static int do_set (call *k)
{
    char why[200];
    if (k->c->words < 3) return complain (k, "needs a name and a value");
    return settings_set (&k->a->set, k->c->word[1], k->c->word[2], why, sizeof why) || complain (k, why);
}

static int do_motor (call *k)
{
    static const char *const modes[] = {[MOTOR_OWN] = "own", [MOTOR_RATE] = "rate", [MOTOR_PLACE] = "place"};
    const model *m = stage_model (k->a->stage);
    double target = 0;
    for (int mode = 0; k->c->words > 2 && mode < 3; mode++)
    {
        if (strcmp (modes[mode], k->c->word[2]) != 0) continue;
        if (mode != MOTOR_OWN && !number (k, 3, &target)) return 0;
        for (int j = 0; m && j < m->joints; j++)
            if (strcmp (m->joint[j].name, k->c->word[1]) == 0 && app_has_motor (m, j))
            {
                app_set_motor (k->a, j, mode, target);
                return 1;
            }
        return complain (k, "no such hinge or slider");
    }
    return complain (k, "needs a joint and own, rate X or place X");
}

static int do_open (call *k)
{
    if (k->c->words < 2) return complain (k, "needs a scene");
    int i = scene_list_find (&k->a->scenes, k->c->word[1]);
    /* If the scene cannot be read, that is shown on the screen, and the script goes on. */
    app_open (k->a, i >= 0 ? k->a->scenes.entry[i].path : k->c->word[1]);
    return 1;
}

static int do_look (call *k)
{
    for (int i = 0; k->c->words > 1 && camera_preset_names[i]; i++)
        if (strcmp (camera_preset_names[i], k->c->word[1]) == 0)
        {
            action_look (k->a, i);
            return 1;
        }
    return complain (k, "no such camera preset");
}

static int do_view (call *k)
{
    double yaw, pitch, zoom = 1;
    if (!number (k, 1, &yaw) || !number (k, 2, &pitch) || (k->c->words > 3 && !number (k, 3, &zoom)))
        return 0;
    if (!(zoom > 0)) return complain (k, "the zoom must be positive");
    camera *eye = &k->a->eye;
    eye->yaw = eye->goal_yaw = yaw * M_PI / 180;
    eye->pitch = eye->goal_pitch = pitch * M_PI / 180;
    eye->held = 0;
    if (stage_model (k->a->stage)) camera_fit (eye, k->a->low, k->a->high, 1, 0.05, 1);
    eye->goal_distance = eye->distance /= zoom;
    eye->held = zoom != 1;
    return 1;
}

/* Moves the mouse to the middle of a widget. */
static int find_widget (call *k, const char *name)
{
    int count;
    const ui_widget *w = ui_widgets (&count);
    for (int i = 0; i < count; i++)
        if (strcmp (w[i].name, name) == 0)
        {
            k->s->x = w[i].rect[0] + w[i].rect[2] / 2;
            k->s->y = w[i].rect[1] + w[i].rect[3] / 2;
            return 1;
        }
    return complain (k, "no such widget on the screen");
}

static int do_move (call *k)
{
    double x, y;
    if (k->c->words == 2) return find_widget (k, k->c->word[1]);
    if (!number (k, 1, &x) || !number (k, 2, &y)) return 0;
    k->s->x = (float)x;
    k->s->y = (float)y;
    k->s->frames = 1; /* the interface must see the mouse there before the next command */
    return 1;
}

static int do_button (call *k)
{
    static const char *const names[] = {"left", "right", "middle"};
    int button = k->c->words > 1 ? -1 : 0;
    for (int i = 0; i < 3 && button < 0; i++)
        if (strcmp (names[i], k->c->word[1]) == 0) button = i;
    if (button < 0) return complain (k, "no such button");
    k->s->down[button] = k->c->word[0][0] == 'p';
    k->s->frames = 1;
    return 1;
}

static int do_wheel (call *k)
{
    double n;
    if (!number (k, 1, &n)) return 0;
    k->s->wheel = (float)n;
    k->s->frames = 1;
    return 1;
}

static int do_click (call *k)
{
    if (k->c->words < 2) return complain (k, "needs a widget");
    if (!find_widget (k, k->c->word[1])) return 0;
    k->s->clicking = 4;
    return 1;
}

static int do_shot (call *k)
{
    if (k->c->words < 2) return complain (k, "needs a file");
    snprintf (k->a->picture_path, sizeof k->a->picture_path, "%s", k->c->word[1]);
    k->a->want_picture = 1;
    k->s->frames = 1;
    return 1;
}

static int do_film (call *k)
{
    app_toggle_film (k->a, k->c->words > 1 ? k->c->word[1] : NULL, k->width, k->height);
    return 1;
}

static int do_csv (call *k)
{
    app_toggle_csv (k->a, k->c->words > 1 ? k->c->word[1] : NULL);
    return 1;
}

static int do_state (call *k)
{
    char why[300];
    if (k->c->words < 2) return complain (k, "needs a file");
    return state_dump (k->a, k->c->word[1], why, sizeof why) || complain (k, why);
}

static int do_quit (call *k)
{
    k->a->quit = 1;
    return 1;
}

static const struct
{
    const char *name;
    int (*run) (call *k);
} commands[] = {{"wait", do_wait},    {"frames", do_frames},  {"do", do_action},   {"set", do_set},
                {"open", do_open},    {"look", do_look},      {"view", do_view},   {"move", do_move},
                {"press", do_button}, {"release", do_button}, {"wheel", do_wheel}, {"click", do_click},
                {"shot", do_shot},    {"film", do_film},      {"csv", do_csv},     {"state", do_state},
                {"motor", do_motor},  {"quit", do_quit}};

static int command_index (const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp (commands[i].name, name) == 0) return (int)i;
    return -1;
}

/* Splits a line into words and appends it to the commands.  Returns 0 without memory. */
static int add_command (script *s, const char *text, int line)
{
    command *larger = realloc (s->command, sizeof *larger * (size_t)(s->count + 1));
    if (!larger) return 0;
    s->command = larger;
    command *c = &s->command[s->count];
    memset (c, 0, sizeof *c);
    c->line = line;
    c->text = strdup (text);
    if (!c->text) return 0;
    s->count++;
    char *rest = c->text, *word;
    while (c->words < WORDS && (word = strtok_r (rest, " \t\r\n", &rest))) c->word[c->words++] = word;
    return 1;
}

script *script_read (const char *path, char *error, size_t size)
{
    FILE *f = strcmp (path, "-") == 0 ? stdin : fopen (path, "r");
    script *s = calloc (1, sizeof *s);
    if (!f || !s || !(s->path = strdup (path)))
    {
        snprintf (error, size, "%s: cannot be read: %s", path, strerror (errno));
        if (f && f != stdin) fclose (f);
        free (s);
        return NULL;
    }
    s->x = s->y = -1;
    char *text = NULL;
    size_t room = 0;
    int line = 0, ok = 1;
    while (ok && getline (&text, &room, f) >= 0)
    {
        line++;
        size_t blank = strspn (text, " \t\r\n");
        if (!text[blank] || text[blank] == '#') continue;
        ok = add_command (s, text, line);
        if (!ok)
            snprintf (error, size, "%s: out of memory", path);
        else if (command_index (s->command[s->count - 1].word[0]) < 0)
        {
            snprintf (error, size, "%s:%d: there is no command %s", path, line,
                      s->command[s->count - 1].word[0]);
            ok = 0;
        }
    }
    free (text);
    if (f != stdin) fclose (f);
    if (ok) return s;
    script_free (s);
    return NULL;
}

void script_free (script *s)
{
    if (!s) return;
    for (int i = 0; i < s->count; i++) free (s->command[i].text);
    free (s->command);
    free (s->path);
    free (s);
}

int script_run (script *s, app *a, int width, int height, double seconds, char *error, size_t size)
{
    s->wheel = 0;
    if (s->clicking)
    {
        s->clicking--;
        s->down[0] = s->clicking == 2;
        return 1;
    }
    if (s->frames > 0 && --s->frames > 0) return 1;
    if (s->wait > 0)
    {
        s->wait -= seconds;
        if (s->wait > 1e-9) return 1;
        s->wait = 0;
    }
    while (s->next < s->count && !a->quit)
    {
        const command *c = &s->command[s->next++];
        call k = {s, a, c, width, height, error, size};
        if (!commands[command_index (c->word[0])].run (&k)) return -1;
        if (s->frames > 0 || s->wait > 0 || s->clicking) return 1;
    }
    return 0;
}

void script_feed (script *s) { ui_feed_mouse (s->x, s->y, s->down[0], s->down[1], s->down[2], s->wheel); }
