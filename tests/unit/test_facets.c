/*
 * A ball rolls over ground of flat facets, whose creases it meets as small impacts.  At each crease the
 * contact of one facet becomes that of the next, with another normal.  This is no turning of the contact that
 * goes on in the step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_scene.h"

#define FACET 0.5 /* m, along the way */
#define RADIUS 0.1
#define CREASES 6
#define START 0.2 /* m, on the first facet */
#define END 0.3   /* m, on the last one */
#define POINTS 8  /* a ball at a corner of the mesh reaches six facets */

/* Facets along x, each steeper than the last by an angle (rad). */
typedef struct
{
    double angle;
    dGeomID facet[CREASES + 1];
    int facets;
    dHeightfieldDataID heights;
} ground;

/* As boxes. */
static void lay_boxes (ground *g)
{
    double x = 0, z = 0;
    for (int i = 0; i <= CREASES; ++i)
    {
        const double a = g->angle * i, along = 0.5 * FACET, down = 0.1;
        dMatrix3 R;
        g->facet[i] = dCreateBox (NULL, (dReal)FACET, 1, (dReal)(2 * down));
        dRFromAxisAndAngle (R, 0, 1, 0, (dReal)-a);
        dGeomSetRotation (g->facet[i], R);
        dGeomSetPosition (g->facet[i], (dReal)(x + along * cos (a) + down * sin (a)), 0,
                          (dReal)(z + along * sin (a) - down * cos (a)));
        x += FACET * cos (a), z += FACET * sin (a);
    }
    g->facets = CREASES + 1;
}

/* The height of a heightfield's vertex: facets as wide as a cell along its second side. */
static dReal height (void *context, int across, int along)
{
    const ground *g = context;
    double z = 0;
    for (int i = 0; i < along; ++i) z += FACET * tan (g->angle * i);
    (void)across;
    return (dReal)z;
}

/* As a heightfield, whose cells reach from x = 0 on; its third axis points along x. */
static void lay_heights (ground *g)
{
    const int cells = CREASES + 1;
    dMatrix3 R;
    g->heights = dGeomHeightfieldDataCreate ();
    dGeomHeightfieldDataBuildCallback (g->heights, g, height, 4, (dReal)(FACET * cells), 3, cells + 1, 1, 0,
                                       1, 0);
    g->facet[0] = dCreateHeightfield (NULL, g->heights, 1);
    dRFrom2Axes (R, 0, 1, 0, 0, 0, 1); /* its axes x, y and z are the world's y, z and x */
    dGeomSetRotation (g->facet[0], R);
    dGeomSetPosition (g->facet[0], (dReal)(0.5 * FACET * cells), 0, 0);
    g->facets = 1;
}

/* A step with the contacts between the balls and the ground. */
static void step (scene *s, const ground *g, const dGeomID *ball, int balls, dReal mu, dReal h)
{
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = mu};
    for (int i = 0; i < g->facets * balls; ++i)
        scene_touch (s->world, contacts, ball[i % balls], g->facet[i / balls], POINTS, &surface, NULL);
    scene_step (s, h, 1);
    dJointGroupDestroy (contacts);
}

/* Rolls (mu > 0) or slides a ball over the creases, without gravity.  Returns the part of its energy that is
 * left. */
static double roll (ground *g, dReal mu, dReal h)
{
    scene s = scene_open (0);
    const int body = scene_box (&s, (dReal)START, (dReal)0.01, (dReal)RADIUS, 1, 1, 1, 1);
    const dGeomID ball = dCreateSphere (NULL, (dReal)RADIUS);
    dMass mass;
    dMassSetSphereTotal (&mass, 1, (dReal)RADIUS);
    dBodySetMass (s.body[body], &mass);
    dGeomSetBody (ball, s.body[body]);
    dBodySetLinearVel (s.body[body], 1, 0, 0);
    dBodySetAngularVel (s.body[body], 0, mu > 0 ? (dReal)(1 / RADIUS) : 0, 0);
    const double before = scene_kinetic (&s);
    for (int i = 0; i < (FACET * CREASES - START + END) / (double)h; ++i) step (&s, g, &ball, 1, mu, h);
    const double left = scene_kinetic (&s) / before;
    dGeomDestroy (ball);
    scene_close (&s);
    return left;
}

/* The angular momentum about the point that strikes stays, of a ball that slides the momentum along the next
 * facet.  With normals that were taken to turn on, the ball left each facet as fast as it had come. */
static void creases_take_their_part (void **state)
{
    static const double angles[] = {0.01, 0.02, 0.05, 0.1};
    (void)state;
    for (size_t i = 0; i < 4 * sizeof (angles) / sizeof (*angles); ++i)
        for (int n = 1; n <= 4; n *= 2)
        {
            const int boxes = i % 2 == 0, rolls = i / 2 % 2 == 0;
            ground g = {.angle = angles[i / 4]};
            if (boxes)
                lay_boxes (&g);
            else
                lay_heights (&g);
            const double left = roll (&g, rolls, (dReal)(0.008 / n)),
                         speed = rolls ? (cos (g.angle) + 0.4) / 1.4 : cos (g.angle),
                         lost = 1 - pow (speed, 2 * CREASES);
            if (!(fabs (1 - left - lost) <= 0.01 * lost))
                fail_msg ("%s by %g rad, %s: lost %g instead of %g", boxes ? "boxes" : "heightfield", g.angle,
                          rolls ? "rolling" : "sliding", 1 - left, lost);
            for (int k = 0; k < g.facets; ++k) dGeomDestroy (g.facet[k]);
            if (g.heights) dGeomHeightfieldDataDestroy (g.heights);
        }
}

/* A ball, or two on an axle, rolls over a level mesh, a little deep in it, so that it reaches facets beside
 * the one below it.  It stays level.  With the rows that ODE has for those facets it hopped at 0.1 m/s, as it
 * does under dWorldStep. */
static void a_ball_rolls_level (void **state)
{
    enum
    {
        CELLS = 16
    };
    static float vertices[CELLS + 1][CELLS + 1][3];
    static dTriIndex triangles[CELLS][CELLS][2][3];
    (void)state;
    for (dTriIndex i = 0; i <= CELLS; ++i)
        for (dTriIndex j = 0; j <= CELLS; ++j)
        {
            const dTriIndex a = i * (CELLS + 1) + j, c = a + CELLS + 1;
            vertices[i][j][0] = (float)(0.2371 * i), vertices[i][j][1] = (float)(0.2371 * j);
            if (i == CELLS || j == CELLS) continue;
            memcpy (triangles[i][j], (dTriIndex[6]){a, c, a + 1, a + 1, c, c + 1}, sizeof triangles[i][j]);
        }
    for (int n = 0; n < 12; ++n)
    {
        const int balls = n < 9 ? 1 : 2;
        const dReal h = (dReal[]){(dReal)0.01, (dReal)0.004, (dReal)0.002}[n % 3],
                    across = (dReal)0.3 * (n / 3 % 3);
        const dReal deep = n % 2 ? (dReal)4e-4 : (dReal)1e-6, radius = (dReal)RADIUS;
        const dTriMeshDataID data = dGeomTriMeshDataCreate ();
        dGeomTriMeshDataBuildSingle (data, vertices, sizeof vertices[0][0], (CELLS + 1) * (CELLS + 1),
                                     triangles, CELLS * CELLS * 6, sizeof triangles[0][0][0]);
        ground g = {.facet = {dCreateTriMesh (NULL, data, NULL, NULL, NULL)}, .facets = 1};
        scene s = scene_open ((dReal)-9.81);
        const int body = scene_box (&s, (dReal)0.3, (dReal)0.5, radius - deep, 1, 1, 1, 1);
        dGeomID ball[2];
        for (int k = 0; k < balls; ++k)
        {
            ball[k] = dCreateSphere (NULL, radius);
            dGeomSetBody (ball[k], s.body[body]);
            dGeomSetOffsetPosition (ball[k], 0, (dReal)(balls > 1 ? 0.3 * k - 0.15 : 0), 0);
        }
        dBodySetLinearVel (s.body[body], 2, across, 0);
        dBodySetAngularVel (s.body[body], -across / radius, 2 / radius, 0);
        double worst = 0;
        for (int i = 0; i < 1.5 / (double)h; ++i)
        {
            step (&s, &g, ball, balls, 1, h);
            worst = fmax (worst, fabs ((double)dBodyGetLinearVel (s.body[body])[2]));
        }
        if (!(worst <= 1e-9)) fail_msg ("%g s, %g m deep: hops at %g m/s", (double)h, (double)deep, worst);
        for (int k = 0; k < balls; ++k) dGeomDestroy (ball[k]);
        dGeomDestroy (g.facet[0]);
        dGeomTriMeshDataDestroy (data);
        scene_close (&s);
    }
}

/* A ball is thrown onto level ground, beside an edge between two triangles of a mesh: where it is after 0.4
 * s.
 */
static void land (int on_mesh, dReal h, double x[3])
{
    static const float vertices[4][3] = {{-9, -8, 0}, {9, -8, 0}, {9, 8, 0}, {-9, 8, 0}};
    static const dTriIndex triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    scene s = scene_open ((dReal)-9.81);
    const dTriMeshDataID data = dGeomTriMeshDataCreate ();
    dGeomTriMeshDataBuildSingle (data, vertices, sizeof (vertices[0]), 4, triangles, 6,
                                 sizeof (triangles[0]));
    ground g = {.facets = 1};
    g.facet[0] = on_mesh ? dCreateTriMesh (NULL, data, NULL, NULL, NULL) : dCreatePlane (NULL, 0, 0, 1, 0);
    const dGeomID ball = dCreateSphere (NULL, (dReal)RADIUS);
    dMass mass;
    const int i = scene_box (&s, 0, 0, (dReal)0.5, 1, 1, 1, 1);
    dMassSetSphereTotal (&mass, 1, (dReal)RADIUS);
    dBodySetMass (s.body[i], &mass);
    dGeomSetBody (ball, s.body[i]);
    dBodySetLinearVel (s.body[i], 1, (dReal)0.5, -3);
    for (int k = 0; k < lround (0.4 / (double)h); ++k) step (&s, &g, &ball, 1, (dReal)0.3, h);
    for (int k = 0; k < 3; ++k) x[k] = (double)dBodyGetPosition (s.body[i])[k];
    dGeomDestroy (ball), dGeomDestroy (g.facet[0]);
    dGeomTriMeshDataDestroy (data);
    scene_close (&s);
}

/* The ball reaches the other triangle, too, with less depth.  That is no second impact: else the step did not
 * go back to the impact, and the ball was off by 1 mm at 1/60 and at 1/240 s. */
static void a_ball_strikes_two_facets_at_once (void **state)
{
    static const dReal steps[] = {(dReal)(1 / 60.0), (dReal)(1 / 240.0), (dReal)(1 / 480.0)};
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        double plane[3], mesh[3], off = 0;
        land (0, steps[i], plane);
        land (1, steps[i], mesh);
        for (int k = 0; k < 3; ++k) off = fmax (off, fabs (plane[k] - mesh[k]));
        print_message ("thrown on a mesh, h = %.4f s: off by %.1e m\n", (double)steps[i], off);
        assert_true (off < 1e-9);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (creases_take_their_part),
                                       cmocka_unit_test (a_ball_rolls_level),
                                       cmocka_unit_test (a_ball_strikes_two_facets_at_once)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
