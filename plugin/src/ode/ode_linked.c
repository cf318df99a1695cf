/*
 * The functions of ODE that the linker found: the way of static libraries.  Contract in ode_entries.h.
 *
 * Private functions are weak references: those that this ODE does not have are NULL.
 */
#define _GNU_SOURCE
#define RLS_ODE_PLAIN_NAMES
#include "ode_entries.h"
#include <stdio.h>

/* ---- public functions ---- */

/* An older ODE does not have all of them. */
#define OPTIONAL(name) extern __typeof__ (name) name __attribute__ ((weak));
RLS_ODE_OPTIONAL (OPTIONAL)

#define ENTRY(name) .name = name,
rls_ode_calls rls_ode = {RLS_ODE_REQUIRED (ENTRY) RLS_ODE_OPTIONAL (ENTRY)};

const char *rls_ode_fetch_public (const rls_ode_source *source)
{
    (void)source;
    return NULL; /* what the headers declare, the linker has found */
}

/* ---- private functions ---- */

typedef struct
{
    const char *name;
    rls_ode_any_function *function;
} linked_function;

#ifdef RLS_ODE_INSIDE /* ode_inside.cpp has them from ODE's headers */
static const linked_function linked[] = {{"", NULL}};
#else

#define TEXT_OF(token) #token
#define TEXT(token) TEXT_OF (token)
#define LINKER_NAME(name) __asm__(TEXT (__USER_LABEL_PREFIX__) name) __attribute__ ((weak))

#define DECLARE(name, linker_name) void rls_linked_##name (void) LINKER_NAME (linker_name);
RLS_ODE_WORLD_NAMES (DECLARE)

#define JOINT_NAMES(X, name, class_name)                                                                     \
    X (name##_info1, RLS_ODE_INFO1 (class_name))                                                             \
    X (name##_pairs, RLS_ODE_INFO2_PAIRS (class_name))                                                       \
    X (name##_pointers, RLS_ODE_INFO2_POINTERS (class_name))                                                 \
    X (name##_size, RLS_ODE_SIZE (class_name))
#define DECLARE_JOINT(type, name, class_name, rows) JOINT_NAMES (DECLARE, name, class_name)
RLS_ODE_JOINT_TYPES (DECLARE_JOINT)

#define LINKED(name, linker_name) {linker_name, rls_linked_##name},
#define LINKED_JOINT(type, name, class_name, rows) JOINT_NAMES (LINKED, name, class_name)
static const linked_function linked[] = {RLS_ODE_WORLD_NAMES (LINKED) RLS_ODE_JOINT_TYPES (LINKED_JOINT)};
#endif

rls_ode_any_function *rls_ode_function (const rls_ode_source *source, const char *name)
{
    (void)source;
    for (size_t i = 0; i < sizeof (linked) / sizeof (linked[0]); ++i)
        if (strcmp (linked[i].name, name) == 0) return linked[i].function;
    return NULL;
}

/* ---- one ODE ---- */

#if defined(__linux__)
#include <dlfcn.h>
#include <link.h>

/* 1 if the function lies where the first one did that was looked at, or is the program's own jump to a
 * library's function whose address it takes. */
static int lies_at_home (rls_ode_any_function *function, rls_ode_source *first, char *reason, size_t size)
{
    Dl_info info = {0};
    const ElfW (Sym) *symbol = NULL;
    const void *address;
    memcpy (&address, &function, sizeof (address));
    if (!function || !dladdr1 (address, &info, (void **)&symbol, RTLD_DL_SYMENT)) return 1;
    if (symbol && symbol->st_shndx == SHN_UNDEF) return 1;
    if (!first->base)
    {
        first->base = info.dli_fbase;
        snprintf (first->path, sizeof (first->path), "%s", info.dli_fname);
    }
    if (first->base == info.dli_fbase) return 1;
    snprintf (reason, size, "functions of ODE come from two libraries, %s and %s", first->path,
              info.dli_fname);
    return 0;
}
#else /* elsewhere the linker binds each function to the library in which it found it */
#define lies_at_home(function, first, reason, size) ((void)(function), (void)(reason), (void)(size), 1)
#endif

int rls_ode_locate (const void *inside, rls_ode_source *source, char *reason, size_t size)
{
    rls_ode_any_function *const *public_functions = (const void *)&rls_ode;
    int home = 1;
    (void)inside;
    *source = (rls_ode_source){.path = "the ODE that was linked"};
    for (size_t i = 0; i < sizeof (rls_ode) / sizeof (*public_functions) && home; ++i)
        home = lies_at_home (public_functions[i], source, reason, size);
    for (size_t i = 0; i < sizeof (linked) / sizeof (linked[0]) && home; ++i)
        home = lies_at_home (linked[i].function, source, reason, size);
    return home;
}

int rls_ode_lies_in (const rls_ode_source *source, const void *inside)
{
    (void)source, (void)inside;
    return 1;
}

void rls_ode_release (rls_ode_source *source) { (void)source; }
