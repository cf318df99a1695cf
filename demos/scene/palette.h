/*
 * The colours of the steppers, wherever they are drawn: dWorldStep amber, dWorldQuickStep violet, ode-rls
 * green; in a light tone for dark backgrounds and in a dark one for paper.  In the order of the steppers:
 * ODE, Quick, ode-rls.
 */
#ifndef SCENE_PALETTE_H
#define SCENE_PALETTE_H

typedef struct
{
    unsigned char red, green, blue;
} palette_rgb;

static const palette_rgb palette_stepper_dark[3] = {{255, 184, 77}, {186, 158, 255}, {76, 214, 170}};
static const palette_rgb palette_stepper_paper[3] = {{196, 112, 0}, {112, 78, 200}, {0, 138, 98}};

#endif
