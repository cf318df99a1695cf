/*
 * Vertex data and instances of the renderer.  All solids of one mesh, and all lines, are drawn by one call.
 */
#include "renderer_parts.h"

#include <stdlib.h>
#include <string.h>

int renderer_make_meshes (renderer *r)
{
    mesh_set set;
    if (!mesh_build (&set, r->quality.detail)) return 0;
    memcpy (r->mesh, set.range, sizeof r->mesh);
    glBindVertexArray (r->solid_array);
    glBindBuffer (GL_ARRAY_BUFFER, r->mesh_vertices);
    glBufferData (GL_ARRAY_BUFFER, (GLsizeiptr)sizeof (mesh_vertex) * set.vertices, set.vertex,
                  GL_STATIC_DRAW);
    for (GLuint i = 0; i < 2; i++)
    {
        glEnableVertexAttribArray (i);
        glVertexAttribPointer (i, 3, GL_FLOAT, GL_FALSE, sizeof (mesh_vertex),
                               (void *)(i * 3 * sizeof (float)));
    }
    glBindBuffer (GL_ELEMENT_ARRAY_BUFFER, r->mesh_indices);
    glBufferData (GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof (unsigned short) * set.indices, set.index,
                  GL_STATIC_DRAW);
    mesh_free (&set);
    return 1;
}

void renderer_make_quads (renderer *r)
{
    static const float corners[] = {0, -1, 0, 1, 1, -1, 1, 1}, square[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glBindVertexArray (r->line_array);
    glBindBuffer (GL_ARRAY_BUFFER, r->line_corners);
    glBufferData (GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray (0);
    glVertexAttribPointer (0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray (r->ground_array);
    glBindBuffer (GL_ARRAY_BUFFER, r->ground_corners);
    glBufferData (GL_ARRAY_BUFFER, sizeof square, square, GL_STATIC_DRAW);
    glEnableVertexAttribArray (0);
    glVertexAttribPointer (0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

int renderer_upload_solids (renderer *r, const draw_list *list, int first[MESH_COUNT], int opaque[MESH_COUNT])
{
    int total = 0;
    for (int m = 0; m < MESH_COUNT; m++) total += list->solids[m];
    if (total > r->sorted_room)
    {
        draw_solid *larger = realloc (r->sorted, sizeof *larger * (size_t)total);
        if (!larger) return 0;
        r->sorted = larger;
        r->sorted_room = total;
    }
    int at = 0;
    for (int m = 0; m < MESH_COUNT; m++)
    {
        first[m] = at;
        for (int pass = 0; pass < 2; pass++)
        {
            for (int i = 0; i < list->solids[m]; i++)
                if ((list->solid[m][i].opacity < 1) == pass) r->sorted[at++] = list->solid[m][i];
            if (!pass) opaque[m] = at - first[m];
        }
    }
    glBindBuffer (GL_ARRAY_BUFFER, r->solid_buffer);
    glBufferData (GL_ARRAY_BUFFER, (GLsizeiptr)sizeof (draw_solid) * total, r->sorted, GL_STREAM_DRAW);
    return total;
}

/* Draws count instances of a mesh, beginning with number first.  Since OpenGL 3.3 has no base instance, the
   offsets of the attributes are set instead. */
static void draw_slice (renderer *r, int mesh, int first, int count)
{
    if (count <= 0) return;
    glBindVertexArray (r->solid_array);
    glBindBuffer (GL_ARRAY_BUFFER, r->solid_buffer);
    for (GLuint i = 0; i < 5; i++)
    {
        glEnableVertexAttribArray (2 + i);
        glVertexAttribPointer (2 + i, 4, GL_FLOAT, GL_FALSE, sizeof (draw_solid),
                               (void *)(sizeof (draw_solid) * (size_t)first + i * 4 * sizeof (float)));
        glVertexAttribDivisor (2 + i, 1);
    }
    glDrawElementsInstanced (GL_TRIANGLES, r->mesh[mesh].indices, GL_UNSIGNED_SHORT,
                             (void *)(sizeof (unsigned short) * (size_t)r->mesh[mesh].first_index), count);
    r->calls++;
}

void renderer_draw_solids (renderer *r, const draw_list *list, const int *first, const int *opaque,
                           int translucent)
{
    for (int m = 0; m < MESH_COUNT; m++)
        if (translucent)
            draw_slice (r, m, first[m] + opaque[m], list->solids[m] - opaque[m]);
        else
            draw_slice (r, m, first[m], opaque[m]);
}

void renderer_draw_lines (renderer *r, const draw_line *line, int count)
{
    if (!count) return;
    glUseProgram (r->program[PROGRAM_LINE]);
    glBindVertexArray (r->line_array);
    glBindBuffer (GL_ARRAY_BUFFER, r->line_buffer);
    glBufferData (GL_ARRAY_BUFFER, (GLsizeiptr)sizeof (draw_line) * count, line, GL_STREAM_DRAW);
    for (GLuint i = 0; i < 4; i++)
    {
        glEnableVertexAttribArray (1 + i);
        glVertexAttribPointer (1 + i, 4, GL_FLOAT, GL_FALSE, sizeof (draw_line),
                               (void *)(i * 4 * sizeof (float)));
        glVertexAttribDivisor (1 + i, 1);
    }
    glDrawArraysInstanced (GL_TRIANGLE_STRIP, 0, 4, count);
    r->calls++;
}
