/* Rows that the program gives: those of a joint that has none of its own; see dRLSStepperSetJointRows. */
#ifndef RLS_PROGRAM_ROWS_H
#define RLS_PROGRAM_ROWS_H

#include "stepper/workspace.h"

/* The rows given to a joint, or NULL. */
const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint);

/* How many joints of the island stand for parts of rows of others; -1 if those are not in it. */
int rls_count_parts (const rls_workspace *workspace);

/* Lists the parts of row joint i, which is joint j of the island. */
void rls_list_parts (rls_workspace *workspace, int j, int i);

/* Asks for the rows of row joint i at the bodies' present poses and the island's present time: those with the
 * numbers in which, as rows r0 .. r0 + count - 1 of rows, with their parts; nonholonomic (may be NULL): 1 for
 * those that hold a velocity alone.  Returns 0 if a number is not finite or the function fails. */
int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int i, int r0, const int *which, int count, unsigned char *nonholonomic);

/* What the function says of a joint where its bodies are now, or of one of its parts, checked; unused rows
 * are 0. And the same of a joint, its values and rates summed over its parts.  Both return as
 * rls_read_program_rows. */
int rls_ask_program (const rls_workspace *workspace, const rls_program_rows *program, dJointID joint,
                     dRLSProgramRow given[RLS_MAX_ROWS]);
int rls_ask_whole_program (const rls_workspace *workspace, const rls_program_rows *program,
                           dRLSProgramRow given[RLS_MAX_ROWS]);

/*
 * program_bounds.c: moves the rows with bounds of joint j, the i-th of those with rows, from begin.rows,
 * where it has count from r0 on, to begin.bounded, each as a joint by itself with ode_row from
 * RLS_PROGRAM_ROWS on.  Returns how many stay, -1 if the function fails.  And J and way of one of them where
 * its bodies are now, with its parts; 0 if it cannot be had.
 */
#define RLS_PROGRAM_ROWS (RLS_SPRING_ROWS + 8)
int rls_take_program_bounds (rls_workspace *workspace, int j, int i, int r0, int count);
int rls_look_at_program_bound (const rls_workspace *workspace, int i, rls_bounded *end);

#endif
