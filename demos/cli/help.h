/*
 * The help texts of the program.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

/* Prints the help of a command, or of the whole program if command is NULL.  Returns 0 for an unknown
 * command. */
int help_print (FILE *file, const char *command);

#endif
