/* Which cell goes on with which island; contract in match.h. */
#include "match.h"
#include "kernels/memory.h"
#include <stdlib.h>

/* A cell by the first body of its island. */
struct rls_claim
{
    dBodyID first; /* NULL: it knows none */
    rls_cell *cell;
    int place;
};

static dBodyID first_of (const rls_cell *cell)
{
    return cell->body && cell->body_count > 0 ? cell->listed_body[0] : NULL;
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
    return low < count && claims[low].first == first && claims[low].cell ? &claims[low] : NULL;
}

int rls_cells_match (dRLSStepperID stepper, dBodyID const *first, int count)
{
    const int all = stepper->cell_count;
    int same = 0, left = 0;
    while (same < count && first_of (stepper->cells[same]) == first[same]) ++same;
    if (same == count) return 1;
    if (!rls_array_reserve (&stepper->claims, &stepper->claim_capacity, all, sizeof (struct rls_claim)))
        return 0;
    struct rls_claim *claims = stepper->claims;
    for (int i = 0; i < all; ++i)
        claims[i] = (struct rls_claim){first_of (stepper->cells[i]), stepper->cells[i], i};
    qsort (claims, (size_t)all, sizeof (*claims), by_first);
    for (int i = 0; i < count; ++i)
    {
        struct rls_claim *own = find (claims, all, first[i]);
        stepper->cells[i] = own ? own->cell : NULL;
        if (own) own->cell = NULL;
    }
    for (int i = 0; i < all; ++i)
    {
        if (i < count && stepper->cells[i]) continue;
        while (!claims[left].cell) ++left;
        stepper->cells[i] = claims[left++].cell;
        if (i < count) rls_cell_forget (stepper->cells[i]);
    }
    return 1;
}
