/*
 * Another engine on one of our problems: what it is told, and what it has to answer.
 *
 * engine_main.c reads the scene, hands the mechanism over as plain numbers, steps the engine, and puts its
 * poses and velocities back into the scene's bodies, so that errors, energy and violations are measured by
 * the same code as for our own steppers.  An engine is one file that implements the functions below.
 */
#ifndef ENGINE_H
#define ENGINE_H

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct
    {
        double mass, inertia[3][3]; /* about the centre of mass, body axes */
        double x[3], q[4];          /* centre of mass; w, x, y, z: body axes to world */
        double v[3], w[3];          /* world axes */
        /* spanning tree from the world: the joint that leads to the body, and the body that it comes from */
        int joint, parent; /* parent -1: the world */
    } engine_body;

    typedef enum
    {
        engine_hinge,
        engine_ball
    } engine_joint_type;

    typedef struct
    {
        engine_joint_type type;
        int body1, body2;          /* -1: the world */
        double anchor[3], axis[3]; /* world axes at the start; axis of unit length, of hinges only */
        int cut;                   /* 1: not in the spanning tree */
    } engine_joint;

    typedef struct
    {
        int body_count, joint_count;
        engine_body *bodies;
        engine_joint *joints;
        int *order; /* bodies, parents before children */
        double gravity[3];
        double h; /* step (s) */
    } engine_problem;

    typedef struct
    {
        const char *name; /* in tables, with the settings that an expert would choose */
        int (*open) (const engine_problem *problem); /* 1, or 0 if the engine cannot represent it */
        int (*step) (void);                          /* one step of h; 0 if the engine gives up */
        /* pose and velocity of a body, as in engine_body */
        void (*state) (int body, double x[3], double q[4], double v[3], double w[3]);
        void (*close) (void);
    } engine_setting;

    /* Implemented by each engine; ends with a name of NULL. */
    extern const engine_setting engine_settings[];

#ifdef __cplusplus
}
#endif

#endif
