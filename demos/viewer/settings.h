/*
 * Everything that can be set while the viewer runs, with a table of names by which the command line (--set
 * NAME=VALUE), scripts, the kept settings and the state dump refer to each setting.
 */
#ifndef VIEWER_SETTINGS_H
#define VIEWER_SETTINGS_H

#include "heatmap.h"
#include "stage.h"

#include <stddef.h>

typedef enum
{
    LAYOUT_SPLIT,
    LAYOUT_A,
    LAYOUT_B,
    LAYOUT_GHOST,
    LAYOUT_COUNT
} view_layout;
typedef enum
{
    QUALITY_AUTO,
    QUALITY_LOW,
    QUALITY_HIGH,
    QUALITY_COUNT
} view_quality;
typedef enum
{
    DETAIL_PROBE,
    DETAIL_TIME,
    DETAIL_RESIDUAL,
    DETAIL_COUNT
} detail_plot;

typedef enum
{
    HEAT_OFF,
    HEAT_FITTED,
    HEAT_FIXED,
    HEAT_COUNT
} heat_mode;
typedef enum
{
    CONTACTS_OFF,
    CONTACTS_DEPTH,
    CONTACTS_SLIP,
    CONTACTS_FORCE,
    CONTACTS_COUNT
} contact_mode;

typedef struct
{
    stage_choice choice;
    heatmap_scale heat;
    double speed, exaggerate, plot_seconds, scale;
    int paused, race, layout, quality, detail, heat_mode, contacts;
    int labels, axes, reactions, marks, trails, transparent, wireframe, shadows, floor, free_motion, frames;
    int inertia, boxes, islands;
    int window[2]; /* size of the window when the settings were kept, pixels; 0 for the default */
    int unfolded;  /* open sections of the panel on the left, a bit for each panel_section */
    int panel, plots, help, story, follow;
} settings;

typedef enum
{
    SETTING_SWITCH,
    SETTING_WHOLE,
    SETTING_REAL,
    SETTING_CHOICE
} setting_kind;

typedef struct
{
    const char *name;
    setting_kind kind;
    size_t offset; /* of an int, or of a double for SETTING_REAL */
    double low, high;
    const char *const *choices;
    const char *help;
} setting;

extern const char *const layout_names[],
    *const quality_names[], *const detail_names[], *const heat_mode_names[], *const contact_mode_names[];

/* Sections of the panel on the left. */
typedef enum
{
    SECTION_SCENES,
    SECTION_JOINTS,
    SECTION_ROWS,
    SECTION_PARAMETERS,
    SECTION_MOTORS,
    SECTION_STATES,
    SECTION_PROFILE,
    SECTION_APPEARANCE,
    SECTION_COUNT
} panel_section;
#define SETTINGS_UNFOLDED ((1 << SECTION_MOTORS) - 1) /* the first four */

void settings_default (settings *s);

/* The table of settings; a NULL name ends it. */
const setting *settings_table (void);

/* Sets a setting, given by its name, to a value, given as text.  Returns 1, or 0 with one line in error. */
int settings_set (settings *s, const char *name, const char *value, char *error, size_t size);

/* Writes the value of a setting as text, such that settings_set reads the same value. */
void settings_get (const settings *s, const setting *entry, char *out, size_t size);

#endif
