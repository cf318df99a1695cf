/* What the files that build a model share; see model.c. */
#ifndef VIEWER_MODEL_PARTS_H
#define VIEWER_MODEL_PARTS_H

#include "model.h"

/* Reads anchors, axes and type of joint i from ODE. */
void model_read_joint (model *m, const scene *s, int i);

/* Appends the shapes of every body and of the static geometry.  Returns 0 without memory. */
int model_make_shapes (model *m, const scene *s);

/* Finds the box of uniform density that has the given mass and inertia. */
void model_inertia_box (model_body *b, const dMass *mass);

#endif
