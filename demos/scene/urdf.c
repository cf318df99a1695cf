/* URDF. */
#include "build.h"

const xmlNode *urdf_to_sdf (reader *r, const xmlNode *robot)
{
    fail_at (r, robot, "is URDF, which is not read");
    return NULL;
}
