/*
 * Linkages of plates and bars, one of them held, that no part of the library was made with: flexible
 * octahedra, folded sheets, trellises, tongs, loops of six hinges and a platform.  The count of their rows
 * says that they cannot move.
 */
#ifndef ORACLE_FOLDED_H
#define ORACLE_FOLDED_H

#include "oracle_spatial.h"

extern const spatial folded[];
extern const int folded_count;

scene folded_open (const spatial *which);

#endif
