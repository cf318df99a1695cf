/*
 * The words of the command line for steppers, integrators, corrections and orders.
 */
#ifndef CLI_CHOICES_H
#define CLI_CHOICES_H

#include <stddef.h>

typedef enum
{
    stepper_rls = 0, /* dRLSStepperStep */
    stepper_ode,     /* dWorldStep */
    stepper_quick,   /* dWorldQuickStep */
    stepper_kinds
} stepper_kind;

typedef struct
{
    const char *word; /* NULL ends a table */
    int value;        /* a stepper_kind, or an enumerator of ode_rls.h */
} choice;

extern const choice stepper_choices[], integrator_choices[], correction_choices[], order_choices[];

/* The methods of --methods, published ones each with the integrator that it belongs to.  The values of
 * method_choices are indices of methods. */
typedef struct
{
    stepper_kind stepper;
    int integrator, correction;
} method_parts;

extern const choice method_choices[];
extern const method_parts methods[];

/* The value of a correction also has its flags (dRLSCorrect...), shifted by so many bits. */
#define CORRECTION_FLAGS 8

/* The word of a value; "?" for one that the table lacks. */
const char *choice_word (const choice *table, int value);

/* Finds a word of the given length; NULL if the table lacks it. */
const choice *choice_find (const choice *table, const char *word, size_t length);

/* "a, b, c" of all words, for messages. */
void choice_list (const choice *table, char *text, size_t size);

#endif
