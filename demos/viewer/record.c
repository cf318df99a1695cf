/*
 * CSV recording.  See record.h.
 */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record_csv
{
    char *path, *temporary;
    FILE *file;
    int hide_times, has_probe;
    double last[SIDES]; /* time of the last line of each side */
};

static int fail (record_csv *r, const char *path, char *error, size_t size)
{
    snprintf (error, size, "%s: cannot be written: %s", path, strerror (errno));
    if (r)
    {
        if (r->file) fclose (r->file);
        if (r->temporary) unlink (r->temporary);
        free (r->path);
        free (r->temporary);
        free (r);
    }
    return 0;
}

record_csv *record_open (const char *path, const stage *s, int hide_times, char *error, size_t size)
{
    record_csv *r = calloc (1, sizeof *r);
    if (!r || !(r->path = strdup (path)) || asprintf (&r->temporary, "%s.part", path) < 0 ||
        !(r->file = fopen (r->temporary, "w")))
    {
        fail (r, path, error, size);
        return NULL;
    }
    const model *m = stage_model (s);
    r->hide_times = hide_times;
    r->has_probe = m->probes > 0;
    r->last[0] = r->last[1] = -1;
    fprintf (r->file, "side,t");
    if (r->has_probe)
        for (int k = 0; k < 3; k++) fprintf (r->file, ",%s_%c", m->probe[0].name, "xyz"[k]);
    fprintf (r->file,
             ",kinetic_J,potential_J,energy_J,violation_m,violation_rad,violation_m_s,violation_rad_s,rank,"
             "dof,redundant%s\n",
             hide_times ? "" : ",step_us");
    return r;
}

void record_update (record_csv *r, const stage *s)
{
    for (int side = 0; side < SIDES; side++)
    {
        const ring *past = stage_past (s, side);
        int i = past->count;
        while (i > 0 && ring_sample (past, i - 1)->time > r->last[side]) i--;
        for (; i < past->count; i++)
        {
            const sample *p = ring_sample (past, i);
            fprintf (r->file, "%c,%.17g", 'A' + side, p->time);
            for (int k = 0; k < 3 && r->has_probe; k++) fprintf (r->file, ",%.17g", p->probe[k]);
            fprintf (r->file, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%d,%d", p->kinetic, p->potential,
                     p->kinetic + p->potential, p->position_m, p->angle_rad, p->velocity_m_s,
                     p->velocity_rad_s, p->rank, p->dof, p->redundant);
            if (!r->hide_times) fprintf (r->file, ",%.4g", isnan (p->step_s) ? 0 : 1e6 * p->step_s);
            fputc ('\n', r->file);
            r->last[side] = p->time;
        }
    }
}

int record_close (record_csv *r, char *error, size_t size)
{
    if (!r) return 1;
    int bad = ferror (r->file);
    if (fclose (r->file) != 0) bad = 1;
    r->file = NULL;
    if (bad || rename (r->temporary, r->path) != 0) return fail (r, r->path, error, size);
    free (r->path);
    free (r->temporary);
    free (r);
    return 1;
}
