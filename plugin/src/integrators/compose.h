/* Higher orders by symmetric composition of the symplectic step. */
#ifndef RLS_COMPOSE_H
#define RLS_COMPOSE_H

#define RLS_MOST_STAGES 17

/*
 * The steps, as fractions of one whole step, that make a method of order 2, 4, 6 or 8 of a symmetric method
 * of order 2.  Returns their number (1, 7, 11, 17), or 0 for another order.  They add up to 1.
 *
 *     4: Suzuki, Phys. Lett. A 146 (1990) 319: three equal stages, one back, three more; a ninth of the error
 *        of his five stages
 *     6: Sofroniou & Spaletta, Optim. Methods Softw. 20 (2005) 597, eleven steps; a fifteenth of the error of
 *        Kahan & Li's nine
 *     8: Kahan & Li, Math. Comp. 66 (1997) 1089, table 3 (s17odr8b)
 */
int rls_composition (int order, double fraction[RLS_MOST_STAGES]);

#endif
