"""Whether judging takes work that is linear in a review's bytes: counts the instructions of each of cases.py in three sizes.

What is added by the second doubling is twice what is added by the first; four times where work is quadratic.
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from worst import cases

SIZES = [64 * 1024, 128 * 1024, 256 * 1024]
LINEAR = 2.6  # times; tables that double in size make steps


def growth(instructions, program, name, folder):
    first, second, third = (instructions([program, "--once", folder / str(size) / f"{name}.json"]) for size in SIZES)
    return (third - second) / (second - first)


def faults(instructions, program, pool_size):
    """Prints the growth of each case. Returns how many cases there are, and sentences about those that are not linear.

    `instructions` counts those of a command.
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
