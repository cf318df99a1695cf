/*
 * The meshes, of which every solid is an instance.  A vertex consists of a corner and a normal; the vertex
 * shader places it at corner x (half - radius) + normal x radius.
 */
#ifndef VIEWER_MESH_H
#define VIEWER_MESH_H

typedef enum
{
    MESH_BOX,      /* box with rounded edges; capsules and spheres are its limits */
    MESH_CYLINDER, /* cylinder along z with rounded rims */
    MESH_CONE,     /* cone, base at -z */
    MESH_BLOCK,    /* box with sharp edges, for solids of a few pixels; its rounding radius is 0 */
    MESH_COUNT
} mesh_kind;

typedef struct
{
    float corner[3], normal[3];
} mesh_vertex;

typedef struct
{
    int first_index, indices;
} mesh_range;

typedef struct
{
    mesh_vertex *vertex;
    unsigned short *index;
    int vertices, indices;
    mesh_range range[MESH_COUNT];
} mesh_set;

/* Builds the meshes with about detail segments in a rounded edge (1 ... 6).  Returns 1, or 0 without
 * memory. */
int mesh_build (mesh_set *set, int detail);
void mesh_free (mesh_set *set);

#endif
