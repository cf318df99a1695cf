"""Makes the tables of the documents: each function runs its commands and returns lines; figures.py says where they go."""
import json
import math
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")


def output_of(command, **settings):
    """What a program prints; programs that fail in part say so there."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False, **settings).stdout


def json_lines(command):
    return [json.loads(line) for line in output_of(command).splitlines() if line.startswith("{")]


# ---- cells ----


def power(x):
    """Two digits, without an exponent where it is near zero."""
    if x is None:
        return "-"
    digits, exponent = ("%.1e" % x).split("e")
    return digits + ("e%d" % int(exponent) if int(exponent) else "") if x else "0"


def number(x):
    """Two digits and more, thousands apart."""
    if x is None:
        return "-"
    if x < 9.95:
        return "%.1f" % x
    return "{:,.0f}".format(x).replace(",", " ")


def ratio(a, b):
    if a is None or b is None:
        return "-"
    return "%.2f" % (a / b) if a / b < 9.95 else number(a / b)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


# ---- accuracy ----

STEPPERS = {"ode": "dWorldStep", "quick": "dWorldQuickStep, 20 sweeps", "rls": "**ode-rls**"}


def runs_of(bin_, options):
    text = output_of([bin_ + "/ode-rls", "compare", "bricard", "--json", "-"] + options)
    return json.loads(text)


def error_of(run):
    return max(p["reference_error_max_m"] for p in run["probes"].values())


def bricard(bin_):
    """The Bricard mechanism under three steppers at three steps; of five runs the cheapest counts."""
    runs = [runs_of(bin_, ["--dt", "1/60,0.01,0.001"]) for _ in range(5)]
    rows = []
    for i in sorted(range(len(runs[0])), key=lambda i: -runs[0][i]["dt"]):
        r = runs[0][i]
        rows.append(["1/60" if r["dt"] > 0.011 else "%g" % r["dt"], STEPPERS[r["stepper"]],
                     "%.3f" % r["probes"]["P2"]["min"][0], power(error_of(r)), power(r["energy"]["drift_max_J"]),
                     power(r["violation"]["position_m"]), power(r["violation"]["angle_rad"]),
                     number(min(run[i]["us_per_step"] for run in runs))])
    return table(["h (s)", "stepper", "x reached (m)", "error (m)", "energy drift (J)", "joints open (m)", "(rad)",
                  "µs a step"], rows)


def softness(bin_):
    """dWorldStep on the Bricard mechanism by its CFM."""
    rows = []
    for cfm in ("1e-10", "1e-7", "1e-6", "1e-5", "1e-4", "1e-3"):
        r = runs_of(bin_, ["--stepper", "ode", "--dt", "0.01", "--cfm", cfm])[0]
        rows.append([cfm + (" (default)" if cfm == "1e-10" else ""), "%.3f" % r["probes"]["P2"]["min"][0],
                     power(error_of(r)), power(r["energy"]["drift_max_J"]), power(r["violation"]["position_m"])])
    r = runs_of(bin_, ["--stepper", "rls", "--dt", "0.01"])[0]
    rows.append(["ode-rls, any", "%.3f" % r["probes"]["P2"]["min"][0], power(error_of(r)),
                 power(r["energy"]["drift_max_J"]), power(r["violation"]["position_m"])])
    return table(["CFM", "end point reaches x (m)", "error (m)", "energy drift (J)", "joints open (m)"], rows)


# ---- time ----


def bench(bin_, scenes, options=()):
    """Results of ode-rls bench by scene and stepper."""
    return [(r["benchmark"], r["rows"], {one["stepper"]: one for one in r["results"]})
            for r in json_lines([bin_ + "/ode-rls", "bench"] + list(scenes) + list(options))]


def open_by(result):
    return max(result["position_m"], result["angle_rad"]) if "position_m" in result else None


def speed(bin_):
    """Steppers side by side on mechanisms, chains and nets."""
    rows = []
    for scene, count, by in bench(bin_, ["bricard", "chain:10", "chain:100", "chain:1000", "fourbar:1", "fourbar:10",
                                         "fourbar:40", "hub:50", "net:10", "net:20"]):
        us = {k: r.get("cpu_us_per_step") for k, r in by.items()}
        rows.append([scene, str(count), number(us["ode"]), number(us["quick"]), number(us["rls"]),
                     ratio(us["ode"], us["rls"]), ratio(us["quick"], us["rls"]), power(open_by(by["quick"])),
                     power(open_by(by["rls"]))])
    return table(["scene", "rows", "dWorldStep", "QuickStep, 20 sweeps", "**ode-rls**", "ratio dWorldStep / ode-rls",
                  "ratio QuickStep / ode-rls", "joints open, QuickStep (m, rad)", "ode-rls"], rows)


SIZES = ["chain:100", "chain:1000", "chain:10000", "fourbar:10", "fourbar:40", "fourbar:200", "net:10", "net:20", "net:30",
         "net:100", "hub:50", "hub:100", "hub:200", "hub:400"]


def scale(bin_):
    """How a step grows with the size of a scene."""
    rows, last = [], (None, 1, 1)
    for name in SIZES:
        scene, count, by = bench(bin_, [name], ["--repetitions", "5", "--dense-limit", "0.1"])[0]
        kind, us = scene.split(":")[0], by["rls"]["cpu_us_per_step"]
        exponent = "%.2f" % (math.log(us / last[1]) / math.log(count / last[2])) if kind == last[0] else "-"
        last = (kind, us, count)
        rows.append([scene, str(count), "%.0f" % by["quick"]["cpu_us_per_step"], "%.0f" % us, "%.2f" % (us / count),
                     exponent, "%.0f" % (by["rls"]["memory_bytes"] / count), power(open_by(by["rls"]))])
    return table(["scene", "rows", "QuickStep, 20 sweeps (µs)", "ode-rls (µs)", "µs a row", "exponent of time",
                  "bytes a row", "joints open (m, rad)"], rows)


def scale_picture():
    """Draws that table as it stands in the document."""
    folder = os.path.join(TOP, "plugin", "doc")
    with open(os.path.join(folder, "pictures", "scale.svg"), "w", encoding="utf-8") as file:
        subprocess.run(["awk", "-f", "scale_plot.awk", "performance.md"], cwd=folder, stdout=file, check=True)


WORKS = ["free:2000", "pendulums:1", "pendulums:64", "pendulums:2000", "sliding:100", "stack:10", "wall:100", "wall:400",
         "wall:1000", "pile:100", "pile:500", "pile:2000", "ragdolls:10", "ragdolls:50", "drum:80", "truck:26", "show_walker", "show_excavator",
         "show_iltis", "net:10", "pushed:net:10:0.1", "pushed:net:10:1", "pushed:net:10:5", "net:20", "pushed:net:20:1",
         "points:40", "cube:7"]
WORK_LINE = re.compile(r"^(\S+) +(ode-rls.*?|QuickStep, 20 sweeps) {1,}([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +(\d+) +"
                       r"(\S+) +(\S+)(?: +(\S+) +(\S+))?$")


def works_of(bin_, names, options=()):
    """Lines of bench_works as dictionaries by work and stepper."""
    found = {}
    for name in names:
        found[name] = {}
        for m in map(WORK_LINE.match, output_of([bin_ + "/bench_works"] + list(options) + [name]).splitlines()):
            if m:
                value = {"median": 3, "mean": 4, "worst": 5, "ratio": 7, "kB": 8}
                found[name][m.group(2)] = dict({k: float(m.group(g)) for k, g in value.items()}, factorisations=m.group(9),
                                               most=m.group(10), gap=m.group(11), lost=m.group(12))
    return found


def works(bin_):
    """The work of games and robots: time a step beside QuickStep."""
    rows = []
    for name, by in works_of(bin_, WORKS).items():
        ours, loose, soft, quick = (by.get(k) for k in ("ode-rls", "ode-rls, joints to 1e-6 m", "ode-rls, compliant rows",
                                                        "QuickStep, 20 sweeps"))
        if not ours:
            continue
        lost = "%s; %s" % (ours["lost"], soft["lost"]) if ours["lost"] else "-"
        rows.append([name, number(ours["mean"]), number(quick["mean"]), "%.2f" % ours["ratio"], "%.2f" % loose["ratio"],
                     "%.2f" % soft["ratio"], "%.1f" % (ours["worst"] / ours["median"]),
                     "%s, %s" % (ours["factorisations"], ours["most"]), "%.0f" % ours["kB"], ours["gap"] or "-", lost])
    return table(["work", "ours (µs)", "QuickStep, 20 sweeps (µs)", "ratio of times", "closed to 1e-6 m", "compliant rows",
                  "worst step / median", "factorisations a step, most", "kB", "joints open (m, rad)",
                  "energy lost (J); by compliant rows"], rows)


def swing(bin_):
    """A hanging chain that swings for three seconds."""
    rows = []
    for name in ("chain:100", "chain:1000"):
        by = works_of(bin_, [name], ["--steps", "300"])[name]
        ours, quick = by["ode-rls"], by["QuickStep, 20 sweeps"]
        rows.append([name, number(ours["mean"]), number(ours["median"]), "%.2f" % (ours["mean"] / ours["median"]),
                     "%.1f" % (ours["worst"] / ours["median"]), number(quick["mean"]), "%.2f" % ours["ratio"], ours["gap"],
                     ours["lost"]])
    return table(["scene, 3 s", "mean (µs)", "median (µs)", "mean / median", "worst step / median",
                  "QuickStep, 20 sweeps (µs)", "ratio of times", "joints open (m, rad)", "energy lost (J)"], rows)


def peers(bin_):
    return output_of([os.path.join(TOP, "tests/bench/peers.py"), bin_ + "/ode-rls"]).splitlines()


def profile(bin_):
    """Where a step of a chain of a hundred hinges spends its instructions."""
    work = output_of(["mktemp"]).strip()
    output_of(["valgrind", "--tool=callgrind", "--toggle-collect=dRLSStepperStep", "--callgrind-out-file=" + work,
               bin_ + "/ode-rls", "run", "chain:100", "--dt", "0.01", "--duration", "0.5"])
    text = output_of(["callgrind_annotate", work])
    os.remove(work)
    total = float(re.search(r"([\d,]+) .*PROGRAM TOTALS", text).group(1).replace(",", ""))
    rows = []
    for m in re.finditer(r"^ *([\d,]+) \( *[\d.]+%\) +\S*?:([\w.]+)(?: \[|$)", text, re.M):
        used = float(m.group(1).replace(",", ""))
        if used / total >= 0.02:
            rows.append(["`%s`" % m.group(2).lstrip("_").split("_avx")[0].split(".")[0], number(used / 50 / 100),
                         "%.0f %%" % (100 * used / total)])
    rows.append(["all", number(total / 50 / 100), "100 %"])
    return table(["function", "instructions a hinge and step", "share"], rows)


# ---- contacts ----

# scene of contact_table, its title, and which of its columns say something
TIME, DEEPEST, SIDEWAYS, TOP_MOVED, OPEN = 1, 2, 4, 5, 6
COLUMN = {TIME: ("time a step, relative", "%.2f"), DEEPEST: ("deepest contact (mm)", "%.2g"),
          SIDEWAYS: ("sideways (mm)", "%.2g"), TOP_MOVED: ("top has moved (mm)", "%.2g"), OPEN: ("joints open (m)", "%.0e")}
CONTACTS = [("stack:10", "stack of 10 boxes", (TIME, DEEPEST, TOP_MOVED)),
            ("stack:100@1", "stack of 100 boxes, first second", (TIME, TOP_MOVED)),
            ("wall:100", "wall of 100 bricks", (TIME, DEEPEST, SIDEWAYS)), ("ragdoll", "ragdoll", (TIME, OPEN)),
            ("ragdolls:10x8", "heap of ten ragdolls", (TIME, OPEN)), ("show_walker", "walker", (TIME, DEEPEST, OPEN)),
            ("show_excavator", "excavator", (TIME, OPEN))]
KINDS = ("quick 20", "quick 100", "ode-rls")


def contacts(bin_):
    """Scenes with contacts, each under three steppers."""
    rows = []
    for scene, title, columns in CONTACTS:
        by, late = {}, {}
        for line in output_of([bin_ + "/contact_table", scene]).splitlines():
            kind, cells = line[:9].strip(), line[9:].split()
            if "late on average" in line:
                late[kind] = "%.0f ± %.0f" % (float(cells[1]), float(cells[7].rstrip(",")))
            elif kind in KINDS and len(cells) > 6:
                by[kind] = [None] + [float(x) for x in cells[1:7]]
        for column in columns:
            name, form = COLUMN[column]
            rows.append([title if column == TIME else "", name] + [form % by[k][column] for k in KINDS])
        if late:
            rows.append(["", "deepest contact in the last half (mm), mean and spread of 8 starts"] + [late[k] for k in KINDS])
    return table(["scene", "", "dWorldQuickStep, 20 sweeps", "100 sweeps", "**ode-rls**"], rows)


def games(bin_):
    """Games of the distribution under the preload shim; nothing where one is missing."""
    rows = []
    for game in ("mu-cade", "stormbaancoureur", "xmoto"):
        text = output_of(["bash", os.path.join(TOP, "tests/preload/games.sh"), game, bin_ + "/../lib/libode_rls_preload.so"])
        times = re.findall(r"^  time +([\d.]+) us a step", text, re.M)
        gaps = re.findall(r"^  violation +(\S+) m,", text, re.M)
        if len(times) < 2 or len(gaps) < 2:
            return None
        rows.append([game, power(float(gaps[0])), power(float(gaps[1])), number(float(times[0])), number(float(times[1])),
                     ratio(float(times[1]), float(times[0]))])
    return table(["game", "joints open (m), before", "with the shim", "µs a step, before", "µs with the shim",
                  "ratio of times"], rows)
