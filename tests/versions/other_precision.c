/* Stands in for an ODE of the other precision: what it says of itself when asked. */
#include <string.h>

__attribute__ ((visibility ("default"))) int dCheckConfiguration (const char *token);

int dCheckConfiguration (const char *token) { return strcmp (token, "ODE_single_precision") == 0; }
