"""Draws docs/benchmarks.svg: throughput by body size, and latency percentiles at 8 connections."""

import math
from xml.sax.saxutils import escape

COLOURS = ("#0b6bcb", "#7a5af8", "#2d9d78", "#d9822b", "#c23030", "#8a6d3b", "#5c7080", "#00838f", "#b5179e", "#3a5a40")
WIDTH, HEIGHT, LEFT, TOP, PANEL_W, PANEL_H = 980, 480, 70, 50, 360, 300
PERCENTILES = (("p50", "p50_us"), ("p90", "p90_us"), ("p99", "p99_us"), ("p99.9", "p999_us"))


def text(x, y, words, anchor="middle", size=12, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-size="{size}" {more}>{escape(words)}</text>'


def abbreviate(value):
    for unit, divisor in (("M", 1e6), ("k", 1e3)):
        if value >= divisor:
            return f"{value / divisor:g}{unit}"
    return f"{value:g}"


def panel(x, title, names, series, unit):
    """A line chart with categories on the x axis and a logarithmic y axis. series: [(colour, dashed, values)]."""
    values = [v for _, _, line in series for v in line if v]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def at(i, value):
        across = x + PANEL_W * (i + 0.5) / len(names)
        return across, TOP + PANEL_H * (1 - (math.log10(value) - low) / (high - low))

    parts = [text(x + PANEL_W / 2, TOP - 20, title, size=14)]
    for power in range(low, high + 1):
        y = at(0, 10.0**power)[1]
        parts.append(f'<line x1="{x}" y1="{y:.0f}" x2="{x + PANEL_W}" y2="{y:.0f}" stroke="#d0d7de"/>')
        parts.append(text(x - 6, y + 4, abbreviate(10.0**power) + unit, "end"))
    for i, name in enumerate(names):
        parts.append(text(at(i, 10.0**low)[0], TOP + PANEL_H + 18, name))
    for colour, dashed, line in series:
        points = [at(i, value) for i, value in enumerate(line) if value]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>' for px, py in points]
    return parts


def draw(results, cells, label, sizes):
    shown = [cell for cell in cells if cell[2] not in ("linux", "placed")]
    speed, latency, legend = [], [], []
    for i, (name, hook, verdict) in enumerate(shown):
        colour, dashed = COLOURS[i % len(COLOURS)], hook == "mutate"
        rows = [results.rows[name, size, hook, verdict, 8] for size in sizes]
        speed.append((colour, dashed, [row["per_second"] for row in rows]))
        latency.append((colour, dashed, [rows[0][key] for _, key in PERCENTILES]))
        x, y = LEFT + (i % 3) * 300, TOP + PANEL_H + 46 + (i // 3) * 20
        legend.append(f'<rect x="{x}" y="{y - 9}" width="18" height="4" fill="{colour}"/>' +
                      text(x + 24, y - 3, label(name, hook, verdict), "start"))
    parts = panel(LEFT, "requests/s by body size, 8 connections", sizes, speed, "")
    parts += panel(LEFT + PANEL_W + 110, "latency at full load, 3.4 KB, 8 connections (us)", [n for n, _ in PERCENTILES], latency, "")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" fill="#24292f">'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>' + "\n".join(parts + legend) + "</svg>\n")
