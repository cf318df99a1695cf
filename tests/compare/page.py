"""Writes the comparison page, README.md beside this file, from the results that report.py has."""
import math
import os
import re

import engines
from problems import HEAD, METHODS, ORSINO, PROBLEMS, SETTINGS, TAIL, TUNING, WINNERS

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES = os.path.join(HERE, "figures")
PAGE = os.path.join(HERE, "README.md")
ENOUGH = 1e-7  # m: an error that no one asks to be less
REST = {"height": 0.562917, "pitch": 0.0025575}  # of the Iltis, by the benchmark
ORDERED = ("dWorldStep", "Bullet, Dantzig", "MuJoCo, rk4")  # of the engines, in the table of orders
OURS_ORDERED = ("projection", "symplectic", "symplectic6")


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
    remark = "" if line["limit"] is not None else "Its stages are open by 1e-9 m, so that redundant rows differ there; its own error is 1.8e-8 m."
    return table_row([ORSINO, PROBLEMS[0]["title"], line["says"], "%s, h = 0.01" % method_name(line["method"]),
                      "%s: %.1e" % (line["what"], line["reached"]), met, remark])


def asked_and_reached(results):
    lines = ["", "## What the papers report, and what is reached here", "",
             "| paper | problem | it reports | method here | reached | met | remark |", "|---|---|---|---|---|---|---|"]
    for p in PROBLEMS:
        lines += [claim_row(p, results[p["scene"]]["rows"], c) for c in p["claims"] if p["scene"] in results]
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


def summary_row(p, rows, tuned):
    dt = min(p["dt"])
    whole = [r for r in rows if r["dt"] == dt and r["status"] == "ok" and not ended_early(p, r)]
    ours = [r for r in whole if r["method"] in METHODS and r["method"] not in ("ode", "quick")]
    step = [r for r in whole if r["method"] == "ode"]
    lost = [method_name(r["method"]) for r in rows if r["dt"] == dt and r["method"] in METHODS and
            (ended_early(p, r) or r["status"] != "ok")]
    return table_row([p["title"], "%g, %g" % (p["duration"], dt), best(ours, "error"), best(ours, "gap"), quickest(ours),
                      figure(step[0]["error"]) if step else "lost",
                      best([r for r in tuned if r["dt"] == dt and r["at"] == "best"], "error"), "; ".join(lost) or "–"])


def who_wins(results):
    lines = ["", "## Who wins where", "",
             "| problem | s, h (s) | least error (m) | joints most closed (m, rad) | cheapest at that error | dWorldStep's error, "
             "default (m) | best tuned engine (m) | lost on the way |", "|---|---|---|---|---|---:|---|---|"]
    lines += [summary_row(p, results[p["scene"]]["rows"], results[p["scene"]]["engines"]) for p in PROBLEMS
              if p["scene"] in results]
    return lines + WINNERS.rstrip("\n").splitlines()


# ---- engines at their default and at their best ----


def tuned_table(rows, dt, date):
    """Two lines an engine: at its default, and with what the search found; with its own date, where that is not the problem's."""
    lines = [["engine", "parameters", "error (m)", "energy drift (J)", "violation (m, rad)", "its rate (m/s, rad/s)",
              "µs / step"], ["---", "---"] + ["---:"] * 5]
    for r in (r for r in rows if r["dt"] == dt):
        until = "" if r["status"] == "ok" else " (until %.3g s)" % r["until"]
        name = r["method"] + ("" if r["date"] == date else ", measured " + r["date"])
        lines.append([name if r["at"] == "default" else "",
                      ("default" if r["at"] == "default" else engines.say(r["knobs"])) + until, figure(r["error"]),
                      figure(r["drift"]), figure(r["gap"]), figure(r["speed"]), "%.1f" % r["us"]])
    return [table_row(line) for line in lines]


def pair(rows, name, dt):
    """Default and best error of an engine."""
    found = {r["at"]: "lost" if r["status"] != "ok" else figure(r["error"]) for r in rows
             if r["method"] == name and r["dt"] == dt}
    return "%s → %s" % (found["default"], found["best"]) if found else "–"


def errors_of_all(results):
    """Errors of all engines on all problems, default → best, and ours beside them."""
    tried = [p for p in PROBLEMS if results.get(p["scene"], {}).get("engines")]
    names = list(dict.fromkeys(r["method"] for p in tried for r in results[p["scene"]]["engines"]))
    steps = [(p, h) for p in tried for h in p.get("tuned", p["dt"])]
    lines = [table_row(["error (m), default → best"] + ["%s, h = %g" % (p["title"], h) for p, h in steps]),
             table_row(["---"] + ["---:"] * len(steps))]
    lines += [table_row([name] + [pair(results[p["scene"]]["engines"], name, h) for p, h in steps]) for name in names]
    for word in OURS_ORDERED:
        cells = []
        for p, h in steps:
            found = [r for r in results[p["scene"]]["rows"] if r["method"] == word and r["dt"] == h]
            cells.append(figure(found[0]["error"]) if found else "–")
        lines.append(table_row(["**%s**" % method_name(word)] + cells))
    return lines


def orders(p, result):
    """How errors fall with the step: engines at the best that was found anew for each."""
    steps = sorted(set(p["orders"] + p["dt"]), reverse=True)
    lines = [table_row(["at its best"] + ["h = %g" % h for h in steps] + ["order"]),
             table_row(["---"] + ["---:"] * (len(steps) + 1))]

    def line(name, found):
        last = [found[h] for h in steps if h in found][-2:]
        order = "%.1f" % math.log2(last[0]["error"] / last[1]["error"]) if len(last) == 2 and last[1]["error"] > 1e-11 else "rounding"
        cells = [figure(found[h]["error"]) + ("; " + engines.say(found[h]["knobs"]) if "knobs" in found[h] else "")
                 if h in found else "–" for h in steps]
        lines.append(table_row([name] + cells + [order]))

    for name in ORDERED:
        line(name, {r["dt"]: r for r in result["engines"] if r["method"] == name and r["at"] == "best"})
    for word in OURS_ORDERED:
        line("**%s**, no parameters" % method_name(word), {r["dt"]: r for r in result["rows"] if r["method"] == word})
    return lines


def remedies(result, dt):
    """The regularised formulation, and what Gonzalez & Kövecses put in its place."""
    tuned = {r["at"]: r for r in result["engines"] if r["method"] == "compliant" and r["dt"] == dt}
    ours = {r["method"]: r for r in result["rows"] if r["dt"] == dt}
    lines = [table_row(["formulation", "end point reaches x (m)", "error (m)", "energy drift (J)", "violation (m, rad)"]),
             table_row(["---"] + ["---:"] * 4)]
    for name, r in (("regularised, ODE's CFM (eq. 1)", tuned.get("default")),
                    ("(a) compliance chosen for the mechanism", tuned.get("best")),
                    ("(b) projection (eqs. 2, 3): euler + projection", ours.get("euler")),
                    ("(b) projection: rk4, projection", ours.get("projection")),
                    ("rank revealed: symplectic", ours.get("symplectic"))):
        if r:
            lines.append(table_row([name + (", " + engines.say(r["knobs"]) if "knobs" in r else ""), "%.4f" % r["reach"],
                                    figure(r["error"]), figure(r["drift"]), figure(r["gap"])]))
    return lines


def engines_section(results):
    lines = ["", "## Engines at their default and at their best", ""] + TUNING.strip("\n").splitlines() + [""]
    lines += errors_of_all(results)
    p = PROBLEMS[0]
    if results.get(p["scene"], {}).get("engines"):
        result = results[p["scene"]]
        lines += ["", "The Bricard mechanism, error (m) against the step, each engine's parameters searched again for each step:", ""]
        lines += orders(p, result)
        lines += ["", "The remedies of Gonzalez & Kövecses, Bricard mechanism, h = %g:" % p["dt"][0], ""]
        lines += remedies(result, p["dt"][0])
    return lines + SETTINGS.rstrip("\n").splitlines()


# ---- the page ----


def quoted(results):
    """Replaces {SCENE METHOD STEP FIELD} in the text of the page by the figure that was measured."""
    def number(found):
        scene, method, dt, field = found.group(1).split(" ")
        rows = results[scene]["rows"] + results[scene].get("engines", [])
        values = [r[field] for r in rows if r["method"].replace(" ", "_") == method and r["dt"] == float(dt) and
                  r.get("at", "best") == "best"]
        if not values:
            raise SystemExit("the page quotes %s, which was not measured" % found.group(0))
        return "%.2g" % values[0] if 0.01 <= values[0] < 10 else ("%.0e" % values[0]).replace("e-0", "e-")
    return lambda line: re.sub(r"\{([^{}]*)\}", number, line)


def page_of(results):
    lines = HEAD.strip("\n").splitlines() + who_wins(results) + engines_section(results) + asked_and_reached(results)
    lines += ["", "## The methods", "", "| name | what it does | source |", "|---|---|---|"]
    lines += [table_row(METHODS[m]) for m in METHODS]
    for p in PROBLEMS:
        result = results.get(p["scene"])
        if not result:
            continue
        lines += ["", "## " + p["title"], "", p["text"]]
        for dt in p["dt"]:
            lines += ["", "%g s at h = %g s, measured %s:" % (p["duration"], dt, result["date"]), ""]
            lines += table(p, result["rows"], dt)
            if result["engines"] and dt in p.get("tuned", p["dt"]):
                lines += [""] + tuned_table(result["engines"], dt, result["date"])
        for ending in ("png", "svg"):
            if os.path.exists(os.path.join(FIGURES, "%s.%s" % (p["scene"], ending))):
                lines += ["", "![error and violation against time spent](figures/%s.%s)" % (p["scene"], ending)]
    lines += TAIL.rstrip("\n").splitlines()
    return "\n".join(map(quoted(results), lines)) + "\n"


def write_page(results):
    with open(PAGE, "w", encoding="utf-8") as page:
        page.write(page_of(results))


def is_page_of(results):
    """Whether the page is the one that these results make."""
    with open(PAGE, encoding="utf-8") as page:
        return page.read() == page_of(results)
