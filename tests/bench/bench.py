#!/usr/bin/env python3
"""The yardstick: winadmit and what one would pick instead, interleaved in one run; writes docs/benchmarks.md and .svg.

Every figure is the median over repetitions. `--quick` is for a look: fewer and shorter repetitions.
"""

import argparse
import json
import os
import statistics
import subprocess
from contextlib import ExitStack
from pathlib import Path

import bodies
import report
from candidates import candidates
from holding import allow_descriptors, hold
from image_size import image_mib
from running import Server, ahead_of_others, ask, cold_start_ms

ROOT = Path(__file__).resolve().parent.parent.parent
FIRST_PORT = 19400
CONNECTIONS = (1, 64, 512)
CELLS = (("validate", "refused"), ("validate", "placed"), ("validate", "linux"),
         ("mutate", "unplaced"), ("mutate", "linux"))
KEYS = ("per_second", "p50_us", "p90_us", "p99_us", "p999_us", "server_cpu_us", "server_core", "generator_core")


def cells_of(candidate, size):
    """Ours is measured in each cell; of the others, what sets them apart."""
    if candidate.role == "ours":
        return CELLS
    if not candidate.judges:
        return (("any", "refused"),)
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
        """Runs `plan(candidate)`, a list of (key, keywords of ask), of all candidates in turn, repeated."""
        samples = {}
        for _ in range(self.repetitions):
            for server in servers:
                for key, how in plan(server.candidate):
                    sample = ask(self.load, server, seconds=self.seconds, **how)
                    samples.setdefault((server.candidate.name, *key), []).append(sample)
        return [{"candidate": key[0], "size": key[1], "hook": key[2], "verdict": key[3], "connections": key[4],
                 **median(found)} for key, found in samples.items()]

    def throughput(self, servers):
        def plan(candidate):
            return [((size, hook, verdict, 8), dict(body=self.bodies[size, verdict], hook=hook, verdict=verdict))
                    for size in bodies.SIZES for hook, verdict in cells_of(candidate, size)]
        return self.interleave(servers, plan)

    def connections(self, servers):
        def plan(candidate):
            hook = "any" if "any" in candidate.hooks else "validate"
            return [(("3.4 KB", hook, "refused", count),
                     dict(body=self.bodies["3.4 KB", "refused"], hook=hook, verdict="refused", connections=count))
                    for count in CONNECTIONS]
        return self.interleave(servers, plan)

    def handshakes(self, servers):
        def plan(candidate):
            hook = "any" if "any" in candidate.hooks else "validate"
            return [(("3.4 KB", hook, "placed", 8), dict(body=self.bodies["3.4 KB", "placed"], hook=hook,
                                                         verdict="placed", handshakes=True))]
        return self.interleave(servers, plan)

    def footprint(self, candidate, port):
        body = self.bodies["3.4 KB", "placed"]
        hook = "any" if "any" in candidate.hooks else "validate"
        starts = [cold_start_ms(self.load, candidate, port, body) for _ in range(3 if self.options.quick else 9)]
        with Server(candidate, port) as server:
            ask(self.load, server, body, hook, "placed", connections=1, seconds=0.05)
            idle = server.memory_mib("VmRSS")
            ask(self.load, server, body, hook, "placed", connections=512, seconds=self.seconds)
            loaded = server.memory_mib("VmHWM")
        path = candidate.hooks[hook]
        held = {}
        for name, asked in (("silent", False), ("asked", True)):
            with Server(candidate, port) as server:
                held[name] = hold(server, path, body.read_bytes(), asked)
        return {"candidate": candidate.name, "cold_start_ms": statistics.median(starts), "idle_mib": idle,
                "loaded_mib": loaded, "binary_mib": candidate.binary.resolve().stat().st_size / 2**20,
                "image_mib": image_mib(candidate.binary), "held": held}

    def threads(self):
        """CPU per request of winadmit with one thread and with two, on both cores beside the generator."""
        ours = next((c for c in self.candidates if c.role == "ours"), None)
        if ours is None:
            return {}
        how = dict(body=self.bodies["3.4 KB", "refused"], hook="validate", verdict="refused", connections=16,
                   seconds=self.seconds)
        found = {}
        for _ in range(self.repetitions):
            for count in (1, 2):
                with Server(ours, FIRST_PORT + 60 + count, cores="0,1", extra=["--threads", str(count)]) as server:
                    found.setdefault(count, []).append(ask(self.load, server, **how)["server_cpu_us"])
        return {str(count): statistics.median(values) for count, values in found.items()}

    def run(self):
        results = {"quick": self.options.quick, "repetitions": self.repetitions, "seconds": self.seconds,
                   "roles": {c.name: c.role for c in self.candidates}}
        with ExitStack() as stack:
            servers = [stack.enter_context(Server(c, FIRST_PORT + i)) for i, c in enumerate(self.candidates)]
            for name in ("throughput", "connections", "handshakes"):
                print(f"bench: {name}", flush=True)
                results[name] = getattr(self, name)(servers)
        print("bench: cold start and memory", flush=True)
        results["footprint"] = [self.footprint(c, FIRST_PORT + 30 + i) for i, c in enumerate(self.candidates)]
        results["threads"] = self.threads()
        return results


def end_to_end(options, work, bench):
    """Dry-run creates through a real kube-apiserver, with webhooks and with CEL; see endtoend/."""
    print("bench: through the API server (the first time, its programs are built: minutes)", flush=True)
    done = subprocess.run([work / "endtoend", "-tools", work, "-pod", bench.bodies["3.4 KB", "unplaced"],
                           "-repetitions", str(bench.repetitions), "-seconds", str(3 * bench.seconds)], text=True,
                          stdout=subprocess.PIPE, preexec_fn=ahead_of_others, check=True,
                          env={**os.environ, "WINADMIT": str(options.winadmit.resolve())})
    return json.loads(done.stdout)


def make_pair(work):
    """A P-256 pair for every candidate alike."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", work / "tls.key", "-out", work / "tls.crt", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--winadmit", type=Path, default=ROOT / "build/release/winadmit")
    parser.add_argument("--tools", type=Path, default=ROOT / "build/bench", help="where the other programs are")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs")
    parser.add_argument("--repetitions", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0, help="of each measurement")
    parser.add_argument("--only", nargs="*", default=[], help="candidates whose name holds one of these words")
    parser.add_argument("--report-only", action="store_true", help="write the report of the last run anew")
    options = parser.parse_args()

    work = options.tools.resolve()
    work.mkdir(parents=True, exist_ok=True)
    results_file = work / "results.json"
    if not options.report_only:
        allow_descriptors()
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
