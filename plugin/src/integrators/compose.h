/* Integrators of higher order, by symmetric composition of the symplectic step (section 7 of method.md). */
#ifndef RLS_COMPOSE_H
#define RLS_COMPOSE_H

#define RLS_MOST_STAGES 17

/*
 * Fills fraction with the lengths of sub-steps, as fractions of the whole step, that turn a symmetric method
 * of order 2 into one of order 2, 4, 6 or 8.  They add up to 1; some are negative.  Returns their number (1,
 * 7, 11, 17), or 0 for any other order.
 *
 *     4: Suzuki, Phys. Lett. A 146 (1990) 319: three equal stages, one back, three more; its error is a ninth
 * of that of his five stages 6: Sofroniou & Spaletta, Optim. Methods Softw. 20 (2005) 597, eleven stages; its
 * error is a fifteenth of that of Kahan & Li's nine 8: Kahan & Li, Math. Comp. 66 (1997) 1089, table 3
 * (s17odr8b)
 */
int rls_composition (int order, double fraction[RLS_MOST_STAGES]);

#endif
