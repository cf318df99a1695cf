/*
 * Reference trajectories: CSV files with a header line, one column of times and up to three of positions.
 * Between the samples a polynomial through the nearest ones is evaluated in barycentric form.
 */
#include "build.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CSV ((size_t)64 << 20)
#define MAX_COLUMNS 256
#define STENCIL 10 /* samples of the polynomial */

typedef struct
{
    const xmlNode *node; /* the rls:reference, to be blamed */
    char path[4096];
    char *text, *at; /* the file, and the start of the next line */
    int line;
    int columns;   /* of the header */
    int wanted[4]; /* columns of t, x, y, z; -1 for a constant */
    double constant[4];
} table;

/* ---- the header ---------------------------------------------------------------------------------------- */

/* The next line, cut off and without its end; NULL at the end of the file. */
static char *next_line (table *t)
{
    if (!*t->at) return NULL;
    char *line = t->at;
    size_t length = strcspn (line, "\r\n");
    t->at = line + length;
    if (*t->at == '\r') *t->at++ = 0;
    if (*t->at == '\n') *t->at++ = 0;
    t->line++;
    return line;
}

static int find_column (char *const names[], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp (names[i], name)) return i;
    return -1;
}

/* Splits at commas in place and trims. */
static int split (char *line, char *cells[], int most)
{
    int count = 0;
    for (char *cell = line; cell && count < most;)
    {
        char *comma = strchr (cell, ',');
        if (comma) *comma = 0;
        cell += strspn (cell, " \t\"");
        size_t length = strlen (cell);
        while (length && strchr (" \t\"", cell[length - 1])) cell[--length] = 0;
        cells[count++] = cell;
        cell = comma ? comma + 1 : NULL;
    }
    return count;
}

/*
 * columns="t px py pz": names of the header; a number in place of a name is a constant, "-" and what is
 * left out is not known.  Without the attribute the first four columns are meant.
 */
static int choose_columns (reader *r, table *t, char *line)
{
    char *names[MAX_COLUMNS], *chosen, *save = NULL;
    t->columns = split (line, names, MAX_COLUMNS);
    for (int i = 0; i < 4; i++)
    {
        t->wanted[i] = i < t->columns ? i : -1;
        t->constant[i] = NAN;
    }
    if (!attribute_text (r, t->node, "columns", &chosen)) return 0;
    if (!chosen) return 1;
    int count = 0, good = 1;
    for (char *word = strtok_r (chosen, " \t\r\n", &save); good && word;
         word = strtok_r (NULL, " \t\r\n", &save))
    {
        if (count == 4)
        {
            good = fail_at (r, t->node, "attribute columns: has more than 4 names");
            break;
        }
        char *end;
        int column = find_column (names, t->columns, word);
        double number = strtod (word, &end);
        if (column < 0 && count && *end == 0 && isfinite (number))
            t->constant[count] = number;
        else if (column < 0 && !(count && !strcmp (word, "-")))
            good = fail_at (r, t->node, "attribute columns: '%.40s' is not in the header of '%s'", word,
                            t->path);
        t->wanted[count++] = column;
    }
    if (good && count < 2)
        good = fail_at (r, t->node, "attribute columns: needs a time and at least one coordinate");
    for (int i = count; i < 4; i++) t->wanted[i] = -1;
    free (chosen);
    return good;
}

/* ---- the samples --------------------------------------------------------------------------------------- */

static int read_row (reader *r, table *t, char *line, double values[4])
{
    char *cells[MAX_COLUMNS];
    int count = split (line, cells, MAX_COLUMNS);
    for (int i = 0; i < 4; i++)
    {
        values[i] = t->constant[i];
        if (t->wanted[i] < 0) continue;
        if (t->wanted[i] >= count)
            return fail_at (r, t->node, "%s:%d: the line is too short", t->path, t->line);
        const char *cell = cells[t->wanted[i]];
        char *end;
        values[i] = strtod (cell, &end);
        if (end == cell || *end || !isfinite (values[i]))
            return fail_at (r, t->node, "%s:%d: '%.40s' is not a finite number", t->path, t->line, cell);
    }
    return 1;
}

static int add_sample (reader *r, table *t, scene_track *track, int *room, const double values[4])
{
    if (track->count && !(values[0] > track->time[track->count - 1]))
        return fail_at (r, t->node, "%s:%d: time does not increase", t->path, t->line);
    int room_of_position = *room;
    double *time = scene_grow (track->time, track->count, room, sizeof *time);
    if (!time) return fail_memory (r);
    track->time = time;
    double *position = scene_grow (track->position, track->count, &room_of_position, 3 * sizeof *position);
    if (!position) return fail_memory (r);
    track->position = position;
    track->time[track->count] = values[0];
    memcpy (track->position + 3 * track->count, values + 1, 3 * sizeof *position);
    track->count++;
    return 1;
}

static int read_table (reader *r, table *t, scene_track *track)
{
    char *line = next_line (t);
    if (!line) return fail_at (r, t->node, "'%s' is empty", t->path);
    if (!choose_columns (r, t, line)) return 0;
    int room = 0;
    double values[4];
    while ((line = next_line (t)))
    {
        if (!line[strspn (line, " \t")]) continue;
        if (!read_row (r, t, line, values) || !add_sample (r, t, track, &room, values)) return 0;
    }
    return track->count >= 2 || fail_at (r, t->node, "'%s' has fewer than two samples", t->path);
}

/* ---- the elements -------------------------------------------------------------------------------------- */

static int find_probe (reader *r, int index, const xmlNode *node, int *probe)
{
    char *text, name[64];
    if (!required_attribute (r, node, "probe", &text)) return 0;
    int good = frames_full_name (r, index, text, node, name, sizeof name);
    *probe = -1;
    for (int i = 0; good && i < r->s->probe_count; i++)
        if (!strcmp (r->s->probes[i].name, name)) *probe = i;
    if (good && *probe < 0) good = fail_at (r, node, "there is no probe '%s' here", text);
    free (text);
    return good;
}

static int build_reference (reader *r, int index, const xmlNode *node)
{
    char *file;
    table t = {.node = node};
    scene_track *tracks = scene_grow (r->s->tracks, r->s->track_count, &r->s->track_room, sizeof *tracks);
    if (!tracks) return fail_memory (r);
    r->s->tracks = tracks;
    scene_track *track = &tracks[r->s->track_count++]; /* counted at once, so that it is freed */
    track->valid_to = INFINITY;
    if (!find_probe (r, index, node, &track->probe) ||
        !attribute_numbers (r, node, "valid_to", &track->valid_to, 1, NULL) ||
        !required_attribute (r, node, "file", &file))
        return 0;
    int good = resolve_path (r, node, file, t.path, sizeof t.path);
    free (file);
    if (!good) return 0;
    const char *problem;
    size_t length;
    t.text = t.at = read_file (t.path, MAX_CSV, &length, &problem);
    if (!t.text) /* a scene that was copied without it moves all the same */
    {
        r->s->track_count--;
        return doubt_at (r, node, "'%s' %s; there is nothing to compare with", t.path, problem);
    }
    good = read_table (r, &t, track);
    free (t.text);
    return good;
}

int build_references (reader *r, int index, const xmlNode *node)
{
    for (const xmlNode *c = first_child (node, "rls:reference"); c; c = next_sibling (c, "rls:reference"))
        if (!build_reference (r, index, c)) return 0;
    return 1;
}

/* ---- interpolation ------------------------------------------------------------------------------------- */

static const scene_track *find_track (const scene *s, int probe)
{
    for (int i = 0; i < s->track_count; i++)
        if (s->tracks[i].probe == probe) return &s->tracks[i];
    return NULL;
}

/* The last sample not after the time, with a little room for rounding; -1 if the track does not cover it. */
static int find_sample (const scene_track *track, double time)
{
    double slack = 1e-9 * (track->time[1] - track->time[0]);
    int low = 0, high = track->count - 1;
    if (!(time >= track->time[0] - slack && time <= fmin (track->time[high], track->valid_to) + slack))
        return -1;
    while (high - low > 1)
    {
        int middle = (low + high) / 2;
        if (track->time[middle] <= time + slack)
            low = middle;
        else
            high = middle;
    }
    return track->time[high] <= time + slack ? high : low;
}

static int is_sample (const scene_track *track, int at, double time)
{
    return fabs (track->time[at] - time) <= 1e-9 * (track->time[1] - track->time[0]);
}

static void interpolate (const scene_track *track, int at, double time, double position[3])
{
    int n = track->count < STENCIL ? track->count : STENCIL, first = at + 1 - n / 2;
    if (first < 0) first = 0;
    if (first > track->count - n) first = track->count - n;
    const double *t = track->time + first, *p = track->position + 3 * first;
    double total = 0, sum[3] = {0}, scale = t[n - 1] - t[0];
    for (int i = 0; i < n; i++)
    {
        double weight = scale / (time - t[i]);
        for (int k = 0; k < n; k++)
            if (k != i) weight *= scale / (t[i] - t[k]);
        total += weight;
        for (int c = 0; c < 3; c++) sum[c] += weight * p[3 * i + c];
    }
    for (int c = 0; c < 3; c++) position[c] = sum[c] / total;
}

int scene_reference (const scene *s, int probe, double time, double position[3])
{
    const scene_track *track = find_track (s, probe);
    int at = track ? find_sample (track, time) : -1;
    if (at < 0) return 0;
    if (is_sample (track, at, time))
        memcpy (position, track->position + 3 * at, 3 * sizeof *position);
    else
        interpolate (track, at, time, position);
    double own[3];
    scene_probe_position (s, probe, own);
    for (int c = 0; c < 3; c++)
        if (isnan (position[c])) position[c] = own[c];
    return 1;
}

int scene_reference_is_sample (const scene *s, int probe, double time)
{
    const scene_track *track = find_track (s, probe);
    int at = track ? find_sample (track, time) : -1;
    return at >= 0 && is_sample (track, at, time);
}
