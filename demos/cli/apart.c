/*
 * Runs in processes of their own.  See apart.h.  The child writes its result, as bytes, into a pipe.
 */
#include "apart.h"
#include "failure.h"
#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_EVERY 100 /* ms between two looks whether the user has interrupted the program */

/* ---- a result as bytes, which works because both processes are the same program ------------------------ */

static int write_all (FILE *file, const void *bytes, size_t size)
{
    return !size || fwrite (bytes, size, 1, file) == 1;
}

static int write_result (const run_result *r, const history *plotted, FILE *file)
{
    return write_all (file, r, sizeof *r) &&
           write_all (file, r->probes, sizeof *r->probes * (size_t)r->probe_count) &&
           write_all (file, r->redundant_rows, sizeof *r->redundant_rows * (size_t)r->redundant_row_count) &&
           (!plotted || history_write (plotted, file)) && fflush (file) == 0;
}

static void *read_array (FILE *file, int count, size_t element)
{
    void *array = calloc ((size_t)count + 1, element);
    if (array && count > 0 && fread (array, element, (size_t)count, file) != (size_t)count)
    {
        free (array);
        array = NULL;
    }
    return array;
}

/* Returns 0, with r unchanged, if the other process ended before it had written its whole result. */
static int read_result (run_result *r, history *plotted, FILE *file)
{
    run_result read;
    if (fread (&read, sizeof read, 1, file) != 1) return 0;
    read.probes = read_array (file, read.probe_count, sizeof *read.probes);
    read.redundant_rows = read_array (file, read.redundant_row_count, sizeof *read.redundant_rows);
    if (read.probes && read.redundant_rows && (!plotted || history_read (plotted, file)))
    {
        result_free (r);
        *r = read;
        return 1;
    }
    free (read.probes);
    free (read.redundant_rows);
    return 0;
}

/* ---- the processes ------------------------------------------------------------------------------------- */

/* Waits for the end of the child.  Returns its status, -1 if there is none. */
static int wait_for (pid_t child)
{
    int status = 0;
    while (waitpid (child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

/* Reads what the child writes until it closes its end; NULL if memory runs out.  If the user interrupts the
 * program, the signal is passed on to the child, which then ends early and writes the result so far. */
static char *read_to_end (int from, pid_t child, size_t *size)
{
    size_t room = 1 << 16;
    char *all = malloc (room);
    int passed_on = 0;
    *size = 0;
    while (all)
    {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (interrupted () && !passed_on) passed_on = kill (child, interrupted ()) == 0;
        if (poll (&ready, 1, LOOK_EVERY) <= 0) continue;
        const ssize_t count = read (from, all + *size, room - *size);
        if (count == 0) return all;
        if (count < 0 && errno != EINTR) return all;
        if (count > 0) *size += (size_t)count;
        if (*size < room) continue;
        char *more = realloc (all, room *= 2);
        if (!more) free (all);
        all = more;
    }
    return NULL;
}

/* Reports a child that ended without a result. */
static void say_how_it_ended (run_result *r, int status)
{
    char label[96];
    if (WIFSIGNALED (status))
        result_failure (r, "the program was ended there: %s", strsignal (WTERMSIG (status)));
    else
        result_failure (r, "the program ended there with status %d", WEXITSTATUS (status));
    r->status = run_error;
    result_label (r, label, sizeof label);
    fail (0, "%s, %s, h = %.4g s: %s", r->scene, label, r->setup.dt, r->failure);
}

int apart_run (apart_function *work, void *context, run_result *r, history *plotted)
{
    int ends[2];
    fflush (NULL);
    if (pipe (ends)) return fail (exit_failed, "no pipe: %s", strerror (errno));
    const pid_t child = fork ();
    if (child == 0)
    {
        close (ends[0]);
        FILE *file = fdopen (ends[1], "wb");
        int status = file ? (*work) (context) : exit_failed;
        if (file && !write_result (r, plotted, file)) status = exit_failed;
        _exit (status);
    }
    close (ends[1]);
    if (child < 0)
    {
        close (ends[0]);
        return fail (exit_failed, "no process of its own for a run: %s", strerror (errno));
    }
    size_t size;
    char *told = read_to_end (ends[0], child, &size);
    close (ends[0]);
    FILE *file = told && size > 0 ? fmemopen (told, size, "rb") : NULL;
    const int whole = file && read_result (r, plotted, file);
    if (file) fclose (file);
    free (told);
    const int status = wait_for (child);
    if (!whole) say_how_it_ended (r, status);
    return whole && WIFEXITED (status) ? WEXITSTATUS (status) : exit_failed;
}
