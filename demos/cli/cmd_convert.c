/*
 * ode-rls convert: writes a scene as it was understood, as SDFormat.
 */
#include "commands.h"
#include "failure.h"
#include "load.h"
#include "output.h"

int convert_main (int argc, char **argv)
{
    options o;
    output out = {0};
    scene *s = NULL;
    int status = exit_bad_arguments;
    if (options_parse (&o, command_convert, argc, argv))
    {
        if (!o.sdf)
            fail (0, "convert needs a file to write: --sdf FILE, or --sdf -");
        else if ((s = load_scene (o.names[0], o.strict, 0)) != NULL && output_open (&out, o.sdf))
        {
            scene_write_sdf (s, out.file);
            status = output_commit (&out) ? exit_done : exit_failed;
        }
    }
    if (s) scene_free (s);
    options_free (&o);
    return status;
}
