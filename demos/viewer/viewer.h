/*
 * The interactive viewer, `ode-rls view`: two solvers side by side on the same mechanism, their joint
 * violations as live heatmaps.
 */
#ifndef VIEWER_VIEWER_H
#define VIEWER_VIEWER_H

/* Runs the viewer with the arguments after the word "view"; returns the exit status of the program:
 * 0 done, 1 no display or a failure while running, 2 bad arguments or a bad scene.
 * stopped (may be NULL) tells whether a signal has asked the program to end: then the files in hand are
 * finished first. */
int viewer_main (int argc, char **argv, int (*stopped) (void));

#endif
