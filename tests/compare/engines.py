#!/usr/bin/env python3
"""Steppers whose answer hangs on numbers that their user chooses, each at its default and at the best that a search finds.

They are ODE's own two, the regularised one of ours that follows ODE (`compliant`), and the other engines, where
BUILD/bin/engine_* were built (cmake -DODE_RLS_ENGINES=ON).  The search minimises the largest distance from the reference: it
takes the answer to choose so well.

    tests/compare/engines.py BUILD/bin/ode-rls SCENE STEP SECONDS [ENGINE ...]    prints the two rows of each
"""
import json
import math
import os
import resource
import subprocess
import sys

COARSE = 5  # values of a knob from its least to its most, on a logarithmic scale
ROUNDS = 2  # through all knobs, one after the other
HALVINGS = 3  # of the distance between coarse values, for a step up and a step down of each knob
LONGEST = 60  # s of processor time that a run may take; ours take a tenth of that
SEARCHED = 4000  # steps that are searched with, at most; what is found is run to the end of the motion

ODE = {"CFM": {"default": 1e-10, "least": 1e-10, "most": 1e-2}, "ERP": {"default": 0.2, "least": 0.05, "most": 1}}
QUICK = dict(ODE, sweeps={"default": 20, "least": 10, "most": 1000})
OPTION = {"CFM": "--cfm", "ERP": "--erp", "sweeps": "--quick-iterations"}


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))


def lines_of(command, limited=False):
    """The JSON objects that a program prints, one a line; of one that is limited none if it takes longer."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                          preexec_fn=limit_time if limited else None)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def compare(program, scene, options):
    """Results of ode-rls compare as dictionaries; runs that fail are among them."""
    command = [program, "compare", scene, "--json", "-"] + options
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit("failed: " + " ".join(command))
    return json.loads(done.stdout)


def row(method, run):
    """One line of a table from one result of ode-rls compare."""
    probes = list(run["probes"].values())
    errors = [p.get("reference_error_max_m") for p in probes]
    errors = [e for e in errors if e is not None]
    energy = run["energy"]
    violation = run["violation"]
    return {
        "method": method, "dt": run["dt"], "status": run["status"],
        "until": run["steps"] * run["dt"], "error": max(errors) if errors else None,
        "drift": energy["drift_max_J"], "final": energy["drift_final_J"],
        "gap": max(violation["position_m"], violation["angle_rad"]), "gap_m": violation["position_m"],
        "speed": max(violation["velocity_m_s"], violation["velocity_rad_s"]),
        "reach": probes[-1]["min"][0] if probes else None,
        "us": run["cpu_s"] / max(1, run["steps"]) * 1e6, "cpu": run["cpu_s"],
    }


class OfOde:
    """A stepper of ode-rls compare that takes ODE's numbers."""

    def __init__(self, program, word, name, knobs):
        self.program, self.word, self.name, self.knobs = program, word, name, knobs

    def run(self, scene, h, duration, values):
        options = ["--methods", self.word, "--dt", "%.9g" % h, "--duration", "%g" % duration]
        for name, value in values.items():
            options += [OPTION[name], "%d" % value if name == "sweeps" else "%g" % value]
        return row(self.name, compare(self.program, scene, options)[0])


class Engine:
    """A setting of another engine's program."""

    def __init__(self, program, name, knobs):
        self.program, self.name, self.knobs = program, name, knobs

    def run(self, scene, h, duration, values):
        found = lines_of([self.program, scene, "%.9g" % h, "%g" % duration, self.name] +
                         ["%s=%g" % pair for pair in values.items()], True)
        return found[0] if found else None


def contestants(program):
    """All of them, as far as their programs are there."""
    yield OfOde(program, "ode", "dWorldStep", ODE)
    yield OfOde(program, "quick", "dWorldQuickStep", QUICK)
    yield OfOde(program, "compliant", "compliant", ODE)
    folder = os.path.dirname(os.path.abspath(program))
    for file in sorted(f for f in os.listdir(folder) if f.startswith("engine_")):
        for setting in lines_of([os.path.join(folder, file), "--knobs"]):
            if setting["knobs"]:
                yield Engine(os.path.join(folder, file), setting["method"], setting["knobs"])


# ---- the search ----


def rounded(name, value):
    return int(value + 0.5) if name == "sweeps" else float("%.2g" % value)


class Search:
    """Coordinate by coordinate on a grid, from the default and from the middle, then by steps that are halved; the same
    answer in every run."""

    def __init__(self, contestant, scene, h, duration):
        self.contestant, self.scene, self.h, self.duration = contestant, scene, h, duration
        self.ratio = {name: (k["most"] / k["least"]) ** (1 / (COARSE - 1)) for name, k in contestant.knobs.items()}
        self.tried = {}

    def error(self, values):
        key = tuple(sorted(values.items()))
        if key not in self.tried:
            r = self.contestant.run(self.scene, self.h, self.duration, values)
            whole = r is not None and r["status"] == "ok" and r["error"] is not None and math.isfinite(r["error"])
            self.tried[key] = r["error"] if whole else math.inf
        return self.tried[key]

    def better(self, values, name, candidates):
        """The values with one of them replaced by the best candidate, if that is better."""
        all_of_them = [values] + [dict(values, **{name: rounded(name, c)}) for c in candidates]
        return min(all_of_them, key=self.error)

    def coarse(self, values):
        """The best on the grid, one number after the other."""
        for _ in range(ROUNDS):
            for name, k in self.contestant.knobs.items():
                values = self.better(values, name, [k["least"] * self.ratio[name] ** i for i in range(COARSE)])
        return values

    def best(self):
        knobs = self.contestant.knobs
        middle = {name: rounded(name, math.sqrt(k["least"] * k["most"])) for name, k in knobs.items()}
        starts = [{name: k["default"] for name, k in knobs.items()}, middle]
        values = min([self.coarse(start) for start in starts], key=self.error)
        for halving in range(1, HALVINGS + 1):
            for name, k in knobs.items():
                step = self.ratio[name] ** (0.5 ** halving)
                near = [v for v in (values[name] / step, values[name] * step) if k["least"] <= v <= k["most"]]
                values = self.better(values, name, near)
        return values


def default_and_best(contestant, scene, h, duration):
    """Two rows, or none where the engine cannot represent the scene.  A search that finds nothing better over the whole
    motion leaves the default as the best."""
    default = contestant.run(scene, h, duration, {})
    if default is None:
        return []
    found = Search(contestant, scene, h, min(duration, SEARCHED * h)).best()
    best = contestant.run(scene, h, duration, found) or default

    def rank(r):
        whole = r["status"] == "ok" and r["error"] is not None and math.isfinite(r["error"])
        return r["error"] if whole else math.inf
    if rank(default) <= rank(best):
        found, best = {name: k["default"] for name, k in contestant.knobs.items()}, default
    return [dict(default, at="default"), dict(best, at="best", knobs=found)]


def say(knobs):
    return ", ".join("%s %g" % pair for pair in knobs.items())


def main():
    program, scene, h, duration, names = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), sys.argv[5:]
    for c in contestants(program):
        for r in default_and_best(c, scene, h, duration) if not names or c.name in names else []:
            error = "%.2e m" % r["error"] if r["error"] is not None else "none"
            print("%-24s %-8s error %s, energy drift %.2e J, joints open %.1e; %s" %
                  (c.name, r["at"], error, r["drift"], r["gap"], say(r.get("knobs", {}))), flush=True)


if __name__ == "__main__":
    main()
