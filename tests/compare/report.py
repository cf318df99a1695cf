#!/usr/bin/env python3
"""Runs every correction method on every problem and writes README.md and figures/ beside this file.

    tests/compare/report.py BUILD/bin/ode-rls [PROBLEM ...]

With problems named only those are run; the others keep the results of the last time (results.json).
Programs BUILD/bin/engine_* are run as well, where they were built: the other engines on the same problems.
"""
import json
import math
import os
import struct
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results.json")

METHODS = {
    # word of ode-rls: (name in tables, what it is, source)
    "ode": ("dWorldStep", "ODE's own step: all rows softened by CFM, positions pulled by ERP", "ODE 0.16"),
    "quick": ("dWorldQuickStep", "twenty sweeps of Gauss-Seidel on the same rows", "ODE 0.16"),
    "compliant": ("compliant", "every row with ODE's ERP and CFM, exactly solved: the regularised stepper",
                  "Gonzalez & Kövecses 2013, eq. 1"),
    "euler": ("euler + projection", "semi-implicit Euler, positions closed by the least displacement",
              "this library"),
    "none": ("rk4, none", "constraints on accelerations only", "the textbook's index-1 form"),
    "erp": ("rk4, Baumgarte", "accelerations with 2α dΦ/dt + β² Φ, α = β = ERP / h", "Baumgarte 1972"),
    "embedded": ("rk4, embedded", "violations taken back within the step by inertia-weighted pseudo-inverses; "
                 "held over the stages", "Braun & Goldfarb 2009, eqs. 20, 21"),
    "embedded-through": ("rk4, embedded, through", "the same without help at singular configurations", "the same"),
    "embedded-stages": ("rk4, embedded, each stage", "the same terms evaluated anew at every stage", "the same"),
    "direct": ("rk4, direct", "one pass at positions, then one at velocities",
               "Orsino & Oliveira 2017, eqs. 20, 21; Zhang et al., section 3"),
    "projection": ("rk4, projection", "the same passes repeated to rounding",
                   "Gonzalez & Kövecses 2013, eqs. 2, 3"),
    "simultaneous": ("rk4, simultaneous", "positions and velocities from one system", "Zhang et al., section 4"),
    "energy": ("rk4, energy", "and the energy", "Zhang et al., section 5"),
    "augmented-bare": ("augmented, bare", "augmented Lagrangian, trapezoidal rule, not projected",
                       "Dopico et al. 2014, section 3"),
    "augmented": ("augmented", "with mass-orthogonal projections of velocities and accelerations", "the same"),
    "conserving-bare": ("conserving, bare", "energy-conserving augmented Lagrangian, alone",
                        "Dopico et al. 2014, section 4"),
    "conserving": ("conserving", "with projected velocities", "the same"),
    "symplectic": ("symplectic", "variational step with hard constraints (RATTLE)", "this library"),
    "symplectic4": ("symplectic4", "its composition of fourth order", "this library"),
}
VARIANTS = ("embedded-through", "embedded-stages")  # --correction words, not --methods


def claim(paper, says, method, dt, field, remark=""):
    return {"paper": paper, "says": says, "method": method, "dt": dt, "field": field, "remark": remark}


BRAUN = "Braun & Goldfarb"
DOPICO = "Dopico et al."
GONZALEZ = "Gonzalez & Kövecses"
ORSINO = "Orsino & Oliveira"
ZHANG = "Zhang et al."

PROBLEMS = [
    {"scene": "bricard", "title": "Rectangular Bricard mechanism",
     "text": "Five bars of 1 m and 1 kg, six hinges, one degree of freedom, one redundant row (IFToMM benchmark A04).",
     "duration": 10, "dt": [0.01], "plot": [0.04, 0.02, 0.01, 0.005],
     "claims": [
         claim(GONZALEZ, "regularised: violations below 1e-4 turn it into a structure", "compliant", 0.01, "gap",
               "The end point turns back at x = -0.24 m instead of -1 m."),
         claim(GONZALEZ, "projection brings violations to machine error", "euler", 0.01, "gap"),
         claim(ORSINO, "energy error at most 4e-10 J with an adaptive method of order 8", "symplectic4", 0.01,
               "drift", "Fixed steps of fourth order; symplectic6 at this step reaches 1e-11 J."),
         claim("IFToMM A04", "energy error up to 8e-4 J in the published solution", "symplectic", 0.01, "drift"),
     ]},
    {"scene": "fourbar_rhombus", "title": "Rhombus four-bar",
     "text": "Links of 1 m and 1 kg at 60 degrees, released at rest; passes singular positions at every swing.",
     "duration": 10, "dt": [0.001], "plot": [0.01, 0.005, 0.002, 0.001],
     "claims": [
         claim(ZHANG, "best position violation 2e-16", "simultaneous", 0.001, "gap",
               "Distance of the two anchors of a joint; their coordinates of 2 m have a rounding of 4e-16 m. "
               "The paper cuts one loop of relative coordinates and has no other joint that could be open."),
         claim(ZHANG, "best velocity violation 3e-14", "simultaneous", 0.001, "speed"),
     ]},
    {"scene": "closedloop_par4", "title": "Closed loop of four parallel cranks",
     "text": "Six bodies, nine hinges, three loops: the counts of the closed-loop system of Zhang et al., whose geometry "
             "is not published.",
     "duration": 10, "dt": [0.001], "plot": [0.02, 0.01, 0.005, 0.002],
     "claims": [claim(ZHANG, "position 2e-16, velocity 3e-14 on the four-bar", "simultaneous", 0.001, "speed",
                      "Another geometry; what compares is the size of the bands.")]},
    {"scene": "nfourbar_n2", "title": "Two four-bar linkages",
     "text": "Started at 1 m/s at the top; five redundant rows; one degree of freedom, and three where the links are in "
             "line (IFToMM benchmark A02).",
     "duration": 100, "dt": [0.01, 0.001], "plot": [0.02, 0.01, 0.005, 0.002], "plot_duration": 10, "variants": True,
     "claims": [
         claim(BRAUN, "error 1e-2 m over 100 s at h = 0.01", "embedded", 0.01, "error"),
         claim(BRAUN, "error 1e-7 m over 100 s at h = 0.001", "embedded", 0.001, "error",
               "Steps close by a singular position are taken by symplectic4. In the paper's natural coordinates the "
               "motion stays exactly on the linear branch; with rigid bodies it does not, see the row "
               "*through*."),
         claim(BRAUN, "unstable without correction", "none", 0.01, "error"),
         claim("maximal coordinates", "the terms evaluated at each stage lose the motion (1.4 m)", "embedded-stages",
               0.01, "error"),
     ]},
    {"scene": "slider_crank", "title": "Slider-crank", "driven": True,
     "text": "Links of 1 m, driven by 20 N m against 5 N m s, through the positions in which the slider meets the crank's "
             "pivot.",
     "duration": 100, "dt": [0.001], "plot": [0.01, 0.005, 0.002, 0.001], "plot_duration": 10, "variants": True,
     "claims": [
         claim(BRAUN, "error 4.4e-8 m over 100 s at h = 0.001", "embedded", 0.001, "error"),
         claim(BRAUN, "constraints below 1e-15", "embedded", 0.001, "gap",
               "In the paper's angles the motion is a linear branch of the constraint, which rk4 keeps exactly. "
               "Projection reaches it here."),
         claim(BRAUN, "constraints below 1e-15", "projection", 0.001, "gap"),
     ]},
    {"scene": "pendulum_compound", "title": "Pendulum",
     "text": "A rigid body that moves like a mathematical pendulum of 1 m, released from the horizontal.",
     "duration": 100, "dt": [0.001], "plot": [0.02, 0.01, 0.005, 0.002],
     "claims": [
         claim(BRAUN, "error 3e-7 m after 1000 s at h = 0.001", "embedded", 0.001, "error",
               "After 100 s; the error grows with the time at most linearly."),
         claim(BRAUN, "constraints to 1e-12", "embedded", 0.001, "gap"),
     ]},
    {"scene": "spherical_pendulum", "title": "Spherical compound pendulum",
     "text": "Two masses on a rod; the steps of 25 ms are large for it.",
     "duration": 100, "dt": [0.025], "plot": [0.05, 0.025, 0.01, 0.005], "plot_duration": 10,
     "claims": [
         claim(DOPICO, "unstable without projections", "augmented-bare", 0.025, "drift"),
         claim(DOPICO, "stable with projections, energy does not grow", "augmented", 0.025, "gain",
               "Projections are iterated to rounding; the paper solves once with the penalty."),
         claim(DOPICO, "energy exact with the conserving form", "conserving-bare", 0.025, "drift"),
     ]},
    {"scene": "biped1", "title": "Biped 1", "driven": True, "drives": True,
     "text": "Seven bodies, all motions prescribed; exercise 1.",
     "duration": 100, "dt": [0.01], "plot": None,
     "claims": [claim(BRAUN, "constraints to 5.2e-11 over 100 s at h = 0.01", "embedded", 0.01, "gap")]},
    {"scene": "biped2", "title": "Biped 2", "driven": True, "drives": True, "text": "Exercise 2.",
     "duration": 100, "dt": [0.01], "plot": None,
     "claims": [claim(BRAUN, "constraints to 2.7e-11 over 100 s at h = 0.01", "embedded", 0.01, "gap")]},
    {"scene": "biped3", "title": "Biped 3", "driven": True, "drives": True,
     "text": "Exercise 3: ten constraints on nine coordinates.",
     "duration": 100, "dt": [0.01], "plot": None,
     "claims": [claim(BRAUN, "constraints to 1.6e-12 over 100 s at h = 0.01", "embedded", 0.01, "gap")]},
]


# ---- running ----


def numbers(values):
    return ",".join("%g" % v for v in values)


def compare(program, scene, options):
    """Results of ode-rls compare as dictionaries; runs that fail are among them."""
    command = [program, "compare", scene, "--json", "-"] + options
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit("failed: " + " ".join(command))
    return json.loads(done.stdout)


def row(method, run):
    """One line of a table from one result."""
    errors = [p.get("reference_error_max_m") for p in run["probes"].values()]
    errors = [e for e in errors if e is not None]
    energy = run["energy"]
    violation = run["violation"]
    return {
        "method": method, "dt": run["dt"], "status": run["status"],
        "until": run["steps"] * run["dt"], "error": max(errors) if errors else None,
        "drift": energy["drift_max_J"], "final": energy["drift_final_J"], "energy": energy["initial_J"],
        "gap": max(violation["position_m"], violation["angle_rad"]),
        "speed": max(violation["velocity_m_s"], violation["velocity_rad_s"]),
        "us": run["us_per_step"], "cpu": run["us_per_step"] * run["steps"] * 1e-6,
    }


def run_problem(program, p):
    words = [m for m in METHODS if m not in VARIANTS]
    common = ["--duration", "%g" % p["duration"], "--dt", numbers(p["dt"])]
    runs = compare(program, p["scene"], ["--methods", ",".join(words)] + common)
    names = [w for w in words for _ in p["dt"]]
    if p.get("variants"):
        runs += compare(program, p["scene"], ["--stepper", "rls", "--integrator", "rk4", "--correction",
                                              ",".join(VARIANTS)] + common)
        names += [w for w in VARIANTS for _ in p["dt"]]
    rows = [row(name, run) for name, run in zip(names, runs)]
    if p["plot"]:
        picture = os.path.join(HERE, "figures", p["scene"] + ".png")
        os.makedirs(os.path.dirname(picture), exist_ok=True)
        subprocess.run([program, "compare", p["scene"], "--methods", ",".join(words), "--dt", numbers(p["plot"]),
                        "--duration", "%g" % p.get("plot_duration", p["duration"]), "--plot", picture],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        shrink(picture)
    return rows + run_engines(program, p)


def run_engines(program, p):
    """The other engines on the problem: programs that print one JSON object a setting."""
    folder = os.path.dirname(os.path.abspath(program))
    rows = []
    for name in sorted(f for f in os.listdir(folder) if f.startswith("engine_")):
        for dt in p["dt"]:
            done = subprocess.run([os.path.join(folder, name), p["scene"], "%g" % dt, "%g" % p["duration"]],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False, timeout=1800)
            rows += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return rows


# ---- pictures ----


def unfiltered(data, width, height, channels):
    """The pixels of a PNG's image data, filters undone (PNG specification, section 9)."""
    stride = width * channels
    above = bytearray(stride)
    at = 0
    for _ in range(height):
        kind, line = data[at], bytearray(data[at + 1:at + 1 + stride])
        at += 1 + stride
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + above[i]) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + above[i]) // 2) & 255
            elif kind == 4:
                estimate = left + above[i] - corner
                near = min((abs(estimate - left), 0, left), (abs(estimate - above[i]), 1, above[i]),
                           (abs(estimate - corner), 2, corner))
                line[i] = (line[i] + near[2]) & 255
        yield line
        above = line


def shrink(path):
    """Rewrites a true-colour PNG with a palette of its 256 commonest colours: a quarter of the size."""
    with open(path, "rb") as file:
        content = file.read()
    at, data, head = 8, b"", None
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at:at + 8])
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", content[at + 8:at + 8 + size])
        elif kind == b"IDAT":
            data += content[at + 8:at + 8 + size]
        at += 12 + size
    width, height, depth, colour = head[:4]
    if depth != 8 or colour not in (2, 6):
        return
    channels = 3 if colour == 2 else 4
    counts, lines = {}, []
    for line in unfiltered(zlib.decompress(data), width, height, channels):
        pixels = [tuple(line[i:i + 3]) for i in range(0, len(line), channels)]
        lines.append(pixels)
        for pixel in pixels:
            counts[pixel] = counts.get(pixel, 0) + 1
    palette = sorted(counts, key=counts.get, reverse=True)[:256]
    index = {colour: i for i, colour in enumerate(palette)}
    for pixel in counts:
        if pixel not in index:
            index[pixel] = min(range(len(palette)),
                               key=lambda i, p=pixel: sum((a - b) ** 2 for a, b in zip(palette[i], p)))
    packed = zlib.compress(b"".join(b"\0" + bytes(index[pixel] for pixel in pixels) for pixels in lines), 9)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with open(path, "wb") as file:
        file.write(content[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
                   chunk(b"PLTE", b"".join(bytes(colour) for colour in palette)) + chunk(b"IDAT", packed) +
                   chunk(b"IEND", b""))


# ---- writing ----


def figure(value):
    if value is None:
        return "–"
    if not math.isfinite(value):
        return "lost"
    if value == 0:
        return "0"
    return "%.1e" % value


def method_name(word):
    return METHODS[word][0] if word in METHODS else word


def table(p, rows, dt):
    driven = p.get("driven")
    head = ["method", "error (m)", "energy drift (J)", "violation (m, rad)", "its rate (m/s, rad/s)", "µs / step",
            "CPU (s)"]
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)]
    order = {m: i for i, m in enumerate(METHODS)}
    chosen = sorted((r for r in rows if r["dt"] == dt), key=lambda r: order.get(r["method"], 99))
    for r in chosen:
        ended = r["until"] < p["duration"] * (1 - 1e-9)
        name = method_name(r["method"]) + (" (until %.3g s)" % r["until"] if ended else "")
        lines.append([name, figure(r["error"]), "" if driven else figure(r["drift"]), figure(r["gap"]),
                      figure(r["speed"]), "%.1f" % r["us"], "%.3g" % r["cpu"]])
    if driven:
        lines = [line[:2] + line[3:] for line in lines]
    return ["| " + " | ".join(line) + " |" for line in lines]


FIELDS = {"error": "error %s m", "drift": "energy drift %s J", "gap": "violation %s", "speed": "violation %s m/s",
          "gain": "largest drift %s J, at the end %s J"}


def claims(p, rows):
    lines = ["| paper | it reports | here | remark |", "|---|---|---|---|"]
    for c in p["claims"]:
        found = [r for r in rows if r["method"] == c["method"] and r["dt"] == c["dt"]]
        here = "not run"
        if found:
            r = found[0]
            if c["field"] == "gain":
                here = FIELDS["gain"] % (figure(r["drift"]), "%+.1e" % r["final"])
            else:
                here = FIELDS[c["field"]] % figure(r[c["field"]])
            if r["until"] < p["duration"] * (1 - 1e-9):
                here += ", until %.3g s" % r["until"]
            here = "%s at h = %g: %s" % (method_name(c["method"]), c["dt"], here)
        lines.append("| %s | %s | %s | %s |" % (c["paper"], c["says"], here, c["remark"]))
    return lines


HEAD = """# The correction methods, compared

One world, one set of rows, one factorisation, and one word changed: how constraint violations are kept down.
Each method is written from its publication; `ode-rls compare SCENE --methods all` runs them on any scene.
This page and its pictures are made by

    tests/compare/report.py build/bin/ode-rls

from the scenes in `demos/scenes` and their references in `tests/reference`. Errors are the largest distance of
a probe from its reference at the reference's own samples; violations are measured from the geometry of the
joints, by the same code for every stepper; times are those of the stepper's calls on one thread, taken
on a machine that did other work as well: compare them within a table only.

## The methods

| name | what it does | source |
|---|---|---|
"""

ENGINES = """
Other engines run the same mechanisms, where they are installed (`cmake -DODE_RLS_ENGINES=ON`; here Bullet 3.24, DART 6.12,
MuJoCo 2.2 and Simbody 3.7), with settings that an expert would choose: see the head of each file in
`tests/compare/engines`. Their poses and velocities are measured by the same code. Bullet has maximal coordinates as ODE has;
the others put a tree of joints into relative coordinates, so that only the joints that close a loop can be open.
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
  are not an option. The conserving form is the one with exact energy at large steps, and needs a projection
  or small steps where forces are stiff or the configuration is singular.
- Regularisation, ODE's way, locks a mechanism that has redundant rows long before its violations become visible.
"""


def write_page(results):
    lines = [HEAD.rstrip("\n")]
    lines += ["| %s | %s | %s |" % METHODS[m] for m in METHODS]
    lines += ENGINES.splitlines()
    for p in PROBLEMS:
        rows = results.get(p["scene"])
        if not rows:
            continue
        lines += ["", "## " + p["title"], "", p["text"], ""] + claims(p, rows)
        for dt in p["dt"]:
            lines += ["", "%g s at h = %g s:" % (p["duration"], dt), ""] + table(p, rows, dt)
        if p["plot"]:
            lines += ["", "![error, energy and violation against time spent](figures/%s.png)" % p["scene"]]
    lines.append(TAIL.rstrip("\n"))
    with open(os.path.join(HERE, "README.md"), "w", encoding="utf-8") as page:
        page.write("\n".join(lines) + "\n")


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__.strip())
    wanted = sys.argv[2:]
    unknown = set(wanted) - {p["scene"] for p in PROBLEMS}
    if unknown:
        raise SystemExit("no such problem: " + ", ".join(sorted(unknown)))
    results = {}
    if os.path.exists(RESULTS):
        with open(RESULTS, encoding="utf-8") as file:
            results = json.load(file)
    for p in PROBLEMS:
        if wanted and p["scene"] not in wanted:
            continue
        print(p["scene"], flush=True)
        results[p["scene"]] = run_problem(sys.argv[1], p)
    with open(RESULTS, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    write_page(results)


if __name__ == "__main__":
    main()
