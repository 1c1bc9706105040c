"""Checks that the work for each case of cases.py and manifests.py is linear in its size, by instruction counts of three
sizes.

If the work is linear, the second doubling of the size adds twice as much as the first; if it is quadratic, four times.
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from worst import cases, manifests

SIZES = [64 * 1024, 128 * 1024, 256 * 1024]
LINEAR = 2.6  # more than 2, because hash tables grow in steps


def all_cases(bench_worst, winadmit):
    """{name: (the text of a size, the command that reads its file)}."""
    found = {name: (text, [bench_worst, "--once"]) for name, text in cases.CASES.items()}
    found |= {name: (text, [winadmit, *command]) for name, (text, command) in manifests.CASES.items()}
    return found


def growth(instructions, name, text, command):
    counts = []
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            file = Path(folder) / f"{name}-{size}.json"
            file.write_text(text(size))
            counts.append(instructions([*command, file]))
    first, second, third = counts
    return (third - second) / (second - first)


def faults(instructions, bench_worst, winadmit, pool_size):
    """Prints the growth of each case. Returns the number of cases, and a sentence for each that is not linear.

    `instructions(command)` counts the instructions of a command.
    """
    found = all_cases(bench_worst, winadmit)
    with ThreadPoolExecutor(pool_size) as pool:
        growths = list(pool.map(lambda name: growth(instructions, name, *found[name]), found))
    for name, factor in zip(found, growths):
        print(f"{name:36} {factor:9.2f} times for twice the bytes")
    return len(found), [f"{name}: {factor:.2f} times the work for twice the bytes"
                        for name, factor in zip(found, growths) if factor > LINEAR]
