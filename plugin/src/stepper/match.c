/* Decides which workspace is used for which island, by the bodies that they have in common; contract in
 * stepper.h. */
#include "stepper.h"

/* Returns how many bodies a workspace holds from the last step; 0 if its history has been ended. */
static int bodies_of (const rls_workspace *workspace)
{
    return workspace->objects.body ? workspace->objects.bodies : 0;
}

/* Returns the workspace that held a body in the last step, or NULL. */
static rls_workspace *holder_of (dRLSStepperID stepper, dBodyID body)
{
    const int i = rls_places_find (&stepper->held_by, body);
    return i < 0 ? NULL : stepper->workspaces.of[i];
}

/* Returns the workspace that held most bodies of an island, or NULL; shared: how many. */
static rls_workspace *most_of (dRLSStepperID stepper, const rls_given *island, int *shared)
{
    rls_workspace *best = NULL;
    *shared = 0;
    for (int b = 0; b < island->body_count; ++b)
    {
        rls_workspace *had = holder_of (stepper, island->bodies[b]);
        if (had && ++had->shared > *shared) *shared = had->shared, best = had;
    }
    for (int b = 0; b < island->body_count; ++b)
    {
        rls_workspace *had = holder_of (stepper, island->bodies[b]);
        if (had) had->shared = 0;
    }
    return best;
}

int rls_workspaces_match (dRLSStepperID stepper, const rls_given *island, int count)
{
    const int all = stepper->workspaces.count;
    rls_workspace **workspaces = stepper->workspaces.of;

    /* which workspace held which body in the last step */
    int bodies = 0;
    for (int i = 0; i < all; ++i) bodies += bodies_of (workspaces[i]);
    if (!rls_places_begin (&stepper->held_by, bodies)) return 0;
    for (int i = 0; i < all; ++i)
    {
        workspaces[i]->island_place = -1, workspaces[i]->most_shared = 0;
        for (int b = 0; b < bodies_of (workspaces[i]); ++b)
            rls_places_add (&stepper->held_by, workspaces[i]->objects.listed_body[b], i);
    }

    /* each island asks for the workspace that held most of it; that goes to the one with most bodies in it */
    for (int i = 0; i < count; ++i)
    {
        int shared;
        rls_workspace *best = most_of (stepper, &island[i], &shared);
        if (best && shared > best->most_shared) best->island_place = i, best->most_shared = shared;
    }

    /* swap the workspaces to the places of their islands; the others begin anew */
    for (int i = 0; i < all; ++i)
        while (workspaces[i]->island_place >= 0 && workspaces[i]->island_place != i)
        {
            rls_workspace *moves = workspaces[i];
            workspaces[i] = workspaces[moves->island_place];
            workspaces[moves->island_place] = moves;
        }
    for (int i = 0; i < count; ++i)
        if (workspaces[i]->island_place != i) rls_history_end (workspaces[i], RLS_ISLAND_CHANGED);
    return 1;
}
