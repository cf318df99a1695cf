/*
 * own_scene: a mechanism of one's own in the viewer.
 *
 *     own_scene 12 > ring.sdf
 *     ode-rls view ring.sdf          or inspect, run, compare
 *
 * Writes a ring of N bars, hinged end to end and hung up at one corner, as an SDFormat file.  All hinges are
 * parallel, so that three of their rows are redundant.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void write_bar (int i, int count, double radius)
{
    const double angle = 2 * M_PI * (i + 0.5) / count, length = 2 * radius * sin (M_PI / count);
    const double across = radius * cos (M_PI / count), turn = angle + M_PI / 2; /* from x towards z */
    const double heavy = length * length / 12 + 0.01 / 12;
    printf ("    <link name=\"bar%d\">\n"
            "      <pose>%.17g 0 %.17g 0 %.17g 0</pose>\n"
            "      "
            "<inertial><mass>1</mass><inertia><ixx>%.17g</ixx><iyy>%.17g</iyy><izz>%.17g</izz></inertia></"
            "inertial>\n"
            "      <visual name=\"bar\"><geometry><box><size>%.17g 0.1 0.1</size></box></geometry></visual>\n"
            "    </link>\n",
            i, across * cos (angle), 2 + across * sin (angle), -turn, 0.02 / 12, heavy, heavy, length);
}

static void write_hinge (const char *parent, int child, double x, double z)
{
    printf ("    <joint name=\"hinge%d\" type=\"revolute\">\n"
            "      <parent>%s</parent><child>bar%d</child>\n"
            "      <pose relative_to=\"__model__\">%.17g 0 %.17g 0 0 0</pose>\n"
            "      <axis><xyz expressed_in=\"__model__\">0 1 0</xyz></axis>\n"
            "    </joint>\n",
            child, parent, child, x, z);
}

int main (int argc, char **argv)
{
    const int count = argc > 1 ? atoi (argv[1]) : 12;
    const double radius = 1;
    if (count < 4 || count > 1000)
    {
        fprintf (stderr, "usage: own_scene [BARS]   (4 to 1000)\n");
        return 2;
    }
    printf ("<?xml version=\"1.0\"?>\n<sdf version=\"1.9\">\n  <model name=\"ring\">\n");
    for (int i = 0; i < count; i++) write_bar (i, count, radius);
    for (int i = 0; i < count; i++)
    {
        const double angle = 2 * M_PI * i / count;
        char parent[32];
        snprintf (parent, sizeof parent, "bar%d", (i + count - 1) % count);
        write_hinge (parent, i, radius * cos (angle), 2 + radius * sin (angle));
    }
    printf ("    <joint name=\"hook\" type=\"ball\"><parent>world</parent><child>bar0</child>\n"
            "      <pose relative_to=\"__model__\">%.17g 0 2 0 0 0</pose></joint>\n",
            radius);
    printf ("  </model>\n</sdf>\n");
    return 0;
}
