/*
 * States in files: another process of the same build, that has made the same world, reads one and goes on bit
 * for bit; what is damaged or belongs to another world is refused.
 */
#include "scene_rig.h"
#include "../golden/state_hash.h"
#include <sys/wait.h>

#define BEFORE 60 /* steps to the state, */
#define AFTER 60  /* and from it on */
#define H 0.01
#define CHILD "goes-on" /* argument of the other process: then the scene, the integrator and the file */

/* Singular configurations, contacts, motors, stacks at rest, redundant loops. */
static const struct
{
    const char *scene;
    int integrator;
} subjects[] = {
    {SCENES "/bricard.sdf", dRLSIntegratorAuto},
    {SCENES "/bricard.sdf", dRLSIntegratorRK4},
    {SCENES "/nfourbar_n2.sdf", dRLSIntegratorSymplectic4},
    {SCENES "/slider_crank.sdf", dRLSIntegratorEuler},
    {SCENES "/show_excavator.sdf", dRLSIntegratorAuto},
    {SCENES "/ragdoll.sdf", dRLSIntegratorAuto},
    {"/stack:6", dRLSIntegratorAuto},
    {"/net:6", dRLSIntegratorAuto},
};

typedef struct
{
    scene *scene;
    dRLSStepperID stepper;
    dBodyID *body;
    int bodies;
} run;

static int start (run *r, const char *name, int integrator)
{
    r->scene = strchr (name, ':') ? scene_read (name + 1, NULL, NULL, rig_error, sizeof rig_error)
                                  : scene_read (name, NULL, NULL, rig_error, sizeof rig_error);
    if (!r->scene) return 0;
    scene_set_time_step (r->scene, H);
    r->stepper = dRLSStepperCreate (scene_world (r->scene), NULL);
    r->bodies = scene_body_count (r->scene);
    r->body = malloc (sizeof (dBodyID) * (size_t)r->bodies);
    if (!r->stepper || !r->body) return 0;
    for (int b = 0; b < r->bodies; ++b) r->body[b] = scene_body_at (r->scene, b)->body;
    return scene_prepare_stepper (r->scene, r->stepper) && dRLSStepperSetIntegrator (r->stepper, integrator);
}

static void end (run *r)
{
    dRLSStepperDestroy (r->stepper);
    scene_free (r->scene);
    free (r->body);
}

/* Steps from .. to - 1; the hash of the last state, 0 if a step is refused. */
static uint64_t go (run *r, int from, int to)
{
    for (int i = from; i < to; ++i)
    {
        scene_before_step (r->scene, i * H, 1);
        if (!dRLSStepperStep (r->stepper, (dReal)H)) return 0;
        scene_after_step (r->scene);
    }
    return state_hash (STATE_HASH_START, r->body, r->bodies);
}

/* ---- the other process ---- */

/* Reads the state and prints the hash of where it leads. */
static int go_on (const char *name, int integrator, const char *file)
{
    run r;
    static unsigned char bytes[1 << 20];
    FILE *in = fopen (file, "rb");
    const size_t size = in ? fread (bytes, 1, sizeof bytes, in) : 0;
    if (in) fclose (in);
    if (size == 0 || !start (&r, name, integrator)) return 1;
    dRLSStateID state = dRLSStateCreate ();
    if (!dRLSStateRead (state, r.body, r.bodies, bytes, size) || !dRLSStepperRestoreState (r.stepper, state))
        return 1;
    printf ("%llx\n", (unsigned long long)go (&r, BEFORE, BEFORE + AFTER));
    dRLSStateDestroy (state);
    end (&r);
    return 0;
}

/* The command of the other process, in ODE_RLS_OTHER_PROCESS, where it is not this program once more: one of
 * another processor under an emulator (tests/versions/aarch64.sh). */
static const char *other_process;

static uint64_t ask_other_process (const char *name, int integrator, const char *file)
{
    char command[1024];
    unsigned long long hash = 0;
    snprintf (command, sizeof command, "%s " CHILD " '%s' %d '%s'", other_process, name, integrator, file);
    FILE *other = popen (command, "r");
    assert_non_null (other);
    assert_int_equal (fscanf (other, "%llx", &hash), 1);
    assert_int_equal (pclose (other), 0);
    return hash;
}

static void goes_on_in_another_process (void **test)
{
    (void)test;
    char file[128];
    snprintf (file, sizeof file, "%s/state", rig_folder);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; ++i)
    {
        run r;
        if (!start (&r, subjects[i].scene, subjects[i].integrator)) fail_msg ("%s", rig_error);
        dRLSStateID state = dRLSStateCreate ();
        assert_true (go (&r, 0, BEFORE) != 0);
        assert_int_equal (dRLSStepperSaveState (r.stepper, state, r.body, r.bodies), 1);
        assert_int_equal (dRLSStepperForget (r.stepper), 1);
        const size_t size = dRLSStateWrite (state, NULL, 0);
        unsigned char *bytes = malloc (size);
        assert_true (size > 0 && bytes);
        assert_int_equal (dRLSStateWrite (state, bytes, size), size);
        FILE *out = fopen (file, "wb");
        assert_non_null (out);
        assert_int_equal (fwrite (bytes, 1, size, out), size);
        assert_int_equal (fclose (out), 0);
        const uint64_t here = go (&r, BEFORE, BEFORE + AFTER);
        const uint64_t there = ask_other_process (subjects[i].scene, subjects[i].integrator, file);
        if (here == 0 || here != there)
            fail_msg ("%s, integrator %d: the other process goes another way", subjects[i].scene,
                      subjects[i].integrator);
        free (bytes);
        dRLSStateDestroy (state);
        end (&r);
    }
}

/* ---- what is no state ---- */

static void damaged_bytes_are_refused (void **test)
{
    (void)test;
    run r;
    unsigned char bytes[4096], copy[4096];
    if (!start (&r, SCENES "/bricard.sdf", dRLSIntegratorAuto)) fail_msg ("%s", rig_error);
    dRLSStateID state = dRLSStateCreate (), other = dRLSStateCreate ();
    assert_int_equal (dRLSStateWrite (state, bytes, sizeof bytes), 0); /* empty */
    assert_int_equal (dRLSStateWrite (NULL, bytes, sizeof bytes), 0);
    assert_int_equal (dRLSStepperSaveState (r.stepper, state, r.body, r.bodies), 1);
    const size_t size = dRLSStateWrite (state, bytes, 1); /* too small: told, not written */
    assert_true (size > 100 && size < sizeof bytes);
    assert_int_equal (dRLSStateWrite (state, bytes, sizeof bytes), size);
    assert_int_equal (dRLSStateRead (other, r.body, r.bodies, bytes, size), 1);
    for (size_t i = 0; i < size; ++i)
    {
        memcpy (copy, bytes, size);
        copy[i] ^= 4;
        assert_int_equal (dRLSStateRead (other, r.body, r.bodies, copy, size), 0);
    }
    for (size_t less = 0; less < size; less += 7)
        assert_int_equal (dRLSStateRead (other, r.body, r.bodies, bytes, less), 0);
    assert_int_equal (dRLSStateRead (other, r.body, r.bodies - 1, bytes, size), 0);
    assert_int_equal (dRLSStateRead (other, NULL, r.bodies, bytes, size), 0);
    assert_int_equal (dRLSStateRead (NULL, r.body, r.bodies, bytes, size), 0);
    assert_int_equal (dRLSStateRead (other, r.body, -1, bytes, size), 0);
    assert_int_equal (dRLSStepperRestoreState (r.stepper, other), 1); /* what it held before */
    assert_int_equal (dRLSStepperForget (NULL), 0);
    dRLSStateDestroy (state);
    dRLSStateDestroy (other);
    end (&r);
}

int main (int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (goes_on_in_another_process),
        cmocka_unit_test (damaged_bytes_are_refused),
    };
    dInitODE2 (0);
    other_process = getenv ("ODE_RLS_OTHER_PROCESS");
    if (!other_process) other_process = arguments[0];
    const int failed = count == 5 && strcmp (arguments[1], CHILD) == 0
                           ? go_on (arguments[2], atoi (arguments[3]), arguments[4])
                           : cmocka_run_group_tests (tests, rig_start, rig_end);
    dCloseODE ();
    return failed;
}
