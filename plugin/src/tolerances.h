/*
 * All real constants of the library, one beside the other: value, unit, meaning, and where it comes from.
 *
 * Theory: it follows from an argument that is given.  Experiment: it was found by trying, on the tests.
 * Lengths are those of a world whose bodies are some metres in size (length_scale.h takes care of others).
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
   nothing. Theory: 50 units of rounding. */
#define RLS_ROUNDING 1e-14

/* m or rad: where joints closer than a metre are closed to rounding and Newton's method ends; farther ones by
   the rounding of their coordinates. Experiment: the residual of the test mechanisms stagnates there. */
#define RLS_CLOSING_ROUNDING 1.5e-15

/* Relative to 1 plus the size: two numbers that say the same and were found in different ways (a pose that
   ODE normalised, rows of anchors and of ODE). Theory: a hundred roundings, far below what a step moves. */
#define RLS_SAME 1e-13

/* Relative, squared: what is left of a vector that those before it imply. Theory: the square of rows out of
   line by 1e-6 rad. */
#define RLS_DEPENDENT 1e-12

/* Relative pivot below which a row is left out while joints are still being closed. Experiment, below the
   rank tolerance and above rounding. */
#define RLS_TRIAL_PIVOT 1e-11

/* 1/m^2: squared force of a row over its squared torque at which it is a row of pure torque: a lever of 10^12
   m. Theory. */
#define RLS_NO_FORCE 1e-24

/* Relative or rad: a rate or a turn that stands for any, and beyond which ODE loses count of turns. Theory.
 */
#define RLS_HUGE 1e9

/* A pivot that stands for infinity and whose square is a number. Theory. */
#define RLS_HUGE_PIVOT 1e150

/* m, rad, or relative: a step that goes farther has failed; a row this much softer than others is free.
   Theory: six digits are left of a double's coordinates at 1e-10. */
#define RLS_FARTHEST 1e6

/* ---- When joints count as closed ---- */

/* m, rad or relative: residual that is worth no further work, and above which a sub-step has failed.
   Experiment: a thousand times below what is seen, far above what singular configurations leave to Newton's
   method. */
#define RLS_CLOSED 1e-10

/* m, rad, relative, or of the largest velocity: what is told to the user (joints open, rows missed), and what
   contacts and stops are resolved to. Far above rounding, far below what anybody sees. */
#define RLS_SEEN 1e-9

/* m or rad: residual that is worth another attempt; what stops may be passed by. Below RLS_SEEN, so that what
   is tried again is not told. */
#define RLS_OPEN 5e-10

/* m or rad: what Euler's step and the conserving correction may leave; a start that is open by more is closed
   without a change of velocity. Experiment. */
#define RLS_LEFT_OPEN_BY_A_STEP 1e-8

/* m or rad: residual that is worth no more than three factorisations of a damped step: a row that is a double
   root gains a factor of four with each. Experiment. */
#define RLS_NEARLY_CLOSED 1e-7

/* m or rad: residual of a beginning that is worth a projection of its own, where the last step left a
   singular row open. Experiment. */
#define RLS_SINGULAR_LEFT_OPEN 1e-6

/* Times rounding: the same elsewhere. Experiment. */
#define RLS_OPEN_START 50.0

/* m or rad by which a sub-step that stays on its branch never opens redundant rows. Experiment: linkages that
   change their branch open by centimetres. */
#define RLS_OPENED 1e-3

/* Part of what a joint is open by that its rows show at least. Theory: rows turn by less in a step. */
#define RLS_HIDDEN 0.1

/* m or rad that bodies would move to close a remembered row: beyond, it is out of reach. Experiment. */
#define RLS_OUT_OF_REACH 1e-4

/* Times the opening that a step began with: what it may end with untold, the turn of rows included. Theory.
 */
#define RLS_GROWN 1.1

/* rad that one correction of positions may turn a body. Theory: beyond, the linear model says nothing. */
#define RLS_LARGEST_TURN 0.5

/* Displacement that closes the joints over the motion of the step: beyond, its rate says little of the
   velocity. Experiment. */
#define RLS_WELL_RESOLVED 0.25

/* rad^2: how far the axis of a hinge may lean from its twin's for its rows to be found without ODE. Theory:
   the formula's first term that is left out. */
#define RLS_LEANING 1e-2

/* Cosine of an angle above which ODE's basis across an axis has turned little; a jump is mostly larger.
   Theory. */
#define RLS_TURNED_LITTLE 0.99

/* ---- Rank: relative pivots ---- */

/* Pivot at which a row is kept as it comes; part of a vector that counts as independent. Experiment: rows
   between it and the tolerance are few. */
#define RLS_SAFE_PIVOT 1e-3

/* Pivot from which the factor of the beginning serves the whole sub-step. Experiment. */
#define RLS_FRESH_PIVOT 5e-4

/* The safe pivot where so many rows are doubtful that a dense border is no choice; the largest imperfection
   of penalty methods. Experiment. */
#define RLS_SMALL_PIVOT 1e-6

/* Pivot below which rounding may have made it, and which leaves no doubt above. Experiment. */
#define RLS_UNSURE_PIVOT 1e-5

/* The safe pivot of light bodies and of fresh factors, where a poor choice of rows is expensive. Experiment.
 */
#define RLS_DOUBTFUL_PIVOT 3e-2

/* Pivot that belongs to no singular configuration ahead. Experiment. */
#define RLS_REMOTE_PIVOT 1e-2

/* Factor by which a row's last decision shifts the tolerance either way; of a row's rest that a correction
   may turn. Theory: a pivot is a squared sine, so twice the angle. */
#define RLS_HYSTERESIS 4.0

/* Pivot that no violation may hide. Theory: the square of rows out of line by half a degree. */
#define RLS_LARGEST_TOLERANCE 1e-4

/* Displacement that would close a redundant row over its opening: beyond, the row stays out. Experiment with
   axes out of line. */
#define RLS_MISFIT 30.0

/* Of the smallest pivot that was kept: where misfits may raise the tolerance to. Experiment. */
#define RLS_FAR_BELOW 0.01

/* Tolerance up to which trees are factored without a look at their pivots; pivot of a stop that the joints
   leave nothing to move. Theory: rows of trees are independent. */
#define RLS_RIGID_PIVOT 1e-8

/* Coefficient of a row in a combination, in units of their lengths, that is no rounding. Theory: rounding
   over the square root of a pivot at the tolerance. */
#define RLS_DEPENDS 1e-6

/* Part of a self-stress, relative to its largest multiplier, that makes a reaction not unique. Theory: the
   root of rounding. */
#define RLS_SHARED 1e-7

/* Squared residual of conjugate gradients, relative to the start. Theory: rounding, squared. */
#define RLS_LEAST_SELF_STRESS 1e-28

/* ---- Convergence: ratios of residuals, one iteration to the next ---- */

/* Ends an iteration that is near rounding. Theory. */
#define RLS_STAGNATED 0.5

/* Calls for a new factor, or another proximal term. Experiment. */
#define RLS_SLOW 0.1

/* The same of a sub-step's closing, where looks are cheaper than factors. Experiment: times of the test
   mechanisms. */
#define RLS_SLOW_CLOSING 0.3

/* The same of projections, which end at the next factor anyway. Experiment: the same. */
#define RLS_SLOW_PROJECTION 0.03

/* Residual over the best one that calls for a retreat. Experiment. */
#define RLS_DIVERGED 10.0

/* Ends passes of the penalty method. Experiment. */
#define RLS_EXHAUSTED 0.9

/* Of the tolerance: how far sweeps on the linearised motion go. Experiment. */
#define RLS_ENOUGH 0.2

/* 1/m or 1/rad: of the squared residual, as far as they need to go. Theory: the curvature of the manifold is
   of that size. */
#define RLS_CURVED 0.1

/* Cube of the fraction of the longest sub-step that tells its multipliers. Experiment. */
#define RLS_FIRST_SUBSTEP 0.02

/* ---- Distances of finite differences ---- */

/* rad^2: argument up to which seven terms of a series leave 3e-18. Theory. */
#define RLS_SERIES_UP_TO 0.25

/* m or rad to either side for second derivatives. Theory: balances rounding over its square and truncation.
 */
#define RLS_CURVATURE_DISTANCE 1.5e-3

/* m or rad to either side for G of the simultaneous correction, which steers its passes but does not enter
   the answer. Theory. */
#define RLS_GRADIENT_DISTANCE 1e-4

/* m or rad to poses beside a singular one. Theory: balances rounding, its inverse, and truncation, its 6th
   power. */
#define RLS_NEARBY_DISTANCE 8e-3

/* m or rad: the same of slow motions and of those that leave a straight way soon. Experiment. */
#define RLS_NEARBY_SHORTEST 3e-4

/* Part of that distance by which the way may miss. Experiment. */
#define RLS_NEARBY_MISS 0.1

/* s to the first of them: what hardly moves has no direction to look into. Experiment. */
#define RLS_NEARBY_TIME 0.1

/* ---- Energy ---- */

/* Of the kinetic energy: what a step that follows the motion gains or loses at most. Experiment: accurate
   steps of the test mechanisms make a hundredth. */
#define RLS_ENERGY_JUMP 0.05

/* The same of meshes: a singular configuration takes its share. Experiment with nets. */
#define RLS_MESH_ENERGY_JUMP 1e-3

/* Of the largest kinetic energy, summed over steps: more than the methods' errors of long steps. Experiment.
 */
#define RLS_ENERGY_CREEP 0.1

/* Of forces times distances from the origin: rounding of energies and moments. Theory: a million steps. */
#define RLS_LEVER_ROUNDING 1e-9

/* rad in a step: bodies that turn by less keep their energy beside hard joints. Experiment. */
#define RLS_SMALL_TURN 0.1

/* rad in a step: bodies that turn by less are followed well. Experiment. */
#define RLS_COARSE_TURN 0.25

/* (h omega)^2 of a stiff direction. Theory: steps are stable up to 4, and tension may have risen since. */
#define RLS_STIFF_LIMIT 1.0

/* One body's share of a motion at most. Experiment. */
#define RLS_STIFF_SHARE 0.3

/* Of the kinetic energy: more inertia that would take more is no cure. Experiment. */
#define RLS_STIFF_ENERGY 0.002

/* ---- Light bodies ---- */

/* Part of a body's mass or inertia that counts for what it is joined to. Experiment. */
#define RLS_PASSED_ON 0.1

/* How much farther a row moves a light body than one of the reference, squared. Experiment. */
#define RLS_LIGHT 1e5

/* Squared lever, of a squared radius of gyration, that counts as none. Theory. */
#define RLS_SHORT_LEVER 1e-8

/* ---- Stops and contacts in both halves of a step ---- */

/* m/s: to what the bounded rows of a half step are solved. Theory: rounding of fast bodies. */
#define RLS_SOLVED 1e-12

/* m/s: the same of Euler's method, as ODE's own. Experiment. */
#define RLS_ROUGHLY_SOLVED 1e-6

/* Of what an impulse of 1 moves a row by: softness where rows yield. Experiment. */
#define RLS_YIELDING 1e-2

/* The same of a row that takes back a depth. Experiment. */
#define RLS_YIELDING_PUSH 1e-3

/* Steps: how late a contact may have been seen to be dated back. Theory: one step, and rounding. */
#define RLS_LATEST_CONTACT 1.05

/* The least damping of a soft row that does not ring. Theory: method.md, section 9. */
#define RLS_NO_RINGING 16.0

/* Of a soft row's damping: keeps its equation regular. Theory. */
#define RLS_LEAST_SOFTNESS 1e-8

/* Of g h^2: depth of contacts that is left. Experiment: collision detection sees them late. */
#define RLS_CONTACT_SLOP 0.1

/* Of the largest push, to which depths are taken back. Experiment: the next step pushes again. */
#define RLS_PUSH_TOLERANCE 1e-2

/* The same of many rows. Experiment. */
#define RLS_PUSH_TOLERANCE_OF_MANY 0.1

/* m or rad: a stop that is none. */
#define RLS_NO_STOP 1e30

/* m or rad: a reach that no stop is beyond. */
#define RLS_STOP_REACH 1e3

/* rad, or of the unit of length: a stop this near has its row at rest. Experiment. */
#define RLS_STOP_MARGIN 0.02

/* Steps at the present speed: the same in motion. Theory: one step, and what it may gain. */
#define RLS_STOP_AHEAD 2.0

/* ---- Bounded rows: starts and ends (shares of the residual without impulses where nothing else is said)
 * ---- */

/* Softness that keeps redundant contacts apart, of a row's inverse effective mass. Theory: the root of
   rounding, so that the matrix keeps half of its digits. */
#define RLS_PROXIMAL 3e-9

/* The same while the sides of rows are still looked for. Experiment. */
#define RLS_SETTLING 1e-4

/* How much smaller it becomes where convergence is slow. Experiment. */
#define RLS_SMALLER_TERM 1e-3

/* What is good enough where something moves. Experiment. */
#define RLS_GOOD_SHARE 1e-5

/* The same where nothing does: what stays still is cheap to solve again. Experiment. */
#define RLS_TOLERANCE_AT_REST 1e-6

/* Times what the step's forces do: what moves no more is at rest. Theory: once, and some. */
#define RLS_RESTING 1.2

/* Of the tolerance: to where few rows are worth being solved. Experiment. */
#define RLS_LAST_DIGITS 1e-4

/* Tolerances: a start that is enough where nothing moves, and where the interior point begins to measure.
   Experiment. */
#define RLS_GOOD_START 10.0

/* A start that is worse than none. Experiment. */
#define RLS_NEVER_START 100.0

/* A start in need of sweeps. Experiment. */
#define RLS_FAR_START 0.05

/* A start likely to have most of its sides right. Experiment. */
#define RLS_NEAR_START 0.2

/* A start that is always worth factorisations by its sides. Experiment. */
#define RLS_NEAREST_START 0.01

/* By which what is good enough grows with each of these. Experiment. */
#define RLS_SETTLED_WORSE 3.0

/* Of the rows that changed sides at first: more, and the search by sides ends. Experiment. */
#define RLS_HOPEFUL 0.6

/* Of a row's inverse effective mass as it acts: the least where it looks another way. Experiment. */
#define RLS_LEAST_LOOK 0.2

/* Coefficient from which friction begins as if it stuck. Experiment. */
#define RLS_FAR_FRICTION 2.0

/* Coefficient that stands for friction without limit. Theory. */
#define RLS_MOST_FRICTION 1e4

/* Of the arms' length: farther contacts are others. Experiment. */
#define RLS_SAME_POINT 0.03

/* Cosine between rows that carry their impulse over as it is. Experiment. */
#define RLS_SAME_DIRECTION 0.9

/* Of the arm's length: how far a contact may have moved on its body in a step for its rows to be
   extrapolated. Experiment. */
#define RLS_MOVED_POINT 0.05

/* Cosine between such a row and the one that it was. Experiment. */
#define RLS_TURNED_ROW 0.98

/* Of what forces change velocities by in the step: friction that slides more slowly turns at once.
 * Experiment. */
#define RLS_TURNS_AT_ONCE 0.01

/* Of the largest impulse: change that ends the passes that date reversals. Experiment. */
#define RLS_SAME_IMPULSES 1e-7

/* Of the trace: contacts may be unable to give every wrench. Theory. */
#define RLS_WRENCH_REGULARISATION 1e-6

/* Pairs analysed over pairs present at which the analysis is renewed. Experiment. */
#define RLS_STALE_PAIRS 1.5

/* What last digits leave of a moving island. Experiment: twenty sweeps of Gauss-Seidel leave a fifth of the
   residual of a heap of ragdolls, a hundred a tenth. */
#define RLS_FEW_DIGITS_MOVING 0.04

/* The same of few rows and of islands at rest: what does not move shall not creep. Experiment. */
#define RLS_FEW_DIGITS 0.01

/* The same where a rough answer does. Experiment. */
#define RLS_FEW_DIGITS_ROUGH 0.2

/* ---- Bounded rows: interior point and complementary pivoting ---- */

/* Times the mean residual: the first barrier. Experiment. */
#define RLS_BARRIER_START 3.0

/* Times the largest one: the same at rest. Experiment. */
#define RLS_BARRIER_START_AT_REST 1.0

/* Of the tolerance: the last barrier. Theory: its error is then below. */
#define RLS_BARRIER_GOAL 0.1

/* Of the way to the boundary is gone. Mehrotra 1992. */
#define RLS_TO_THE_BOUNDARY 0.995

/* Of the barrier, kept by each step. Mehrotra 1992. */
#define RLS_LEAST_CENTRING 1e-4

/* Steps that lead nowhere: back to the centre. Experiment. */
#define RLS_SHORT_STEP 0.1

/* Times the barrier, there. Experiment. */
#define RLS_RECENTRED 9.0

/* Times the residual: the barrier of a new start. Experiment. */
#define RLS_REOPENED 10.0

/* Room of rows at their bounds where pivoting begins, and what an answer may leave. Experiment. */
#define RLS_PATH_ROOM 1e-3

/* The same from no impulses. Theory: above 1. */
#define RLS_PATH_FROM_AFAR 2.0

/* Relative error of the path's matrix at which it is made anew. Experiment. */
#define RLS_INACCURATE_PATH 1e-5

/* Products that a path may take: two milliseconds. */
#define RLS_MOST_PRODUCTS 4e6

/* ---- Corrections of the literature ---- */

/* m or rad: motion whose third power is above rounding. Theory. */
#define RLS_RESOLVED 1e-5

/* Ratio of the least pivots within a step of Runge and Kutta below which the rank is about to change.
   Experiment. */
#define RLS_PIVOT_CHANGING 0.88

/* Weight of moments beside forces in the certificate. Theory: any does, it only orders. */
#define RLS_WEIGHT_OF_MOMENTS 1e-3

/* s: the step of an analysis without one; scales soft rows only. */
#define RLS_ANALYSIS_STEP 0.01

/* CFM of ODE's new worlds in single precision (ODE, world.cpp), */
#define RLS_STOCK_CFM_SINGLE 1e-5f

/* and in double. */
#define RLS_STOCK_CFM_DOUBLE 1e-10

/* ---- Steps whose length follows the error ---- */

/* s: the first step that is tried. Convention. */
#define RLS_ADVANCE_FIRST 0.01

/* The next step is this part of the one that would just do, so that few are taken back, and changes at most by these factors
   (Hairer, Norsett & Wanner, section II.4). */
#define RLS_ADVANCE_SAFETY 0.9
#define RLS_ADVANCE_GROWTH 4.0
#define RLS_ADVANCE_SHRINKAGE 0.2

/* Part of a step by which the last one may be longer. Convention. */
#define RLS_ADVANCE_EVEN 1e-9

/* Trials whose error does not fall with the square of their length before one is taken as it is. Convention. */
#define RLS_ADVANCE_TRIALS 3

/* Of the last step that held the tolerance: a shorter one is taken as it is. Convention. */
#define RLS_ADVANCE_SHORTEST 2e-3

/* Of the duration: where a shorter step overflows, none will do. Convention. */
#define RLS_ADVANCE_OVERFLOW 1e-6

/* Difference of two ways to the same pose that is rounding, relative to the largest number of a body or 1. Experiment. */
#define RLS_ADVANCE_ROUNDING 1e-14

/* ---- Equations of motion ---- */

/* Relative pivot of a self-stress that deforms nothing. Theory: rounding. */
#define RLS_UNDECIDED_SHARE 1e-12

/* Relative difference of two works that are the same by Maxwell and Betti. Convention. */
#define RLS_UNSYMMETRIC_COMPLIANCE 1e-6

/* Relative difference of an acceleration that the joints imply from the wanted one. Convention. */
#define RLS_NOT_ALLOWED 1e-6

#endif
