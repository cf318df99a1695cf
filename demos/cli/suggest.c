/*
 * Finds the nearest of some words.  See suggest.h.
 */
#include "suggest.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 48 /* longer words are not compared */

/* The optimal string alignment distance: how many letters have to be added, left out, replaced or exchanged
   with their neighbour.  Three rows of the table of the usual algorithm are kept. */
static size_t distance (const char *a, size_t m, const char *b, size_t n)
{
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= n; j++) row[0][j] = j;
    for (size_t i = 1; i <= m; i++)
    {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++)
        {
            size_t least = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < least) least = before[j] + 1;
            if (now[j - 1] + 1 < least) least = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && earlier[j - 2] + 1 < least)
                least = earlier[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[m % 3][n];
}

/* A word is near if at most a third of the letters, plus one, are wrong. */
void suggest_start (suggestion *s, const char *word, size_t length)
{
    *s = (suggestion){.word = word, .length = length, .distance = length / 3 + 2};
}

void suggest_try (suggestion *s, const char *known)
{
    const size_t n = strlen (known);
    if (s->length > LONGEST || n > LONGEST) return;
    /* What has only been begun is nearer than what is misspelt. */
    const int begun = s->length > 3 && n > s->length && !strncmp (known, s->word, s->length);
    const size_t d = begun ? 1 : distance (s->word, s->length, known, n);
    if (d >= s->distance || d >= n) return;
    s->distance = d;
    snprintf (s->best, sizeof s->best, "%s", known);
}

const char *suggest_text (const suggestion *s, const char *otherwise, char text[192])
{
    if (!s->best[0]) return otherwise;
    snprintf (text, 192, "; did you mean '%s'?", s->best);
    return text;
}
