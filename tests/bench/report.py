"""Turns the results of a run into docs/benchmarks.md and docs/benchmarks.svg."""

import datetime
import os
import platform
import subprocess

import bodies
import plot
from holding import COUNT
from running import REALTIME

SIZES = list(bodies.SIZES)
SATURATED = 0.95  # of its core: below it a server waited, and CPU per request is compared instead


def machine(winadmit):
    def first_line(*command):
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError:
            return ""
        return (done.stdout or done.stderr).strip().split("\n")[0]

    with open("/proc/cpuinfo") as info:
        model = next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": f"{model}, {os.cpu_count()} cores", "kernel": platform.release(), "realtime": REALTIME,
        "versions": [first_line(str(winadmit), "version"), first_line("g++", "--version"),
                     first_line("openssl", "version"), first_line("/usr/sbin/nginx", "-v"), first_line("go", "version"),
                     first_line("rustc", "--version")],
    }


class Results:
    def __init__(self, results):
        self.raw = results
        self.roles = results["roles"]
        self.rows = {(r["candidate"], r["size"], r["hook"], r["verdict"], r["connections"]): r
                     for r in results["throughput"] + results["connections"]}

    def named(self, role):
        return [name for name, its in self.roles.items() if its == role]

    def row(self, name, size, hook="validate", verdict="refused", connections=8):
        return self.rows.get((name, size, hook, verdict, connections)) or \
            self.rows.get((name, size, "any", "refused", connections))

    def ratio(self, a, b):
        """How many times a's speed is b's: by throughput where both filled their core, else by CPU per request."""
        if min(a["server_core"], b["server_core"]) >= SATURATED:
            return a["per_second"] / b["per_second"]
        return b["server_cpu_us"] / a["server_cpu_us"]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def thousands(value):
    return f"{value / 1000:.1f}k" if value >= 1000 else f"{value:.0f}"


def cells(results):
    """Each (candidate, hook, verdict) that was measured at 8 connections, in order."""
    seen = []
    for row in results.raw["throughput"]:
        key = (row["candidate"], row["hook"], row["verdict"])
        if key not in seen:
            seen.append(key)
    return seen


def label(name, hook, verdict):
    return name if hook == "any" else f"{name}, {hook} {verdict}"


def throughput_table(results, key, form):
    rows = []
    for name, hook, verdict in cells(results):
        rows.append([label(name, hook, verdict)] +
                    [form(results.rows[name, size, hook, verdict, 8][key]) for size in SIZES])
    return table(["", *SIZES], rows)


def judged(value, wanted, at_most=False):
    return "yes" if (value <= wanted if at_most else value >= wanted) else "**no**"


def targets(results):
    """The rows of the table of targets: what, measured, wanted, reached."""
    ours, floor, limit = results.named("ours"), results.named("floor"), results.named("limit")
    if not ours or not floor:
        return []
    ours, floor = ours[0], floor[0]
    rows = []
    verdicts = {"refused": ("validate", "refused"), "placed": ("validate", "placed"), "Linux": ("validate", "linux"),
                "patched": ("mutate", "unplaced")}

    def compare(size, other, wanted, what, linux=None):
        """Each verdict of ours against one row; a bound of its own for Linux pods where `linux` is set."""
        values = {name: results.ratio(results.row(ours, size, *cell), other) for name, cell in verdicts.items()}
        missed = [name for name, value in values.items()
                  if value < (linux if linux and name == "Linux" else wanted)]
        rows.append([f"{what}, {size}", ", ".join(f"{name} {value:.2f}x" for name, value in values.items()),
                     f"at least {wanted}x" + (f", Linux {linux}x" if linux else ""),
                     f"**not {', '.join(missed)}**" if missed else "yes"])

    for size, wanted, linux in zip(SIZES, (1.2, 1.2, 1.9, 2.4), (1.45, 1.6, 2.4, 2.6)):
        compare(size, results.row(floor, size), wanted, "against the floor", linux)
    for size, wanted in zip(SIZES, (0.6, 0.6, 0.5, 0.5)) if limit else ():
        compare(size, results.row(limit[0], size), wanted, "against nginx")
    for size, wanted in zip(SIZES, (12, 18, 28, 24)) if results.named("go") else ():
        best = max((results.row(peer, size) for peer in results.named("go")), key=lambda row: row["per_second"])
        compare(size, best, wanted, f"against the best of the Go peers ({best['candidate']})")
    rust = results.named("rust")
    for size, wanted in zip(SIZES, (1.6, 2.3, 3.8, 4.6)):
        what = "against what a Rust engineer would write"
        if rust:
            compare(size, results.row(rust[0], size), wanted, f"{what} ({rust[0]})")
        else:
            rows.append([f"{what}, {size}", "not measured: it needs a newer cargo", f"at least {wanted}x", "missing"])

    p99 = results.row(ours, "3.4 KB")["p99_us"] / results.row(floor, "3.4 KB")["p99_us"]
    rows.append(["p99 at 8 connections, 3.4 KB, against the floor's", f"{p99:.2f}x", "at most 1.0x", judged(p99, 1.0, True)])
    for size in SIZES:
        verdicts = {v: results.row(ours, size, "validate", v) for v in ("refused", "placed", "linux")}
        best = max(verdicts.values(), key=lambda row: row["per_second"])
        value = results.ratio(verdicts["linux"], best)
        rows.append([f"Linux pod against the fastest verdict, {size}", f"{value:.2f}x", "at least 0.97x", judged(value, 0.97)])
    per_byte = {size: results.row(ours, size)["server_cpu_us"] / bytes_of(results, size) for size in SIZES}
    value = per_byte["512 KB"] / per_byte["8 KB"]
    rows.append(["CPU per byte at 512 KB against 8 KB", f"{value:.2f}x", "at most 1.0x", judged(value, 1.0, True)])
    footprint = {row["candidate"]: row for row in results.raw["footprint"]}[ours]
    for what, key, wanted, unit in (("memory when idle", "idle_mib", 12, "MB"), ("memory under 512 connections", "loaded_mib", 40, "MB"),
                                    ("cold start to the first answer", "cold_start_ms", 15, "ms")):
        rows.append([what, f"{footprint[key]:.1f} {unit}", f"at most {wanted} {unit}", judged(footprint[key], wanted, True)])
    rows += held_targets(results, ours, limit)
    threads = results.raw.get("threads") or {}
    if threads:
        value = threads["2"] / threads["1"]
        rows.append(["CPU per request, two threads against one", f"{value:.2f}x", "at most 1.05x", judged(value, 1.05, True)])
    return rows + end_to_end_targets(results.raw.get("endtoend"))


def held_targets(results, ours, limit):
    """Memory with many connections, held against nginx's in the same run."""
    held = {row["candidate"]: row["held"] for row in results.raw["footprint"]}
    rows = []
    for key, what in (("silent", "silent connections"), ("asked", "connections that asked once and stay")) if limit else ():
        mine, bound = held[ours][key], held[limit[0]][key]
        reached = judged(mine["mib"], bound["mib"], True) if mine["held"] == COUNT else "**not all were held**"
        rows.append([f"memory with {COUNT:,} {what}", held_memory(mine, " MB"), f"at most nginx's {held_memory(bound, ' MB')}", reached])
    return rows


def held_memory(found, unit=""):
    return f"{found['mib']:.1f}{unit}" + ("" if found["held"] == COUNT else f" with {found['held']:,} of them")


def bytes_of(results, size):
    return {"3.4 KB": 3.4, "8 KB": 8, "64 KB": 64, "512 KB": 512}[size]


def end_to_end_targets(found):
    if not found:
        return []
    rows = {row["name"]: row for row in found["rows"]}
    cpu = rows["winadmit"]["cpu_us"] / rows["CEL"]["cpu_us"]
    found = [["through the API server, total CPU, against CEL in process", f"{cpu:.2f}x", "at most 0.7x", judged(cpu, 0.7, True)]]
    for percentile in ("p50", "p99"):
        ours, constant = (rows[name][f"{percentile}_us"] for name in ("winadmit", "constant answer"))
        value = ours / constant
        found.append([f"the same, {percentile} against a webhook that answers a constant", f"{value:.2f}x, {ours - constant:+.0f} us",
                      "at most 1.1x", judged(value, 1.1, True)])
    return found


def latency_table(results):
    rows = []
    for name in results.roles:
        for count in (1, 8, 64, 512):
            row = results.row(name, "3.4 KB", connections=count)
            if row:
                rows.append([name, count, thousands(row["per_second"]), f"{row['server_cpu_us']:.1f}", f"{row['server_core']:.0%}"] +
                            [f"{row[key]:.0f}" for key in ("p50_us", "p90_us", "p99_us", "p999_us")])
    return table(["", "connections", "requests/s", "CPU us", "of its core", "p50 us", "p90", "p99", "p99.9"], rows)


def footprint_table(results):
    handshakes = {row["candidate"]: row for row in results.raw["handshakes"]}
    return table(["", "cold start ms", "idle MiB", "512 connections MiB", f"{COUNT:,} silent connections MiB",
                  f"{COUNT:,} that asked once and stay MiB", "program MiB", "image MiB", "handshakes/s", "CPU us a handshake"],
                 [[row["candidate"], f"{row['cold_start_ms']:.1f}", f"{row['idle_mib']:.1f}", f"{row['loaded_mib']:.1f}",
                   held_memory(row["held"]["silent"]), held_memory(row["held"]["asked"]),
                   f"{row['binary_mib']:.1f}", f"{row['image_mib']:.1f}", thousands(handshakes[row["candidate"]]["per_second"]),
                   f"{handshakes[row['candidate']]['server_cpu_us']:.0f}"] for row in results.raw["footprint"]])


def end_to_end_table(found):
    """The latencies with what they are above those without admission, which is what an author of a pod waits for."""
    head = ["", "API server CPU us", "webhook CPU us", "together", "p50 us", "above none", "p99 us", "above none"]
    none = next(row for row in found["rows"] if row["name"] == "no admission")
    return table(head, [[row["name"], *(f"{row[key]:.0f}" for key in ("api_server_cpu_us", "webhook_cpu_us", "cpu_us")),
                         *(form.format(value) for key in ("p50_us", "p99_us")
                           for form, value in (("{:.0f}", row[key]), ("{:+.0f}", row[key] - none[key])))]
                        for row in found["rows"]])


def write(raw, docs):
    results = Results(raw)
    docs.mkdir(parents=True, exist_ok=True)
    about = raw["machine"]
    how = "a quick look: few, short repetitions" if raw["quick"] else \
        f"the median of {raw['repetitions']} repetitions of {raw['seconds']:g} s, interleaved"
    parts = [
        "# Benchmarks",
        "Written by `make bench`; do not edit. One run, side by side, every answer checked. "
        "How it is measured is in tests/bench; what was tried to make winadmit faster, and what it brought, in "
        "[benchmarks-tried.md](benchmarks-tried.md).",
        f"{about['date']}, {how}. {about['cpu']}, Linux {about['kernel']}. {'; '.join(v for v in about['versions'] if v)}. "
        "One core for the server, another for the load generator; TLS 1.3, keep-alive, AES-128-GCM; winadmit and the floor with "
        "the same OpenSSL; GOMAXPROCS=1 for Go, one thread for Rust" +
        ("; both ran ahead of the machine's other work (SCHED_FIFO)." if about.get("realtime") else "."),
        "![Throughput by body size, latency percentiles](benchmarks.svg)",
        "## Targets",
        "A ratio is of requests per second where both servers filled their core, else of CPU per request. Of ours: "
        "`/validate` of a Windows pod that is refused with five findings, of one that is placed, of a Linux pod with the same five fields, "
        "and `/mutate` of a pod that gets a patch. Through the API server each create is one call of both.",
        table(["", "measured", "wanted", "reached"], targets(results)),
        "## Requests per second, 8 connections",
        throughput_table(results, "per_second", thousands),
        "## CPU of the server for a request, microseconds",
        throughput_table(results, "server_cpu_us", lambda value: f"{value:.1f}"),
        "## Connections and latency, 3.4 KB",
        "Latency at full load: a closed loop keeps every connection busy, so it is the queue as much as the work.",
        latency_table(results),
        "## Start, memory, handshakes",
        "An image from scratch is the program without symbols and the libraries that it loads, unpacked, without their licences.",
        footprint_table(results),
    ]
    if raw.get("endtoend"):
        found = raw["endtoend"]
        parts += ["## Through the API server",
                  f"`POST pods?dryRun=All` of a Windows pod to kube-apiserver {found['version']}, {found['connections']} "
                  f"connections, validate and mutate; CPU for each create. {found['note']}",
                  end_to_end_table(found)]
    (docs / "benchmarks.md").write_text("\n\n".join(parts) + "\n")
    (docs / "benchmarks.svg").write_text(plot.draw(results, cells(results), label, SIZES))


def summary(raw):
    return table(["", "measured", "wanted", "reached"], targets(Results(raw)))
