"""Writes docs/benchmarks.md and docs/benchmarks.svg from the results of a run."""

import datetime
import os
import platform
import subprocess

import plot
from holding import COUNT
from results import Results
from running import REALTIME
from targets import SIZES, held_memory, targets

TARGET_COLUMNS = ["", "measured", "wanted", "reached"]


def machine(winadmit):
    """The machine and the versions of the programs, for the results."""
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


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def thousands(value):
    return f"{value / 1000:.1f}k" if value >= 1000 else f"{value:.0f}"


def label(name, hook, verdict):
    others = {"any": name, "refusal": f"{name}, as many bytes as a refusal"}
    return others.get(hook, f"{name}, {hook} {verdict}")


def cpu_table(results):
    return table(["", *SIZES], [
        [label(name, hook, verdict)] + [f"{results.rows[name, size, hook, verdict, 8]['server_cpu_us']:.1f}" for size in SIZES]
        for name, hook, verdict in results.cells()])


def latency_table(results):
    rows = []
    for name in results.roles:
        for count in (1, 8, 512):
            row = results.row(name, "3.4 KB", connections=count)
            if row:
                rows.append([name, count, thousands(row["per_second"]), f"{row['server_cpu_us']:.1f}", f"{row['server_core']:.0%}"] +
                            [f"{row[key]:.0f}" for key in ("p50_us", "p90_us", "p99_us", "p999_us")])
    return table(["", "connections", "requests/s", "CPU us", "of its core", "p50 us", "p90", "p99", "p99.9"], rows)


def footprint_table(results):
    handshakes = {row["candidate"]: row for row in results.raw["handshakes"]}
    return table(["", "cold start ms", "idle MiB", "512 connections MiB", f"{COUNT:,} silent connections MiB",
                  f"{COUNT:,} that asked once and stay MiB", "program MiB", "image MiB", "handshakes/s", "CPU us a handshake"],
                 [[name, f"{row['cold_start_ms']:.1f}", f"{row['idle_mib']:.1f}", f"{row['loaded_mib']:.1f}",
                   held_memory(row["held"]["silent"]), held_memory(row["held"]["asked"]),
                   f"{row['binary_mib']:.1f}", f"{row['image_mib']:.1f}", thousands(handshakes[name]["per_second"]),
                   f"{handshakes[name]['server_cpu_us']:.0f}"] for name, row in results.footprint.items()])


def end_to_end_table(found):
    """Latencies, and their difference to those without admission: the delay that a user of the cluster sees."""
    head = ["", "API server CPU us", "webhook CPU us", "together", "p50 us", "above none", "p99 us", "above none"]
    none = next(row for row in found["rows"] if row["name"] == "no admission")
    return table(head, [[row["name"], *(f"{row[key]:.0f}" for key in ("api_server_cpu_us", "webhook_cpu_us", "cpu_us")),
                         *(form.format(value) for key in ("p50_us", "p99_us")
                           for form, value in (("{:.0f}", row[key]), ("{:+.0f}", row[key] - none[key])))]
                        for row in found["rows"]])


def introduction(raw):
    about = raw["machine"]
    repetitions = "a quick look: few, short repetitions" if raw["quick"] else \
        f"the median of {raw['repetitions']} repetitions of {raw['seconds']:g} s, interleaved"
    return [
        "# Benchmarks",
        "Written by `make bench`; do not edit. One run, side by side, every answer checked. "
        "How it is measured is in tests/bench; what was tried to make winadmit faster, and what it brought, in "
        "[lab/benchmarks-tried.md](lab/benchmarks-tried.md).",
        f"{about['date']}, {repetitions}. {about['cpu']}, Linux {about['kernel']}. {'; '.join(v for v in about['versions'] if v)}. "
        "One core for the server, another for the load generator; TLS 1.3, keep-alive, AES-128-GCM; winadmit and the floor with "
        "the same OpenSSL; GOMAXPROCS=1 for Go, one thread for Rust" +
        ("; both ran ahead of the machine's other work (SCHED_FIFO)." if about.get("realtime") else "."),
        "![Throughput by body size, latency percentiles](benchmarks.svg)",
    ]


def sections(results):
    return [
        "## Targets",
        "A ratio is of requests per second where both servers filled their core, else of CPU per request. Of ours: "
        "`/validate` of a Windows pod that is refused with five findings, of one that is placed, of a Linux pod with the same five fields, "
        "and `/mutate` of a pod that gets a patch. Through the API server each create is one call of both.",
        table(TARGET_COLUMNS, targets(results)),
        "## CPU of the server for a request, microseconds",
        cpu_table(results),
        "## Connections and latency, 3.4 KB",
        "Latency at full load: a closed loop keeps every connection busy, so it is the queue as much as the work.",
        latency_table(results),
        "## Start, memory, handshakes",
        "An image from scratch is the program without symbols and the libraries that it loads, unpacked, without their licences.",
        footprint_table(results),
    ]


def end_to_end_section(found):
    if not found:
        return []
    return ["## Through the API server",
            f"`POST pods?dryRun=All` of a Windows pod to kube-apiserver {found['version']}, {found['connections']} "
            f"connections, validate and mutate; CPU for each create. {found['note']}",
            end_to_end_table(found)]


def write(raw, docs):
    results = Results(raw)
    docs.mkdir(parents=True, exist_ok=True)
    parts = introduction(raw) + sections(results) + end_to_end_section(raw.get("endtoend"))
    (docs / "benchmarks.md").write_text("\n\n".join(parts) + "\n")
    (docs / "benchmarks.svg").write_text(plot.draw(results, results.cells(), label, list(SIZES)))


def summary(raw):
    return table(TARGET_COLUMNS, targets(Results(raw)))
