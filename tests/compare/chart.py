"""Error and violation against time spent as an SVG file, in the manner of ode-rls compare --plot."""
import math

OTHER = "#b0b4bc"  # of methods that have no colour of their own

COLOURS = ["#d55e00", "#009e73", "#0072b2", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7a5c30"]
PANEL, MARGIN, TEXT = 420, 80, 26
MARKS = {
    0: '<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{c}"/>',
    1: '<rect x="{l:.1f}" y="{t:.1f}" width="8.4" height="8.4" fill="{c}"/>',
    2: '<path d="M{x:.1f} {t:.1f}l5 8.4h-10z" fill="{c}"/>',
}


class Axis:
    """A logarithmic axis of whole decades."""

    def __init__(self, values, start, length):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.start, self.length = start, length

    def place(self, value):
        return self.start + self.length * (math.log10(value) - self.low) / (self.high - self.low)

    def decades(self):
        step = 1 + (self.high - self.low) // 9
        return range(self.low, self.high + 1, step)


def text(x, y, words, anchor="middle", more=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>' % (x, y, anchor, more, words)


def power(exponent):
    return '10<tspan dy="-6" font-size="11">%d</tspan>' % exponent


def panel(left, top, label, series):
    """series: (colour, mark, [(x, y), ...]) a method."""
    points = [point for s in series for point in s[2]]
    x = Axis([p[0] for p in points], left, PANEL)
    y = Axis([p[1] for p in points], top + PANEL, -PANEL)
    out = ['<rect x="%d" y="%d" width="%d" height="%d" fill="#fafafa" stroke="#888"/>' % (left, top, PANEL, PANEL)]
    for k in x.decades():
        at = x.place(10.0 ** k)
        out.append('<path d="M%.1f %dv%d" stroke="#ddd"/>' % (at, top, PANEL))
        out.append(text(at, top + PANEL + 20, power(k)))
    for k in y.decades():
        at = y.place(10.0 ** k)
        out.append('<path d="M%d %.1fh%d" stroke="#ddd"/>' % (left, at, PANEL))
        out.append(text(left - 8, at + 5, power(k), "end"))
    for colour, mark, values in sorted(series, key=lambda s: s[0] != OTHER):
        placed = [(x.place(a), y.place(b)) for a, b in values]
        line = "L".join("%.1f %.1f" % p for p in placed)
        width = 1 if colour == OTHER else 2
        out.append('<path d="M%s" fill="none" stroke="%s" stroke-width="%d"/>' % (line, colour, width))
        if colour != OTHER:
            out += [MARKS[mark].format(x=a, y=b, l=a - 4.2, t=b - 4.2, c=colour) for a, b in placed]
    out.append(text(left + PANEL / 2, top + PANEL + 44, "processor time in the stepper (s)"))
    out.append(text(0, 0, label, "middle", ' transform="translate(%d %d) rotate(-90)"' % (left - 52, top + PANEL / 2)))
    return out


def named_first(methods, runs, own):
    """As many methods as there are colours: own, then those of whose runs most are ahead, nothing else being both faster and
    better, then those of least error."""
    good = [r for r in runs if r["status"] == "ok" and (r["error"] or 0) > 0]

    def standing(method):
        mine = [r for r in good if r["method"] == method]
        ahead = sum(not any(o["error"] < r["error"] and o["cpu"] < r["cpu"] for o in good) for r in mine)
        return (method not in own, -ahead, min([r["error"] for r in mine], default=math.inf))

    chosen = sorted(methods, key=standing)[:len(COLOURS)]
    return [m for m in methods if m in chosen]


def write(path, title, runs, names):
    """runs: dictionaries of report.py; names: from a method's word to what the legend says, in its order."""
    methods = [m for m in names if any(r["method"] == m for r in runs)]
    named = named_first(methods, runs, ("ode", "quick"))
    style = {m: (OTHER, 0) for m in methods}
    style.update((m, (COLOURS[i], i % len(MARKS))) for i, m in enumerate(named))
    legend = [(names[m],) + style[m] for m in named]
    if len(methods) > len(named):
        legend.append(("%d others" % (len(methods) - len(named)), OTHER, 0))
    width, columns = 2 * PANEL + 2 * MARGIN + 2 * TEXT, 4
    top = 50 + TEXT * ((len(legend) + columns - 1) // columns) + 16
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="DejaVu Sans, sans-serif" '
           'font-size="15">' % (width, top + PANEL + 60),
           '<rect width="100%" height="100%" fill="white"/>', text(MARGIN, 34, title, "start", ' font-size="19"')]
    for i, (label, colour, mark) in enumerate(legend):
        x, y = MARGIN + (i % columns) * (width - MARGIN) / columns, 62 + TEXT * (i // columns)
        out.append('<path d="M%.1f %dh32" stroke="%s" stroke-width="2"/>' % (x, y, colour))
        if colour != OTHER:
            out.append(MARKS[mark].format(x=x + 16, y=y, l=x + 11.8, t=y - 4.2, c=colour))
        out.append(text(x + 40, y + 5, label, "start"))
    for k, (field, label) in enumerate((("error", "largest error (m)"), ("gap", "largest violation (m, rad)"))):
        series = []
        for method in methods:
            good = [r for r in runs if r["method"] == method and r["status"] == "ok" and (r[field] or 0) > 0]
            if good:
                series.append(style[method] + ([(r["cpu"], r[field]) for r in good],))
        out += panel(MARGIN + k * (PANEL + MARGIN), top, label, series)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")
