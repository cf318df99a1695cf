/*
 * The names of the scenes that come with the program.
 */
#ifndef CLI_SCENE_NAMES_H
#define CLI_SCENE_NAMES_H

#include <stdio.h>

/* Prints them in lines that begin with the indentation. */
void scene_names_print (FILE *file, const char *indentation);

/* Calls the function with the name of every scene that comes with the program. */
void scene_names_each (void (*take) (void *context, const char *name), void *context);

#endif
