/*
 * Finds ODE's functions among the loaded libraries, for the shared library and the shim, which are not linked
 * to ODE.  The contract is in ode_entries.h.
 */
#define _GNU_SOURCE
#define RLS_ODE_PLAIN_NAMES
#include "ode_entries.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

/* The load address of the library or program that contains the address, or NULL. */
static const void *base_of (const void *address)
{
    Dl_info info;
    return address && dladdr (address, &info) ? info.dli_fbase : NULL;
}

/* Opens the library or program that contains the address, which keeps it loaded.  Returns 1, or 0 if that
 * fails. */
static int open_library (const void *inside, rls_ode_source *source)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1 (inside, &info, (void **)&map, RTLD_DL_LINKMAP)) return 0;
    const char *name = map->l_name && *map->l_name ? map->l_name : NULL; /* the program itself has none */
    source->base = info.dli_fbase;
    snprintf (source->path, sizeof (source->path), "%s", name ? name : info.dli_fname);
    source->handle = dlopen (name, RTLD_LAZY | RTLD_NOLOAD);
    return source->handle != NULL;
}

/* An address in the ODE that calls reach, NULL if there is none.  For a public function whose address a
 * program takes, the linker may find a jump in the program instead; this does not happen to private
 * functions, which are tried first.  The last two names are those of an ODE that will be refused. */
static const void *find_inside (void)
{
    static const char *const names[] = {RLS_ODE_STEP_BODY, RLS_ODE_PUBLIC_STEP_BODY, RLS_ODE_OTHER_STEP_BODY,
                                        "dBodyCreate"};
    const void *inside = NULL;
    for (size_t i = 0; i < sizeof (names) / sizeof (names[0]) && !inside; ++i)
        inside = dlsym (RTLD_DEFAULT, names[i]);
    return inside;
}

/* True if calls of the program and of this library reach the same ODE. */
static int is_the_program_s (const rls_ode_source *source, char *reason, size_t size)
{
    Dl_info info;
    const ElfW (Sym) *symbol = NULL;
    const void *public_function = dlsym (RTLD_DEFAULT, "dBodyCreate");
    if (!public_function || !dladdr1 (public_function, &info, (void **)&symbol, RTLD_DL_SYMENT)) return 1;
    if (info.dli_fbase == source->base) return 1;
    if (symbol && symbol->st_shndx == SHN_UNDEF) return 1; /* the program's own jump to it */
    snprintf (reason, size, "there are two ODEs, %s and %s, and calls would reach both", info.dli_fname,
              source->path);
    return 0;
}

/* True if the ODE has this library's precision, which the name of a private function shows.  A patched ODE
 * may hide it; its precision is tested later. */
static int has_our_precision (const rls_ode_source *source, char *reason, size_t size)
{
    if (rls_ode_function (source, RLS_ODE_STEP_BODY)) return 1;
    if (rls_ode_function (source, RLS_ODE_PUBLIC_STEP_BODY)) return 1;
    if (rls_ode_function (source, RLS_ODE_OTHER_STEP_BODY))
        snprintf (reason, size, "%s computes in %s precision, this build of ode_rls in %s", source->path,
                  RLS_OTHER_PRECISION, RLS_PRECISION);
    else
        snprintf (reason, size, "%s is an ODE that hides its internal functions", source->path);
    return 0;
}

int rls_ode_locate (const void *inside, rls_ode_source *source, char *reason, size_t size)
{
    const int any = inside == NULL;
    if (any) inside = find_inside ();
    if (!inside || !open_library (inside, source))
    {
        snprintf (reason, size,
                  inside ? "the loader does not say where ODE is" : "no ODE is among the loaded libraries");
        return 0;
    }
    if (has_our_precision (source, reason, size) && (!any || is_the_program_s (source, reason, size)))
        return 1;
    rls_ode_release (source);
    return 0;
}

int rls_ode_lies_in (const rls_ode_source *source, const void *inside)
{
    return base_of (inside) == source->base;
}

/* dlsym searches the libraries on which this one depends as well; what is found there does not count. */
rls_ode_any_function *rls_ode_function (const rls_ode_source *source, const char *name)
{
    void *address = dlsym (source->handle, name);
    rls_ode_any_function *function = NULL;
    if (base_of (address) == source->base) memcpy (&function, &address, sizeof (function));
    return function;
}

void rls_ode_release (rls_ode_source *source)
{
    if (source->handle) dlclose (source->handle);
    source->handle = NULL;
}

/* ---- the table of public functions ---- */

rls_ode_calls rls_ode;

#define REQUIRED(name) {#name, offsetof (rls_ode_calls, name), 1},
#define OPTIONAL(name) {#name, offsetof (rls_ode_calls, name), 0},
static const struct
{
    const char *name;
    size_t offset;
    int required;
} calls[] = {RLS_ODE_REQUIRED (REQUIRED) RLS_ODE_OPTIONAL (OPTIONAL)};

const char *rls_ode_fetch_public (const rls_ode_source *source)
{
    for (size_t i = 0; i < sizeof (calls) / sizeof (calls[0]); ++i)
    {
        rls_ode_any_function *function = rls_ode_function (source, calls[i].name);
        if (!function && calls[i].required) return calls[i].name;
        memcpy ((char *)&rls_ode + calls[i].offset, &function, sizeof (function));
    }
    return NULL;
}
