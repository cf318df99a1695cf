/* Which workspace goes on with which island; contract in match.h. */
#include "match.h"
#include "history.h"
#include "kernels/arena.h"
#include <stdlib.h>

/* A workspace by the first body of its island. */
struct rls_claim
{
    dBodyID first; /* NULL: it knows none */
    rls_workspace *workspace;
    int place;
};

static dBodyID first_of (const rls_workspace *workspace)
{
    return workspace->objects.body && workspace->objects.bodies > 0 ? workspace->objects.listed_body[0]
                                                                    : NULL;
}

static int by_first (const void *a, const void *b)
{
    const struct rls_claim *one = a, *other = b;
    if (one->first != other->first) return one->first < other->first ? -1 : 1;
    return (one->place > other->place) - (one->place < other->place);
}

/* The claim of the island that begins with a body, if nobody has taken it. */
static struct rls_claim *find (struct rls_claim *claims, int count, dBodyID first)
{
    int low = 0, high = count;
    while (low < high) /* the first claim that is not before it */
    {
        const int middle = (low + high) / 2;
        if (claims[middle].first < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && claims[low].first == first && claims[low].workspace ? &claims[low] : NULL;
}

int rls_workspaces_match (dRLSStepperID stepper, dBodyID const *first, int count)
{
    const int all = stepper->workspace_count;
    int same = 0, left = 0;
    while (same < count && first_of (stepper->workspaces[same]) == first[same]) ++same;
    if (same == count) return 1;
    if (!rls_array_reserve (&stepper->claims, &stepper->claim_capacity, all, sizeof (struct rls_claim)))
        return 0;
    struct rls_claim *claims = stepper->claims;
    for (int i = 0; i < all; ++i)
        claims[i] = (struct rls_claim){first_of (stepper->workspaces[i]), stepper->workspaces[i], i};
    qsort (claims, (size_t)all, sizeof (*claims), by_first);
    for (int i = 0; i < count; ++i)
    {
        struct rls_claim *own = find (claims, all, first[i]);
        stepper->workspaces[i] = own ? own->workspace : NULL;
        if (own) own->workspace = NULL;
    }
    for (int i = 0; i < all; ++i)
    {
        if (i < count && stepper->workspaces[i]) continue;
        while (!claims[left].workspace) ++left;
        stepper->workspaces[i] = claims[left++].workspace;
        if (i < count) rls_history_end (stepper->workspaces[i], RLS_ISLAND_CHANGED);
    }
    return 1;
}
