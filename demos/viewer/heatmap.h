/*
 * Colours of violations: a logarithmic scale that leads to a table of 256 colours.
 */
#ifndef VIEWER_HEATMAP_H
#define VIEWER_HEATMAP_H

typedef enum
{
    HEATMAP_BLUE_RED,
    HEATMAP_VIRIDIS,
    HEATMAP_CIVIDIS,
    HEATMAP_INFERNO,
    HEATMAP_COUNT
} heatmap_kind;

/* "blue - white - red" and so on; NULL ends the list. */
extern const char *const heatmap_names[];

#define HEATMAP_SIZE 256

typedef struct
{
    heatmap_kind map;
    double log_low, log_high; /* log10 of the violation at the ends of the table */
    double log_tolerance;     /* where the diverging map is white */
} heatmap_scale;

/* Fills the table, three bytes a colour, lowest violation first. */
void heatmap_fill (const heatmap_scale *scale, unsigned char table[HEATMAP_SIZE * 3]);

/* Where a violation is on the scale, from 0 to 1; zero is at 0, NaN at 1. */
double heatmap_place (const heatmap_scale *scale, double violation);

/* The colour of a violation, from a table of heatmap_fill. */
void heatmap_color (const unsigned char table[HEATMAP_SIZE * 3], const heatmap_scale *scale, double violation,
                    unsigned char rgb[3]);

/* log10 of a violation; for zero a finite value below every scale, for NaN one above. */
double heatmap_log (double violation);

#endif
