"""What report.py runs and says: methods, problems, and the figures that the papers report for them."""

METHODS = {
    # word of ode-rls: (name in tables, what it is, source)
    "ode": ("dWorldStep", "ODE's own step: all rows softened by CFM, positions corrected by ERP", "ODE 0.16"),
    "quick": ("dWorldQuickStep", "twenty sweeps of Gauss-Seidel on the same rows", "ODE 0.16"),
    "compliant": ("compliant", "every row with ODE's ERP and CFM, exactly solved: the regularised stepper",
                  "Gonzalez & Kövecses, eq. 1"),
    "euler": ("euler + projection", "semi-implicit Euler, positions closed by the least displacement",
              "this library"),
    "none": ("rk4, none", "constraints on accelerations only", "the textbook's index-1 form"),
    "erp": ("rk4, Baumgarte", "accelerations with 2α dΦ/dt + β² Φ, α = β = ERP / h", "Baumgarte 1972"),
    "embedded": ("rk4, embedded", "violations taken back within the step by inertia-weighted pseudo-inverses; "
                 "held over the stages", "Braun & Goldfarb 2009, eqs. 20, 21"),
    "embedded-through": ("rk4, embedded, through", "the same without special handling of singular configurations", "the same"),
    "embedded-stages": ("rk4, embedded, each stage", "the same terms evaluated at every stage", "the same"),
    "direct": ("rk4, direct", "one pass that closes positions, then one for velocities",
               "Orsino & Oliveira 2023, eqs. 20, 21; Zhang et al., section 3"),
    "projection": ("rk4, projection", "the same passes repeated to rounding",
                   "Gonzalez & Kövecses, eqs. 2, 3"),
    "simultaneous": ("rk4, simultaneous", "positions and velocities corrected by one system", "Zhang et al., section 4"),
    "energy": ("rk4, energy", "the same, and the energy corrected as well", "Zhang et al., section 5"),
    "augmented-bare": ("augmented, bare", "augmented Lagrangian, trapezoidal rule, not projected",
                       "Dopico et al., section 3"),
    "augmented": ("augmented", "the same with mass-orthogonal projections of velocities and accelerations", "the same"),
    "conserving-bare": ("conserving, bare", "energy-conserving augmented Lagrangian, not projected",
                        "Dopico et al., section 4"),
    "conserving": ("conserving", "the same with projected velocities", "the same"),
    "symplectic": ("symplectic", "variational step with hard constraints (RATTLE)", "this library"),
    "symplectic4": ("symplectic4", "composition of fourth order of that step", "this library"),
    "symplectic6": ("symplectic6", "composition of sixth order of that step", "this library"),
}
VARIANTS = ("embedded-through", "embedded-stages")  # --correction words, not --methods


class Claim:
    """A figure that a paper reports: field of the run of a method at a step is to be at most limit, or, where the paper
    reports a failure, at least `over` or lost."""

    def __init__(self, paper, says, method, dt, field, limit=None, over=None, remark=""):
        self.paper, self.says, self.method, self.dt, self.field = paper, says, method, dt, field
        self.limit, self.over, self.remark = limit, over, remark


BRAUN = "Braun & Goldfarb"
DOPICO = "Dopico et al."
GONZALEZ = "Gonzalez & Kövecses"
ORSINO = "Orsino & Oliveira"
ZHANG = "Zhang et al."

ROUNDING = ("Distance of the two anchors of a joint: three units in the last place of coordinates between 1 and 2 m; further "
            "passes do not reduce it. The paper cuts one loop of relative coordinates and has no other joint "
            "that could be open.")
ANOTHER = "Not the paper's geometry, which is not published; only the orders of magnitude can be compared."

PROBLEMS = [
    {"scene": "bricard", "title": "Rectangular Bricard mechanism",
     "text": "Five bars of 1 m and 1 kg, six hinges, one degree of freedom, one redundant row (IFToMM benchmark A04).",
     "duration": 10, "dt": [0.01], "plot": [0.04, 0.02, 0.01, 0.005],
     "claims": [
         Claim(GONZALEZ, "regularised, it locks with position violations below 1e-4 m", "compliant", 0.01, "gap_m",
               limit=1e-4, remark="Angles stay below 1.3e-4 rad."),
         Claim(GONZALEZ, "and turns into a structure in part of its range (the end point should reach -1 m)", "compliant",
               0.01, "reach", over=-0.5, remark="x of the end point where it turns back."),
         Claim(GONZALEZ, "projection brings violations to machine error", "projection", 0.01, "gap", limit=1e-13),
         Claim(GONZALEZ, "and lets it swing", "projection", 0.01, "reach", limit=-0.999),
         Claim(ORSINO, "energy error 4e-10 J, by an adaptive method of order 8", "symplectic6", 0.01, "drift",
               limit=4e-10, remark="With fixed steps of sixth order."),
         Claim(ORSINO, "the same by their own correction", "direct", 0.002, "drift", limit=4e-10,
               remark="rk4 at 2 ms."),
         Claim("IFToMM A04", "energy error 8e-4 J in the published solution", "symplectic", 0.01, "drift", limit=8e-4),
     ], "orders": [0.02, 0.01, 0.005, 0.0025]},
    {"scene": "fourbar_rhombus", "title": "Rhombus four-bar",
     "text": "Links of 1 m and 1 kg at 60 degrees, released at rest; passes singular configurations at every swing.",
     "duration": 10, "dt": [0.001], "plot": [0.01, 0.005, 0.002, 0.001],
     "claims": [
         Claim(ZHANG, "without correction violations grow", "none", 0.001, "gap", over=1e-6),
         Claim(ZHANG, "scenario (b), direct correction: velocity 3e-13", "direct", 0.001, "speed", limit=3e-13),
         Claim(ZHANG, "scenario (c), simultaneous: position 3e-14", "simultaneous", 0.001, "gap", limit=3e-14),
         Claim(ZHANG, "scenario (c), simultaneous: velocity 1e-13", "simultaneous", 0.001, "speed", limit=1e-13),
         Claim(ZHANG, "scenario (d), with energy: position 2e-16", "energy", 0.001, "gap", limit=2e-16, remark=ROUNDING),
         Claim(ZHANG, "scenario (d), with energy: velocity 3e-14", "energy", 0.001, "speed", limit=3e-14),
         Claim(ZHANG, "scenario (d), with energy: the energy is kept", "energy", 0.001, "drift", limit=1e-11),
     ]},
    {"scene": "closedloop_par4", "title": "Closed loop of four parallel cranks",
     "text": "Six bodies, nine hinges, three loops, as many as in the closed-loop system of Zhang et al., whose geometry "
             "is not published.",
     "duration": 10, "dt": [0.001], "plot": [0.02, 0.01, 0.005, 0.002],
     "claims": [
         Claim(ZHANG, "without correction violations grow", "none", 0.001, "gap", over=1e-14, remark=ANOTHER),
     ]},
    {"scene": "nfourbar_n2", "title": "Two four-bar linkages",
     "text": "Started at 1 m/s at the top; five redundant rows; one degree of freedom, and three where the links are in "
             "line (IFToMM benchmark A02).",
     "duration": 100, "dt": [0.01, 0.001], "tuned": [0.01], "plot": [0.02, 0.01, 0.005, 0.002], "plot_duration": 10,
     "variants": True,
     "without": ("Simbody, error control",),  # off by 2 m at its default; a search takes hours
     "claims": [
         Claim(BRAUN, "error 1e-2 m over 100 s at h = 0.01", "embedded", 0.01, "error", limit=1e-2),
         Claim(BRAUN, "error 1e-7 m over 100 s at h = 0.001", "embedded", 0.001, "error", limit=1e-7,
               remark="Steps near a singular configuration are taken by symplectic4. In the paper's natural coordinates the "
                      "motion stays exactly on the linear branch; with rigid bodies it does not, see the row *through*."),
         Claim(BRAUN, "unstable without correction", "none", 0.01, "error", over=0.1),
         Claim("maximal coordinates", "with terms evaluated at each stage the motion is lost (1.4 m)", "embedded-stages",
               0.01, "error", over=0.1),
     ]},
    {"scene": "slider_crank", "title": "Slider-crank", "driven": True,
     "text": "Links of 1 m, driven by 20 N m against a damper of 5 N m s, through the positions in which the slider meets "
             "the crank's pivot.",
     "duration": 100, "dt": [0.001], "plot": [0.01, 0.005, 0.002, 0.001], "plot_duration": 10, "variants": True,
     "claims": [
         Claim(BRAUN, "error 4.4e-8 m over 100 s at h = 0.001", "embedded", 0.001, "error", limit=4.4e-8),
         Claim(BRAUN, "constraints below 1e-15", "embedded", 0.001, "gap", limit=1e-15,
               remark="In the paper's angles the motion is a linear branch of the constraint, which rk4 keeps exactly; "
                      "here bodies turn on circles."),
         Claim(BRAUN, "constraints below 1e-15", "projection", 0.001, "gap", limit=1e-15,
               remark="The rounding of bodies with six coordinates each."),
         Claim("index 1", "lost without correction", "none", 0.001, "error", over=0.1),
     ]},
    {"scene": "pendulum_compound", "title": "Pendulum",
     "text": "A rigid body that moves like a mathematical pendulum of 1 m, released from the horizontal.",
     "duration": 100, "dt": [0.001], "plot": [0.02, 0.01, 0.005, 0.002],
     "claims": [
         Claim(BRAUN, "error 3e-7 m after 1000 s at h = 0.001", "embedded", 0.001, "error", limit=3e-8,
               remark="After 100 s; the error grows with the time at most linearly."),
         Claim(BRAUN, "constraints to 1e-12", "embedded", 0.001, "gap", limit=1e-12),
     ]},
    {"scene": "spherical_pendulum", "title": "Spherical compound pendulum",
     "text": "Two masses on a rod; steps of 25 ms are large for its motion.",
     "duration": 100, "dt": [0.025], "plot": [0.05, 0.025, 0.01, 0.005], "plot_duration": 10,
     "claims": [
         Claim(DOPICO, "25 ms: unstable without projections", "augmented-bare", 0.025, "drift", over=20),
         Claim(DOPICO, "stable with projections", "augmented", 0.025, "drift", limit=1,
               remark="Of 20 J that are exchanged between kinetic and potential energy. Projections are iterated to rounding; the "
                      "paper solves once with the penalty."),
         Claim(DOPICO, "whose energy does not grow", "augmented", 0.025, "final", limit=0),
         Claim(DOPICO, "energy exact with the conserving form", "conserving-bare", 0.025, "drift", limit=1e-8),
     ]},
    {"scene": "iltis_rest", "title": "Iltis vehicle at rest", "driven": True, "program": "methods_iltis",
     "text": "13 bodies, 20 joints, leaf springs, dampers with bump stops, tyres (IAVSD benchmark; the model is "
             "[an example](../../demos/examples/iltis_vehicle.h)), let down on level ground. The leaves of the springs have a mass "
             "of one gram each.",
     "duration": 6, "dt": [0.005], "sweep": [0.01, 0.005, 0.0025], "plot": None,
     "claims": [
         Claim(DOPICO, "static height 0.562917 m, to 1e-6", word, 0.005, "height_off", limit=1e-6)
         for word in ("augmented", "conserving", "symplectic")
     ] + [
         Claim(DOPICO, "static pitch 0.0025575 rad, to 1e-6", word, 0.005, "pitch_off", limit=1e-6)
         for word in ("augmented", "conserving", "symplectic")
     ]},
    {"scene": "iltis_low_stairs", "title": "Iltis vehicle, low stairs", "driven": True, "program": "methods_iltis",
     "text": "At 5 m/s up a ramp of 0.4 m and down five steps of 8 cm: 2.6 g at the chassis, within the paper's 5 g, and 20 g at the "
             "wheels, because the leaves meet their stops of 1e7 N/m, on which a wheel of 57 kg oscillates with a period of 15 ms. At "
             "the paper's step of 10 ms the methods of the paper and the symplectic steps complete the run. Where forces are too stiff "
             "for the step, the symplectic steps detect this and take it in pieces; the conserving form does so where its passes do not "
             "converge. With projections it is off by {iltis_low_stairs conserving 0.01 error} m at 10 ms, without them by "
             "{iltis_low_stairs conserving-bare 0.01 error}. In the paper it is more precise with them; here what it reaches without them "
             "depends on the last bits: an earlier version, with another order of sums, was off by 8e-3. The augmented form is "
             "off by {iltis_low_stairs augmented 0.01 error}. The reference is symplectic8 at 0.0625 ms, whose own error is 1e-7 m.",
     "duration": 8, "dt": [0.01, 0.005], "sweep": [0.01, 0.005, 0.0025], "plot": None,
     "claims": [
         Claim(DOPICO, "the manoeuvre at h = 10 ms", word, 0.01, "error", limit=4e-2)
         for word in ("augmented-bare", "augmented", "conserving-bare", "conserving", "symplectic", "symplectic6")
     ]},
    {"scene": "iltis_stairs", "title": "Iltis vehicle, ramp and stairs", "driven": True, "program": "methods_iltis",
     "text": "At 5 m/s up a ramp of 1 m and down five steps of 0.2 m, with up to 18 g; bump stops of 1e7 N/m. The paper's "
             "road is not published; it gives at most 5 g. At the paper's step of 10 ms the error is "
             "{iltis_stairs symplectic6 0.01 error} m with symplectic6, {iltis_stairs symplectic 0.01 error} m with symplectic, "
             "{iltis_stairs augmented 0.01 error} with the augmented form and {iltis_stairs conserving 0.01 error} with the conserving "
             "one. As in the paper, the conserving form is more precise with projections: at 5 ms {iltis_stairs conserving 0.005 error} m, "
             "without them {iltis_stairs conserving-bare 0.005 error}. That the augmented form has {iltis_stairs augmented 0.005 error} "
             "there is chance: second order does not resolve the bump stops at these steps. Errors are those of the heights of chassis "
             "and wheels.",
     "duration": 8, "dt": [0.005, 0.0025], "sweep": [0.01, 0.005, 0.0025, 0.00125, 0.000625], "plot": None,
     "claims": [
         Claim(DOPICO, "without projections the augmented form fails", "augmented-bare", 0.0025, "until", limit=7.9,
               remark="It completes the run here, because its accelerations are those of the state and steps that do not converge are "
                      "taken by another method; velocities violate the joints by 0.34 m/s."),
         Claim(DOPICO, "with projections it must not", "augmented", 0.0025, "gap", limit=1e-9),
         Claim(DOPICO, "conserving alone may fail", "conserving-bare", 0.005, "gap", over=1e-3,
               remark="It does not fail here: steps whose passes do not converge are taken in pieces, which keep the joints closed."),
         Claim(DOPICO, "conserving with projections must not fail", "conserving", 0.0025, "gap", limit=1e-9),
     ]},
    {"scene": "biped1", "title": "Biped 1", "driven": True,
     "text": "Seven bodies, all motions prescribed; exercise 1.",
     "duration": 100, "dt": [0.01], "plot": [0.04, 0.02, 0.01], "plot_duration": 10,
     "claims": [Claim(BRAUN, "constraints to 5.2e-11 over 100 s at h = 0.01", "embedded", 0.01, "gap", limit=5.2e-11)]},
    {"scene": "biped2", "title": "Biped 2", "driven": True, "text": "Exercise 2.",
     "duration": 100, "dt": [0.01], "plot": [0.04, 0.02, 0.01], "plot_duration": 10,
     "claims": [Claim(BRAUN, "constraints to 2.7e-11 over 100 s at h = 0.01", "embedded", 0.01, "gap", limit=2.7e-11)]},
    {"scene": "biped3", "title": "Biped 3", "driven": True,
     "text": "Exercise 3: ten constraints on nine coordinates.",
     "duration": 100, "dt": [0.01], "plot": [0.04, 0.02, 0.01], "plot_duration": 10,
     "claims": [Claim(BRAUN, "constraints to 1.6e-12 over 100 s at h = 0.01", "embedded", 0.01, "gap", limit=1.6e-12)]},
]

HEAD = """# The correction methods, compared

This page compares methods that keep constraint violations small. All of them run in the same world, with the same rows and the
same factorisation; only the correction differs. Each method is written from its publication; `ode-rls compare SCENE --methods all`
runs them on any scene. This page and its pictures are made by

    tests/compare/report.py build/bin/ode-rls

from the scenes in `demos/scenes` and their references in `tests/reference`.

- An error is the largest distance of a probe from its reference, at the reference's own samples.
- A violation is measured from the geometry of the joints, by the same code for every stepper; it is the larger of metres and radians.
- Times are processor times of the stepper's calls on one thread; compare them within a table only.
- Angles are in radians, rates in rad/s.
"""

WINNERS = """
Cheapest: of our methods with an error of at most ten times the least one, or of 1e-7 m.

- **Accuracy** depends on the integrator: symplectic4 and symplectic6 have the least error almost everywhere, in driven and damped
  mechanisms too. With rk4, the choice of the correction decides on the joints and hardly on the motion, as long as there is one.
- **Closed joints** come from projecting to rounding; which of those methods has the smallest violation is chance.
- **Energy**: `conserving, bare` and `energy` keep it to rounding, the former but for singular configurations, which it
  passes by the augmented step. The symplectic steps keep it to their order, without drift. `augmented` loses energy.
- **Long steps**: `augmented, bare` loses the motion and `augmented` loses energy; `conserving` and the symplectic steps follow it.
- **Singular configurations** end `rk4, none`. The forms without projection and dWorldStep continue along a wrong branch, with another
  energy.
- **Redundant rows** lock the regularised steppers, `compliant` and ODE's own, with their default CFM. They have no effect on any other
  method.
"""

TUNING = """
A stepper that softens its rows has parameters, and its accuracy depends on them. Each engine runs at its own default and at the best
parameters that a search finds ([engines.py](engines.py)). The search starts from the default and from the middle of all ranges. It goes
through each parameter in turn, twice, on a grid from its least to its largest value, then by steps that are halved. It minimises the
largest distance from the reference in the first 4 000 steps; then the whole motion is run with the result. A run that takes more than a
minute of processor time is abandoned. Such a choice needs the answer, and differs for each problem and each step. Our methods have no
such parameters.
"""

SETTINGS = """
Other engines run the same mechanisms, except driven ones, where they are installed (`cmake -DODE_RLS_ENGINES=ON`; here Debian 12's
Bullet 3.24, DART 6.12, MuJoCo 2.2 and Simbody 3.7). Their poses and velocities are measured by the same code. Bullet has maximal
coordinates, as ODE has. The others use relative coordinates for a tree of joints, so that only the joints that close a loop can be open.

| engine | settings | parameters that are searched |
|---|---|---|
| dWorldStep, dWorldQuickStep, compliant | the scene's, which are ODE's defaults: CFM 1e-10, ERP 0.2, 20 sweeps | CFM from 1e-10 to 0.01, ERP from 0.05 to 1, sweeps from 10 to 1 000 |
| Bullet | double precision; sequential impulses, or Dantzig's direct method; no split impulse, no sleeping, implicit gyroscopic torques | the same (default: CFM 0, ERP 0.2, 10 sweeps) |
| DART | boxed LCP solver by Dantzig's method (its default) or by Gauss-Seidel; a hinge that closes a loop is a hinge with a welded body of one gram | CFM, ERP and sweeps of the joints that close loops (1e-9, 0.01, 30) |
| MuJoCo | semi-implicit Euler or rk4; Newton solver; a hinge that closes a loop is two coinciding points | for the joints that close loops: time constant from 1 ms to 0.5 s and damping ratio from 0.25 to 4 (solref; 0.02 s, 1), one minus the impedance from 1e-4 to 0.3 (solimp; 0.05); the solver's tolerance |
| Simbody | Runge-Kutta-Merson with error control (its default) or with fixed steps | accuracy from 1e-3 (default) to 1e-10, constraint tolerance from 1e-4 (default) to 1e-12 |
"""

TAIL = """
## Conclusions

- Without correction (`none`) all violations grow, and mechanisms that pass a singular configuration are lost.
- Baumgarte's terms keep violations bounded but depend on the step: where the motion is smooth, the accuracy is below that of rk4
  without them.
- The embedded terms cost next to nothing and leave violations of the order of rk4's own local error. They must be held over the
  stages. Evaluated at each stage, they are a stiff spring that rk4 cannot follow.
- One pass of direct correction is as good as several at ordinary step sizes. Solving positions and velocities together changes the
  trajectory only in digits that do not matter. Correcting the energy as well gives exact energy at any order, and a smaller error
  only where the error came from the energy.
- The augmented Lagrangian passes singular configurations without any rank decision, at second order. It needs its projections. The
  conserving form has exact energy at large steps; it needs no projection where forces are soft, and one where they are stiff.
- Regularisation, as in ODE, locks a mechanism that has redundant rows if CFM is small, long before its violations become visible.
  With the CFM and ERP that suit the mechanism and the step (*best*) it moves. Then its error is that of a first-order step, its joints
  are open by what the CFM yields, and its energy drifts. Parameters that suit one step or one mechanism lock or brake another.
- MuJoCo's rk4 with the impedance that suits the step is of second order, close to our symplectic step, with loops that are open by
  what the impedance lacks to 1. Its default is better than the stiffest setting that it takes. Simbody integrates to high order, for
  some twenty times the time, and leaves the branch, or stops, at singular configurations.
- On the other mechanisms MuJoCo's rk4 at its best has an error of {fourbar_rhombus MuJoCo,_rk4 0.001 error} m on the rhombus and
  {closedloop_par4 MuJoCo,_rk4 0.001 error} m on the parallel cranks, less than our second-order step and more than our fourth-order one
  ({fourbar_rhombus symplectic4 0.001 error}, {closedloop_par4 symplectic4 0.001 error}). On pendulums, which have no loops to close,
  MuJoCo and Simbody have the accuracy of their integrators; Simbody with error control, which takes the steps it needs, comes to
  {spherical_pendulum Simbody,_error_control 0.025 error} m at 25 ms (symplectic6 to {spherical_pendulum symplectic6 0.025 error}).
  Through the singular configurations of two four-bars at 10 ms the errors are {nfourbar_n2 Simbody,_fixed_step 0.01 error} m for Simbody,
  {nfourbar_n2 MuJoCo,_rk4 0.01 error} for MuJoCo, {nfourbar_n2 symplectic 0.01 error} for symplectic and
  {nfourbar_n2 symplectic6 0.01 error} for symplectic6.
- The advantages of this library that remain: joints closed to rounding without parameters to choose; second, fourth or sixth order with
  redundant rows and through singular configurations; energy that does not drift; redundant rows that are named, with reactions that do
  not depend on a CFM.
"""
