/*
 * The settings that the user wants to find again: a file of lines NAME VALUE in the user's configuration
 * folder, written when asked for and read when a window opens.  Runs without a display do not look at it.
 */
#ifndef VIEWER_SETTINGS_FILE_H
#define VIEWER_SETTINGS_FILE_H

#include "settings.h"

/* Writes what differs from the defaults; nothing differs: removes the file.  Returns 1, or 0 with one line in
 * error. */
int settings_keep (const settings *s, char *error, size_t size);

/* Sets what the file says; no file is no failure.  Returns 1, or 0 with one line about the first line that
 * cannot be understood; the others count. */
int settings_recall (settings *s, char *error, size_t size);

/* Where the file is: in $XDG_CONFIG_HOME or ~/.config.  Returns 0 if neither is known. */
int settings_file (char *path, size_t size);

#endif
