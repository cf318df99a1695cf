/* Parameters of ODE's joints; contract in ode_seam.h. */
#include "ode_seam.h"

#define TYPE(Name, motors, axes, ways, own)                                                                  \
    [dJointType##Name] = {                                                                                   \
        dJointType##Name, &dJointGet##Name##Param, &dJointSet##Name##Param, motors, axes, ways, own}

static const rls_ode_parameters types[dJointTypeTransmission + 1] = {
    TYPE (Ball, 0, 0, 0, 1),      TYPE (Hinge, 1, 1, 0, 0),  TYPE (Slider, 1, 1, 1, 0),
    TYPE (Universal, 2, 2, 0, 0), TYPE (Hinge2, 2, 1, 0, 0), /* its second axis has a motor and no stops */
    TYPE (Fixed, 0, 0, 0, 1),     TYPE (AMotor, 3, 3, 0, 0), TYPE (LMotor, 3, 0, 0, 0),
    TYPE (PR, 2, 2, 1, 0),        TYPE (PU, 3, 3, 4, 0),     TYPE (Piston, 2, 2, 1, 0),
    TYPE (DBall, 0, 0, 0, 1),     TYPE (DHinge, 0, 0, 0, 1), TYPE (Transmission, 0, 0, 0, 1),
};

const rls_ode_parameters *rls_ode_parameters_of (dJointType type) { return &types[type]; }

void rls_ode_save (const rls_ode_parameters *t, dJointID joint, rls_ode_saved *saved)
{
    for (int axis = 0; axis < t->motors; ++axis)
        for (int i = 0; i < saved->count; ++i)
            saved->value[axis][i] = rls_ode_get (t, joint, axis, saved->which[i]);
}

void rls_ode_restore (const rls_ode_parameters *t, dJointID joint, const rls_ode_saved *saved)
{
    for (int axis = 0; axis < t->motors; ++axis)
        for (int i = 0; i < saved->count; ++i)
            rls_ode_set (t, joint, axis, saved->which[i], saved->value[axis][i]);
}
