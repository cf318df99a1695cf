/*
 * All real constants of the library: value, unit, what each decides, and where it comes from.
 *
 * "Theory": it follows from the argument that is given.  "Experiment": it was found by trying, on the tests.
 * Lengths are in m for worlds whose bodies are some metres in size; length_scale.c takes care of others. What
 * changes with a constant that is ten times as large, or a tenth: tests/tools/sensitivity.txt.  Constants
 * with several uses have one value for all of them because the argument is the same.
 *
 * Numbers of iterations, sizes of batches and coefficients of formulae are defined where they are used.
 */
#ifndef RLS_TOLERANCES_H
#define RLS_TOLERANCES_H

/* ---- Mathematics ---- */

/* Half a turn (rad). */
#define RLS_PI 3.14159265358979323846

/* ---- Rounding, and what counts as equal ---- */

/* Relative: the rounding error of a sum of about ten terms.  Pivots, residuals and velocities below it are
 * 0.  Theory: 50 units of rounding. */
#define RLS_ROUNDING 1e-14

/* m or rad: the residual at which joints closer than a metre to the origin count as closed to rounding,
 * and Newton's method ends; for others it is the rounding error of their coordinates.  Experiment: the
 * residual of the test mechanisms stagnates there. */
#define RLS_CLOSING_ROUNDING 1.5e-15

/* m, rad, or relative to 1 plus the magnitude: two numbers are equal although they were computed in
 * different ways, such as a pose that ODE has normalised, or rows from anchors and rows from ODE; Newton's
 * method may end here if it no longer converges.  Theory: a hundred rounding errors, far below what a step
 * moves. */
#define RLS_SAME 1e-13

/* Relative, of squares: what is left of a vector that depends on those before it; the rank tolerance of
 * factors that are used only to close joints; the least damping.  Theory: the square of directions that
 * differ by 1e-6 rad. */
#define RLS_DEPENDENT 1e-12

/* rad, or relative: a turn in one step for which ODE's joints cannot be evaluated, and a step rate that
 * stands for an infinite one.  Theory. */
#define RLS_HUGE 1e9

/* m, rad, or relative: a step that moves something farther has failed; a redundant row that is this much
 * softer than others is free.  Theory: of coordinates of this size a double keeps 1e-10. */
#define RLS_FARTHEST 1e6

/* ---- When joints count as closed ---- */

/* m, rad or relative: a residual below it is not worth further work; a sub-step that leaves more has
 * failed and is tried in another way; a stop is reached.  It is below RLS_SEEN, so that what is tried
 * again is not reported.  Experiment: far above what singular configurations leave to Newton's method. */
#define RLS_CLOSED 1e-10

/* m, rad, relative, or of the largest velocity: what is reported to the program as an open joint or a
 * missed row; the accuracy of contacts and stops; the rounding of energies.  Far above the rounding of a
 * step, far below what anybody sees. */
#define RLS_SEEN 1e-9

/* m or rad: what Euler's step, the damped step and the conserving correction may leave open; a beginning
 * that is open by more is closed without a change of velocity.  Experiment. */
#define RLS_LEFT_OPEN_BY_A_STEP 1e-8

/* m or rad: a beginning that is open by more, because the last step left a singular row open, is projected
 * first.  Experiment: without it test_stepper_stiff fails. */
#define RLS_SINGULAR_LEFT_OPEN 1e-6

/* m or rad: a sub-step that stays on its branch never opens redundant rows by more.  Experiment: linkages
 * that change their branch open by centimetres. */
#define RLS_OPENED 1e-3

/* A tenth: what is less than this part of something does not count: the share of an opening that its rows
 * must show; the part of a motion by which closing it may displace it; the change of a pivot that counts
 * as none; the mass, as part of that of a neighbour, that is added to light bodies; the step of an
 * iteration that leads somewhere; the last barrier, as part of the tolerance; the least part of its
 * diagonal that a bounded row keeps; the length of a basis vector that has turned away; what a compliant
 * contact leaves of the velocity of an impact.  Experiment. */
#define RLS_SMALL_PART 0.1

/* rad: the most that one correction of positions may turn a body.  Theory: beyond it the linear equations
 * mean nothing. */
#define RLS_LARGEST_TURN 0.5

/* Cosine of the angle by which rows, or ODE's basis across an axis, turn in an ordinary step; where the
 * basis jumps the angle is mostly larger.  Theory. */
#define RLS_TURNED_LITTLE 0.99

/* ---- Rank: relative pivots ---- */

/* Relative pivot above which a row is kept as it comes; with at least half of it the factor of the
 * beginning serves the whole sub-step.  Also the part of a vector that counts as independent.  Experiment:
 * few rows lie between it and the tolerance. */
#define RLS_SAFE_PIVOT 1e-3

/* Square of the velocity along a row, relative to its own mobility: a random velocity that satisfies the
 * kept rows and has less along this row shows that they imply it.  Theory: far above rounding, (1e-13)^2,
 * and so far below the rank tolerance that of rows with a pivot at the tolerance one in 10^6 would be
 * mistaken. */
#define RLS_IMPLIED 1e-21

/* The safe pivot of islands with so many doubtful rows that these cannot be pivoted densely; the largest
 * relative imperfection of penalty methods.  Experiment. */
#define RLS_SMALL_PIVOT 1e-6

/* Relative pivot below which rounding may have made it.  Experiment. */
#define RLS_UNSURE_PIVOT 1e-5

/* The safe pivot for light bodies and for factors at an iterate, where a poor choice of rows is expensive;
 * with larger ones no singular configuration is near.  Experiment. */
#define RLS_DOUBTFUL_PIVOT 3e-2

/* Factor by which a row's last decision raises or lowers the tolerance; of pivots that may be the same; of
 * the angle by which a correction may turn what is left of a row.  Theory: a pivot is the square of a
 * sine, so this is twice the angle. */
#define RLS_HYSTERESIS 4.0

/* Relative pivot above which a row is kept however far joints are open.  Theory: the square of directions
 * that differ by half a degree. */
#define RLS_LARGEST_TOLERANCE 1e-4

/* The displacement that would close a redundant row, over its opening: if it is more, the row stays left
 * out.  Experiment with misaligned axes. */
#define RLS_MISFIT 30.0

/* Relative: a part that is negligible beside the whole, in sums of squares or of works: the rank tolerance
 * up to which trees are factored without regard to pivots; the mobility of a stop that joints hold; the
 * pivot of a row that is hardly known; a squared lever that counts as 0; the least eps of soft rows; the
 * change of impulses at which iterations end.  Theory: the root of rounding. */
#define RLS_NEGLIGIBLE 1e-8

/* Relative to the others: a coefficient of a combination of rows, a multiplier of a self-stress, or a
 * difference of two accelerations or works that should agree, which is more than rounding; over the residual
 * without impulses, what bounded rows that depend on each other may contradict each other by; softness of
 * contacts whose depth is reduced in small islands, over their own mobility.  Theory: rounding over the root
 * of a pivot at the tolerance. */
#define RLS_DEPENDS 1e-6

/* ---- Convergence: ratio of a residual to the one before ---- */

/* An iteration near rounding that gains less has ended.  Theory. */
#define RLS_STAGNATED 0.5

/* An iteration that gains less needs a new factor, or another proximal term.  Experiment. */
#define RLS_SLOW 0.1

/* The same for closing a sub-step, where evaluating the rows is cheaper than factoring them.  Experiment:
 * times of the test mechanisms. */
#define RLS_SLOW_CLOSING 0.3

/* Over the best residual so far: an iteration with more has diverged.  Experiment. */
#define RLS_DIVERGED 10.0

/* Passes of the penalty method, and of a half step with bounded rows, that gain less end.  Experiment. */
#define RLS_EXHAUSTED 0.9

/* Over the tolerance: the residual to which sweeps on the linearised motion go.  Experiment. */
#define RLS_ENOUGH 0.2

/* 1/m or 1/rad, times the square of the first residual: they need not go further than this.  Theory: the
 * constraints have a curvature of this size. */
#define RLS_CURVED 0.1

/* Sub-steps shorter than this part of the longest one, in the third power, are not used to estimate how
 * multipliers change.  Experiment. */
#define RLS_FIRST_SUBSTEP 0.02

/* ---- Distances of finite differences ---- */

/* m or rad to either side, for second derivatives.  Theory: rounding grows with the inverse of its square,
 * truncation with its fourth power. */
#define RLS_CURVATURE_DISTANCE 1.5e-3

/* m or rad from one pose to the next, for interpolation past a singular configuration.  Theory: rounding
 * grows with its inverse, truncation with its sixth power. */
#define RLS_NEARBY_DISTANCE 8e-3

/* m or rad: the least of these distances, for slow motions and for those that soon turn away.  Experiment.
 * */
#define RLS_NEARBY_SHORTEST 3e-4

/* s: the most that the motion may take from one of these poses to the next; slower ones define no
 * direction.  Experiment. */
#define RLS_NEARBY_TIME 0.1

/* ---- Energy ---- */

/* Part of the kinetic energy: a gain of a step, or of all steps since the last report, that is reported.
 * Experiment: accurate steps of the test mechanisms gain a hundredth of it. */
#define RLS_ENERGY_JUMP 0.05

/* Part of the kinetic energy: the most that a step which follows the motion gains or loses, and that
 * inertia which is added against geometric stiffness may take.  Experiment with nets, cracking chains and
 * free trees in a whirl. */
#define RLS_SMALL_ENERGY_JUMP 1e-3

/* rad in a step: if all bodies turn by less, hard joints keep their energy.  Experiment. */
#define RLS_SMALL_TURN 0.1

/* h^2 K times the mobility of a body with those that move with it: with more it is too light for its
 * stiffness.  Experiment. */
#define RLS_STIFF_SHARE 0.3

/* ---- Light bodies ---- */

/* Ratio of the mobility of a row by a body to that by a body of the mass and inertia of its neighbours
 * (mass_scaling.h): with more, the body is light.  Experiment. */
#define RLS_LIGHT 1e5

/* ---- Stops and contacts in both halves of a step ---- */

/* m/s: tolerance of the bounded problem of a half step.  Theory: rounding of fast bodies. */
#define RLS_SOLVED 1e-12

/* m/s: the same for Euler's method, as accurate as ODE's solver.  Experiment. */
#define RLS_ROUGHLY_SOLVED 1e-6

/* Softness of rows that give way, and of stops whose depth is reduced, over their own mobility.  Experiment.
 */
#define RLS_YIELDING 1e-3

/* Over g h^2: the depth that contacts keep.  Experiment: collision detection sees them late. */
#define RLS_CONTACT_SLOP 0.1

/* Over g h^2: how deep a corner is struck that the step takes to the ground.  Experiment: collision detection
 * would miss what has come to the ground by rounding. */
#define RLS_CORNER_SLOP 0.025

/* Over the largest push: tolerance of the problem that reduces depths.  Experiment: the next step pushes
 * again. */
#define RLS_PUSH_TOLERANCE 1e-2

/* Units of length, or rad: no stop is farther from its joint. */
#define RLS_STOP_REACH 1e3

/* Units of length, or rad: stops this near have a row although nothing moves.  Experiment. */
#define RLS_STOP_MARGIN 0.02

/* ---- Bounded rows: starts and ends.  Over the residual without impulses, unless a unit is given ---- */

/* Softness that keeps redundant contacts apart, over their inverse effective mass.  Theory: the root of
 * rounding, so that the matrix keeps half of its digits. */
#define RLS_PROXIMAL 3e-9

/* The same while it is not known yet which rows are at a bound, after a start that leaves a hundredth of the
 * residual without impulses; RLS_LITTLE after a worse one.  Experiment (problems of piles of 100): with 1e-4
 * after all starts, four in ten do not converge; with 1e-2 after good ones, walls keep 1e-4 m/s.  And the
 * softness of contacts whose depth is reduced in large islands, over their own mobility: with 1e-6 bodies in
 * one place are pushed through each other, with 1e-3 light ones do not lift heavy ones
 * (unit.test_jumping_contacts, unit.test_landing).  And that about the loads that contacts keep in the first
 * half of a step, over the same: 1e-6 does as well, with 1e-3 cars at 10 ms lose a wheel
 * (unit.test_skid_steer). */
#define RLS_SETTLING 1e-4

/* The residual that is good enough: at least if something moves, at most if nothing does, because what
 * stays at rest is cheap to solve again.  Experiment. */
#define RLS_GOOD_SHARE 1e-5

/* A factor that means "once", with room for rounding and for the turning of rows.  Bodies that move no
 * faster than the forces of one step make them are at rest; joints that were open are reported if they are
 * open by more than before; a contact is dated back by one step.  Theory. */
#define RLS_MARGIN 1.2

/* Over the tolerance: the residual to which small problems are solved.  Experiment. */
#define RLS_LAST_DIGITS 1e-4

/* Over the tolerance: a start that is enough if nothing moves; where the interior-point method begins to
 * measure its residual.  Experiment. */
#define RLS_GOOD_START 10.0

/* A start with more is worse than none.  Experiment. */
#define RLS_NEVER_START 100.0

/* A start with more needs sweeps; and the residual that may be left in a large island that moves.
 * Experiment (heaps of 40 and 100 boxes, ten ragdolls, several starts): with half of it a step costs an
 * eighth more and no heap is less deep or less lively; with four times it heaps of 100 are twice as deep.
 * */
#define RLS_FAIR_SHARE 0.1

/* A start with less has most rows at the right bounds.  Experiment. */
#define RLS_LARGE_SHARE 0.2

/* The factor by which the residual that is good enough grows with each attempt.  Experiment. */
#define RLS_SETTLED_WORSE 3.0

/* Friction with a larger coefficient begins as if it stuck.  Experiment. */
#define RLS_FAR_FRICTION 2.0

/* The coefficient that stands for unlimited friction.  Theory. */
#define RLS_MOST_FRICTION 1e4

/* Over the length of its arms: how far a contact may have moved on its body, or from its centre, in a step
 * and be the same contact.  Experiment. */
#define RLS_SAME_POINT 0.03

/* Cosine of the angle up to which changes of a joint by the program are alike.  Experiment. */
#define RLS_SAME_DIRECTION 0.9

/* Over the trace of the normal equations by which a wrench is distributed over contacts, which may not be
 * able to exert all wrenches.  Theory. */
#define RLS_WRENCH_REGULARISATION 1e-6

/* A hundredth: what is little beside the whole: pivots so far below all kept ones may be those of misaligned
 * rows; a start this good is worth its factorisations; the proximal term after a worse one; what solutions
 * at rest and of small problems may still gain; sliding this slow reverses at once; the energy of a jammed
 * step is 1 / RLS_LITTLE times that of its motion.  Experiment. */
#define RLS_LITTLE 0.01

/* ---- Bounded rows: interior point and complementary pivoting ---- */

/* Over the mean residual: the first barrier.  Experiment. */
#define RLS_BARRIER_START 3.0

/* Part of the way to the boundary that a step goes.  Mehrotra 1992. */
#define RLS_TO_THE_BOUNDARY 0.995

/* Part of the barrier that each step keeps at least.  Mehrotra 1992. */
#define RLS_LEAST_CENTRING 1e-4

/* Over the present barrier: the one after a step that led nowhere.  Experiment. */
#define RLS_RECENTRED 9.0

/* Over the residual: the barrier of a new start.  Experiment. */
#define RLS_REOPENED 10.0

/* Distance of rows from their bounds where pivoting begins; and the residual that its result may leave.
 * Experiment. */
#define RLS_PATH_ROOM 1e-3

/* How many multiplications a path of pivots may take: two milliseconds. */
#define RLS_MOST_PRODUCTS 4e6

/* ---- Corrections of the literature ---- */

/* m or rad: a motion whose third power is above rounding.  Theory. */
#define RLS_RESOLVED 1e-5

/* Ratio of the least pivots at two stages of a Runge-Kutta step: below it the rank is about to change.
 * Experiment. */
#define RLS_PIVOT_CHANGING 0.88

/* s: the step of an analysis, which has none, and the first one that dRLSStepperAdvance tries; it affects
 * soft rows only. */
#define RLS_ANALYSIS_STEP 0.01

/* CFM of ODE's new worlds in single precision (ODE, world.cpp). */
#define RLS_STOCK_CFM_SINGLE 1e-5f

/* The same in double precision. */
#define RLS_STOCK_CFM_DOUBLE 1e-10

#endif
