/*
 * The settings that the user keeps for the next window: a file of lines NAME VALUE in the user's
 * configuration folder. Runs without a window do not read it.
 */
#ifndef VIEWER_SETTINGS_FILE_H
#define VIEWER_SETTINGS_FILE_H

#include "settings.h"

/* Writes the settings that differ from the defaults.  If none does, the file is removed.  Returns 1, or 0
 * with one line in error. */
int settings_keep (const settings *s, char *error, size_t size);

/* Sets what the file says; does nothing if there is no file.  Returns 1, or 0 with one line about the first
 * line of the file that cannot be understood; all others are used. */
int settings_recall (settings *s, char *error, size_t size);

/* The path of the file, in $XDG_CONFIG_HOME or ~/.config.  Returns 0 if neither is known. */
int settings_file (char *path, size_t size);

#endif
