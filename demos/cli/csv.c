/*
 * Writes the CSV table.  See csv.h.
 */
#include "csv.h"

#include <csv_name.h>

void csv_header (FILE *file, const scene *s, int poses)
{
    static const char *const of_body[] = {"_x", "_y", "_z", "_qw", "_qx", "_qy", "_qz"};
    static const char *const suffixes[] = {"_x", "_y", "_z"};
    fputc ('t', file);
    for (int i = 0; i < scene_probe_count (s); i++)
        for (int k = 0; k < 3; k++)
        {
            fputc (',', file);
            csv_name (file, scene_probe_at (s, i)->name, suffixes[k]);
        }
    fputs (",kinetic_J,potential_J,energy_J,violation_m,violation_rad,violation_m_s,violation_rad_s,"
           "rank,dof,redundant,step_us",
           file);
    for (int i = 0; poses && i < scene_body_count (s); i++)
        for (int k = 0; k < 7; k++)
        {
            fputc (',', file);
            csv_name (file, scene_body_at (s, i)->name, of_body[k]);
        }
    fputc ('\n', file);
}

static void write_pose (FILE *file, dBodyID body)
{
    const dReal *p = dBodyGetPosition (body), *q = dBodyGetQuaternion (body);
    for (int k = 0; k < 3; k++) fprintf (file, ",%.17g", (double)p[k]);
    for (int k = 0; k < 4; k++) fprintf (file, ",%.17g", (double)q[k]);
}

void csv_row (FILE *file, const scene *s, const sample *now, int poses)
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
    fprintf (file, ",%d,%d,%d,%.17g", now->report.rank, now->report.dof,
             now->report.redundant + now->report.conflicting, 1e6 * now->step_seconds);
    for (int i = 0; poses && i < scene_body_count (s); i++) write_pose (file, scene_body_at (s, i)->body);
    fputc ('\n', file);
}
