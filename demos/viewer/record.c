/*
 * CSV recording.  See record.h.
 */
#include "record.h"

#include <csv_name.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <whole_file.h>

struct record_csv
{
    whole_file file;
    int hide_times, has_probe;
    double last[SIDES]; /* time of the last line of each side */
};

record_csv *record_open (const char *path, const stage *s, int hide_times, char *error, size_t size)
{
    static const char *const suffixes[] = {"_x", "_y", "_z"};
    record_csv *r = calloc (1, sizeof *r);
    if (!r)
    {
        snprintf (error, size, "%s: cannot be written: %s", path, strerror (errno));
        return NULL;
    }
    r->file = whole_file_open (path);
    FILE *file = r->file.f;
    if (!file)
    {
        record_close (r, error, size);
        return NULL;
    }
    const model *m = stage_model (s);
    r->hide_times = hide_times;
    r->has_probe = m->probes > 0;
    r->last[0] = r->last[1] = -1;
    fprintf (file, "side,t");
    if (r->has_probe)
        for (int k = 0; k < 3; k++)
        {
            fputc (',', file);
            csv_name (file, m->probe[0].name, suffixes[k]);
        }
    fprintf (file,
             ",kinetic_J,potential_J,energy_J,violation_m,violation_rad,violation_m_s,violation_rad_s,rank,"
             "dof,redundant%s\n",
             hide_times ? "" : ",step_us");
    return r;
}

void record_update (record_csv *r, const stage *s)
{
    FILE *file = r->file.f;
    for (int side = 0; side < SIDES; side++)
    {
        const ring *past = stage_past (s, side);
        int i = past->count;
        while (i > 0 && ring_sample (past, i - 1)->time > r->last[side]) i--;
        for (; i < past->count; i++)
        {
            const sample *p = ring_sample (past, i);
            fprintf (file, "%c,%.17g", 'A' + side, p->time);
            for (int k = 0; k < 3 && r->has_probe; k++) fprintf (file, ",%.17g", p->probe[k]);
            fprintf (file, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%d,%d", p->kinetic, p->potential,
                     p->kinetic + p->potential, p->position_m, p->angle_rad, p->velocity_m_s,
                     p->velocity_rad_s, p->rank, p->dof, p->redundant);
            if (!r->hide_times) fprintf (file, ",%.4g", isnan (p->step_s) ? 0 : 1e6 * p->step_s);
            fputc ('\n', file);
            r->last[side] = p->time;
        }
    }
}

int record_close (record_csv *r, char *error, size_t size)
{
    if (!r) return 1;
    const int good = whole_file_close (&r->file, 1, error, size);
    free (r);
    return good;
}
