/*
 * A second reading of scene files, by libsdformat: where links stand, what they weigh, what joints join and
 * about which axes.  All poses are in the world; names are scoped ("model::link").
 */
#ifndef SDF_ORACLE_H
#define SDF_ORACLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct
    {
        char name[256];
        int fixed;          /* its model is static */
        double position[3]; /* of the link's frame */
        double rotation[3][3];
        double mass;          /* kg */
        double centre[3];     /* of mass */
        double inertia[3][3]; /* about it, in world axes, kg m2 */
    } oracle_link;

    typedef struct
    {
        char name[256], type[32];
        char parent[256], child[256]; /* links, or "world" */
        double anchor[3];
        double axis[2][3];
        int axes;
    } oracle_joint;

    typedef struct
    {
        oracle_link *links;
        oracle_joint *joints;
        int link_count, joint_count;
    } oracle_scene;

    /* folders: where model:// is looked for, separated by colons, or NULL.  NULL, and one line, if the file
     * is refused. */
    oracle_scene *oracle_read (const char *path, const char *folders, char *error, size_t size);
    void oracle_free (oracle_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
