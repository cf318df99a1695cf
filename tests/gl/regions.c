/*
 * Colour statistics of a part of a PNG, as JSON; the tests of the viewer judge pictures by them and
 * never by hashes.
 *
 *     regions FILE X Y W H             {"pixels","red","blue","white","mean":[r,g,b]}
 *     regions FILE X Y W H OTHER       ... and "changed": pixels that differ from OTHER
 *     regions --text FILE KEY          the text that the PNG carries under a key
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
    png_image info;
    unsigned char *rgb;
} picture;

static int load (const char *path, picture *p)
{
    memset (p, 0, sizeof *p);
    p->info.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file (&p->info, path)) return 0;
    p->info.format = PNG_FORMAT_RGB;
    p->rgb = malloc (PNG_IMAGE_SIZE (p->info));
    return p->rgb && png_image_finish_read (&p->info, NULL, p->rgb, 0, NULL);
}

static int print_text (const char *path, const char *key)
{
    FILE *f = fopen (path, "rb");
    png_structp png = png_create_read_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct (png) : NULL;
    if (!f || !info || setjmp (png_jmpbuf (png))) return 2;
    png_init_io (png, f);
    png_read_info (png, info);
    png_textp text;
    int count = png_get_text (png, info, &text, NULL), found = 0;
    for (int i = 0; i < count; i++)
        if (strcmp (text[i].key, key) == 0)
        {
            puts (text[i].text);
            found = 1;
        }
    png_destroy_read_struct (&png, &info, NULL);
    fclose (f);
    return found ? 0 : 1;
}

int main (int argc, char **argv)
{
    if (argc == 4 && strcmp (argv[1], "--text") == 0) return print_text (argv[2], argv[3]);
    picture a, b;
    if (argc < 6 || !load (argv[1], &a) || (argc > 6 && !load (argv[6], &b)))
    {
        fprintf (stderr, "regions: bad arguments or not a PNG\n");
        return 2;
    }
    int width = (int)a.info.width, height = (int)a.info.height;
    int x0 = (int)atof (argv[2]), y0 = (int)atof (argv[3]), x1 = x0 + (int)atof (argv[4]),
        y1 = y0 + (int)atof (argv[5]);
    if (x0 < 0 || y0 < 0 || x1 > width || y1 > height || x0 >= x1 || y0 >= y1 ||
        (argc > 6 && ((int)b.info.width != width || (int)b.info.height != height)))
    {
        fprintf (stderr, "regions: the region is not inside %d x %d, or the pictures differ in size\n", width,
                 height);
        return 2;
    }
    long red = 0, blue = 0, white = 0, changed = 0, pixels = 0;
    double sum[3] = {0, 0, 0};
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
        {
            size_t at = 3 * ((size_t)y * (size_t)width + (size_t)x);
            const unsigned char *c = a.rgb + at;
            pixels++;
            red += c[0] - c[1] > 70 && c[0] - c[2] > 60;
            blue += c[2] - c[0] > 70 && c[2] - c[1] > 30;
            white += c[0] > 180 && c[1] > 180 && c[2] > 180;
            for (int k = 0; k < 3; k++) sum[k] += c[k];
            if (argc > 6)
                changed += abs (c[0] - b.rgb[at]) > 24 || abs (c[1] - b.rgb[at + 1]) > 24 ||
                           abs (c[2] - b.rgb[at + 2]) > 24;
        }
    printf (
        "{\"pixels\":%ld,\"red\":%ld,\"blue\":%ld,\"white\":%ld,\"changed\":%ld,\"mean\":[%.2f,%.2f,%.2f]}\n",
        pixels, red, blue, white, changed, sum[0] / (double)pixels, sum[1] / (double)pixels,
        sum[2] / (double)pixels);
    free (a.rgb);
    if (argc > 6) free (b.rgb);
    return 0;
}
