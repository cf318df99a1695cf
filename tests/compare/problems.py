"""What report.py runs and says: methods, problems, and the figures that the papers report for them."""

METHODS = {
    # word of ode-rls: (name in tables, what it is, source)
    "ode": ("dWorldStep", "ODE's own step: all rows softened by CFM, positions pulled by ERP", "ODE 0.16"),
    "quick": ("dWorldQuickStep", "twenty sweeps of Gauss-Seidel on the same rows", "ODE 0.16"),
    "compliant": ("compliant", "every row with ODE's ERP and CFM, exactly solved: the regularised stepper",
                  "Gonzalez & Kövecses, eq. 1"),
    "euler": ("euler + projection", "semi-implicit Euler, positions closed by the least displacement",
              "this library"),
    "none": ("rk4, none", "constraints on accelerations only", "the textbook's index-1 form"),
    "erp": ("rk4, Baumgarte", "accelerations with 2α dΦ/dt + β² Φ, α = β = ERP / h", "Baumgarte 1972"),
    "embedded": ("rk4, embedded", "violations taken back within the step by inertia-weighted pseudo-inverses; "
                 "held over the stages", "Braun & Goldfarb 2009, eqs. 20, 21"),
    "embedded-through": ("rk4, embedded, through", "the same without help at singular configurations", "the same"),
    "embedded-stages": ("rk4, embedded, each stage", "the same terms evaluated anew at every stage", "the same"),
    "direct": ("rk4, direct", "one pass at positions, then one at velocities",
               "Orsino & Oliveira 2023, eqs. 20, 21; Zhang et al., section 3"),
    "projection": ("rk4, projection", "the same passes repeated to rounding",
                   "Gonzalez & Kövecses, eqs. 2, 3"),
    "simultaneous": ("rk4, simultaneous", "positions and velocities from one system", "Zhang et al., section 4"),
    "energy": ("rk4, energy", "and the energy", "Zhang et al., section 5"),
    "augmented-bare": ("augmented, bare", "augmented Lagrangian, trapezoidal rule, not projected",
                       "Dopico et al., section 3"),
    "augmented": ("augmented", "with mass-orthogonal projections of velocities and accelerations", "the same"),
    "conserving-bare": ("conserving, bare", "energy-conserving augmented Lagrangian, alone",
                        "Dopico et al., section 4"),
    "conserving": ("conserving", "with projected velocities", "the same"),
    "symplectic": ("symplectic", "variational step with hard constraints (RATTLE)", "this library"),
    "symplectic4": ("symplectic4", "its composition of fourth order", "this library"),
    "symplectic6": ("symplectic6", "its composition of sixth order", "this library"),
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

ROUNDING = ("Distance of the two anchors of a joint: three units in the last place of coordinates between 1 and 2 m, and "
            "passes that go on make it no less. The paper cuts one loop of relative coordinates and has no other joint "
            "that could be open.")
ANOTHER = "Another geometry than the paper's, which is not published; what compares is the size of the bands."

PROBLEMS = [
    {"scene": "bricard", "title": "Rectangular Bricard mechanism",
     "text": "Five bars of 1 m and 1 kg, six hinges, one degree of freedom, one redundant row (IFToMM benchmark A04).",
     "duration": 10, "dt": [0.01], "plot": [0.04, 0.02, 0.01, 0.005],
     "claims": [
         Claim(GONZALEZ, "regularised, it locks with position violations below 1e-4 m", "compliant", 0.01, "gap_m",
               limit=1e-4, remark="And the angles below 1.3e-4 rad."),
         Claim(GONZALEZ, "and turns into a structure in part of its range (the end point should reach -1 m)", "compliant",
               0.01, "reach", over=-0.5, remark="x of the end point where it turns back."),
         Claim(GONZALEZ, "projection brings violations to machine error", "projection", 0.01, "gap", limit=1e-13),
         Claim(GONZALEZ, "and lets it swing", "projection", 0.01, "reach", limit=-0.999),
         Claim(ORSINO, "energy error 4e-10 J, by an adaptive method of order 8", "symplectic6", 0.01, "drift",
               limit=4e-10, remark="By fixed steps of sixth order."),
         Claim(ORSINO, "the same by their own correction", "direct", 0.002, "drift", limit=4e-10,
               remark="Rk4 at 2 ms."),
         Claim("IFToMM A04", "energy error 8e-4 J in the published solution", "symplectic", 0.01, "drift", limit=8e-4),
     ], "orders": [0.02, 0.01, 0.005, 0.0025]},
    {"scene": "fourbar_rhombus", "title": "Rhombus four-bar",
     "text": "Links of 1 m and 1 kg at 60 degrees, released at rest; passes singular positions at every swing.",
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
     "text": "Six bodies, nine hinges, three loops: the counts of the closed-loop system of Zhang et al., whose geometry "
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
               remark="Steps close by a singular position are taken by symplectic4. In the paper's natural coordinates the "
                      "motion stays exactly on the linear branch; with rigid bodies it does not, see the row *through*."),
         Claim(BRAUN, "unstable without correction", "none", 0.01, "error", over=0.1),
         Claim("maximal coordinates", "the terms evaluated at each stage lose the motion (1.4 m)", "embedded-stages",
               0.01, "error", over=0.1),
     ]},
    {"scene": "slider_crank", "title": "Slider-crank", "driven": True,
     "text": "Links of 1 m, driven by 20 N m against 5 N m s, through the positions in which the slider meets the crank's "
             "pivot.",
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
     "text": "Two masses on a rod; the steps of 25 ms are large for it.",
     "duration": 100, "dt": [0.025], "plot": [0.05, 0.025, 0.01, 0.005], "plot_duration": 10,
     "claims": [
         Claim(DOPICO, "25 ms: unstable without projections", "augmented-bare", 0.025, "drift", over=20),
         Claim(DOPICO, "stable with projections", "augmented", 0.025, "drift", limit=1,
               remark="Of 20 J that go to and fro. Projections are iterated to rounding; the paper solves once with the "
                      "penalty."),
         Claim(DOPICO, "whose energy does not grow", "augmented", 0.025, "final", limit=0),
         Claim(DOPICO, "energy exact with the conserving form", "conserving-bare", 0.025, "drift", limit=1e-8),
     ]},
    {"scene": "iltis_rest", "title": "Iltis vehicle at rest", "driven": True, "program": "methods_iltis",
     "text": "13 bodies, 20 joints, leaf springs, dampers with bump stops, tyres (IAVSD benchmark; the model is "
             "[an example](../../demos/examples/iltis_vehicle.h)), let down on level ground. The springs' leaves have a gram "
             "each.",
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
             "wheels, for the leaves meet their stops of 1e7 N/m, which swing a wheel of 57 kg with a period of 15 ms. At the paper's "
             "step of 10 ms the methods of the paper and the symplectic steps run through; the latter see that forces are too stiff "
             "for the step and take it in pieces there, and so does the conserving form where its passes do not converge. As in the paper it is the "
             "more precise one with projections, at both steps: {iltis_low_stairs conserving 0.01 error} m at 10 ms, without them "
             "{iltis_low_stairs conserving-bare 0.01 error}, the augmented form {iltis_low_stairs augmented 0.01 error}. "
             "The reference is symplectic8 at 0.0625 ms, whose own error is 1e-7 m.",
     "duration": 8, "dt": [0.01, 0.005], "sweep": [0.01, 0.005, 0.0025], "plot": None,
     "claims": [
         Claim(DOPICO, "the manoeuvre at h = 10 ms", word, 0.01, "error", limit=4e-2)
         for word in ("augmented-bare", "augmented", "conserving-bare", "conserving", "symplectic", "symplectic6")
     ]},
    {"scene": "iltis_stairs", "title": "Iltis vehicle, ramp and stairs", "driven": True, "program": "methods_iltis",
     "text": "At 5 m/s up a ramp of 1 m and down five steps of 0.2 m, with up to 18 g; bump stops of 1e7 N/m. The paper's "
             "road is not published; it gives at most 5 g. At the paper's step of 10 ms symplectic6 follows this one to "
             "{iltis_stairs symplectic6 0.01 error} m; symplectic is off by {iltis_stairs symplectic 0.01 error} m, the augmented form by "
             "{iltis_stairs augmented 0.01 error}, the conserving one by {iltis_stairs conserving 0.01 error}. With projections the conserving form "
             "is the more precise one at 5 ms, as in the paper, {iltis_stairs conserving 0.005 error} m for {iltis_stairs conserving-bare 0.005 error} without; "
             "that the augmented one has {iltis_stairs augmented 0.005 error} there is chance: second order does not resolve the bump stops at these steps. "
             "Errors are those of the heights of chassis and wheels.",
     "duration": 8, "dt": [0.005, 0.0025], "sweep": [0.01, 0.005, 0.0025, 0.00125, 0.000625], "plot": None,
     "claims": [
         Claim(DOPICO, "without projections the augmented form fails", "augmented-bare", 0.0025, "until", limit=7.9,
               remark="It runs to its end here, since its accelerations are those of the state and steps that do not converge are taken "
                      "by another method; its velocities are open by 0.34 m/s."),
         Claim(DOPICO, "with projections it must not", "augmented", 0.0025, "gap", limit=1e-9),
         Claim(DOPICO, "conserving alone may fail", "conserving-bare", 0.005, "gap", over=1e-3,
               remark="It does not here: steps whose passes do not converge are taken in pieces, which keep the joints closed."),
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

One world, one set of rows, one factorisation, and one word changed: how constraint violations are kept down.
Each method is written from its publication; `ode-rls compare SCENE --methods all` runs them on any scene.
This page and its pictures are made by

    tests/compare/report.py build/bin/ode-rls

from the scenes in `demos/scenes` and their references in `tests/reference`. Errors are the largest distance of
a probe from its reference at the reference's own samples; violations are measured from the geometry of the
joints, by the same code for every stepper; times are processor times of
the stepper's calls on one thread: compare them within a table only. Angles are in radians, and rates in rad/s.
Violations are the larger of metres and radians.
"""

WINNERS = """
Cheapest: of our methods with an error of at most ten times the least, or of 1e-7 m.

- **Accuracy** is the integrator's: symplectic4 and symplectic6 are ahead almost everywhere, driven and damped mechanisms included. Which
  correction stands beside rk4 decides on the joints and hardly on the motion, as long as there is one.
- **Closed joints** come from projecting to rounding; which of those methods then has the least is chance.
- **Energy**: `conserving, bare` and `energy` hold it to rounding, the symplectic steps to their order and for ever;
  `augmented` loses it.
- **Long steps**: `augmented, bare` loses the motion, `augmented` pays with energy, `conserving` and the symplectic steps stay.
- **Singular positions** end `rk4, none`; the bare forms and dWorldStep go on along a wrong branch, with energies of their own.
- **Redundant rows** lock the regularised steppers, `compliant` and ODE's own, with their default CFM. No other method notices
  them.
"""

TUNING = """
A stepper that softens its rows has numbers to choose, and what it reaches hangs on them. Each engine runs at its own default and
at the best that a search finds: from the default, and from the middle of all ranges, through each number in turn, twice, on a grid
from its least to its most value, then by steps that are halved ([engines.py](engines.py)); the largest distance from the reference in the first 4 000 steps
decides, and the whole motion is run with what was found; a run that takes more than a minute of processor time is given up. It takes the answer to choose so well, for each problem and each step
anew. Ours have no numbers to choose.
"""

SETTINGS = """
Other engines run the same mechanisms where they are installed (`cmake -DODE_RLS_ENGINES=ON`; here Debian 12's Bullet 3.24,
DART 6.12, MuJoCo 2.2 and Simbody 3.7), but for driven ones. Their poses and velocities are measured by the same code.
Bullet has maximal coordinates as ODE has; the others put a tree of joints into relative coordinates, so that only the joints
that close a loop can be open.

| engine | settings | numbers that are searched |
|---|---|---|
| dWorldStep, dWorldQuickStep, compliant | the scene's, which are ODE's defaults: CFM 1e-10, ERP 0.2, 20 sweeps | CFM from 1e-10 to 0.01, ERP from 0.05 to 1, sweeps from 10 to 1 000 |
| Bullet | double precision; sequential impulses, or Dantzig's direct method; no split impulse, no sleeping, implicit gyroscopic torques | the same (default: CFM 0, ERP 0.2, 10 sweeps) |
| DART | boxed LCP solver by Dantzig's method (its default) or by Gauss-Seidel; a cut hinge is a hinge with a body of a gram that is welded on | CFM, ERP and sweeps of what closes loops (1e-9, 0.01, 30) |
| MuJoCo | semi-implicit Euler or rk4; Newton solver; a cut hinge is two points that coincide | of what closes loops: time constant from 1 ms to 0.5 s and damping ratio from 0.25 to 4 (solref; 0.02 s, 1), what the impedance lacks to 1 from 1e-4 to 0.3 (solimp; 0.05); the solver's tolerance |
| Simbody | Runge-Kutta-Merson with error control (its default) or with fixed steps | accuracy from 1e-3 (default) to 1e-10, constraint tolerance from 1e-4 (default) to 1e-12 |
"""

TAIL = """
## What to make of it

- Without correction (`none`) everything drifts, and mechanisms that pass a singular position are lost.
- Baumgarte's terms keep violations bounded but couple them to the step: the accuracy falls behind that of
  rk4 without them where the motion is smooth.
- The embedded terms cost next to nothing and leave violations of the order of rk4's own local error. They must be
  held over the stages: evaluated anew at each, they are a stiff spring that rk4 cannot follow.
- One pass of direct correction is as good as several at ordinary step sizes; solving positions and velocities
  together changes the trajectory in digits that do not matter. Correcting the energy as well gives exact energy at
  any order, and a smaller error only where the energy was what the error came from.
- The augmented Lagrangian passes singular positions without any decision on the rank, at second order. Its projections
  are not an option. The conserving form is the one with exact energy at large steps, alone where forces are soft, with a
  projection where they are stiff.
- Regularisation, ODE's way, locks a mechanism that has redundant rows, for small CFM, long before its violations become
  visible. With the CFM and ERP that suit the mechanism and the step it moves (*best*): then its error is that of a first-order
  step, its joints are open by what the CFM yields, and its energy drifts. What suits one step or one mechanism locks or
  brakes another.
- MuJoCo's rk4 with the impedance that suits the step is of second order, close to our symplectic step, with loops that are open by
  what the impedance lacks. Its default is better than the stiffest that it takes. Simbody integrates to high order, for some twenty
  times the time, and leaves the branch, or stops, at singular positions.
- On the other mechanisms MuJoCo's rk4 at its best comes to {fourbar_rhombus MuJoCo,_rk4 0.001 error} m on the rhombus and
  {closedloop_par4 MuJoCo,_rk4 0.001 error} m on the parallel cranks, ahead of our second-order step and behind our fourth
  ({fourbar_rhombus symplectic4 0.001 error}, {closedloop_par4 symplectic4 0.001 error}); on pendulums, where nothing is to be closed, it and Simbody do what their
  integrators do, and Simbody with error control, which takes the steps it needs, comes to
  {spherical_pendulum Simbody,_error_control 0.025 error} m at 25 ms (symplectic6 to {spherical_pendulum symplectic6 0.025 error}). Through the singular
  positions of two four-bars at 10 ms Simbody comes to {nfourbar_n2 Simbody,_fixed_step 0.01 error} m and MuJoCo to
  {nfourbar_n2 MuJoCo,_rk4 0.01 error}, symplectic to {nfourbar_n2 symplectic 0.01 error} and symplectic6 to {nfourbar_n2 symplectic6 0.01 error}.
- What is left to ours then: joints closed to rounding and nothing to choose; second, fourth or sixth order with redundant rows and through
  singular positions; energy that does not drift; the redundant rows named, with reactions that do not hang on a CFM.
"""
