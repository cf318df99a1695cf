/* Two links and the joint between them, for the tests of joints and of what acts along their axes. */
#ifndef JOINT_RIG_H
#define JOINT_RIG_H

#include "scene_rig.h"

/* clang-format off */

/* Two links with different, turned frames; the joint is off all centres of mass. */
#define LINKS \
    "<link name='a'><pose>0.3 -0.2 0.1 0.5 -0.3 0.9</pose><inertial><mass>2</mass></inertial></link>" \
    "<link name='b'><pose>1 2 3 0.4 1.1 -0.7</pose><inertial><pose>0.1 0.2 0.3 0 0 0</pose></inertial></link>"
#define JOINT(type, parent, child, content) \
    MODEL (LINKS "<joint name='j' type='" type "'><parent>" parent "</parent><child>" child "</child>" \
           "<pose relative_to='__model__'>0.5 0.5 0.5 0.1 0.2 0.3</pose>" content "</joint>")
#define ONE_AXIS(content) "<axis><xyz expressed_in='__model__'>1 2 2</xyz>" content "</axis>"
#define TWO_AXES(content) "<axis><xyz expressed_in='__model__'>0 0 1</xyz>" content "</axis>" \
                          "<axis2><xyz expressed_in='__model__'>0.6 0.8 0</xyz>" content "</axis2>"
/* clang-format on */

#endif
