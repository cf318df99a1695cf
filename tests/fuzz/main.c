/*
 * Drives a fuzz target without libFuzzer:
 *
 *     fuzz_NAME MUTANTS FOLDER ...
 *
 * runs every file of the folders and so many mutants of each, always the same ones.
 */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

#define LARGEST (1 << 16) /* bytes */

static uint64_t random_state;

static uint64_t next_random (void) /* splitmix64 */
{
    uint64_t x = random_state += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

static size_t below (size_t count) { return (size_t)(next_random () % count); }

/* One small change; returns the new size. */
static size_t mutate (uint8_t *data, size_t size)
{
    const size_t at = size ? below (size) : 0, length = size ? 1 + below (size - at) : 0;
    switch (size ? below (5) : 0)
    {
    case 0: /* a byte more */
        if (size == LARGEST) return size;
        memmove (data + at + 1, data + at, size - at);
        data[at] = (uint8_t)next_random ();
        return size + 1;
    case 1: /* a piece less */
        memmove (data + at, data + at + length, size - at - length);
        return size - length;
    case 2: /* a piece twice */
        if (size + length > LARGEST) return size;
        memmove (data + at + length, data + at, size - at);
        return size + length;
    case 3:
        data[at] ^= (uint8_t)(1u << below (8));
        return size;
    default:
        data[at] = (uint8_t)next_random ();
        return size;
    }
}

static int run_file (const char *folder, const char *name, long mutants)
{
    static uint8_t original[LARGEST], data[LARGEST];
    char path[4096];
    snprintf (path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen (path, "rb");
    if (!file) return 0;
    const size_t size = fread (original, 1, LARGEST, file);
    fclose (file);
    printf ("%s\n", name); /* the last name tells which one ended the program */
    fflush (stdout);
    LLVMFuzzerTestOneInput (original, size);
    random_state = size;
    for (long i = 0; i < mutants; ++i)
    {
        size_t now = size;
        memcpy (data, original, size);
        for (size_t changes = 1 + below (4); changes > 0; --changes) now = mutate (data, now);
        LLVMFuzzerTestOneInput (data, now);
    }
    return 1;
}

static int not_hidden (const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Returns how many files there were. */
static int run_folder (const char *folder, long mutants)
{
    struct dirent **list;
    const int files = scandir (folder, &list, not_hidden, alphasort);
    int run = 0;
    for (int i = 0; i < files; ++i)
    {
        run += run_file (folder, list[i]->d_name, mutants);
        free (list[i]);
    }
    if (files >= 0) free (list);
    if (run == 0) fprintf (stderr, "%s: no files\n", folder);
    return run;
}

int main (int count, char **arguments)
{
    if (count < 3)
    {
        fprintf (stderr, "usage: %s MUTANTS FOLDER ...\n", arguments[0]);
        return 2;
    }
    const long mutants = strtol (arguments[1], NULL, 10);
    int good = 1;
    for (int i = 2; i < count; ++i) good &= run_folder (arguments[i], mutants) > 0;
    return !good;
}
