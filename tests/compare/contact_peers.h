/* The steppers that the contact figures and the contact table compare, and what they are called. */
#ifndef CONTACT_PEERS_H
#define CONTACT_PEERS_H

typedef enum
{
    with_ode,
    with_quick,
    with_quick_long,
    with_rls,
    steppers
} stepper_kind;

static const char *const names[steppers] = {"ode", "quick 20", "quick 100", "ode-rls"};

#endif
