/*
 * All real constants of the library, one beside the other: value, unit, meaning, and where it comes from.
 *
 * Theory: it follows from an argument that is given.  Experiment: it was found by trying, on the tests.
 * Lengths are those of a world whose bodies are some metres in size (length_scale.h takes care of others).
 * What changes where one is ten times as large or a tenth: tests/tools/sensitivity.txt.
 *
 * Counts of iterations, sizes of batches and the coefficients of formulae are beside the code that they
 * belong to.
 */
#ifndef RLS_TOLERANCES_H
#define RLS_TOLERANCES_H

/* ---- Mathematics ---- */

/* Half a turn (rad). */
#define RLS_PI 3.14159265358979323846

/* ---- Rounding, and what counts as equal ---- */

/* Relative: what rounding leaves of a sum of some ten terms. Pivots, residuals and velocities below it are
 * nothing. Theory: 50 units of rounding. */
#define RLS_ROUNDING 1e-14

/* m or rad: where joints closer than a metre are closed to rounding and Newton's method ends; farther ones by
 * the rounding of their coordinates. Experiment: the residual of the test mechanisms stagnates there. */
#define RLS_CLOSING_ROUNDING 1.5e-15

/* m, rad, or relative to 1 plus the size: two numbers that say the same though they were found in different
 * ways (a pose that ODE normalised, rows of anchors and of ODE); where Newton's method may end that gains no
 * more. Theory: a hundred roundings, far below what a step moves. */
#define RLS_SAME 1e-13

/* Relative, squared: what is left of a row that those before it imply, and of a pivot while joints are still
 * being closed. Theory: the square of rows out of line by 1e-6 rad. */
#define RLS_DEPENDENT 1e-12

/* Relative or rad: stands for any rate or turn, however large; beyond, ODE loses count of turns. Theory. */
#define RLS_HUGE 1e9

/* m, rad, or relative: a step that goes farther has failed; a row this much softer than others is free.
 * Theory: six digits are left of a double's coordinates at 1e-10. */
#define RLS_FARTHEST 1e6

/* ---- When joints count as closed ---- */

/* m, rad or relative: residual that is worth no further work, above which a sub-step has failed and is tried
 * in another way; what stops may be passed by. Below RLS_SEEN, so that what is tried again is not told.
 * Experiment: far above what singular configurations leave to Newton's method. */
#define RLS_CLOSED 1e-10

/* m, rad, relative, or of the largest velocity: what is told to the user (joints open, rows missed), and what
 * contacts and stops are resolved to; rounding of energies, of forces times distances from the origin. Far
 * above rounding of a step, far below what anybody sees. */
#define RLS_SEEN 1e-9

/* m or rad: what Euler's step, the damped one and the conserving correction may leave; a start that is open
 * by more is closed without a change of velocity. Experiment. */
#define RLS_LEFT_OPEN_BY_A_STEP 1e-8

/* m or rad: residual of a beginning that is worth a projection of its own, where the last step left a
 * singular row open. Experiment. Without, test_stepper_stiff fails. */
#define RLS_SINGULAR_LEFT_OPEN 1e-6

/* m or rad by which a sub-step that stays on its branch never opens redundant rows. Experiment: linkages that
 * change their branch open by centimetres. */
#define RLS_OPENED 1e-3

/* A tenth: what counts as a part of the whole at all. Of what a joint is open by, what its rows show at
 * least; of a distance, by what a way may miss; of a mass, what counts for what it is joined to; of the way,
 * a step that leads somewhere; of a tolerance, the last barrier; of the largest push, to what depths of many
 * rows are taken back; of a row's inverse effective mass, the least where it looks another way.
 * Experiment. */
#define RLS_SMALL_PART 0.1

/* rad that one correction of positions may turn a body. Theory: beyond, the linear model says nothing. */
#define RLS_LARGEST_TURN 0.5

/* Cosine between a row, or ODE's basis across an axis, and what it was a step before: above, it has turned; a
 * jump is mostly larger. Theory. */
#define RLS_TURNED_LITTLE 0.99

/* ---- Rank: relative pivots ---- */

/* Pivot at which a row is kept as it comes, and from half of which the factor of the beginning serves the
 * whole sub-step; part of a vector that counts as independent. Experiment: rows between it and the tolerance
 * are few. */
#define RLS_SAFE_PIVOT 1e-3

/* Square of a row's velocity, beside its own mobility, at which a random velocity that satisfies other rows
 * tells that they imply it. Theory: far above rounding, (1e-13)^2, and so far below the rank tolerance that
 * one row in 10^6 at it would be mistaken. */
#define RLS_IMPLIED 1e-21

/* The safe pivot where so many rows are doubtful that a dense border is no choice; the largest imperfection
 * of penalty methods. Experiment. */
#define RLS_SMALL_PIVOT 1e-6

/* Pivot below which rounding may have made it, and which leaves no doubt above. Experiment. */
#define RLS_UNSURE_PIVOT 1e-5

/* The safe pivot of light bodies and of fresh factors, where a poor choice of rows is expensive; above it no
 * singular configuration is near. Experiment. */
#define RLS_DOUBTFUL_PIVOT 3e-2

/* Factor by which a row's last decision shifts the tolerance either way; of a row's rest that a correction
 * may turn. Theory: a pivot is a squared sine, so twice the angle. */
#define RLS_HYSTERESIS 4.0

/* Pivot that no violation may hide. Theory: the square of rows out of line by half a degree. */
#define RLS_LARGEST_TOLERANCE 1e-4

/* Displacement that would close a redundant row over its opening: beyond, the row stays out. Experiment with
 * axes out of line. */
#define RLS_MISFIT 30.0

/* Relative: a part that is left out beside the whole. The tolerance up to which trees are factored without a
 * look at their pivots; that of a stop that the joints leave nothing to move and of a row that is hardly
 * known; the squared lever that counts as none; the damping that keeps a soft row's equation regular; the
 * change of impulses that ends passes. Theory: the root of rounding. */
#define RLS_NEGLIGIBLE 1e-8

/* Coefficient of a row in a combination, multiplier in a self-stress, difference of two works or
 * accelerations that must be the same: relative to the others, what is no rounding. Theory: rounding over the
 * square root of a pivot at the tolerance. */
#define RLS_DEPENDS 1e-6

/* ---- Convergence: ratios of residuals, one iteration to the next ---- */

/* Ends an iteration that is near rounding. Theory. */
#define RLS_STAGNATED 0.5

/* Calls for a new factor, or another proximal term. Experiment. */
#define RLS_SLOW 0.1

/* The same of a sub-step's closing, where looks are cheaper than factors. Experiment: times of the test
 * mechanisms. */
#define RLS_SLOW_CLOSING 0.3

/* Residual over the best one that calls for a retreat. Experiment. */
#define RLS_DIVERGED 10.0

/* Ends passes of the penalty method, and of a half step with bounded rows. Experiment. */
#define RLS_EXHAUSTED 0.9

/* Of the tolerance: how far sweeps on the linearised motion go. Experiment. */
#define RLS_ENOUGH 0.2

/* 1/m or 1/rad: of the squared residual, as far as they need to go. Theory: the curvature of the manifold is
 * of that size. */
#define RLS_CURVED 0.1

/* Cube of the fraction of the longest sub-step that tells its multipliers. Experiment. */
#define RLS_FIRST_SUBSTEP 0.02

/* ---- Distances of finite differences ---- */

/* m or rad to either side for second derivatives. Theory: balances rounding over its square and
 * truncation. */
#define RLS_CURVATURE_DISTANCE 1.5e-3

/* m or rad to poses beside a singular one. Theory: balances rounding, its inverse, and truncation, its 6th
 * power. */
#define RLS_NEARBY_DISTANCE 8e-3

/* m or rad: the same of slow motions and of those that leave a straight way soon. Experiment. */
#define RLS_NEARBY_SHORTEST 3e-4

/* s to the first of them: what hardly moves has no direction to look into. Experiment. */
#define RLS_NEARBY_TIME 0.1

/* ---- Energy ---- */

/* Of the kinetic energy: what a step, and what all steps, gain that is worth telling. Experiment: accurate
 * steps of the test mechanisms make a hundredth. */
#define RLS_ENERGY_JUMP 0.05

/* What a step that follows the motion gains or loses at most, and inertia that is added against stiffness
 * takes. Experiment with nets, cracking chains and free trees in a whirl. */
#define RLS_SMALL_ENERGY_JUMP 1e-3

/* rad in a step: bodies that turn by less keep their energy beside hard joints. Experiment. */
#define RLS_SMALL_TURN 0.1

/* One body's share of a motion at most. Experiment. */
#define RLS_STIFF_SHARE 0.3

/* ---- Light bodies ---- */

/* How much farther a row moves a light body than one of the reference, squared. Experiment. */
#define RLS_LIGHT 1e5

/* ---- Stops and contacts in both halves of a step ---- */

/* m/s: to what the bounded rows of a half step are solved. Theory: rounding of fast bodies. */
#define RLS_SOLVED 1e-12

/* m/s: the same of Euler's method, as ODE's own. Experiment. */
#define RLS_ROUGHLY_SOLVED 1e-6

/* Of what an impulse of 1 moves a row by: softness of rows that give way, and of those that take back a
 * depth. Experiment. */
#define RLS_YIELDING 1e-3

/* Of g h^2: depth of contacts that is left. Experiment: collision detection sees them late. */
#define RLS_CONTACT_SLOP 0.1

/* Of the largest push, to which depths are taken back. Experiment: the next step pushes again. */
#define RLS_PUSH_TOLERANCE 1e-2

/* Units of length or rad: a reach that no stop is beyond. */
#define RLS_STOP_REACH 1e3

/* rad, or of the unit of length: a stop this near has its row at rest. Experiment. */
#define RLS_STOP_MARGIN 0.02

/* ---- Bounded rows: starts and ends; shares of the residual without impulses unless a unit is given ---- */

/* Softness that keeps redundant contacts apart, of a row's inverse effective mass. Theory: the root of
 * rounding, so that the matrix keeps half of its digits. */
#define RLS_PROXIMAL 3e-9

/* The same while the sides of rows are still looked for. Experiment. */
#define RLS_SETTLING 1e-4

/* How much smaller it becomes where convergence is slow. Experiment. */
#define RLS_SMALLER_TERM 1e-3

/* What is good enough: at least where something moves, at most where nothing does, for what stays still is
 * cheap to solve again. Experiment. */
#define RLS_GOOD_SHARE 1e-5

/* Times: once, with room for what rounding and the turn of rows add. What moves no more than the step's
 * forces make it is at rest; joints that were open are told when they are open by more; a contact is dated
 * back one step. Theory. */
#define RLS_MARGIN 1.2

/* Of the tolerance: to where few rows are worth being solved. Experiment. */
#define RLS_LAST_DIGITS 1e-4

/* Tolerances: a start that is enough where nothing moves, and where the interior point begins to measure.
 * Experiment. */
#define RLS_GOOD_START 10.0

/* A start that is worse than none. Experiment. */
#define RLS_NEVER_START 100.0

/* A start in need of sweeps, and what is left of the residual in a large island that moves. Experiment (heaps
 * of 40 and 100 boxes, ten ragdolls, several starts): half of it is an eighth dearer and no heap less deep or
 * less lively; four times, heaps of 100 are twice as deep. */
#define RLS_FAIR_SHARE 0.1

/* A start likely to have most of its sides right, and what is left where a rough answer does. Experiment. */
#define RLS_LARGE_SHARE 0.2

/* By which what is good enough grows with each of these. Experiment. */
#define RLS_SETTLED_WORSE 3.0

/* Coefficient from which friction begins as if it stuck. Experiment. */
#define RLS_FAR_FRICTION 2.0

/* Coefficient that stands for friction without limit. Theory. */
#define RLS_MOST_FRICTION 1e4

/* Of the arms' length: how far a contact may have moved on its body, or from its centre, in a step and be the
 * same. Experiment. */
#define RLS_SAME_POINT 0.03

/* Cosine between rows that carry their impulse over as it is. Experiment. */
#define RLS_SAME_DIRECTION 0.9

/* Of the trace: contacts may be unable to give every wrench. Theory. */
#define RLS_WRENCH_REGULARISATION 1e-6

/* A hundredth: what counts as little beside the whole. A relative pivot below which decisions are made anew
 * when it shrinks (three times as much opens a ring of ten: test_held_out_linkages). What last digits leave
 * of few rows and of islands at rest, for what does not move shall not creep; a start that is worth its
 * factorisations; friction that slides so slowly turns at once; pivots so far below all that were kept are a
 * misfit's. Experiment. */
#define RLS_LITTLE 0.01

/* ---- Bounded rows: interior point and complementary pivoting ---- */

/* Times the mean residual: the first barrier. Experiment. */
#define RLS_BARRIER_START 3.0

/* Of the way to the boundary is gone. Mehrotra 1992. */
#define RLS_TO_THE_BOUNDARY 0.995

/* Of the barrier, kept by each step. Mehrotra 1992. */
#define RLS_LEAST_CENTRING 1e-4

/* Times the barrier, there. Experiment. */
#define RLS_RECENTRED 9.0

/* Times the residual: the barrier of a new start. Experiment. */
#define RLS_REOPENED 10.0

/* Room of rows at their bounds where pivoting begins, and what an answer may leave. Experiment. */
#define RLS_PATH_ROOM 1e-3

/* Products that a path may take: two milliseconds. */
#define RLS_MOST_PRODUCTS 4e6

/* ---- Corrections of the literature ---- */

/* m or rad: motion whose third power is above rounding. Theory. */
#define RLS_RESOLVED 1e-5

/* Ratio of the least pivots within a step of Runge and Kutta below which the rank is about to change.
 * Experiment. */
#define RLS_PIVOT_CHANGING 0.88

/* s: the step of an analysis without one, and the first that is tried; scales soft rows only. */
#define RLS_ANALYSIS_STEP 0.01

/* CFM of ODE's new worlds in single precision (ODE, world.cpp). */
#define RLS_STOCK_CFM_SINGLE 1e-5f

/* The same in double. */
#define RLS_STOCK_CFM_DOUBLE 1e-10

#endif
