/*
 * The tables of words, in the order in which help and messages list them.
 */
#include "choices.h"

#include <ode_rls/ode_rls.h>
#include <stdio.h>
#include <string.h>

const choice stepper_choices[] = {
    {"rls", stepper_rls}, {"ode", stepper_ode}, {"quick", stepper_quick}, {NULL, 0}};

const choice integrator_choices[] = {{"auto", dRLSIntegratorAuto},
                                     {"euler", dRLSIntegratorEuler},
                                     {"symplectic", dRLSIntegratorSymplectic},
                                     {"symplectic4", dRLSIntegratorSymplectic4},
                                     {"symplectic6", dRLSIntegratorSymplectic6},
                                     {"symplectic8", dRLSIntegratorSymplectic8},
                                     {"rk4", dRLSIntegratorRK4},
                                     {NULL, 0}};

#define VARIANT(correction, flag) dRLSCorrection##correction | dRLSCorrect##flag << CORRECTION_FLAGS

const choice correction_choices[] = {{"none", dRLSCorrectionNone},
                                     {"erp", dRLSCorrectionERP},
                                     {"embedded", dRLSCorrectionEmbedded},
                                     {"projection", dRLSCorrectionProjection},
                                     {"simultaneous", dRLSCorrectionSimultaneous},
                                     {"energy", dRLSCorrectionEnergy},
                                     {"augmented", dRLSCorrectionAugmented},
                                     {"conserving", dRLSCorrectionConserving},
                                     {"compliant", dRLSCorrectionCompliant},
                                     {"direct", VARIANT (Projection, Once)},
                                     {"embedded-stages", VARIANT (Embedded, EachStage)},
                                     {"embedded-through", VARIANT (Embedded, Through)},
                                     {"simultaneous-once", VARIANT (Simultaneous, Once)},
                                     {"energy-once", VARIANT (Energy, Once)},
                                     {"augmented-bare", VARIANT (Augmented, Unprojected)},
                                     {"conserving-bare", VARIANT (Conserving, Unprojected)},
                                     {NULL, 0}};

const method_parts methods[] = {
    {stepper_ode, dRLSIntegratorDefault, dRLSCorrectionDefault},
    {stepper_quick, dRLSIntegratorDefault, dRLSCorrectionDefault},
    {stepper_rls, dRLSIntegratorEuler, dRLSCorrectionCompliant},
    {stepper_rls, dRLSIntegratorEuler, dRLSCorrectionProjection},
    {stepper_rls, dRLSIntegratorRK4, dRLSCorrectionNone},
    {stepper_rls, dRLSIntegratorRK4, dRLSCorrectionERP},
    {stepper_rls, dRLSIntegratorRK4, dRLSCorrectionEmbedded},
    {stepper_rls, dRLSIntegratorRK4, VARIANT (Projection, Once)},
    {stepper_rls, dRLSIntegratorRK4, dRLSCorrectionProjection},
    {stepper_rls, dRLSIntegratorRK4, dRLSCorrectionSimultaneous},
    {stepper_rls, dRLSIntegratorRK4, dRLSCorrectionEnergy},
    {stepper_rls, dRLSIntegratorAuto, VARIANT (Augmented, Unprojected)},
    {stepper_rls, dRLSIntegratorAuto, dRLSCorrectionAugmented},
    {stepper_rls, dRLSIntegratorAuto, VARIANT (Conserving, Unprojected)},
    {stepper_rls, dRLSIntegratorAuto, dRLSCorrectionConserving},
    {stepper_rls, dRLSIntegratorSymplectic, dRLSCorrectionProjection},
    {stepper_rls, dRLSIntegratorSymplectic4, dRLSCorrectionProjection},
    {stepper_rls, dRLSIntegratorSymplectic6, dRLSCorrectionProjection},
};

const choice method_choices[] = {{"ode", 0},
                                 {"quick", 1},
                                 {"compliant", 2},
                                 {"euler", 3},
                                 {"none", 4},
                                 {"erp", 5},
                                 {"embedded", 6},
                                 {"direct", 7},
                                 {"projection", 8},
                                 {"simultaneous", 9},
                                 {"energy", 10},
                                 {"augmented-bare", 11},
                                 {"augmented", 12},
                                 {"conserving-bare", 13},
                                 {"conserving", 14},
                                 {"symplectic", 15},
                                 {"symplectic4", 16},
                                 {"symplectic6", 17},
                                 {NULL, 0}};

const choice order_choices[] = {{"natural", dRLSOrderNatural},
                                {"mindegree", dRLSOrderMinDegree},
                                {"priority", dRLSOrderPriority},
                                {"random", dRLSOrderRandom},
                                {NULL, 0}};

const char *choice_word (const choice *table, int value)
{
    for (; table->word; table++)
        if (table->value == value) return table->word;
    return "?";
}

const choice *choice_find (const choice *table, const char *word, size_t length)
{
    for (; table->word; table++)
        if (strlen (table->word) == length && strncmp (table->word, word, length) == 0) return table;
    return NULL;
}

void choice_list (const choice *table, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (const choice *entry = table; entry->word && used < size; entry++)
        used += (size_t)snprintf (text + used, size - used, "%s%s", entry == table ? "" : ", ", entry->word);
}
