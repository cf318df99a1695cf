/* Looks for ODE behind the shim; contract in own_ode.h. */
#define _GNU_SOURCE
#include "own_ode.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

static own_ode seen_by_all; /* in the order in which the loader searches for everybody */
static pthread_once_t search_once = PTHREAD_ONCE_INIT;

/* Fetches all functions by one handle.  Returns 1 if they are there and not the shim's own. */
static int fetch (void *handle, own_ode *ode)
{
    void *const found[] = {dlsym (handle, "dWorldStep"), dlsym (handle, "dWorldQuickStep"),
                           dlsym (handle, "dWorldCreate"), dlsym (handle, "dWorldDestroy"),
                           dlsym (handle, "dCloseODE")};
    Dl_info ours, theirs;
    if (!dladdr ((const void *)&seen_by_all, &ours)) return 0;
    for (size_t i = 0; i < sizeof (found) / sizeof (found[0]); ++i)
        if (!found[i] || !dladdr (found[i], &theirs) || theirs.dli_fbase == ours.dli_fbase) return 0;
    memcpy (ode, found, sizeof (found)); /* POSIX: function pointers are as large as others */
    return 1;
}

static void search (void) { fetch (RTLD_NEXT, &seen_by_all); }

/* The library or program that has the address, and what it needs. */
static int fetch_for (const void *caller, own_ode *ode)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1 (caller, &info, (void **)&map, RTLD_DL_LINKMAP)) return 0;
    void *handle = dlopen (map->l_name && *map->l_name ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
    const int found = handle && fetch (handle, ode);
    if (handle) dlclose (handle);
    return found;
}

int own_ode_find (const void *caller, own_ode *ode)
{
    pthread_once (&search_once, search);
    *ode = seen_by_all;
    if (ode->create || fetch (RTLD_NEXT, ode) || fetch_for (caller, ode)) return 1;
    preload_say ("a call of ODE reached the shim, but there is no ODE behind it; nothing is done");
    return 0;
}
