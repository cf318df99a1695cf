/* Rows that the program gives: those of a joint that has none of its own; see dRLSStepperSetJointRows. */
#ifndef RLS_PROGRAM_ROWS_H
#define RLS_PROGRAM_ROWS_H

#include "stepper/workspace.h"

/* The rows given to a joint, or NULL. */
const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint);

/* Asks for them at the bodies' present poses and the island's present time, as rows r0 on of rows.  Returns 0
 * if a number is not finite or the function fails. */
int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int r0);

#endif
