/*
 * The Bombardier Iltis of the IAVSD road vehicle benchmark (Frik, Leister & Schwartz 1993): a chassis, and at
 * each corner an A-arm below, a wheel carrier with its wheel, and the half of a transverse leaf spring above.
 *
 *            leaf spring
 *     chassis ========== o          o  ball joints
 *        |  \           |           =  leaf, hinged to the chassis, bent by a force along the chassis' z
 *        |   \ damper   |  wheel    \  spring and damper with bump stops, from chassis to arm
 *        |    \         |           -  the tie rod, of constant length, holds the carrier's direction
 *     chassis ---+----- o
 *               A-arm
 *
 * 13 bodies and 20 joints (8 hinges, 8 balls, 4 rods): 68 rows, ten degrees of freedom.  The tyres push up in
 * proportion to their compression; there are no forces along the road, and the wheels do not spin.
 */
#ifndef ILTIS_VEHICLE_H
#define ILTIS_VEHICLE_H

#include <ode/ode.h>

#define ILTIS_CORNERS 4 /* front left, front right, rear left, rear right; left is -y, front +x */

typedef struct
{
    dBodyID arm, hub, leaf;
    dVector3 leaf_end;                   /* leaf's axes: where it meets the wheel carrier */
    dVector3 damper_chassis, damper_arm; /* each in its body's axes */
    dReal radius;                        /* m: of the tyre */
} iltis_corner;

typedef struct
{
    dWorldID world;
    dBodyID chassis;
    iltis_corner corner[ILTIS_CORNERS];
    dReal (*road) (dReal x); /* its height (m) */
} iltis_vehicle;

/* Builds the vehicle in its design position, with the chassis at x and a speed (m/s), on a road.  The
 * benchmark's leaves have no mass: leaf_mass (kg, positive) says how much of it they get. */
void iltis_create (iltis_vehicle *vehicle, dReal x, dReal speed, dReal leaf_mass, dReal (*road) (dReal x));
void iltis_destroy (iltis_vehicle *vehicle);

/* Adds the forces of springs, dampers and tyres: a dRLSForceFunction, to be called with the vehicle. */
void iltis_forces (void *vehicle, dWorldID world, dReal time);

/* Energy of motion, and of weight, springs and tyres (J). */
dReal iltis_kinetic (const iltis_vehicle *vehicle);
dReal iltis_potential (const iltis_vehicle *vehicle);

/* rad: the nose down */
dReal iltis_pitch (const iltis_vehicle *vehicle);

/* Level ground; and a smooth ramp of 1 m from x = 5 m to 15 m, followed by five steps of 0.2 m down, 2 m
 * apart, from 20 m on. */
dReal iltis_level_road (dReal x);
dReal iltis_ramp_and_stairs (dReal x);

/* The same with 0.4 m and steps of 8 cm: at 5 m/s the chassis feels 2.6 g and the wheels 20 g, for the leaves
 * meet their stops. */
dReal iltis_low_stairs (dReal x);

#endif
