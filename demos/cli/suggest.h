/*
 * "Did you mean": finds the known word that is nearest to an unknown one.
 */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

typedef struct
{
    const char *word; /* its first length characters are the unknown word */
    size_t length;
    char best[128]; /* empty: none is near */
    size_t distance;
} suggestion;

/* Begins with an unknown word; suggest_try is then called with each known one. */
void suggest_start (suggestion *s, const char *word, size_t length);
void suggest_try (suggestion *s, const char *known);

/* "; did you mean 'x'?", or the text otherwise where none is near. */
const char *suggest_text (const suggestion *s, const char *otherwise, char text[192]);

#endif
