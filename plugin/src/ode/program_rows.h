/* Rows that the program gives: those of a joint that has none of its own; see dRLSStepperSetJointRows. */
#ifndef RLS_PROGRAM_ROWS_H
#define RLS_PROGRAM_ROWS_H

#include "stepper/workspace.h"

/* The rows given to a joint, or NULL. */
const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint);

/* How many joints of the island stand for parts of rows of others; -1 if those are not in it, or there are
 * bounded rows besides. */
int rls_count_parts (const rls_workspace *workspace);

/* Lists the parts of row joint i, which is joint j of the island. */
void rls_list_parts (rls_workspace *workspace, int j, int i);

/* Asks for the rows of row joint i at the bodies' present poses and the island's present time, as rows r0 on
 * of rows, with their parts; nonholonomic (may be NULL): 1 for those that hold a velocity alone.  Returns 0
 * if a number is not finite or the function fails. */
int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int i, int r0, unsigned char *nonholonomic);

#endif
