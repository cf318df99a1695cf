#!/usr/bin/env python3
"""What a step costs in other engines, and what accuracy costs, beside ours: tests/bench/peers.py BUILD/bin/ode-rls

Runs the scenes below in turns with the engines that were built (cmake -DODE_RLS_ENGINES=ON; BUILD/bin/engine_*) and
writes the table of plugin/doc/performance.md, between its marks.  Settings of the engines stand at the head of their
files in tests/compare/engines.  Takes some minutes.
"""
import json
import os
import subprocess
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "plugin", "doc", "performance.md")
REPETITIONS = 3
H = 0.01  # s: the step whose price is shown
TRIAL = 10  # steps
LONGEST = 2.0  # s of processor time that a run may take
HALVINGS = 12  # of the longest step, 0.02 s, until the energy is right

# scene, seconds of motion, how well its energy is to be kept (J)
SCENES = [("bricard", 10, 1e-3), ("chain:100", 1, 0.1), ("chain:1000", 1, 1.0), ("fourbar:40", 1, 0.1),
          ("fourbar:200", 1, 1.0)]
LARGE = ["chain:1000", "fourbar:200"]  # where a step of a dense solver takes seconds
DENSE = ["dWorldStep", "Bullet, Dantzig, CFM 1e-6"]
OURS = ["symplectic", "symplectic4", "rk4"]


def lines_of(command):
    """The JSON objects that a program prints, one a line; none if it fails or takes too long."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                              timeout=60 + 10 * LONGEST)
    except subprocess.TimeoutExpired:
        return []
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def our_run(program, scene, steppers, integrator, h, duration):
    """One run of ode-rls compare, in the words of the engines' programs."""
    command = [program, "compare", scene, "--stepper", steppers, "--integrator", integrator, "--dt", "%.9g" % h,
               "--duration", "%g" % duration, "--json", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    run = json.loads(done.stdout)[0]
    gap = max(run["violation"]["position_m"], run["violation"]["angle_rad"])
    return {"status": run["status"], "drift": run["energy"]["drift_max_J"], "gap": gap,
            "us": run["us_per_step"], "cpu": 1e-6 * run["us_per_step"] * run["steps"]}


class Ours:
    """A stepper of ours or of ODE."""

    def __init__(self, program, stepper, integrator, name):
        self.program, self.stepper, self.integrator, self.name = program, stepper, integrator, name

    def run(self, scene, h, duration, repetitions):
        runs = [our_run(self.program, scene, self.stepper, self.integrator, h, duration) for _ in range(repetitions)]
        return min(runs, key=lambda r: r["us"])


class Engine:
    """One setting of another engine."""

    def __init__(self, program, name):
        self.program, self.name = program, name

    def run(self, scene, h, duration, repetitions):
        found = [r for r in lines_of([self.program, scene, "%.9g" % h, "%g" % duration, str(repetitions), self.name])
                 if r["method"] == self.name]
        return found[0] if found else None


def contestants(program):
    """All of them; the engines are asked for their names with a scene that each of them can run."""
    yield Ours(program, "ode", "auto", "dWorldStep")
    yield Ours(program, "quick", "auto", "dWorldQuickStep, 20 sweeps")
    for integrator in OURS:
        yield Ours(program, "rls", integrator, "**ode-rls, %s**" % integrator)
    folder = os.path.dirname(os.path.abspath(program))
    for file in sorted(f for f in os.listdir(folder) if f.startswith("engine_")):
        for r in lines_of([os.path.join(folder, file), "pendulum_compound", "0.01", "0.05"]):
            yield Engine(os.path.join(folder, file), r["method"])


def price_of_accuracy(contestant, scene, duration, wanted, us):
    """Processor time (s) of the run with the longest step that keeps the energy, and that step; None if none does."""
    h = 2 * H
    for _ in range(HALVINGS):
        if 1e-6 * us * duration / h > LONGEST:
            return None
        r = contestant.run(scene, h, duration, 1)
        if r is None:
            return None
        if r["status"] == "ok" and r["drift"] is not None and r["drift"] <= wanted:
            return min(r["cpu"], contestant.run(scene, h, duration, 1)["cpu"]), h
        h /= 2
    return None


def measure(all_of_them, scene, duration, wanted):
    """Lines of the table; what takes too long is left out."""
    rows = []
    for c in all_of_them:
        if scene in LARGE and c.name in DENSE:
            continue
        trial = c.run(scene, H, TRIAL * H, 1)
        if trial is None or trial["status"] != "ok" or 1e-6 * trial["us"] * duration / H > LONGEST:
            continue
        r = c.run(scene, H, duration, REPETITIONS)
        if r is None or r["status"] != "ok":
            continue
        rows.append((c.name, r, price_of_accuracy(c, scene, duration, wanted, r["us"])))
        print(scene, c.name, "%.1f us" % r["us"], flush=True)
    ours = next(r["us"] for name, r, _ in rows if "symplectic**" in name)
    for name, r, price in rows:
        yield "| %s | %s | %s | %s | %s | %s | %s | %s |" % (
            scene, name, number(r["us"]), times(r["us"] / ours), power(r["drift"]), power(r["gap"]),
            number(1e3 * price[0]) if price else "-", "%.3g" % (1e3 * price[1]) if price else "-")


def number(x):
    return "%.1f" % x if x < 10 else "{:,.0f}".format(x).replace(",", " ")


def times(x):
    return ("%.2f" if x < 10 else "%.0f") % x


def power(x):
    return "-" if x is None else "%.1e" % x


def main():
    program = sys.argv[1]
    everyone = list(contestants(program))
    table = ["| scene | engine | µs a step | times ode-rls | energy drift (J) | joints open (m, rad) | "
             "CPU to keep the energy (ms) | at h (ms) |", "|---|---|---|---|---|---|---|---|"]
    for scene, duration, wanted in SCENES:
        table += measure(everyone, scene, duration, wanted)
    with open(PAGE, encoding="utf-8") as f:
        before, rest = f.read().split("<!-- table: peers -->\n")
    after = rest.split("<!-- end -->", 1)[1]
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(before + "<!-- table: peers -->\n" + "\n".join(table) + "\n<!-- end -->" + after)


main()
