/* Gravity, time step and solver settings: the world's own, or what SDFormat says where they are missing. */
#include "build.h"

#include <stdlib.h>
#include <string.h>

/* Of several profiles the one marked default counts, otherwise the first. */
static int find_physics (reader *r, const xmlNode *world, const xmlNode **physics)
{
    *physics = first_child (world, "physics");
    for (const xmlNode *p = *physics; p; p = next_sibling (p, "physics"))
    {
        char *text;
        if (!attribute_text (r, p, "default", &text)) return 0;
        int chosen = text && (!strcmp (text, "true") || !strcmp (text, "1"));
        free (text);
        if (!chosen) continue;
        *physics = p;
        break;
    }
    return 1;
}

static int read_solver (reader *r, const xmlNode *ode)
{
    xmlNode *solver;
    double iterations = dWorldGetQuickStepNumIterations (r->s->world);
    double over_relaxation = (double)dWorldGetQuickStepW (r->s->world);
    if (!only_child (r, ode, "solver", &solver)) return 0;
    if (!solver) return 1;
    if (!child_number (r, solver, "iters", &iterations) || !child_number (r, solver, "sor", &over_relaxation))
        return 0;
    if (iterations < 1 || iterations > 1e6)
        return fail_at (r, first_child (solver, "iters"), "must be from 1 to 1000000, is %g", iterations);
    if (over_relaxation <= 0 || over_relaxation >= 2)
        return fail_at (r, first_child (solver, "sor"), "must be between 0 and 2, is %g", over_relaxation);
    dWorldSetQuickStepNumIterations (r->s->world, (int)iterations);
    dWorldSetQuickStepW (r->s->world, (dReal)over_relaxation);
    return 1;
}

static int read_constraints (reader *r, const xmlNode *ode)
{
    xmlNode *constraints;
    dWorldID world = r->s->world;
    double cfm = (double)dWorldGetCFM (world), erp = (double)dWorldGetERP (world);
    double velocity = (double)dWorldGetContactMaxCorrectingVel (world);
    double layer = (double)dWorldGetContactSurfaceLayer (world);
    if (!only_child (r, ode, "constraints", &constraints)) return 0;
    if (!constraints) return 1;
    warn_unknown (r, constraints, "cfm erp contact_max_correcting_vel contact_surface_layer");
    if (!child_not_negative (r, constraints, "cfm", &cfm) ||
        !child_not_negative (r, constraints, "erp", &erp) ||
        !child_not_negative (r, constraints, "contact_max_correcting_vel", &velocity) ||
        !child_not_negative (r, constraints, "contact_surface_layer", &layer))
        return 0;
    if (erp > 1) return fail_at (r, first_child (constraints, "erp"), "must not be above 1, is %g", erp);
    dWorldSetCFM (world, (dReal)cfm);
    dWorldSetERP (world, (dReal)erp);
    dWorldSetContactMaxCorrectingVel (world, (dReal)velocity);
    dWorldSetContactSurfaceLayer (world, (dReal)layer);
    return 1;
}

static int read_physics (reader *r, const xmlNode *physics)
{
    xmlNode *ode;
    warn_unknown (r, physics, "max_step_size ode");
    if (!child_number (r, physics, "max_step_size", &r->s->time_step)) return 0;
    if (!(r->s->time_step > 0))
        return fail_at (r, first_child (physics, "max_step_size"), "must be positive, is %g",
                        r->s->time_step);
    if (!only_child (r, physics, "ode", &ode)) return 0;
    if (!ode) return 1;
    warn_unknown (r, ode, "solver constraints");
    return read_solver (r, ode) && read_constraints (r, ode);
}

int read_world (reader *r, const xmlNode *world)
{
    const xmlNode *physics;
    xmlNode *element;
    int lone_model = !is_element (world, "world");
    double g[3] = {0, 0, lone_model ? -9.81 : -9.8}; /* SDFormat's own default for a world */
    if (!lone_model)
    {
        warn_unknown (r, world, "gravity physics model include joint frame " MODEL_EXTENSIONS);
        if (!only_child (r, world, "gravity", &element)) return 0;
        if (element && !element_numbers (r, element, g, 3, 0)) return 0;
    }
    dWorldSetGravity (r->s->world, (dReal)g[0], (dReal)g[1], (dReal)g[2]);
    if (lone_model || !find_physics (r, world, &physics)) return lone_model;
    return !physics || read_physics (r, physics);
}
