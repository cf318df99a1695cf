/* The same program in C++: the header has to be good for both. */
#include "consumer.c"
