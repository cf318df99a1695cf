/*
 * Letters as polylines on a grid: x from 0 to 4, y from 0 on the baseline to 6 at the top of capitals, 4 at
 * the top of small letters; a and b stand for y = -1 and -2.  A point is two characters, a stroke its points,
 * and a blank parts strokes.
 */
#include "stroke_font.h"

#include <string.h>

#define GRID_WIDTH 4
#define GRID_ADVANCE 5.4
#define GRID_HEIGHT 8.2 /* of an em */
#define POINT_MAX 16

static const char *const glyphs[128] = {
    [' '] = "",
    ['!'] = "2622 2020",
    ['"'] = "1614 3634",
    ['#'] = "1016 3036 0242 0444",
    ['$'] = "45351506041333424131110100 2620",
    ['%'] = "0046 0616150506 4130314041",
    ['&'] = "4014051626351301102042",
    ['\''] = "2624",
    ['('] = "36252130",
    [')'] = "16252110",
    ['*'] = "2125 0442 0244",
    ['+'] = "2125 0343",
    [','] = "2120 201a",
    ['-'] = "0343",
    ['.'] = "2020",
    ['/'] = "0046",
    ['0'] = "103041453616050110 1135",
    ['1'] = "052620 0040",
    ['2'] = "05163645440040",
    ['3'] = "05163645443313 334241301001",
    ['4'] = "30360242",
    ['5'] = "46060333424130 1001 3010",
    ['6'] = "36160501103041423303",
    ['7'] = "064610",
    ['8'] = "133344453616050413 1302011030414233",
    ['9'] = "10304145361605041343",
    [':'] = "2323 2020",
    [';'] = "2323 211a",
    ['<'] = "450341",
    ['='] = "0242 0444",
    ['>'] = "054301",
    ['?'] = "05163645442322 2020",
    ['@'] = "31111333310141453616050110 3040",
    ['A'] = "002640 1232",
    ['B'] = "0006364544331333424130 0313 0030",
    ['C'] = "45361605011030 3041",
    ['D'] = "00062644422000",
    ['E'] = "46060040 0333",
    ['F'] = "460600 0333",
    ['G'] = "4536160501103041 414323",
    ['H'] = "0006 4046 0343",
    ['I'] = "1636 2620 1030",
    ['J'] = "364641301001",
    ['K'] = "0006 460240 0202",
    ['L'] = "060040",
    ['M'] = "0006234640",
    ['N'] = "00064046",
    ['O'] = "163645413010010516",
    ['P'] = "00063645443303",
    ['Q'] = "163645413010010516 2240",
    ['R'] = "00063645443303 2340",
    ['S'] = "4536160504133342413010 1001",
    ['T'] = "0646 2620",
    ['U'] = "0601103041 4146",
    ['V'] = "062046",
    ['W'] = "0610243046",
    ['X'] = "0046 0640",
    ['Y'] = "062346 2320",
    ['Z'] = "06460040",
    ['['] = "36161030",
    ['\\'] = "0640",
    [']'] = "16363010",
    ['^'] = "042644",
    ['_'] = "0a4a",
    ['`'] = "1625",
    ['a'] = "14344340 421201103041",
    ['b'] = "0600 03143443413010 1001",
    ['c'] = "43341403011030 3041",
    ['d'] = "4640 433414030110 103041",
    ['e'] = "024243341403011030 3041",
    ['f'] = "36261510 0434",
    ['g'] = "4434140301103041 444a3b1b0a",
    ['h'] = "0600 03143443 4340",
    ['i'] = "2420 2626",
    ['j'] = "242a1b 2626",
    ['k'] = "0600 440240",
    ['l'] = "262130",
    ['m'] = "0004 03142320 23344340",
    ['n'] = "0004 0314344340",
    ['o'] = "143443413010010314",
    ['p'] = "040b 0314344341301001",
    ['q'] = "444b 4334140301103041",
    ['r'] = "0400 02142434",
    ['s'] = "443414031232413010 1000",
    ['t'] = "26213040 0434",
    ['u'] = "0401103041 4440",
    ['v'] = "042044",
    ['w'] = "0410233044",
    ['x'] = "0044 0440",
    ['y'] = "0420 441b0b",
    ['z'] = "04440040",
    ['{'] = "36251413 13221130",
    ['|'] = "262a",
    ['}'] = "16253433 33223110",
    ['~'] = "02133243",
};

static double ordinate (char symbol) { return symbol >= 'a' ? 'a' - symbol - 1 : symbol - '0'; }

/* The stand-ins of the few other characters that our pictures use. */
static const char *strokes_of (unsigned long code)
{
    if (code == 0x2212 || code == 0x2013 || code == 0x2026) code = '-'; /* minus, dash, ellipsis */
    if (code == 0x00D7) code = 'x';                                     /* times */
    if (code == 0x00B5 || code == 0x03BC) code = 'u';                   /* micro */
    return code < 128 ? glyphs[code] : NULL;
}

double stroke_glyph (canvas *c, unsigned long code, double x, double y, double size, int turned, colour ink)
{
    double unit = size / GRID_HEIGHT;
    const char *strokes = strokes_of (code);
    if (!strokes) strokes = "0006464000";
    while (c && *strokes)
    {
        size_t length = strcspn (strokes, " ");
        double points[2 * POINT_MAX];
        size_t count = 0;
        for (size_t i = 0; i + 1 < length && count < POINT_MAX; i += 2, count++)
        {
            double across = unit * (strokes[i] - '0' + 0.5), up = unit * ordinate (strokes[i + 1]);
            points[2 * count] = turned ? x - up : x + across;
            points[2 * count + 1] = turned ? y - across : y - up;
        }
        canvas_polyline (c, points, count, size / 11, 0, ink);
        strokes += length + (strokes[length] == ' ');
    }
    return unit * GRID_ADVANCE;
}
