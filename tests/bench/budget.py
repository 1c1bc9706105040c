#!/usr/bin/env python3
"""Compares the instruction counts of each step under callgrind with budget.json (make bench-budget).

Instruction counts do not depend on the load of the machine. Fails if a step takes over 5 % more than its budget, and over 100
instructions, if a pod without the fields of additional rules takes over 5 % more with twice the rules, or if the work for a worst case
(worst/cases.py, worst/manifests.py) grows faster than its size. `--update` writes the counts as the new budget. Needs tests/bench/build.sh
micro. The last line is "N passed, N failed".
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import bodies  # noqa: E402 (these need the line above)
from winadmit import BINARY  # noqa: E402
from worst import linear  # noqa: E402

BUDGET = HERE / "budget.json"
TOLERANCE = 1.05
# glibc has string functions for each kind of processor: the same program takes 2,110 to 2,210 instructions for a step on others.
SLACK = 100
FEW, MANY = 3, 11  # repetitions; the difference of two counts excludes the start of the program


def instructions(command, environment=None):
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *command],
                              env=environment, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        raise RuntimeError(f"{command}: {done.stderr}")
    return int(found.group(1))


def count(program, environment, step):
    few, many = (instructions([program, step, str(times)], environment) for times in (FEW, MANY))
    return round((many - few) / (MANY - FEW))


def faults_of(counts, budget):
    """A sentence for each step that exceeds its budget."""
    faults = []
    for step, now in counts.items():
        if step not in budget:
            faults.append(f"{step}: no budget; run tests/bench/budget.py --update")
        elif now > max(budget[step] * TOLERANCE, budget[step] + SLACK):
            faults.append(f"{step}: {now} instructions, {now / budget[step] - 1:+.1%} of its budget of {budget[step]}")
    faults += [f"{step}: in the budget, but no longer a step" for step in budget if step not in counts]
    for step, once in counts.items():
        twice = counts.get(step.replace("rules_x1/", "rules_x2/")) if step.startswith("rules_x1/") else None
        if twice is not None and twice > once * TOLERANCE:
            faults.append(f"{step}: twice the rules cost {twice / once - 1:+.1%}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=HERE.parent.parent / "build/release/tests/bench/bench_repeat")
    parser.add_argument("--bodies", type=Path, default=HERE.parent.parent / "build/bench/bodies")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()

    bodies.write_all(options.bodies)
    environment = {**os.environ, "WINADMIT_BENCH_BODIES": str(options.bodies)}
    names = subprocess.run([options.program], env=environment, capture_output=True, text=True, check=True).stdout.split()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(names, pool.map(lambda step: count(options.program, environment, step), names)))
    if options.update:
        BUDGET.write_text(json.dumps(counts, indent=1) + "\n")
        return 0
    budget = json.loads(BUDGET.read_text())
    for step, now in counts.items():
        if step in budget:
            print(f"{step:36} {now:>10} {now / budget[step] - 1:+7.1%}")
    faults = faults_of(counts, budget)
    worst_cases, not_linear = linear.faults(instructions, options.program.with_name("bench_worst"), BINARY, os.cpu_count())
    faults += not_linear
    for fault in faults:
        print(f"budget: {fault}", file=sys.stderr)
    print(f"{len(counts) + worst_cases - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
