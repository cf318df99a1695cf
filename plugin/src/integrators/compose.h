/* Higher orders by symmetric composition of the symplectic step. */
#ifndef RLS_COMPOSE_H
#define RLS_COMPOSE_H

#define RLS_MOST_STAGES 17

/*
 * The steps, as fractions of one whole step, that make a method of order 2, 4, 6 or 8 of a symmetric method
 * of order 2.  Returns their number (1, 7, 9, 17), or 0 for another order.  They add up to 1.
 *
 *     4: Suzuki, Phys. Lett. A 146 (1990) 319: three equal stages, one back, three more; a ninth of the error
 *        of his five stages
 *     6: Kahan & Li, Math. Comp. 66 (1997) 1089, table 2 (s9odr6a)
 *     8: the same, table 3 (s17odr8b)
 */
int rls_composition (int order, double fraction[RLS_MOST_STAGES]);

#endif
