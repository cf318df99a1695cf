# Makes Doxygen read the comments of ode_rls.h, which are ordinary ones, written to be read in the header itself.
1s|^/\*$|/** @file|
s|^/\* ----.*||
s|^/\*$|/**|
s|^/\* \([A-Z0-9]\)|/** \1|
s|^\(#define [^/]*[^/ ]\) */\* |\1 /**< |
s|^\(    .*[,;{]\) */\* |\1 /**< |
s|^\(    dRLS[A-Za-z0-9]*\) */\* |\1 /**< |
