/*
 * Files that mean harm or are broken: entities, depth, size, loops of includes, and a few thousand random
 * mutations of a scene with everything in it.  Whatever comes back, it comes back, and an error has one line.
 */
#include "scene_rig.h"

static void refused_with (const char *part)
{
    if (!strstr (rig_error, part)) fail_msg ("'%s' does not say '%s'", rig_error, part);
    assert_null (strchr (rig_error, '\n'));
}

static void test_entities (void **state)
{
    (void)state;
    char text[3000];
    int used = sprintf (text, "<?xml version='1.0'?>\n<!DOCTYPE sdf [<!ENTITY a0 'ha'>");
    for (int i = 1; i < 30; i++) used += sprintf (text + used, "<!ENTITY a%d '&a%d;&a%d;'>", i, i - 1, i - 1);
    sprintf (text + used, "]><sdf><model name='&a29;'/></sdf>");
    assert_null (rig_read (text));
    refused_with ("scene.sdf:1: <xml> a document type is not accepted");
    assert_null (rig_read (
        "<!DOCTYPE sdf [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><sdf><model name='m'>&x;</model></sdf>"));
    refused_with ("a document type is not accepted");
    assert_null (rig_read ("<!DOCTYPE sdf SYSTEM 'http://localhost:1/x.dtd'><sdf><model name='m'/></sdf>"));
    refused_with ("a document type is not accepted");
    assert_null (rig_read ("<sdf><model name='m'>&x;</model></sdf>"));
    refused_with ("Entity 'x' not defined");

    /* In UTF-16 the document type does not show as such. */
    const char *utf8 = "<!DOCTYPE sdf [<!ENTITY x 'y'>]><sdf><model name='m'/></sdf>";
    char wide[400] = {(char)0xff, (char)0xfe};
    size_t length = 2;
    for (const char *c = utf8; *c; c++)
    {
        wide[length++] = *c;
        wide[length++] = 0;
    }
    rig_write_bytes ("wide.sdf", wide, length);
    assert_null (rig_open ("wide.sdf"));
    refused_with ("a document type is not accepted");
}

/* n times open, n times close, around what is in the middle. */
static char *nest (const char *before, const char *open, const char *middle, const char *close,
                   const char *after, int n)
{
    size_t size = strlen (before) + strlen (middle) + strlen (after) +
                  (size_t)n * (strlen (open) + strlen (close) + 16) + 1;
    char *text = malloc (size), *at = text;
    if (!text) abort ();
    at = stpcpy (at, before);
    for (int i = 0; i < n; i++)
    {
        char numbered[100];
        snprintf (numbered, sizeof numbered, open, i);
        at = stpcpy (at, numbered);
    }
    at = stpcpy (at, middle);
    for (int i = 0; i < n; i++) at = stpcpy (at, close);
    strcpy (at, after);
    return text;
}

static void test_depth (void **state)
{
    (void)state;
    char *text = nest ("<sdf>", "<model name='m%d'>", "<link name='a'/>", "</model>", "</sdf>", 100000);
    assert_null (rig_read (text));
    refused_with ("Excessive depth");
    free (text);
    text = nest ("<sdf>", "<model name='m%d'>", "<link name='a'/>", "</model>", "</sdf>", 40);
    assert_null (rig_read (text)); /* names of 40 scopes do not fit */
    refused_with ("is too long");
    free (text);
    text = nest ("<sdf>", "<model name='m%d'>", "<link name='a'/>", "</model>", "</sdf>", 20);
    scene *s = rig_good (text);
    assert_int_equal (scene_body_count (s), 1);
    scene_free (s);
    free (text);
}

static void test_size (void **state)
{
    (void)state;
    char path[200];
    snprintf (path, sizeof path, "%s/huge.sdf", rig_folder);
    FILE *file = fopen (path, "wb");
    assert_non_null (file);
    assert_int_equal (fseek (file, (long)1 << 32, SEEK_SET), 0); /* sparse */
    fputc ('x', file);
    fclose (file);
    assert_null (rig_open ("huge.sdf"));
    refused_with ("is too large");
    assert_int_equal (unlink (path), 0);
    assert_null (rig_open ("."));
    refused_with ("is not a regular file");

    /* Numbers, names and text of any length. */
    char *text = nest ("<sdf><model name='", "9", "'><link name='a'/></model></sdf>", "", "", 200000);
    assert_null (rig_read (text));
    refused_with ("is longer than 100 characters");
    free (text);
    text = nest ("<sdf><model name='m'><link name='a'><inertial><mass>", "9",
                 "</mass></inertial></link></model></sdf>", "", "", 200000);
    assert_null (rig_read (text));
    refused_with ("is not a finite number");
    free (text);
}

/* Each file includes the next one twice: without a bound this would be 2^16 models. */
static void test_include_bombs (void **state)
{
    (void)state;
    char name[20], text[400];
    for (int i = 0; i < 16; i++)
    {
        snprintf (name, sizeof name, "f%d.sdf", i);
        snprintf (text, sizeof text,
                  "<sdf><model name='m'><link name='a'/><include><uri>f%d.sdf</uri><name>x</name></include>"
                  "<include><uri>f%d.sdf</uri><name>y</name></include></model></sdf>",
                  i + 1, i + 1);
        rig_write (name, text);
    }
    assert_null (rig_open ("f0.sdf"));
    refused_with ("f");
}

/* ---- random mutations
 * -------------------------------------------------------------------------------------- */

/* clang-format off */
static const char seed_text[] =
    "<?xml version='1.0'?><sdf version='1.9' xmlns:rls='urn:ode-rls'><world name='w'><gravity>0 0 -9.81</gravity>"
    "<physics name='p' type='ode'><max_step_size>0.01</max_step_size><ode><solver><iters>20</iters><sor>1.3</sor></solver>"
    "<constraints><cfm>0.1</cfm><erp>0.2</erp></constraints></ode></physics><frame name='f'><pose degrees='true'>1 2 3 4 5 6</pose></frame>"
    "<model name='g'><static>true</static><link name='floor'><collision name='c'><geometry><plane><normal>0 0 1</normal></plane></geometry>"
    "</collision></link></model><model name='m' canonical_link='b' placement_frame='a'><pose relative_to='f'>0 0 1 0 0 0</pose>"
    "<link name='a'><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>0.1</ixy></inertia></inertial>"
    "<collision name='c'><pose>1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode><mu>0.5</mu>"
    "<fdir1>1 0 0</fdir1></ode></friction></surface></collision><rls:velocity>1 2 3 4 5 6</rls:velocity></link>"
    "<link name='b'><pose relative_to='a'>0 0 2 0 0 0</pose><visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry>"
    "<material><diffuse>1 0 0 1</diffuse></material></visual></link><link name='c'><pose>3 0 0 0 0 0</pose></link>"
    "<joint name='j' type='revolute'><parent>world</parent><child>a</child><axis><xyz expressed_in='__model__'>0 0 1</xyz><limit><lower>-1</lower>"
    "<upper>2</upper><effort>5</effort></limit><dynamics><damping>1</damping><spring_stiffness>3</spring_stiffness></dynamics></axis>"
    "<rls:position>sin(2*t)^2+t*0</rls:position><rls:priority>3</rls:priority></joint>"
    "<joint name='k' type='universal'><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>"
    "<joint name='l' type='prismatic'><parent>b</parent><child>c</child><axis/><rls:motor velocity='1' max_effort='2'/></joint>"
    "<rls:spring name='s' link1='a' point1='0 1 0' link2='c' stiffness='5' damping='1' length='2'/>"
    "<rls:distance name='d' link1='c' point1='1 0 0'/><rls:probe name='p' link='b'>1 2 3</rls:probe>"
    "<rls:reference probe='p' file='r.csv' columns='t x y z'/></model><rls:duration>3</rls:duration></world></sdf>";

static const char *const pieces[] = {
    "nan", "-1", "1e999", "0", "'", "<", ">", "&amp;", "&#0;", "world", "__model__", "::", "a::b", "<link name='a'/>", "</model>",
    "<pose relative_to='b'/>", "<static>true</static>", "1e-320", "-inf", "ball", "gearbox", "revolute2", "continuous", "fixed", "screw",
    "<include><uri>scene.sdf</uri></include>", "9999999999999999999999", "<!--", "]]>", "\xff", "()", "^", "<mesh><uri>r.csv</uri></mesh>",
};
/* clang-format on */

static unsigned long long random_state = 88172645463325252ull;

static unsigned pick (unsigned n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % n;
}

/* Replaces, removes or inserts a few bytes or pieces; text has room for it. */
static void mutate (char *text)
{
    for (unsigned k = 1 + pick (3); k; k--)
    {
        size_t length = strlen (text), at = pick ((unsigned)length), cut = pick (4) ? 0 : pick (40);
        const char *piece = pieces[pick (sizeof pieces / sizeof *pieces)];
        size_t size = strlen (piece);
        /* Half of the time at the start of a value, where it does most. */
        if (pick (2)) at += strcspn (text + at, "'>") + 1;
        if (at > length) at = length;
        if (cut > length - at) cut = length - at;
        if (!pick (3)) cut = strcspn (text + at, "'<");
        memmove (text + at + size, text + at + cut, length - at - cut + 1);
        memcpy (text + at, piece, size);
    }
}

static void ignore (int number, const char *format, va_list list)
{
    (void)number;
    (void)format;
    (void)list;
}

static void test_mutations (void **state)
{
    (void)state;
    int accepted = 0, refused = 0;
    char *text = malloc (sizeof seed_text + 1000);
    rig_write ("r.csv", "t,x,y,z\n0,1,2,3\n1,2,3,4\n2,3,4,5\n");
    scene_free (rig_good (seed_text));
    dSetMessageHandler (ignore); /* ODE may find a mutated world hard to solve */
    for (int i = 0; i < 4000; i++)
    {
        memcpy (text, seed_text, sizeof seed_text);
        mutate (text);
        scene *s = rig_read (text);
        if (s)
        {
            double kinetic, potential;
            accepted++;
            dWorldSetQuickStepNumIterations (scene_world (s), 5); /* not what the mutation may ask for */
            scene_before_step (s, 0, 0);
            dWorldQuickStep (scene_world (s), (dReal)0.01);
            scene_after_step (s);
            scene_energy (s, &kinetic, &potential);
            scene_free (s);
        }
        else
        {
            refused++;
            assert_true (rig_error[0] && !strchr (rig_error, '\n'));
        }
    }
    dSetMessageHandler (NULL);
    free (text);
    /* Both ways must have been taken often for this to mean anything. */
    assert_true (accepted > 300 && refused > 300);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_entities),  cmocka_unit_test (test_depth),
        cmocka_unit_test (test_size),      cmocka_unit_test (test_include_bombs),
        cmocka_unit_test (test_mutations),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
