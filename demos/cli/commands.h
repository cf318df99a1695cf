/* The commands.  Each takes the words after its name and returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

int run_main (int argc, char **argv);
int compare_main (int argc, char **argv);
int convert_main (int argc, char **argv);
int inspect_main (int argc, char **argv);
int bench_main (int argc, char **argv);
int view_main (int argc, char **argv);

#endif
