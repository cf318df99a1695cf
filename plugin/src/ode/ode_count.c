/* Where ODE counts a world's objects; contract in ode_count.h. */
#include "ode_count.h"
#include <string.h>

#define SEARCHED 32 /* ints from the beginning of a world: less than its parameters take */
#define BODIES 5
#define JOINTS 3

rls_ode_count rls_ode_count_objects (dWorldID world, int place)
{
    int pair[2] = {0, 0};
    if (place >= 0) memcpy (pair, (const char *)world + sizeof (int) * (size_t)place, sizeof (pair));
    return (rls_ode_count){pair[0], pair[1]};
}

/* Which places hold the numbers, of those that did before. */
static void narrow (dWorldID world, int bodies, int joints, char holds[SEARCHED])
{
    for (int place = 0; place < SEARCHED; ++place)
    {
        const rls_ode_count found = rls_ode_count_objects (world, place);
        holds[place] &= found.bodies == bodies && found.joints == joints;
    }
}

int rls_ode_find_count (void)
{
    char holds[SEARCHED];
    int place = -1, places = 0;
    const dWorldID world = dWorldCreate ();
    if (!world) return -1;
    memset (holds, 1, sizeof (holds));
    narrow (world, 0, 0, holds);
    for (int i = 1; i <= BODIES; ++i)
    {
        dBodyCreate (world);
        narrow (world, i, 0, holds);
    }
    for (int i = 1; i <= JOINTS; ++i)
    {
        dJointCreateBall (world, NULL);
        narrow (world, BODIES, i, holds);
    }
    for (int i = 0; i < SEARCHED; ++i)
        if (holds[i]) place = i, ++places;
    dWorldDestroy (world);
    return places == 1 ? place : -1;
}
