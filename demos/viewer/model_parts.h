/* Shared by the files that build a model; see model.c. */
#ifndef VIEWER_MODEL_PARTS_H
#define VIEWER_MODEL_PARTS_H

#include "model.h"

/* Fills anchors, axes and look of joint i from ODE. */
void model_read_joint (model *m, const scene *s, int i);

/* Appends the shapes of every body and of the static geometry.  Returns 0 without memory. */
int model_make_shapes (model *m, const scene *s);

/* The homogeneous box that has a mass and its inertia. */
void model_inertia_box (model_body *b, const dMass *mass);

#endif
