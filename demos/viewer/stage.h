/*
 * The stage: one scene on two sides, stepped in lockstep from the same state, with a past that can be
 * scrolled through.  The window's thread owns it; the steps themselves run on a worker.
 */
#ifndef VIEWER_STAGE_H
#define VIEWER_STAGE_H

#include "sim.h"

#define SIDES 2

typedef struct
{
    sim_method method[SIDES];
    sim_common common;
} stage_choice;

typedef struct stage stage;

/* threaded: steps run on a worker; otherwise inside stage_run, reproducibly. */
stage *stage_create (int threaded);
void stage_free (stage *s);

/* Opens a scene; on failure the present one stays.  Returns 1, or 0 with one line in error. */
int stage_open (stage *s, const char *path, char *error, size_t size);

/* The same scene again, from its file.  Same results. */
int stage_reset (stage *s, char *error, size_t size);

const model *stage_model (const stage *s); /* NULL without a scene */
const char *stage_path (const stage *s);
int stage_warnings (const stage *s, const char **first); /* of the scene reader */
const ring *stage_past (const stage *s, int side);
double stage_initial_energy (const stage *s);

/* What to show: the newest state, or a past one while scrolled back. */
const snapshot *stage_shown (stage *s, int side);

/* Takes over a finished job; returns 1 if the stage is idle now.  Choices, pulls, scrolling and runs
 * take effect only while idle: callers offer them again every frame. */
int stage_poll (stage *s);
void stage_configure (stage *s, const stage_choice *choice);
void stage_pull (stage *s, int side, const sim_pull *pull);

/* Starts up to steps steps of both sides, ending early after seconds of real time.  A scrolled stage
 * first takes up the past state it shows. */
void stage_run (stage *s, int steps, double seconds);

/* 1, once, with the reason, after a stepper has refused the choice it was given; both sides then stand
 * at the same time and can go on with another choice. */
int stage_refusal (stage *s, char *why, size_t size);

/* Steps done since the last call. */
int stage_steps_done (stage *s);

/* Scrolling: 0 is the newest state, 1 the step before, ... */
int stage_scroll (const stage *s);
void stage_scroll_to (stage *s, int steps_back);

#endif
