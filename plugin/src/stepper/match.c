/* Decides which workspace is used for which island, by the bodies that they have in common; contract in
 * stepper.h. */
#include "stepper.h"

/* An entry of a hash table of the bodies of the last step: the workspace that held the body. */
struct rls_claim
{
    dBodyID body; /* NULL: nobody */
    rls_workspace *workspace;
};

/* Returns how many bodies a workspace holds from the last step; 0 if its history has been ended. */
static int bodies_of (const rls_workspace *workspace)
{
    return workspace->objects.body ? workspace->objects.bodies : 0;
}

/* Returns 1 if the i-th workspace has held exactly the i-th island, for all of them: the usual case. */
static int all_stay (dRLSStepperID stepper, const rls_given *island, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const rls_workspace *workspace = stepper->workspaces[i];
        const int bodies = bodies_of (workspace);
        if (bodies == 0 || bodies != island[i].body_count ||
            memcmp (workspace->objects.listed_body, island[i].bodies, sizeof (dBodyID) * (size_t)bodies) != 0)
            return 0;
    }
    return 1;
}

/* Returns the entry of a body, or the empty one where it belongs. */
static struct rls_claim *find (struct rls_claim *table, size_t mask, dBodyID body)
{
    size_t at = (size_t)((uint64_t)(uintptr_t)body * 0x9E3779B97F4A7C15ull >> 32) & mask;
    while (table[at].body && table[at].body != body) at = (at + 1) & mask;
    return &table[at];
}

/* Returns the workspace that held most bodies of an island, or NULL; shared: how many. */
static rls_workspace *most_of (struct rls_claim *table, size_t mask, const rls_given *island, int *shared)
{
    rls_workspace *best = NULL;
    *shared = 0;
    for (int b = 0; b < island->body_count; ++b)
    {
        rls_workspace *had = find (table, mask, island->bodies[b])->workspace;
        if (had && ++had->shared > *shared) *shared = had->shared, best = had;
    }
    for (int b = 0; b < island->body_count; ++b)
    {
        rls_workspace *had = find (table, mask, island->bodies[b])->workspace;
        if (had) had->shared = 0;
    }
    return best;
}

int rls_workspaces_match (dRLSStepperID stepper, const rls_given *island, int count)
{
    const int all = stepper->workspace_count;
    rls_workspace **workspaces = stepper->workspaces;
    if (all_stay (stepper, island, count)) return 1;

    /* a hash table of the bodies of the last step, at most half full */
    size_t bodies = 0, mask = 15;
    for (int i = 0; i < all; ++i) bodies += (size_t)bodies_of (workspaces[i]);
    while (mask < 2 * bodies) mask = 2 * mask + 1;
    if (!RLS_GROW (&stepper->claim_block, stepper->claims, (int)mask + 1)) return 0;
    memset (stepper->claims, 0, (mask + 1) * sizeof (struct rls_claim));
    for (int i = 0; i < all; ++i)
    {
        workspaces[i]->island_place = -1, workspaces[i]->most_shared = 0;
        for (int b = 0; b < bodies_of (workspaces[i]); ++b)
        {
            struct rls_claim *claim = find (stepper->claims, mask, workspaces[i]->objects.listed_body[b]);
            if (!claim->body)
                *claim = (struct rls_claim){workspaces[i]->objects.listed_body[b], workspaces[i]};
        }
    }

    /* each island asks for the workspace that held most of it; that goes to the one with most bodies in it */
    for (int i = 0; i < count; ++i)
    {
        int shared;
        rls_workspace *best = most_of (stepper->claims, mask, &island[i], &shared);
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
