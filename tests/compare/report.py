#!/usr/bin/env python3
"""Runs every correction method on every problem and writes README.md and figures/ beside this file.

    tests/compare/report.py BUILD/bin/ode-rls [-j JOBS] [PROBLEM ...]

With problems named only those are run; the others keep the results of the last time (results.json), and so does the
page alone with "none".  Programs BUILD/bin/engine_* are run as well, where they were built: the other engines on the
same problems; otherwise their results of the last time stay.  With -j problems are run side by side, which is faster
and makes the times worse.

With --check nothing is written: the problems named are run and what differs from results.json by more than rounding and
other machines explain is listed; the exit status says whether there was any.  CTest does so with two of them
(compare.page).
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
import palette
from problems import ENGINES, HEAD, METHODS, ORSINO, PROBLEMS, TAIL, VARIANTS, WINNERS

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results.json")
FIGURES = os.path.join(HERE, "figures")
ENOUGH = 1e-7  # m: an error that no one asks to be less
REST = {"height": 0.562917, "pitch": 0.0025575}  # of the Iltis, by the benchmark


# ---- running ----


def numbers(values):
    return ",".join("%g" % v for v in values)


def lines_of(command):
    """The JSON objects that a program prints, one a line."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                          timeout=1800)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def compare(program, scene, options):
    """Results of ode-rls compare as dictionaries; runs that fail are among them."""
    command = [program, "compare", scene, "--json", "-"] + options
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit("failed: " + " ".join(command))
    return json.loads(done.stdout)


def row(method, run):
    """One line of a table from one result."""
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
        "us": run["us_per_step"], "cpu": run["us_per_step"] * run["steps"] * 1e-6,
    }


def beside(program, name):
    return os.path.join(os.path.dirname(os.path.abspath(program)), name)


def run_methods(program, p):
    """Our methods at the steps of the tables, of the claims and of the sweep."""
    if "program" in p:
        steps = sorted(set(p["dt"] + p.get("sweep", [])), reverse=True)
        return [r for dt in steps for r in
                lines_of([beside(program, p["program"]), p["scene"], "%g" % dt, "%g" % p["duration"]])]
    words = [m for m in METHODS if m not in VARIANTS]
    duration = ["--duration", "%g" % p["duration"]]
    wanted = [(["--methods", ",".join(words)], words, p["dt"])]
    if p.get("variants"):
        wanted.append((["--stepper", "rls", "--integrator", "rk4", "--correction", ",".join(VARIANTS)], VARIANTS,
                       p["dt"]))
    wanted += [(["--methods", c.method], [c.method], [c.dt]) for c in p["claims"] if c.dt not in p["dt"]]
    rows = []
    for choice, names, steps in wanted:
        runs = compare(program, p["scene"], choice + duration + ["--dt", numbers(steps)])
        rows += [row(name, run) for name, run in zip([n for n in names for _ in steps], runs)]
    return rows


CFMS = [10.0 ** k for k in range(-10, -2)]
ERPS = [0.2, 0.4, 0.6, 0.8, 1.0]
SWEEPS = [20, 100, 400]


def at_best(program, p):
    """ODE's steppers and the regularised one with the CFM and ERP that serve them best: the least error of a scan over
    both, at each step, and for QuickStep over its sweeps as well."""
    if p.get("driven"):
        return []
    rows = []
    for word, name, sweeps in (("ode", "dWorldStep", [20]), ("quick", "dWorldQuickStep", SWEEPS),
                               ("compliant", "compliant", [20])):
        for dt in p["dt"]:
            found = []
            for cfm, erp, count in ((c, e, n) for c in CFMS for e in ERPS for n in sweeps):
                options = ["--methods", word, "--dt", "%g" % dt, "--duration", "%g" % p["duration"], "--cfm", "%g" % cfm,
                           "--erp", "%g" % erp, "--quick-iterations", "%d" % count]
                for run in compare(program, p["scene"], options):
                    r = row("%s at its best: CFM %g, ERP %g%s" % (
                        name, cfm, erp, ", %d sweeps" % count if word == "quick" else ""), run)
                    if r["error"] is not None and math.isfinite(r["error"]) and not ended_early(p, r):
                        found.append(r)
            if found:
                rows.append(dict(min(found, key=lambda r: r["error"]), tuned=True))
    return rows


def run_engines(program, p, before):
    """The other engines on the problem: programs that print one JSON object a setting."""
    if p.get("driven"):
        return []
    engines = sorted(f for f in os.listdir(os.path.dirname(os.path.abspath(program))) if f.startswith("engine_"))
    if not engines:
        return [r for r in before if r["method"] not in METHODS and not r.get("tuned")]
    return [r for name in engines for dt in p["dt"] for r in
            lines_of([beside(program, name), p["scene"], "%g" % dt, "%g" % p["duration"]])]


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


def ended_early(p, r):
    return r["until"] < p["duration"] * (1 - 1e-9)


def table_row(cells):
    return "| " + " | ".join(cells) + " |"


def table(p, rows, dt):
    driven = p.get("driven")
    head = ["method", "error (m)", "energy drift (J)", "violation (m, rad)", "its rate (m/s, rad/s)", "µs / step",
            "CPU (s)"]
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)]
    order = {m: i for i, m in enumerate(METHODS)}
    chosen = sorted((r for r in rows if r["dt"] == dt), key=lambda r: order.get(r["method"], 99))
    for r in chosen:
        name = method_name(r["method"]) + (" (until %.3g s)" % r["until"] if ended_early(p, r) else "")
        lines.append([name, figure(r["error"]), figure(r.get("drift")), figure(r["gap"]), figure(r["speed"]),
                      "%.1f" % r["us"], "%.3g" % r["cpu"]])
    if driven:
        lines = [line[:2] + line[3:] for line in lines]
    return [table_row(line) for line in lines]


UNITS = {"error": "error %s m", "drift": "energy drift %s J", "final": "change of energy %s J", "gap": "violation %s",
         "gap_m": "violation %s m", "speed": "its rate %s", "reach": "x = %s m", "until": "until %s s",
         "height_off": "off by %s m", "pitch_off": "off by %s rad"}


def value_of(r, field):
    if field in ("height_off", "pitch_off"):
        name = field.split("_")[0]
        return abs(r[name] - REST[name])
    return r[field]


def reached(value, field):
    if value is None:
        return "lost"
    return UNITS[field] % ("%.3g" % value if field in ("reach", "until") else figure(value))


def claim_row(p, rows, c):
    found = [r for r in rows if r["method"] == c.method and r["dt"] == c.dt]
    here, met = "not run", "–"
    if found:
        r = found[0]
        value = value_of(r, c.field)
        lost = ended_early(p, r) and c.field != "until"
        here = reached(value, c.field) + (", until %.3g s" % r["until"] if lost else "")
        if c.over is not None:
            good = lost or value is None or value >= c.over
        else:
            good = not lost and value is not None and value <= c.limit
        met = "yes" if good else "**no**"
    return table_row([c.paper, p["title"], c.says, "%s, h = %g" % (method_name(c.method), c.dt), here, met, c.remark])


def rows_row(line):
    met = "–" if line["limit"] is None else "yes" if line["reached"] <= line["limit"] else "**no**"
    remark = "" if line["limit"] is not None else "Its stages are open by 1e-9 m, where redundant rows differ; its own error is 4e-8 m."
    return table_row([ORSINO, PROBLEMS[0]["title"], line["says"], "%s, h = 0.01" % method_name(line["method"]),
                      "%s: %.1e" % (line["what"], line["reached"]), met, remark])


def asked_and_reached(results):
    lines = ["", "## What the papers report, and what is reached here", "",
             "| paper | problem | it reports | method here | reached | met | remark |", "|---|---|---|---|---|---|---|"]
    for p in PROBLEMS:
        lines += [claim_row(p, results[p["scene"]], c) for c in p["claims"] if p["scene"] in results]
        if p["scene"] == "bricard":
            lines += [rows_row(line) for line in results.get("rows", [])]
    return lines


# ---- who wins where ----


def best(rows, field):
    """The run with the least of a field, and what it has of it."""
    known = [r for r in rows if r[field] is not None and math.isfinite(r[field])]
    if not known:
        return "–"
    winner = min(known, key=lambda r: r[field])
    return "%s: %s" % (method_name(winner["method"]), figure(winner[field]))


def quickest(rows):
    """The cheapest run that is about as accurate as the most accurate one without a high order."""
    known = [r for r in rows if r["error"] is not None and math.isfinite(r["error"])]
    if not known:
        return "–"
    enough = max(10 * min(r["error"] for r in known), ENOUGH)
    winner = min((r for r in known if r["error"] <= enough), key=lambda r: r["us"])
    return "%s: %s µs" % (method_name(winner["method"]), "%.3g" % winner["us"])


def summary_row(p, rows):
    dt = min(p["dt"])
    whole = [r for r in rows if r["dt"] == dt and r["status"] == "ok" and not ended_early(p, r)]
    ours = [r for r in whole if r["method"] in METHODS and r["method"] not in ("ode", "quick")]
    others = [r for r in whole if r["method"] not in METHODS]
    step = [r for r in whole if r["method"] == "ode"]
    lost = [method_name(r["method"]) for r in rows if r["dt"] == dt and r["method"] in METHODS and
            (ended_early(p, r) or r["status"] != "ok")]
    return table_row([p["title"], "%g, %g" % (p["duration"], dt), best(ours, "error"), best(ours, "gap"), quickest(ours),
                      figure(step[0]["error"]) if step else "lost",
                      best(others, "error") if others else "–", "; ".join(lost) or "–"])


def who_wins(results):
    lines = ["", "## Who wins where", "",
             "| problem | s, h (s) | least error (m) | joints most closed (m, rad) | cheapest at that error | dWorldStep's error "
             "(m) | best other engine (m) | lost on the way |", "|---|---|---|---|---|---:|---|---|"]
    lines += [summary_row(p, results[p["scene"]]) for p in PROBLEMS if results.get(p["scene"])]
    return lines + WINNERS.rstrip("\n").splitlines()


def write_page(results):
    lines = HEAD.strip("\n").splitlines() + who_wins(results) + asked_and_reached(results)
    lines += ["", "## The methods", "", "| name | what it does | source |", "|---|---|---|"]
    lines += [table_row(METHODS[m]) for m in METHODS]
    lines += ENGINES.rstrip("\n").splitlines()
    for p in PROBLEMS:
        rows = results.get(p["scene"])
        if not rows:
            continue
        date = results.get("dates", {}).get(p["scene"])
        measured = " Measured %s." % date if date else ""
        lines += ["", "## " + p["title"], "", p["text"] + measured]
        for dt in p["dt"]:
            lines += ["", "%g s at h = %g s:" % (p["duration"], dt), ""] + table(p, rows, dt)
        for ending in ("png", "svg"):
            if os.path.exists(os.path.join(FIGURES, "%s.%s" % (p["scene"], ending))):
                lines += ["", "![error and violation against time spent](figures/%s.%s)" % (p["scene"], ending)]
    lines += TAIL.rstrip("\n").splitlines()
    with open(os.path.join(HERE, "README.md"), "w", encoding="utf-8") as page:
        page.write("\n".join(lines) + "\n")


def measure(program, p, before):
    """All results of a problem, and its picture."""
    print(p["scene"], flush=True)
    rows = run_methods(program, p) + at_best(program, p) + run_engines(program, p, before)
    draw(program, p, rows)
    return rows


ROUNDING_LEVEL = 1e-9  # m, rad, J: figures below it are rounding, which differs between machines
SAME = 0.02  # relative: figures that are printed with two digits


def lost(r, p):
    """Motions that no longer are the problem's: what they end with is chance."""
    return r["until"] < 0.999 * p["duration"] or abs(r["drift"] or 0) > 1 and r["method"] != "ode"


def stale(program, p, before):
    """The figures of our own methods on a problem that are not those of the last time."""
    known = {(r["method"], r["dt"]): r for r in before}
    found = []
    for now in run_methods(program, p):
        was = known.get((now["method"], now["dt"]))
        if was is None:
            found.append("%s, h = %g: never measured" % (METHODS[now["method"]][0], now["dt"]))
            continue
        if lost(was, p) and lost(now, p):
            continue
        for key in ("until", "error", "drift", "gap", "speed"):
            a, b = was[key], now[key]
            if a is None and b is None:
                continue
            if a is None or b is None or abs(a - b) > max(ROUNDING_LEVEL, SAME * max(abs(a), abs(b))):
                found.append("%s, h = %g: %s was %s, is %s" % (METHODS[now["method"]][0], now["dt"], key, a, b))
    return found


def check(program, chosen, results):
    """1 if the page is stale, as an exit status."""
    found = [p["scene"] + ": " + line for p in chosen for line in stale(program, p, results.get(p["scene"], []))]
    for line in found:
        print(line)
    print("%d figures differ" % len(found) if found else "as on the page")
    return int(bool(found))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", metavar="BUILD/bin/ode-rls")
    options.add_argument("problems", metavar="PROBLEM", nargs="*")
    options.add_argument("-j", dest="jobs", type=int, default=1, metavar="JOBS")
    options.add_argument("--check", action="store_true")
    given = options.parse_args()
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
        runs = pool.map(lambda p: measure(given.program, p, results.get(p["scene"], [])), chosen)
        for p, rows in zip(chosen, runs):
            results[p["scene"]] = rows
            results.setdefault("dates", {})[p["scene"]] = time.strftime("%Y-%m-%d", time.gmtime())
            if p["scene"] == "bricard":
                results["rows"] = lines_of([beside(given.program, "show_rows")])
            with open(RESULTS, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)
                file.write("\n")
    write_page(results)


if __name__ == "__main__":
    main()
