#!/usr/bin/env python3
"""Draws a terminal with the findings of `winadmit check` as an SVG: tools/refusal_svg.py BINARY >docs/refusal.svg"""

import html
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = ["check", "-f", "samples/agent.yaml"]
COLUMNS, FONT, LINE, LEFT, TOP = 98, 13, 19, 20, 62
FINDING = re.compile(r"(?P<place>\S+:\d+:\d+: )(?P<level>error|warning)(?P<object>: \w+ [^:]+: )(?P<field>[^:]+)(?P<text>: .*) (?P<rule>\([\w-]+\))")
COLORS = {"place": "#9198a1", "level": "#ff7b72", "object": "#e6edf3", "field": "#79c0ff", "text": "#e6edf3", "rule": "#d2a8ff"}


def colored(line):
    """The color of each character of a line."""
    match = FINDING.fullmatch(line)
    if not match:
        return ["#e6edf3"] * len(line)
    colors = ["#e6edf3"] * len(line)
    for name, color in COLORS.items():
        colors[match.start(name):match.end(name)] = [color] * (match.end(name) - match.start(name))
    return colors


def rows(lines):
    """Wraps each line at COLUMNS, as lists of (text, color)."""
    for line in lines:
        colors, start = colored(line), 0
        for part in textwrap.wrap(line, COLUMNS, break_long_words=False, break_on_hyphens=False) or [""]:
            start = line.index(part, start)
            row = []
            for character, color in zip(part, colors[start:]):
                if row and row[-1][1] == color:
                    row[-1][0] += character
                else:
                    row.append([character, color])
            start += len(part)
            yield row


def draw(lines):
    drawn = list(rows(lines))
    width, height = LEFT * 2 + round(COLUMNS * FONT * 0.62), TOP + LINE * len(drawn)
    text = []
    for i, row in enumerate(drawn):
        spans = "".join(f'<tspan fill="{color}">{html.escape(part)}</tspan>' for part, color in row)
        text.append(f'<text x="{LEFT}" y="{TOP + LINE * i}" xml:space="preserve">{spans}</text>')
    dots = "".join(f'<circle cx="{22 + 20 * i}" cy="20" r="6" fill="{color}"/>' for i, color in enumerate(("#ff5f57", "#febc2e", "#28c840")))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="{FONT}">\n'
            f"<title>winadmit check refuses a pod</title>\n"
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" fill="#0d1117" stroke="#3d444d"/>\n{dots}\n' + "\n".join(text) + "\n</svg>\n")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    result = subprocess.run([binary, *COMMAND], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, check=False)
    if result.returncode != 1:
        sys.exit(f"{binary} {' '.join(COMMAND)} exited with {result.returncode}:\n{result.stdout}")
    sys.stdout.write(draw(["$ winadmit " + " ".join(COMMAND), *result.stdout.splitlines()]))


if __name__ == "__main__":
    main()
