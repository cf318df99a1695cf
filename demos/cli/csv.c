/* CSV: one header line, one line a sample. */
#include "csv.h"

#include <string.h>

/* A name as a field: quoted where it holds what would split or end the field. */
static void write_name (FILE *file, const char *name, const char *suffix)
{
    int quoted = strpbrk (name, ",\"\n\r") != NULL;
    if (quoted) fputc ('"', file);
    for (; *name; name++)
    {
        if (*name == '"') fputc ('"', file);
        fputc (*name, file);
    }
    fputs (suffix, file);
    if (quoted) fputc ('"', file);
}

void csv_header (FILE *file, const scene *s)
{
    static const char *const suffixes[] = {"_x", "_y", "_z"};
    fputc ('t', file);
    for (int i = 0; i < scene_probe_count (s); i++)
        for (int k = 0; k < 3; k++)
        {
            fputc (',', file);
            write_name (file, scene_probe_at (s, i)->name, suffixes[k]);
        }
    fputs (",kinetic_J,potential_J,energy_J,violation_m,violation_rad,violation_m_s,violation_rad_s,"
           "rank,dof,redundant,step_us\n",
           file);
}

void csv_row (FILE *file, const scene *s, const sample *now)
{
    fprintf (file, "%.17g", now->time);
    for (int i = 0; i < scene_probe_count (s); i++)
    {
        double p[3];
        scene_probe_position (s, i, p);
        fprintf (file, ",%.17g,%.17g,%.17g", p[0], p[1], p[2]);
    }
    fprintf (file, ",%.17g,%.17g,%.17g", now->kinetic, now->potential, now->kinetic + now->potential);
    fprintf (file, ",%.17g,%.17g,%.17g,%.17g", now->violation.position_m, now->violation.angle_rad,
             now->violation.velocity_m_s, now->violation.velocity_rad_s);
    fprintf (file, ",%d,%d,%d,%.17g\n", now->report.rank, now->report.dof,
             now->report.redundant + now->report.conflicting, 1e6 * now->step_seconds);
}
