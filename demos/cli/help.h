/* The program's help texts. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

/* Of a command by name, or of the whole program for NULL.  Returns 0 for an unknown command. */
int help_print (FILE *file, const char *command);

#endif
