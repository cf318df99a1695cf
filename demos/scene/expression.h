/*
 * Expressions of the time t, for driven axes: numbers, t, pi, e, + - * / ^, unary minus, parentheses and
 * sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs.  They are evaluated together with their
 * exact first and second derivatives.
 */
#ifndef SCENE_EXPRESSION_H
#define SCENE_EXPRESSION_H

#include <stddef.h>

typedef struct expression expression;

/* Returns NULL if the text is no expression; error then says what is wrong and where. */
expression *expression_parse (const char *text, char *error, size_t size);
void expression_free (expression *e);

/* The value at t and its derivatives with respect to t. */
double expression_evaluate (const expression *e, double t, double *first, double *second);

#endif
