/*
 * Colour tables of violations.  The diverging map is white at the tolerance, wherever that lies on the scale.
 * The sequential maps leave out their darkest part, which could not be seen on the dark background.
 */
#include "heatmap.h"

#include <math.h>
#include <stddef.h>

const char *const heatmap_names[] = {"blue - white - red", "viridis", "cividis", "inferno", NULL};

#define ANCHORS 11

typedef struct
{
    int anchors;
    unsigned rgb[ANCHORS];
    double clip;
} color_map;

/* Evenly spaced colours of each map, interpolated between. */
static const color_map maps[HEATMAP_COUNT] = {
    {7, {0x1f5cf2, 0x3d84ff, 0x92beff, 0xf4f5f8, 0xffa58c, 0xff5a48, 0xe2202e}, 0},
    {11,
     {0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151, 0xbddf26,
      0xfde725},
     0.15},
    {10,
     {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838},
     0.15},
    {11,
     {0x000004, 0x160b39, 0x420a68, 0x6a176e, 0x932667, 0xbc3754, 0xdd513a, 0xf37819, 0xfca50a, 0xf6d746,
      0xfcffa4},
     0.15},
};

static void map_color (const color_map *map, double t, unsigned char rgb[3])
{
    double x = t * (map->anchors - 1);
    int i = (int)x;
    if (i > map->anchors - 2) i = map->anchors - 2;
    x -= i;
    for (int k = 0; k < 3; k++)
    {
        int shift = 16 - 8 * k, a = (int)(map->rgb[i] >> shift) & 255,
            b = (int)(map->rgb[i + 1] >> shift) & 255;
        rgb[k] = (unsigned char)lround (a + x * (b - a));
    }
}

void heatmap_fill (const heatmap_scale *scale, unsigned char table[HEATMAP_SIZE * 3])
{
    const color_map *map = &maps[scale->map];
    double range = scale->log_high - scale->log_low;
    double middle = (scale->log_tolerance - scale->log_low) / range;
    middle = fmin (fmax (middle, 0.02), 0.98);
    for (int i = 0; i < HEATMAP_SIZE; i++)
    {
        double t = (double)i / (HEATMAP_SIZE - 1);
        if (scale->map == HEATMAP_BLUE_RED)
            t = t < middle ? 0.5 * t / middle : 0.5 + 0.5 * (t - middle) / (1 - middle);
        else
            t = map->clip + (1 - map->clip) * t;
        map_color (map, t, table + 3 * i);
    }
}

double heatmap_log (double violation)
{
    if (isnan (violation)) return 99;
    return violation > 1e-99 ? fmin (log10 (violation), 99) : -99;
}

double heatmap_place (const heatmap_scale *scale, double violation)
{
    double t = (heatmap_log (violation) - scale->log_low) / (scale->log_high - scale->log_low);
    return fmin (fmax (t, 0), 1);
}

void heatmap_color (const unsigned char table[HEATMAP_SIZE * 3], const heatmap_scale *scale, double violation,
                    unsigned char rgb[3])
{
    int i = (int)lround (heatmap_place (scale, violation) * (HEATMAP_SIZE - 1));
    for (int k = 0; k < 3; k++) rgb[k] = table[3 * i + k];
}
