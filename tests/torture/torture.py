#!/usr/bin/env python3
"""Runs attacks and faults against the real binary and writes what was promised and what was seen: docs/lab/torture.md.

    make torture                                          all; QUICK=1: a short form that judges no times
    tests/torture/torture.py --list                       the names
    tests/torture/torture.py --only 'admin-idle$' --quick  one alone, after tests/torture/build.sh; the report goes to build/torture/

Each theme is a module (connections, handshakes, ...). A module registers its scenarios with @attack (attack.py) or
@fault (scenario.py). The last line is "N passed, N failed".
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import report  # noqa: E402 (these need the line above)
import reviews  # noqa: E402
import soak  # noqa: E402
from cgroup import NoCgroup, find_cgroup  # noqa: E402
from pairs import RSA, make_pair  # noqa: E402
from processes import ServerFault, raise_descriptor_limit  # noqa: E402
from scenario import SCENARIOS, Result  # noqa: E402

# Each import registers the scenarios of a theme. They run in this order.
import connections  # noqa: E402,F401
import held  # noqa: E402,F401
import handshakes  # noqa: E402,F401
import contents  # noqa: E402,F401
import framing  # noqa: E402,F401
import admin  # noqa: E402,F401
import logs  # noqa: E402,F401
import certificates  # noqa: E402,F401
import signals  # noqa: E402,F401
import host  # noqa: E402,F401
import capacity  # noqa: E402,F401


@dataclass
class Environment:
    """The options and files that all scenarios share."""

    binary: Path
    client: Path
    folder: Path
    quick: bool
    nice: int | None = None
    cgroup: type = NoCgroup

    def prepare(self):
        self.cgroup = find_cgroup()
        self.load = os.getloadavg()[0]
        self.version = subprocess.run([self.binary, "version"], capture_output=True, text=True).stdout.splitlines()[0]
        self.requests = reviews.write_good(self.folder)
        self.review_file = self.folder / "refused.json"
        self.review = self.review_file.read_bytes()
        self.pair = make_pair(self.folder / "pair")
        self.rsa_pair = make_pair(self.folder / "rsa-pair", RSA)

    def seconds(self, full):
        return full / 2 if self.quick else full

    def count(self, full, quick):
        return quick if self.quick else full

    def slack(self, megabytes):
        """A limit for memory. Other kernels and allocators in CI may need a little more."""
        return megabytes * 1.25 if self.quick else megabytes


def run_one(env, scenario):
    """Repeats a scenario once if it failed only in timed claims, because other processes use the machine too."""
    result = try_one(env, scenario)
    failed = result.failed(env.quick)
    if failed and all(claim.timed for claim in failed):
        missed = "; ".join(claim.seen for claim in failed)
        result = try_one(env, scenario)
        result.notes.append(f"second try, the first: {missed}")
    return result


def try_one(env, scenario):
    result = Result()
    try:
        scenario.run(env, result)
    except ServerFault as error:
        result.claim("alive", str(error), False)
    except Exception as error:  # reported as a failure; the other scenarios still run
        result.claim("the harness gets to the end", f"{type(error).__name__}: {error}", False)
    return result


def print_result(scenario, result, env, took):
    failed = result.failed(env.quick)
    print(f"{'FAIL' if failed else 'ok  '} {scenario.name} ({took:.0f} s): {result.tried}", flush=True)
    for claim in result.claims:
        mark = " " if claim.held else "(late) " if env.quick and claim.timed else "NOT HELD "
        if not claim.held or scenario.name == "capacity":
            print(f"     {mark}{claim.promise}: {claim.seen}", flush=True)
    for note in result.notes:
        print(f"      {note}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/winadmit")
    parser.add_argument("--client", type=Path, default=ROOT / "build/torture/client")
    parser.add_argument("--only", metavar="REGEX", default="", help="only those whose THEME/NAME matches")
    parser.add_argument("--quick", action="store_true", help="a short form for CI that judges no times")
    parser.add_argument("--nice", type=int, help="of the attackers, on a busy machine (default: SCHED_IDLE)")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="send captured reviews for this time instead of attacks")
    parser.add_argument("--list", action="store_true", help="list the names and exit")
    parser.add_argument("--output", type=Path,
                        help="the report (default: docs/lab/torture.md for a full run, else build/torture/torture.md)")
    return parser.parse_args()


def run_soak(env, output, seconds):
    result, lines = soak.soak(env, seconds)
    text = output.read_text() if output.exists() else ""
    text = text.replace(report.soak_section(text), "").rstrip("\n")
    output.write_text((text + "\n\n" if text else "") + report.soak_text(env, result, lines))
    return len([claim for claim in result.claims if claim.held]), len(result.failed(False))


def run_scenarios(env, options, chosen, output):
    rows = []
    for scenario in chosen:
        start = time.monotonic()
        rows.append((scenario, run_one(env, scenario)))
        print_result(*rows[-1], env, time.monotonic() - start)
    soaked = report.soak_section(output.read_text()) if output.exists() else ""
    output.write_text(report.INTRODUCTION + report.machine(env) + "\n\n" + report.table(rows, env.quick) + soaked)
    failed = sum(bool(result.failed(env.quick)) for _, result in rows)
    return len(rows) - failed, failed


def main():
    options = parse()
    chosen = [each for each in SCENARIOS if re.search(options.only, f"{each.theme}/{each.name}")
              and (each.quick or not options.quick or options.only)]
    if options.list:
        for each in chosen:
            print(f"{each.theme}/{each.name}: {each.title}")
        return 0
    raise_descriptor_limit()
    full = not options.only and not options.quick
    output = options.output or (ROOT / "docs/lab/torture.md" if full else ROOT / "build/torture/torture.md")
    folder = Path(tempfile.mkdtemp(prefix="winadmit-torture-"))
    folder.chmod(0o755)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that context managers stop the processes
    env = Environment(options.binary.resolve(), options.client.resolve(), folder, options.quick, options.nice)
    try:
        env.prepare()
        if options.soak:
            passed, failed = run_soak(env, output, options.soak)
        else:
            passed, failed = run_scenarios(env, options, chosen, output)
    finally:
        env.cgroup.remove_root()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
