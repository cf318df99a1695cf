/*
 * Growing arrays of solids and lines.  See draw.h.
 */
#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void draw_clear (draw_list *list)
{
    for (int i = 0; i < MESH_COUNT; i++) list->solids[i] = 0;
    list->lines = list->overlays = 0;
}

void draw_free (draw_list *list)
{
    for (int i = 0; i < MESH_COUNT; i++) free (list->solid[i]);
    free (list->line);
    free (list->overlay);
    memset (list, 0, sizeof *list);
}

/* Appends a zeroed element to an array that grows.  Returns its address, or NULL without memory. */
static void *grow (void **array, int *count, int *room, size_t size)
{
    if (*count == *room)
    {
        int wanted = *room ? 2 * *room : 64;
        void *larger = realloc (*array, (size_t)wanted * size);
        if (!larger) return NULL;
        *array = larger;
        *room = wanted;
    }
    void *element = (char *)*array + (size_t)(*count)++ * size;
    memset (element, 0, size);
    return element;
}

draw_solid *draw_add_solid (draw_list *list, mesh_kind mesh)
{
    static draw_solid dummy;
    void *array = list->solid[mesh];
    draw_solid *s = grow (&array, &list->solids[mesh], &list->solid_room[mesh], sizeof *s);
    list->solid[mesh] = array;
    if (!s) return &dummy;
    s->rotation[3] = 1;
    s->opacity = 1;
    s->heat[0] = s->heat[1] = -99;
    return s;
}

draw_line *draw_add_line (draw_list *list, int overlay)
{
    static draw_line dummy;
    void *array = overlay ? list->overlay : list->line;
    draw_line *l = grow (&array, overlay ? &list->overlays : &list->lines,
                         overlay ? &list->overlay_room : &list->line_room, sizeof *l);
    if (overlay)
        list->overlay = array;
    else
        list->line = array;
    return l ? l : &dummy;
}

void draw_pose (draw_solid *solid, const double position[3], const double quaternion[4])
{
    for (int i = 0; i < 3; i++)
    {
        solid->position[i] = (float)position[i];
        solid->rotation[i] = (float)quaternion[i + 1];
    }
    solid->rotation[3] = (float)quaternion[0];
}

#define BLOCK_PIXELS 2.5 /* half the width below which rounded edges cannot be seen */

void draw_simplify (draw_list *list, const double eye[3], double pixel)
{
    for (int mesh = MESH_BOX; mesh <= MESH_CYLINDER; mesh++)
    {
        int kept = 0;
        for (int i = 0; i < list->solids[mesh]; i++)
        {
            const draw_solid s = list->solid[mesh][i];
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += ((double)s.position[k] - eye[k]) * ((double)s.position[k] - eye[k]);
            const double size = pixel * sqrt (square), thick = fmax ((double)s.half[0], (double)s.half[1]);
            if (thick > BLOCK_PIXELS * size)
                list->solid[mesh][kept++] = s;
            else if (fmax (thick, (double)s.half[2]) > 0.25 * size)
            {
                draw_solid *block = draw_add_solid (list, MESH_BLOCK);
                *block = s;
                block->radius = 0;
            }
        }
        list->solids[mesh] = kept;
    }
}
