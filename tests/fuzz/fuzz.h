/*
 * What the fuzz targets share.  A target turns any bytes into a problem, solves it and checks the answer; it
 * ends the program by abort () when something is wrong.  With clang and -DODE_RLS_FUZZ=ON libFuzzer drives
 * it, otherwise main.c with the corpus and mutants of it.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* The input as a source of choices; when it is used up all choices are 0. */
typedef struct
{
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

static inline unsigned fuzz_byte (fuzz_bytes *b)
{
    if (b->left == 0) return 0;
    --b->left;
    return *b->at++;
}

static inline int fuzz_index (fuzz_bytes *b, int count) { return (int)(fuzz_byte (b) % (unsigned)count); }

/* One of 65536 numbers from low to high. */
static inline double fuzz_number (fuzz_bytes *b, double low, double high)
{
    const unsigned value = fuzz_byte (b) << 8 | fuzz_byte (b);
    return low + (high - low) * value / 65535;
}

#define FUZZ_CHECK(condition)                                                                                \
    do                                                                                                       \
        if (!(condition))                                                                                    \
        {                                                                                                    \
            fprintf (stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            abort ();                                                                                        \
        }                                                                                                    \
    while (0)

#endif
