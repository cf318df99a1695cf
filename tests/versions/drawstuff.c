/*
 * Takes the place of drawstuff, with which ODE's demos are shown: runs them without a display, and looks at
 * what they would draw.
 *
 *     DEMO_FRAMES   frames to run (600)
 *     DEMO_KEYS     keys to press, one every ten frames
 *
 * Prints what was drawn at the end: how many things, how far the farthest is (m), by how much the one that
 * moved most has moved in a frame of the last second (m), and how many were drawn at a place that is not a
 * number.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
    int version;
    void (*start) (void);
    void (*step) (int pause);
    void (*command) (int key);
    void (*stop) (void);
    const char *path_to_textures;
} functions;

#define MOST_THINGS 8192
#define FRAME (1.0 / 60)

static double now[MOST_THINGS][3], before[MOST_THINGS][3];
static int things, things_before, stopped, not_numbers;
static double farthest, fastest;

static void draw (double x, double y, double z)
{
    if (!isfinite (x + y + z)) ++not_numbers;
    if (things == MOST_THINGS) return;
    now[things][0] = x, now[things][1] = y, now[things][2] = z;
    ++things;
}

static void look (int is_late)
{
    farthest = 0;
    for (int i = 0; i < things; ++i)
    {
        farthest = fmax (farthest, hypot (hypot (now[i][0], now[i][1]), now[i][2]));
        if (is_late && i < things_before && things == things_before)
            fastest = fmax (fastest, hypot (hypot (now[i][0] - before[i][0], now[i][1] - before[i][1]),
                                            now[i][2] - before[i][2]));
    }
    memcpy (before, now, sizeof (now));
    things_before = things;
}

void dsSimulationLoop (int count, char **arguments, int width, int height, functions *demo)
{
    (void)count, (void)arguments, (void)width, (void)height;
    const char *frames = getenv ("DEMO_FRAMES"), *keys = getenv ("DEMO_KEYS");
    const int last = frames ? atoi (frames) : 600;
    if (demo->start) demo->start ();
    for (int frame = 0; frame < last && !stopped; ++frame)
    {
        if (keys && *keys && frame % 10 == 9 && demo->command) demo->command (*keys++);
        things = 0;
        if (demo->step) demo->step (0);
        look (frame > last - 60);
    }
    printf ("things %d farthest %.3g moving %.3g not_numbers %d\n", things, farthest, fastest, not_numbers);
    fflush (stdout);
    if (demo->stop) demo->stop ();
}

static void say (const char *format, va_list arguments)
{
    vfprintf (stderr, format, arguments);
    fputc ('\n', stderr);
}

#define SAY(name, end)                                                                                       \
    void name (const char *format, ...)                                                                      \
    {                                                                                                        \
        va_list arguments;                                                                                   \
        va_start (arguments, format);                                                                        \
        say (format, arguments);                                                                             \
        va_end (arguments);                                                                                  \
        end;                                                                                                 \
    }
SAY (dsError, exit (1))
SAY (dsDebug, abort ())

void dsPrint (const char *format, ...) { (void)format; }
void dsStop (void) { stopped = 1; }
double dsElapsedTime (void) { return FRAME; }
void dsSetViewpoint (const float xyz[3], const float hpr[3]) { (void)xyz, (void)hpr; }
void dsGetViewpoint (float xyz[3], float hpr[3])
{
    for (int k = 0; k < 3; ++k) xyz[k] = hpr[k] = 0;
}
void dsSetTexture (int number) { (void)number; }
void dsSetColor (float r, float g, float b) { (void)r, (void)g, (void)b; }
void dsSetColorAlpha (float r, float g, float b, float a) { (void)r, (void)g, (void)b, (void)a; }
void dsSetSphereQuality (int n) { (void)n; }
void dsSetCapsuleQuality (int n) { (void)n; }
void dsSetDrawMode (int mode) { (void)mode; }

/* All shapes: a place first, the rest is passed over. */
#define SHAPE(name)                                                                                          \
    void name (const float *place) { draw (place[0], place[1], place[2]); }                                  \
    void name##D (const double *place) { draw (place[0], place[1], place[2]); }
SHAPE (dsDrawBox)
SHAPE (dsDrawSphere)
SHAPE (dsDrawTriangle)
SHAPE (dsDrawTriangles)
SHAPE (dsDrawCylinder)
SHAPE (dsDrawCapsule)
SHAPE (dsDrawLine)
SHAPE (dsDrawConvex)
