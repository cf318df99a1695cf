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

    typedef enum
    {
        engine_box,     /* size: the three edges */
        engine_sphere,  /* size[0]: radius */
        engine_capsule, /* size[0]: radius, size[1]: length of the cylindric part along z */
        engine_plane    /* through x, normal z of q */
    } engine_shape_type;

    typedef struct
    {
        engine_shape_type type;
        int body;          /* -1: the world */
        double size[3];    /* m */
        double x[3], q[4]; /* in the body's axes from its centre of mass, or in the world */
    } engine_shape;

    typedef struct
    {
        int body_count, joint_count, shape_count;
        engine_body *bodies;
        engine_joint *joints;
        engine_shape *shapes; /* what collides; for engines that say so */
        double friction;
        int *order;  /* bodies, parents before children */
        int is_tree; /* 0: bodies hang in the air, and order and parents say nothing */
        void *scene; /* the scene itself, for steppers of ODE's worlds */
        double gravity[3];
        double h; /* step (s) */
    } engine_problem;

    /* A number that the user of the engine chooses.  The search of engines.py tries values from least to
     * most, on a logarithmic scale; what the engine takes by default may lie outside. */
    typedef struct
    {
        const char *name;
        double value; /* the engine's default, until the command line gives another */
        double least, most;
    } engine_knob;

    typedef struct
    {
        const char *name;                            /* in tables: the engine and its method */
        engine_knob *knobs;                          /* ends with a name of NULL */
        int (*open) (const engine_problem *problem); /* 1, or 0 if the engine cannot represent it */
        int (*step) (void);                          /* one step of h; 0 if the engine gives up */
        /* pose and velocity of a body, as in engine_body; NULL if the scene's own bodies are stepped */
        void (*state) (int body, double x[3], double q[4], double v[3], double w[3]);
        void (*close) (void);
        int collides;               /* 1 if scenes with shapes can be opened */
        double (*colliding) (void); /* seconds of the steps so far that collision detection took, or NULL */
    } engine_setting;

    /* Implemented by each engine; ends with a name of NULL. */
    extern const engine_setting engine_settings[];

#ifdef __cplusplus
}
#endif

#endif
