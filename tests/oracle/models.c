/*
 * models FOLDER ...: reads every scene file below the folders.  Each must open or be refused in one line that
 * names it; what opens makes a few steps, and where libsdformat is there and reads the file as well, links,
 * masses, moments and joints must be the same (1e-12 of the size of the numbers).  Refused files are listed.
 * Exit status 77: nothing to read.
 */
#define _GNU_SOURCE /* nftw */
#include "scene_data.h"
#ifdef ORACLE
#include "sdf_oracle.h"
#endif

#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BODIES 100 /* of scenes that are stepped */
#define TOLERANCE 1e-12
#define TOLERANCE_URDF 1e-9 /* libsdformat writes what URDF says as text with that many digits */

static struct
{
    int files, opened, compared, links, joints, wrong;
    const char *path;
    int is_urdf;  /* libsdformat merges what URDF fixes together: places and axes compare, masses and names do
                     not */
    int computed; /* <inertial auto="true">, which libsdformat 12 does not know */
} seen;

__attribute__ ((format (printf, 1, 2))) static void wrong (const char *format, ...)
{
    va_list list;
    va_start (list, format);
    printf ("WRONG %s: ", seen.path);
    vprintf (format, list);
    printf ("\n");
    va_end (list);
    seen.wrong++;
}

#ifdef ORACLE
/* ---- against the other reading ------------------------------------------------------------------------- */

/* The last numbers are in units of the largest. */
static void same (const char *what, const char *name, const double *a, const double *b, int count,
                  double scale)
{
    double difference = 0;
    for (int i = 0; i < count; i++)
    {
        scale = fmax (scale, fabs (b[i]));
        difference = fmax (difference, isfinite (a[i]) ? fabs (a[i] - b[i]) : INFINITY);
    }
    if (!(difference <= (seen.is_urdf ? TOLERANCE_URDF : TOLERANCE) * scale))
        wrong ("%s of %s differs by %g", what, name, difference);
}

/* The only model that moves has no name in front of its links; a full name comes first. */
static int is_name (const char *ours, const char *full, int shortened)
{
    const char *rest = strstr (full, "::");
    return !strcmp (ours, shortened ? (rest ? rest + 2 : "") : full);
}

static int find_link (const scene *s, const char *full)
{
    for (int shortened = 0; shortened < 2; shortened++)
        for (int i = 0; i < s->link_count; i++)
            if (is_name (s->links[i].name, full, shortened)) return i;
    return -1;
}

static void compare_link (const scene *s, const oracle_link *o)
{
    const int i = find_link (s, o->name);
    seen.links++;
    if (i < 0)
    {
        if (!seen.is_urdf) wrong ("there is no link %s", o->name);
        return;
    }
    const scene_link *l = &s->links[i];
    double R[3][3], moment[9], centre[3], turned[9] = {0};
    dMass m;
    pose_matrix (&l->start, R);
    same ("position", o->name, l->start.p, o->position, 3, 1);
    same ("rotation", o->name, R[0], o->rotation[0], 9, 1);
    if ((l->body == NULL) != o->fixed) wrong ("%s is %s", o->name, o->fixed ? "not fixed" : "fixed");
    if (!l->body || seen.is_urdf || seen.computed) return;

    dBodyGetMass (l->body, &m);
    const double mass = (double)m.mass;
    for (int k = 0; k < 3; k++) centre[k] = (double)dBodyGetPosition (l->body)[k];
    for (int k = 0; k < 9; k++) moment[k] = (double)m.I[4 * (k / 3) + k % 3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int k = 0; k < 9; k++) turned[3 * a + b] += R[a][k / 3] * moment[k] * R[b][k % 3];
    same ("mass", o->name, &mass, &o->mass, 1, 0);
    same ("centre", o->name, centre, o->centre, 3, 1);
    same ("inertia", o->name, turned, o->inertia[0], 9, 0);
}

/* libsdformat gives a joint that shares its name with a link another one. */
static dJointID find_joint (const scene *s, const char *full)
{
    char other[256];
    const size_t length = strlen (full), tail = strlen ("_joint");
    const int renamed = length > tail && !strcmp (full + length - tail, "_joint");
    snprintf (other, sizeof other, "%.*s", (int)(renamed ? length - tail : length), full);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < s->joint_count; i++)
            if (is_name (s->joints[i].name, k < 2 ? full : other, k % 2)) return s->joints[i].joint;
    return NULL;
}

static int is_type (const char *type, int ode)
{
    if (!strcmp (type, "revolute") || !strcmp (type, "continuous")) return ode == dJointTypeHinge;
    if (!strcmp (type, "prismatic")) return ode == dJointTypeSlider;
    if (!strcmp (type, "ball")) return ode == dJointTypeBall;
    if (!strcmp (type, "fixed")) return ode == dJointTypeFixed;
    if (!strcmp (type, "universal")) return ode == dJointTypeUniversal;
    if (!strcmp (type, "revolute2")) return ode == dJointTypeUniversal || ode == dJointTypeHinge2;
    return 1; /* gearboxes and screws are several things here */
}

/* A gearbox between wheels whose axes miss each other has a pinion, which is in no file: a link of this name.
 */
static const char pinion[] = " pinion";

static int count_pinions (const scene *s)
{
    int count = 0;
    for (int i = 0; i < s->link_count; i++)
    {
        const size_t length = strlen (s->links[i].name), tail = strlen (pinion);
        count += length > tail && !strcmp (s->links[i].name + length - tail, pinion);
    }
    return count;
}

/* Whether the joint of this name acts through one. */
static int has_pinion (const scene *s, const char *name)
{
    char full[256];
    snprintf (full, sizeof full, "%s%s", name, pinion);
    return find_link (s, full) >= 0;
}

static void compare_joint (const scene *s, const oracle_joint *o)
{
    const int parent = find_link (s, o->parent), child = find_link (s, o->child);
    dBodyID up = parent < 0 ? NULL : s->links[parent].body, down = child < 0 ? NULL : s->links[child].body;
    dJointID joint = find_joint (s, o->name);
    seen.joints++;
    if (!joint)
    {
        if (up || down) wrong ("there is no joint %s", o->name);
        return;
    }
    dBodyID first = dJointGetBody (joint, 0), second = dJointGetBody (joint, 1);
    if (!seen.is_urdf && !has_pinion (s, o->name) &&
        !((first == down && second == up) || (first == up && second == down)))
        wrong ("%s does not join %s and %s", o->name, o->parent, o->child);
    if (seen.is_urdf && dJointGetType (joint) == dJointTypeFixed) return;
    if (!is_type (o->type, dJointGetType (joint))) wrong ("%s is no %s joint", o->name, o->type);
    if (!strcmp (o->type, "gearbox") || !strcmp (o->type, "screw")) return;

    dVector3 axes[2] = {{0}, {0}}, anchor = {NAN};
    scene_joint_axes (joint, axes, anchor);
    if (!isnan ((double)anchor[0]))
    {
        const double at[3] = {(double)anchor[0], (double)anchor[1], (double)anchor[2]};
        same ("anchor", o->name, at, o->anchor, 3, 1);
    }
    /* Axes are ODE's first body's, turned round where that is the parent's; a cross then has them in this
     * order. */
    const int child_first = down && first == down,
              swapped = child_first && dJointGetType (joint) == dJointTypeUniversal;
    for (int k = 0; k < o->axes && dCalcVectorLength3 (axes[k]) > 0; k++)
    {
        const dReal *a = axes[swapped ? 1 - k : k];
        const double sign = child_first ? 1 : -1;
        const double is[3] = {sign * (double)a[0], sign * (double)a[1], sign * (double)a[2]};
        same (k ? "second axis" : "axis", o->name, is, o->axis[k], 3, 1);
    }
}

static void compare (const scene *s)
{
    char error[500] = "";
    oracle_scene *o = oracle_read (seen.path, getenv ("GZ_SIM_RESOURCE_PATH"), error, sizeof error);
    if (!o) return;
    seen.compared++;
    const int links = s->link_count - count_pinions (s);
    if (!seen.is_urdf && o->link_count != links) wrong ("%d links instead of %d", links, o->link_count);
    for (int i = 0; i < o->link_count; i++) compare_link (s, &o->links[i]);
    for (int i = 0; i < o->joint_count; i++)
        if (!seen.is_urdf || strcmp (o->joints[i].type, "fixed")) compare_joint (s, &o->joints[i]);
    oracle_free (o);
}
#else
static void compare (const scene *s) { (void)s; }
#endif

/* ---- every file ---------------------------------------------------------------------------------------- */

static void step (scene *s)
{
    int status;
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), &status);
    int good = stepper && scene_prepare_stepper (s, stepper);
    if (!good) wrong ("the stepper refuses it");
    if (stepper) dRLSStepperSetForceCallback (stepper, scene_forces, s);
    for (int i = 0; good && i < 5; i++)
    {
        scene_before_step (s, i * 0.001, 1);
        good = dRLSStepperStep (stepper, (dReal)0.001);
        scene_after_step (s);
        if (!good) wrong ("step %d: %s", i, dRLSStepperGetMessage (stepper));
    }
    for (int i = 0; good && i < scene_body_count (s); i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite ((double)dBodyGetPosition (scene_body_at (s, i)->body)[k])) good = 0;
    if (stepper && !good) wrong ("it does not stay finite");
    dRLSStepperDestroy (stepper);
}

static int holds (const char *path, const char *word)
{
    char line[4096];
    int found = 0;
    FILE *file = fopen (path, "r");
    while (file && !found && fgets (line, sizeof line, file)) found = strstr (line, word) != NULL;
    if (file) fclose (file);
    return found;
}

static int is_scene (const char *path)
{
    static const char *const endings[] = {".sdf", ".world", ".urdf"};
    const char *dot = strrchr (path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp (dot, endings[i])) return 1;
    return 0;
}

/* The descriptions of the format itself have that ending, too. */
static int is_description (const char *error)
{
    return strstr (error, ": <element> is neither SDFormat nor URDF") != NULL;
}

static int visit (const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    char error[2048];
    (void)status;
    (void)walk;
    if (kind != FTW_F || !is_scene (path)) return 0;
    seen.path = path;
    seen.is_urdf = strstr (path, ".urdf") != NULL;
    seen.computed = holds (path, "auto=\"true\"");
    scene *s = scene_read (path, NULL, NULL, error, sizeof error);
    if (!s && is_description (error)) return 0;
    seen.files++;
    if (!s)
    {
        printf ("refused %s\n", error);
        if (!strchr (error, ':') || strchr (error, '\n')) wrong ("the error is not one line: %s", error);
        return 0;
    }
    seen.opened++;
    compare (s);
    if (scene_body_count (s) <= MOST_BODIES) step (s);
    scene_free (s);
    return 0;
}

int main (int argc, char **argv)
{
    for (int i = 1; i < argc; i++) nftw (argv[i], visit, 16, FTW_PHYS);
    if (!seen.files)
    {
        printf ("skipped: there are no scene files\n");
        return 77;
    }
    printf ("%d of %d files open, %d compared with libsdformat (%d links, %d joints), %d disagreements or "
            "failures\n",
            seen.opened, seen.files, seen.compared, seen.links, seen.joints, seen.wrong);
    return seen.wrong != 0;
}
