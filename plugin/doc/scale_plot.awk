# scale_plot.awk: draws the table of performance.md of how steps grow with the size of a scene, time against rows, as SVG.
#
#     awk -f scale_plot.awk performance.md >pictures/scale.svg
BEGIN {
    FS = " *[|] *"
    split ("#0072b2 #d55e00 #009e73 #cc79a7", ink, " ")
    left = 90; right = 560; top = 20; bottom = 420
}

/^<!-- table: scale -->/ { inside = 1 }
/^<!-- end -->/ { inside = 0 }

inside && $3 + 0 > 0 {
    split ($2, name, ":")
    if (!(name[1] in series)) { series[name[1]] = ++kinds; kind[kinds] = name[1] }
    k = series[name[1]]
    n = ++points[k]
    rows[k, n] = $3; time[k, 1, n] = $5; time[k, 2, n] = $4 # ode-rls, QuickStep
    for (s = 1; s <= 2; ++s) {
        if (!most_time || time[k, s, n] > most_time) most_time = time[k, s, n]
        if (!least_time || time[k, s, n] < least_time) least_time = time[k, s, n]
    }
    if (!most_rows || $3 > most_rows) most_rows = $3
    if (!least_rows || $3 < least_rows) least_rows = $3
}

function decade (value, up,    d) {
    d = int (log (value) / log (10) + 100) - 100
    return up && exp (d * log (10)) < value ? d + 1 : d
}
function x_of (value) { return left + (right - left) * (log (value) / log (10) - x0) / (x1 - x0) }
function y_of (value) { return bottom - (bottom - top) * (log (value) / log (10) - y0) / (y1 - y0) }
function text (x, y, anchor, words) {
    printf "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words
}
function power (d) { return "10<tspan dy=\"-6\" font-size=\"10\">" d "</tspan>" }
function line (xa, ya, xb, yb, style) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", xa, ya, xb, yb, style
}

END {
    x0 = decade(least_rows, 0); x1 = decade(most_rows, 1)
    y0 = decade(least_time, 0); y1 = decade(most_time, 1)
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"480\" font-family=\"sans-serif\" font-size=\"14\">"
    print "<rect width=\"760\" height=\"480\" fill=\"white\"/>"
    for (d = x0; d <= x1; ++d) {
        x = x_of(exp (d * log (10)))
        line(x, top, x, bottom, "stroke=\"#cccccc\"")
        text(x, bottom + 20, "middle", power(d))
    }
    for (d = y0; d <= y1; ++d) {
        y = y_of(exp (d * log (10)))
        line(left, y, right, y, "stroke=\"#cccccc\"")
        text(left - 8, y + 5, "end", power(d))
    }
    text((left + right) / 2, bottom + 48, "middle", "rows")
    printf "<text transform=\"translate(26,%d) rotate(-90)\" text-anchor=\"middle\">processor time of a step (µs)</text>\n",
        (top + bottom) / 2
    for (k = 1; k <= kinds; ++k)
        for (s = 1; s <= 2; ++s) {
            style = "fill=\"none\" stroke=\"" ink[k] "\" stroke-width=\"2\"" (s == 2 ? " stroke-dasharray=\"6 5\"" : "")
            printf "<polyline %s points=\"", style
            for (n = 1; n <= points[k]; ++n) printf "%.1f,%.1f ", x_of(rows[k, n]), y_of(time[k, s, n])
            print "\"/>"
            for (n = 1; n <= points[k]; ++n)
                printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" stroke=\"%s\"/>\n", x_of(rows[k, n]),
                    y_of(time[k, s, n]), s == 1 ? ink[k] : "white", ink[k]
            y = top + 20 + 50 * (k - 1) + 22 * (s - 1)
            line(right + 16, y - 5, right + 50, y - 5, style)
            text(right + 58, y, "start", kind[k] (s == 1 ? ", ode-rls" : ", QuickStep"))
        }
    print "</svg>"
}
