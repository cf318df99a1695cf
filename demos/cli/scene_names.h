/* The names of the scenes that come with the program. */
#ifndef CLI_SCENE_NAMES_H
#define CLI_SCENE_NAMES_H

#include <stdio.h>

/* Prints them in lines that begin with the indentation. */
void scene_names_print (FILE *file, const char *indentation);

#endif
