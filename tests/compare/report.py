#!/usr/bin/env python3
"""Runs every correction method on every problem and writes README.md and figures/ beside this file.

    tests/compare/report.py BUILD/bin/ode-rls [-j JOBS] [--part methods|engines] [PROBLEM ...]

With problems named only those are run; the others keep the results of the last time (results.json), and so does the
page alone with "none".  Engines are searched for their best numbers (engines.py), where BUILD/bin/engine_* were built;
otherwise their results of the last time stay.  With -j problems are run side by side, which is faster and makes the
times worse.

With --check nothing is written: the beginnings of the problems are run again, and what differs from what was measured
with the page by more than rounding explains is listed, and so is a page that results.json does not make; the exit status
says whether there was any.  CTest does so (compare.page).
"""
import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import chart
import engines
import palette
from engines import compare, lines_of, row
from page import FIGURES, HERE, ORDERED, OURS_ORDERED, is_page_of, write_page
from problems import METHODS, PROBLEMS, VARIANTS

RESULTS = os.path.join(HERE, "results.json")


# ---- running ----


def numbers(values):
    return ",".join("%g" % v for v in values)


def beside(program, name):
    return os.path.join(os.path.dirname(os.path.abspath(program)), name)


def run_methods(program, p, seconds):
    """Our methods for so long, at the steps of the tables, of the claims and of the sweep."""
    if "program" in p:
        steps = sorted(set(p["dt"] + p.get("sweep", [])), reverse=True)
        return [r for dt in steps for r in
                lines_of([beside(program, p["program"]), p["scene"], "%g" % dt, "%g" % seconds])]
    words = [m for m in METHODS if m not in VARIANTS]
    duration = ["--duration", "%g" % seconds]
    wanted = [(["--methods", ",".join(words)], words, p["dt"])]
    if p.get("variants"):
        wanted.append((["--stepper", "rls", "--integrator", "rk4", "--correction", ",".join(VARIANTS)], VARIANTS,
                       p["dt"]))
    wanted += [(["--methods", c.method], [c.method], [c.dt]) for c in p["claims"]
               if c.dt not in p["dt"] and (c.method not in OURS_ORDERED or c.dt not in p.get("orders", []))]
    wanted += [(["--methods", m], [m], [h for h in p["orders"] if h not in p["dt"]]) for m in OURS_ORDERED
               if "orders" in p]
    rows = []
    for choice, names, steps in wanted:
        runs = compare(program, p["scene"], choice + duration + ["--dt", numbers(steps)])
        rows += [row(name, run) for name, run in zip([n for n in names for _ in steps], runs)]
    return rows


def today():
    return time.strftime("%Y-%m-%d", time.gmtime())


def run_engines(program, p, before):
    """What is tuned, at its default and at its best, at the steps of the tables and, of the first problem, of the orders.
    Engines that were not built keep their rows of the last time."""
    if p.get("driven"):
        return []
    there = [c for c in engines.contestants(program) if c.name not in p.get("without", ())]
    rows = [r for h in p.get("tuned", p["dt"]) for c in there for r in engines.default_and_best(c, p["scene"], h, p["duration"])]
    rows += [r for h in p.get("orders", []) for c in there if c.name in ORDERED and h not in p["dt"]
             for r in engines.default_and_best(c, p["scene"], h, p["duration"])]
    names = {c.name for c in there}
    return [dict(r, date=today()) for r in rows] + [r for r in before if r["method"] not in names]


def draw(program, p, rows):
    """Our own chart where energy says nothing, and that of ode-rls compare elsewhere."""
    os.makedirs(FIGURES, exist_ok=True)
    words = [m for m in METHODS if m not in VARIANTS]
    steps, duration = p.get("sweep") or p["plot"], p.get("plot_duration", p["duration"])
    if not steps:
        return
    options = ["--methods", ",".join(words), "--dt", numbers(steps), "--duration", "%g" % duration]
    picture = os.path.join(FIGURES, p["scene"])
    if p.get("driven"):
        if "program" not in p:
            runs = compare(program, p["scene"], options)
            rows = [row(name, run) for name, run in zip([w for w in words for _ in steps], runs)]
        title = "%s, %g s at h = %g … %g s" % (p["scene"], duration, steps[0], steps[-1])
        chart.write(picture + ".svg", title, rows, {m: METHODS[m][0] for m in METHODS})
        return
    subprocess.run([program, "compare", p["scene"], "--plot", picture + ".png"] + options,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    palette.shrink(picture + ".png")


def measure(program, p, part, before):
    """All results of a problem, and its picture; with a part named only that part."""
    print(p["scene"], flush=True)
    result = dict({"engines": []}, **before)
    if part != "engines":
        result["date"] = today()
        result["rows"] = run_methods(program, p, p["duration"])
        result["beginning"] = run_methods(program, p, beginning(p))
        draw(program, p, result["rows"])
    if part != "methods":
        result["engines"] = run_engines(program, p, result["engines"])
    return result


# ---- is the page still true? ----

ROUNDING_LEVEL = 1e-9  # m, rad, J: figures below it are rounding, which differs between machines
SAME = 0.02  # relative: figures that are printed with two digits
BEGINNING = 1000  # steps of each method, at its shortest step: as much of each problem is run again by --check


def beginning(p):
    """As much of the motion (s) as tells whether it is still the one that was measured."""
    return min(p["duration"], BEGINNING * min(p["dt"]))


def lost(r, p):
    """Motions that no longer are the problem's: what they end with is chance."""
    thrown = r.get("drift") is None and (r["error"] or 0) > 1  # a car beside its road
    return r["until"] < 0.999 * beginning(p) or thrown or abs(r.get("drift") or 0) > 1 and r["method"] != "ode"


def stale(program, p, before):
    """The figures of our own methods on a problem's beginning that are not those of the last time."""
    known = {(r["method"], r["dt"]): r for r in before}
    found = []
    for now in run_methods(program, p, beginning(p)):
        was = known.get((now["method"], now["dt"]))
        if was is None:
            found.append("%s, h = %g: never measured" % (METHODS[now["method"]][0], now["dt"]))
            continue
        if lost(was, p) and lost(now, p):
            continue
        for key in ("until", "error", "drift", "gap", "speed"):
            a, b = was.get(key), now.get(key)
            if a is None and b is None:
                continue
            if a is None or b is None or abs(a - b) > max(ROUNDING_LEVEL, SAME * max(abs(a), abs(b))):
                found.append("%s, h = %g: %s was %s, is %s" % (METHODS[now["method"]][0], now["dt"], key, a, b))
    return found


def stale_search(program, p, before):
    """What the search finds for dWorldStep, and what it found when the page was made."""
    was = {r["at"]: r["error"] for r in before if r["method"] == "dWorldStep" and r["dt"] == p["dt"][0]}
    stepper = next(c for c in engines.contestants(program) if c.name == "dWorldStep")
    now = {r["at"]: r["error"] for r in engines.default_and_best(stepper, p["scene"], p["dt"][0], p["duration"])}
    return ["dWorldStep, %s: error was %s, is %s" % (at, was.get(at), now[at]) for at in now
            if at not in was or abs(was[at] - now[at]) > SAME * now[at]]


def check(program, chosen, results):
    """1 if the page is stale, as an exit status.  Rows of which no beginning was kept cannot be compared: they are named."""
    found = []
    for p in chosen:
        result = results.get(p["scene"], {})
        if result.get("beginning"):
            found += [p["scene"] + ": " + line for line in stale(program, p, result["beginning"])]
        else:
            print("%s: not compared, measured %s" % (p["scene"], result.get("date", "never")))
    found += [p["scene"] + ": " + line for p in chosen if "orders" in p
              for line in stale_search(program, p, results.get(p["scene"], {}).get("engines", []))]
    if not is_page_of(results):
        found.append("README.md is not the page of results.json: report.py BUILD/bin/ode-rls none writes it")
    for line in found:
        print(line)
    print("%d figures differ: run tests/compare/report.py again" % len(found) if found else "as on the page")
    return int(bool(found))


# ---- results ----


def write_results(results):
    """One row a line, so that a difference can be read."""
    def value(v, depth):
        if isinstance(v, dict) and depth < 2:
            items = [" " * (depth + 1) + "%s: %s" % (json.dumps(k), value(x, depth + 1)) for k, x in v.items()]
            return "{\n" + ",\n".join(items) + "\n" + " " * depth + "}"
        if isinstance(v, list) and v:
            return "[\n" + ",\n".join(" " * (depth + 1) + json.dumps(x) for x in v) + "\n" + " " * depth + "]"
        return json.dumps(v)
    with open(RESULTS, "w", encoding="utf-8") as file:
        file.write(value(results, 0) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", metavar="BUILD/bin/ode-rls")
    options.add_argument("problems", metavar="PROBLEM", nargs="*")
    options.add_argument("-j", dest="jobs", type=int, default=1, metavar="JOBS")
    options.add_argument("--part", choices=["methods", "engines"])
    options.add_argument("--check", action="store_true")
    given = options.parse_intermixed_args()
    unknown = set(given.problems) - {p["scene"] for p in PROBLEMS} - {"none"}
    if unknown:
        raise SystemExit("no such problem: " + ", ".join(sorted(unknown)))
    results = {}
    if os.path.exists(RESULTS):
        with open(RESULTS, encoding="utf-8") as file:
            results = json.load(file)
    chosen = [p for p in PROBLEMS if not given.problems or p["scene"] in given.problems]
    if given.check:
        raise SystemExit(check(given.program, chosen, results))
    with concurrent.futures.ThreadPoolExecutor(max(1, given.jobs)) as pool:
        runs = pool.map(lambda p: measure(given.program, p, given.part, results.get(p["scene"], {})), chosen)
        for p, result in zip(chosen, runs):
            results[p["scene"]] = result
            if p["scene"] == "bricard" and given.part != "engines":
                results["rows"] = lines_of([beside(given.program, "show_rows")])
            write_results(results)
    write_page(results)


if __name__ == "__main__":
    main()
