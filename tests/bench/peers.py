#!/usr/bin/env python3
"""What a step costs in other engines, and what accuracy costs, beside ours: tests/bench/peers.py BUILD/bin/ode-rls [SCENE ...]

Prints the table of plugin/doc/performance.md (tests/documents/figures.py BUILD/bin peers writes it there).  All steppers are
programs of one frame, tests/compare/engines (cmake -DODE_RLS_ENGINES=ON): processor time of their steps alone, collision
detection left out.  On a scene they take turns, REPETITIONS times, and the median counts.  Takes some minutes.
"""
import json
import os
import statistics
import subprocess
import sys

REPETITIONS = 3
H = 0.01  # s: the step whose price is shown
TRIAL = 10  # steps
LONGEST = 2.0  # s of processor time that a run may take
HALVINGS = 12  # of the longest step, 0.02 s, until the energy is right

# scene, seconds of motion, how well its energy is to be kept (J); None: contacts, whose energy nobody keeps
SCENES = [("bricard", 10, 1e-3), ("fourbar:1", 1, 1e-3), ("chain:10", 1, 0.1), ("chain:100", 1, 0.1), ("chain:1000", 1, 1.0),
          ("fourbar:40", 1, 0.1), ("fourbar:200", 1, 1.0), ("hub:50", 1, 0.1), ("net:10", 1, 0.1), ("netc:10", 1, 0.1),
          ("free:2000", 1, 1e-3), ("stack:10", 5, None), ("wall:100", 1, None), ("pile:100", 2, None), ("ragdolls:10", 2, None)]

# program, setting, name in the table, numbers: those that published tables or the engines' manuals use for such work
SETTINGS = [
    ("engine_ode", "ode-rls, symplectic", "**ode-rls, symplectic**", {}),
    ("engine_ode", "ode-rls, symplectic4", "**ode-rls, symplectic4**", {}),
    ("engine_ode", "ode-rls, rk4", "**ode-rls, rk4**", {}),
    ("engine_ode", "dWorldStep", "dWorldStep", {}),
    ("engine_ode", "dWorldQuickStep, 20 sweeps", "dWorldQuickStep, 20 sweeps", {}),
    ("engine_bullet", "Bullet, sweeps", "Bullet, 10 sweeps (default)", {}),
    ("engine_bullet", "Bullet, sweeps", "Bullet, 50 sweeps", {"sweeps": 50}),
    ("engine_bullet", "Bullet, Dantzig", "Bullet, Dantzig, CFM 1e-6", {"CFM": 1e-6}),
    ("engine_multibody", "Bullet, btMultiBody", "Bullet, btMultiBody", {}),
    ("engine_dart", "DART, Dantzig", "DART, Dantzig (default)", {}),
    ("engine_mujoco", "MuJoCo, Euler", "MuJoCo, Euler (default)", {}),
    ("engine_mujoco", "MuJoCo, rk4", "MuJoCo, rk4", {}),
    ("engine_mujoco", "MuJoCo, rk4", "MuJoCo, rk4, stiff loops (2 h, impedance 0.9999)",
     {"time constant": 1e-3, "softness": 1e-4, "tolerance": 1e-12}),
    ("engine_simbody", "Simbody, fixed step", "Simbody, RK-Merson, fixed step", {}),
    ("engine_simbody", "Simbody, error control", "Simbody, RK-Merson, accuracy 1e-8",
     {"accuracy": 1e-8, "constraint tolerance": 1e-9}),
]
OURS = SETTINGS[0][2]
ACCURATE = (SETTINGS[1][2], SETTINGS[2][2])  # with contacts they do what the first one does


class Contestant:
    """One setting of a program."""

    def __init__(self, folder, program, setting, name, numbers):
        self.command, self.setting, self.name = os.path.join(folder, program), setting, name
        self.numbers = ["%s=%g" % pair for pair in numbers.items()]

    def run(self, scene, h, duration):
        """What the program says of a run, or None."""
        try:
            done = subprocess.run([self.command, scene, "%.9g" % h, "%g" % duration, self.setting] + self.numbers,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                                  timeout=60 + 10 * LONGEST)
        except subprocess.TimeoutExpired:
            return None
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return lines[0] if lines else None


def price_of_accuracy(contestant, scene, duration, wanted, us):
    """Processor time (s) of the run with the longest step that keeps the energy, and that step; None if none does."""
    h = 2 * H
    for _ in range(HALVINGS):
        if 1e-6 * us * duration / h > LONGEST:
            return None
        r = contestant.run(scene, h, duration)
        if r is None:
            return None
        if r["status"] == "ok" and r["drift"] is not None and r["drift"] <= wanted:
            return min(r["cpu"], contestant.run(scene, h, duration)["cpu"]), h
        h /= 2
    return None


def measure(everyone, scene, duration, wanted):
    """Lines of the table; what cannot represent the scene, gives up or takes too long is left out."""
    able = []
    for c in everyone:
        trial = c.run(scene, H, TRIAL * H) if wanted is not None or c.name not in ACCURATE else None
        if trial and trial["status"] == "ok" and 1e-6 * trial["us"] * duration / H <= LONGEST:
            able.append(c)
    runs = {c.name: [] for c in able}
    for _ in range(REPETITIONS):
        for c in able:
            runs[c.name].append(c.run(scene, H, duration))
    us = {name: statistics.median(r["us"] for r in found) for name, found in runs.items() if all(found)}
    for c in able:
        if c.name not in us or runs[c.name][0]["status"] != "ok":
            continue
        r = runs[c.name][0]
        price = price_of_accuracy(c, scene, duration, wanted, us[c.name]) if wanted is not None else None
        yield "| %s | %s | %s | %s | %s | %s | %s | %s |" % (
            scene, c.name, number(us[c.name]), times(us[c.name] / us[OURS]), power(r["drift"]) if wanted is not None else "-",
            power(r["gap"]) if wanted is not None else "%.2g mm deep" % (1e3 * max(0, r["depth"])),
            number(1e3 * price[0]) if price else "-", "%.3g" % (1e3 * price[1]) if price else "-")


def number(x):
    return "%.1f" % x if x < 10 else "{:,.0f}".format(x).replace(",", " ")


def times(x):
    return ("%.2f" if x < 10 else "%.0f") % x


def power(x):
    return "-" if x is None else "%.1e" % x


def main():
    folder = os.path.dirname(os.path.abspath(sys.argv[1]))
    everyone = [Contestant(folder, *s) for s in SETTINGS if os.path.exists(os.path.join(folder, s[0]))]
    if not any(c.name == OURS for c in everyone):
        raise SystemExit("build the engines' programs: cmake -DODE_RLS_ENGINES=ON")
    print("| scene | engine | µs a step | ratio to ode-rls | energy drift (J) | joints open (m, rad), or contacts | "
          "CPU to keep the energy (ms) | time at h (ms) |")
    print("|---|---|---|---|---|---|---|---|")
    for scene, duration, wanted in (s for s in SCENES if not sys.argv[2:] or s[0] in sys.argv[2:]):
        for line in measure(everyone, scene, duration, wanted):
            print(line, flush=True)


main()
