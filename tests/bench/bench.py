#!/usr/bin/env python3
"""Benchmarks winadmit and its alternatives in one run, and writes docs/benchmarks.md and docs/benchmarks.svg.

    make bench                                      all of it; QUICK=1: fewer and shorter repetitions
    tests/bench/bench.py --quick --only winadmit     one candidate alone, after tests/bench/build.sh

Candidates are measured in turn, repeatedly, so that changes of the machine's speed affect all of them. Every figure is
the median of the repetitions.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import bodies  # noqa: E402 (these need the line above)
import report  # noqa: E402
from candidates import candidates  # noqa: E402
from holding import COUNT, hold  # noqa: E402
from image_size import image_mib  # noqa: E402
from pairs import make_pair  # noqa: E402
from processes import MIB, raise_descriptor_limit  # noqa: E402
from running import Server, cold_start_ms, measure, raise_priority  # noqa: E402
from winadmit import BINARY  # noqa: E402

FIRST_PORT = 19400
CONNECTIONS = (1, 64, 512)
CELLS = (("validate", "refused"), ("validate", "placed"), ("validate", "linux"),
         ("mutate", "unplaced"), ("mutate", "linux"))
KEYS = ("per_second", "p50_us", "p90_us", "p99_us", "p999_us", "server_cpu_us", "server_core", "generator_core")


def cells_of(candidate):
    """The (hook, verdict) pairs that are measured: all for winadmit, the distinctive ones for the others."""
    if candidate.role == "ours":
        return CELLS
    if not candidate.judges:
        return tuple((hook, "refused") for hook in candidate.hooks)
    if candidate.patches:
        return (("validate", "refused"), ("mutate", "unplaced"))
    return (("validate", "refused"),)


def median(samples):
    return {key: statistics.median(sample[key] for sample in samples) for key in KEYS}


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.load = options.tools / "bench_load"
        self.bodies = bodies.write_all(work / "bodies")
        self.candidates = candidates(work, options.tools, options.winadmit.resolve())
        if options.only:
            self.candidates = [c for c in self.candidates if any(word in c.name for word in options.only)]
        self.repetitions = options.repetitions or (2 if options.quick else 5)
        self.seconds = options.seconds or (0.25 if options.quick else 1.0)

    def interleave(self, servers, plan):
        """Measures all candidates in turn, repeatedly. `plan(candidate)` is a list of (key, arguments of measure)."""
        samples = {}
        for _ in range(self.repetitions):
            for server in servers:
                for key, arguments in plan(server.candidate):
                    sample = measure(self.load, server, seconds=self.seconds, **arguments)
                    samples.setdefault((server.candidate.name, *key), []).append(sample)
        return [{"candidate": key[0], "size": key[1], "hook": key[2], "verdict": key[3], "connections": key[4],
                 **median(found)} for key, found in samples.items()]

    def throughput(self, servers):
        def plan(candidate):
            return [((size, hook, verdict, 8), dict(body=self.bodies[size, verdict], hook=hook, verdict=verdict))
                    for size in bodies.SIZES for hook, verdict in cells_of(candidate)]
        return self.interleave(servers, plan)

    def connections(self, servers):
        def plan(candidate):
            return [(("3.4 KB", candidate.hook, "refused", count),
                     dict(body=self.bodies["3.4 KB", "refused"], hook=candidate.hook, verdict="refused", connections=count))
                    for count in CONNECTIONS]
        return self.interleave(servers, plan)

    def handshakes(self, servers):
        def plan(candidate):
            return [(("3.4 KB", candidate.hook, "placed", 8),
                     dict(body=self.bodies["3.4 KB", "placed"], hook=candidate.hook, verdict="placed", handshakes=True))]
        return self.interleave(servers, plan)

    def footprint(self, candidate, port):
        """Start time, memory and size of a candidate."""
        body, hook = self.bodies["3.4 KB", "placed"], candidate.hook
        starts = [cold_start_ms(self.load, candidate, port, body) for _ in range(3 if self.options.quick else 9)]
        with Server(candidate, port) as server:
            measure(self.load, server, body, hook, "placed", connections=1, seconds=0.05)
            idle = server.memory_mib("VmRSS")
            measure(self.load, server, body, hook, "placed", connections=512, seconds=self.seconds)
            loaded = server.memory_mib("VmHWM")
        held = {}
        for name, with_request in (("silent", False), ("asked", True)):
            with Server(candidate, port) as server:
                held[name] = hold(server, candidate.path(hook), body.read_bytes(), with_request)
        return {"candidate": candidate.name, "cold_start_ms": statistics.median(starts), "idle_mib": idle,
                "loaded_mib": loaded, "binary_mib": candidate.binary.resolve().stat().st_size / MIB,
                "image_mib": image_mib(candidate.binary), "held": held}

    def threads(self):
        """CPU time per request of winadmit with one thread and with two, on both cores."""
        ours = next((c for c in self.candidates if c.role == "ours"), None)
        if ours is None:
            return {}
        arguments = dict(body=self.bodies["3.4 KB", "refused"], hook="validate", verdict="refused", connections=16,
                         seconds=self.seconds)
        found = {}
        for _ in range(self.repetitions):
            for count in (1, 2):
                with Server(ours, FIRST_PORT + 60 + count, cores="0,1", extra=["--threads", str(count)]) as server:
                    found.setdefault(count, []).append(measure(self.load, server, **arguments)["server_cpu_us"])
        return {str(count): statistics.median(values) for count, values in found.items()}

    def run(self):
        results = {"quick": self.options.quick, "repetitions": self.repetitions, "seconds": self.seconds,
                   "roles": {c.name: c.role for c in self.candidates}}
        with ExitStack() as stack:
            servers = [stack.enter_context(Server(c, FIRST_PORT + i)) for i, c in enumerate(self.candidates)]
            for name, run in (("throughput", self.throughput), ("connections", self.connections),
                              ("handshakes", self.handshakes)):
                print(f"bench: {name}", flush=True)
                results[name] = run(servers)
        print("bench: cold start and memory", flush=True)
        results["footprint"] = [self.footprint(c, FIRST_PORT + 30 + i) for i, c in enumerate(self.candidates)]
        results["threads"] = self.threads()
        return results


def end_to_end(options, work, bench):
    """Dry-run creates through a kube-apiserver with webhooks and with admission policies, see endtoend/."""
    print("bench: through the API server (the first run builds its programs, which takes minutes)", flush=True)
    done = subprocess.run([work / "endtoend", "-tools", work, "-pod", bench.bodies["3.4 KB", "unplaced"],
                           "-repetitions", str(bench.repetitions), "-seconds", str(3 * bench.seconds)], text=True,
                          stdout=subprocess.PIPE, preexec_fn=raise_priority, check=True,
                          env={**os.environ, "WINADMIT": str(options.winadmit.resolve())})
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter repetitions")
    parser.add_argument("--winadmit", type=Path, default=BINARY)
    parser.add_argument("--tools", type=Path, default=ROOT / "build/bench", help="the folder of the other programs")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs")
    parser.add_argument("--repetitions", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0, help="of each measurement")
    parser.add_argument("--only", nargs="*", default=[], help="only candidates whose name contains one of these words")
    parser.add_argument("--report-only", action="store_true", help="write the report of the last run again")
    options = parser.parse_args()

    work = options.tools.resolve()
    work.mkdir(parents=True, exist_ok=True)
    results_file = work / "results.json"
    if not options.report_only:
        raise_descriptor_limit(COUNT + 512)
        make_pair(work)
        bench = Bench(options, work)
        results = bench.run()
        results["machine"] = report.machine(options.winadmit)
        results_file.write_text(json.dumps(results, indent=1))
        if not options.quick and not options.only and (work / "endtoend").exists():
            results["endtoend"] = end_to_end(options, work, bench)
            results_file.write_text(json.dumps(results, indent=1))
    results = json.loads(results_file.read_text())
    report.write(results, options.docs)
    print(report.summary(results))


if __name__ == "__main__":
    main()
