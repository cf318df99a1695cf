/*
 * check_png FILE MIN_WIDTH MIN_HEIGHT [RRGGBB MIN_PIXELS]...: succeeds if the file is a whole PNG of at least
 * this size, mostly light, and holds at least that many pixels of each colour (each channel within 24).
 *
 * check_png --box FILE RRGGBB X Y W H MAX_PIXELS: succeeds if at most that many pixels of a box have the
 * colour.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNEL_TOLERANCE 24

static long count_colour (const unsigned char *pixels, size_t total, unsigned long rgb)
{
    long count = 0;
    for (size_t i = 0; i < total; i++)
    {
        const unsigned char *p = pixels + 3 * i;
        int near = abs (p[0] - (int)(rgb >> 16 & 255)) < CHANNEL_TOLERANCE &&
                   abs (p[1] - (int)(rgb >> 8 & 255)) < CHANNEL_TOLERANCE &&
                   abs (p[2] - (int)(rgb & 255)) < CHANNEL_TOLERANCE;
        count += near;
    }
    return count;
}

static int check (const png_image *image, const unsigned char *pixels, int argc, char **argv)
{
    size_t total = (size_t)image->width * image->height;
    int good = image->width >= strtoul (argv[2], NULL, 10) && image->height >= strtoul (argv[3], NULL, 10);
    if (!good) fprintf (stderr, "the picture is %u x %u\n", image->width, image->height);
    long light = count_colour (pixels, total, 0xf8f8f8);
    if (light < (long)(total / 2))
    {
        fprintf (stderr, "only %ld of %zu pixels are light\n", light, total);
        good = 0;
    }
    for (int i = 4; i + 1 < argc; i += 2)
    {
        long found = count_colour (pixels, total, strtoul (argv[i], NULL, 16));
        if (found >= strtol (argv[i + 1], NULL, 10)) continue;
        fprintf (stderr, "%s: only %ld pixels\n", argv[i], found);
        good = 0;
    }
    return good;
}

static int check_box (char **argv)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file (&image, argv[2])) return 2;
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc (PNG_IMAGE_SIZE (image));
    const size_t x = strtoul (argv[4], NULL, 10), y = strtoul (argv[5], NULL, 10),
                 w = strtoul (argv[6], NULL, 10), h = strtoul (argv[7], NULL, 10);
    long found = 0;
    int good = pixels && x + w <= image.width && y + h <= image.height &&
               png_image_finish_read (&image, NULL, pixels, 0, NULL);
    for (size_t row = y; good && row < y + h; row++)
        found += count_colour (pixels + 3 * (row * image.width + x), w, strtoul (argv[3], NULL, 16));
    free (pixels);
    if (good && found > strtol (argv[8], NULL, 10)) fprintf (stderr, "%ld pixels of %s\n", found, argv[3]);
    return good && found <= strtol (argv[8], NULL, 10) ? 0 : 1;
}

int main (int argc, char **argv)
{
    if (argc == 9 && strcmp (argv[1], "--box") == 0) return check_box (argv);
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (argc < 4 || !png_image_begin_read_from_file (&image, argv[1]))
    {
        fprintf (stderr, "%s\n", argc < 4 ? "check_png FILE WIDTH HEIGHT [RRGGBB PIXELS]..." : image.message);
        return 2;
    }
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc (PNG_IMAGE_SIZE (image));
    int good =
        pixels && png_image_finish_read (&image, NULL, pixels, 0, NULL) && check (&image, pixels, argc, argv);
    if (image.warning_or_error) fprintf (stderr, "%s\n", image.message);
    png_image_free (&image);
    free (pixels);
    return good ? 0 : 1;
}
