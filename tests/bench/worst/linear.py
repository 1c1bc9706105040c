"""Checks that the work for each case of cases.py is linear in its size, by instruction counts of three sizes.

If the work is linear, the second doubling of the size adds twice as much as the first; if it is quadratic, four times.
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from worst import cases

SIZES = [64 * 1024, 128 * 1024, 256 * 1024]
LINEAR = 2.6  # more than 2, because hash tables grow in steps


def growth(instructions, program, name, folder):
    first, second, third = (instructions([program, "--once", folder / str(size) / f"{name}.json"]) for size in SIZES)
    return (third - second) / (second - first)


def faults(instructions, program, pool_size):
    """Prints the growth of each case. Returns the number of cases, and a sentence for each that is not linear.

    `instructions(command)` counts the instructions of a command.
    """
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(pool_size) as pool:
        for size in SIZES:
            cases.write_all(Path(folder) / str(size), size)
        names = list(cases.CASES)
        growths = list(pool.map(lambda name: growth(instructions, program, name, Path(folder)), names))
    for name, factor in zip(names, growths):
        print(f"{name:36} {factor:9.2f} times for twice the bytes")
    return len(names), [f"{name}: {factor:.2f} times the work for twice the bytes"
                        for name, factor in zip(names, growths) if factor > LINEAR]
