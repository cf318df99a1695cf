/* Glyphs from a font through FreeType, or from the stroke alphabet. */
#include "lettering.h"
#include "stroke_font.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RAISED_SIZE 0.72
#define RAISED_BY 0.36

struct lettering
{
    FT_Library library;
    FT_Face face; /* NULL: the stroke alphabet */
};

/* Where the usual distributions install a sans-serif font. */
static const char *const font_files[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/local/share/fonts/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
};

lettering *lettering_open (const char *font)
{
    lettering *l = calloc (1, sizeof *l);
    if (!l) return NULL;
    if (FT_Init_FreeType (&l->library))
    {
        l->library = NULL;
        return l;
    }
    if (font)
    {
        if (FT_New_Face (l->library, font, 0, &l->face)) l->face = NULL;
        return l;
    }
    for (size_t i = 0; !l->face && i < sizeof font_files / sizeof font_files[0]; i++)
        if (FT_New_Face (l->library, font_files[i], 0, &l->face)) l->face = NULL;
    return l;
}

void lettering_close (lettering *l)
{
    if (!l) return;
    if (l->face) FT_Done_Face (l->face);
    if (l->library) FT_Done_FreeType (l->library);
    free (l);
}

int lettering_has_font (const lettering *l) { return l->face != NULL; }

/* The next code point of a UTF-8 text; a stray byte counts as itself. */
static unsigned long next_code (const char **text)
{
    const unsigned char *c = (const unsigned char *)*text;
    int more = *c >= 0xF0 ? 3 : *c >= 0xE0 ? 2 : *c >= 0xC0 ? 1 : 0;
    unsigned long code = more == 3 ? *c & 0x07 : more == 2 ? *c & 0x0F : more == 1 ? *c & 0x1F : *c;
    for (int i = 1; i <= more; i++)
    {
        if ((c[i] & 0xC0) != 0x80)
        {
            *text += 1;
            return c[0];
        }
        code = code << 6 | (c[i] & 0x3F);
    }
    *text += more + 1;
    return code;
}

static void blend_glyph (canvas *c, const FT_GlyphSlot glyph, double x, double y, colour ink)
{
    int left = (int)floor (x) + glyph->bitmap_left, top = (int)floor (y) - glyph->bitmap_top;
    for (unsigned row = 0; row < glyph->bitmap.rows; row++)
    {
        const unsigned char *line = glyph->bitmap.buffer + (int)row * glyph->bitmap.pitch;
        for (unsigned column = 0; column < glyph->bitmap.width; column++)
            if (line[column]) canvas_blend (c, left + (int)column, top + (int)row, line[column], ink);
    }
}

/* Draws one glyph (c NULL: measures only) with its origin at (x, y) and returns its advance. */
static double font_glyph (lettering *l, canvas *c, unsigned long code, double x, double y, double size,
                          int turned, colour ink)
{
    /* The fraction of a pixel goes into the outline, so that letters are evenly spaced. */
    FT_Vector shift = {(FT_Pos)((x - floor (x)) * 64), (FT_Pos)((ceil (y) - y) * 64)};
    FT_Matrix quarter = {0, -0x10000, 0x10000, 0};
    if (FT_Set_Char_Size (l->face, 0, (FT_F26Dot6)(size * 64), 72, 72)) return 0;
    if (c && !turned && shift.y) shift.y = 0; /* baselines stay on whole pixels */
    FT_Set_Transform (l->face, turned ? &quarter : NULL, c ? &shift : NULL);
    int flags = turned ? FT_LOAD_NO_HINTING : FT_LOAD_TARGET_LIGHT;
    if (FT_Load_Char (l->face, code, flags | (c ? FT_LOAD_RENDER : 0))) return 0;
    if (c) blend_glyph (c, l->face->glyph, x, turned ? ceil (y) : y + 0.5, ink);
    return (double)l->face->glyph->linearHoriAdvance / 65536;
}

static double draw_code (lettering *l, canvas *c, unsigned long code, double x, double y, double size,
                         int turned, colour ink)
{
    return l->face ? font_glyph (l, c, code, x, y, size, turned, ink)
                   : stroke_glyph (c, code, x, y, size, turned, ink);
}

/* Draws the text from (x, y) on, or only measures it if c is NULL; returns its advance. */
static double walk (lettering *l, canvas *c, const char *text, double x, double y, double size, int turned,
                    colour ink)
{
    double advance = 0;
    int raised = 0;
    while (*text)
    {
        if (!raised && text[0] == '^' && text[1] == '{')
        {
            raised = 1;
            text += 2;
            continue;
        }
        unsigned long code = next_code (&text);
        if (raised && code == '}')
        {
            raised = 0;
            continue;
        }
        double lift = raised ? RAISED_BY * size : 0;
        double px = turned ? x - lift : x + advance, py = turned ? y - advance : y - lift;
        advance += draw_code (l, c, code, px, py, raised ? RAISED_SIZE * size : size, turned, ink);
    }
    return advance;
}

double lettering_width (lettering *l, const char *text, double size)
{
    return walk (l, NULL, text, 0, 0, size, 0, (colour){0, 0, 0, 255});
}

void lettering_draw (lettering *l, canvas *c, double x, double y, double size, text_align align, int turned,
                     colour ink, const char *text)
{
    double back =
        align == align_left ? 0 : lettering_width (l, text, size) * (align == align_centre ? 0.5 : 1);
    walk (l, c, text, turned ? x : x - back, turned ? y + back : y, size, turned, ink);
}
