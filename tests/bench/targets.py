"""The performance targets of winadmit, and whether a run reaches them: rows of [target, measured, wanted, reached]."""

from holding import COUNT
from results import ratio

SIZES = {"3.4 KB": 3.4, "8 KB": 8, "64 KB": 64, "512 KB": 512}  # in KB

# What is compared with other candidates: {name: (hook, verdict)}.
CELLS = {"refused": ("validate", "refused"), "placed": ("validate", "placed"), "Linux": ("validate", "linux"),
         "patched": ("mutate", "unplaced")}

# The least ratio for each size.
FLOOR, FLOOR_LINUX = (1.2, 1.2, 1.9, 2.4), (1.45, 1.6, 2.4, 2.6)
NGINX = (0.6, 0.6, 0.5, 0.5)
GO = (12, 18, 28, 24)
RUST = (1.6, 2.3, 3.8, 4.6)


def targets(results):
    if not results.names("ours") or not results.names("floor"):
        return []
    [ours], [floor] = results.names("ours"), results.names("floor")
    return [*candidate_targets(results, ours, floor), *scaling_targets(results, ours, floor),
            *footprint_targets(results, ours), *held_targets(results, ours), *thread_targets(results.raw.get("threads")),
            *end_to_end_targets(results.raw.get("endtoend"))]


def reached(value, wanted, at_most=False):
    return "yes" if (value <= wanted if at_most else value >= wanted) else "**no**"


def candidate_targets(results, ours, floor):
    """Ratios to the other candidates."""
    for size, wanted, linux in zip(SIZES, FLOOR, FLOOR_LINUX):
        yield compare(results, ours, size, results.row(floor, size), wanted, "against the floor", linux,
                      results.row(floor, size, "refusal"))
    limit = results.names("limit")
    for size, wanted in zip(SIZES, NGINX) if limit else ():
        yield compare(results, ours, size, results.row(limit[0], size), wanted, "against nginx")
    for size, wanted in zip(SIZES, GO) if results.names("go") else ():
        best = max((results.row(peer, size) for peer in results.names("go")), key=lambda row: row["per_second"])
        yield compare(results, ours, size, best, wanted, f"against the best of the Go peers ({best['candidate']})")
    rust = results.names("rust")
    for size, wanted in zip(SIZES, RUST):
        what = "against what a Rust engineer would write"
        if rust:
            yield compare(results, ours, size, results.row(rust[0], size), wanted, f"{what} ({rust[0]})")
        else:
            yield [f"{what}, {size}", "not measured: it needs a newer cargo", f"at least {wanted}x", "missing"]


def compare(results, ours, size, other, wanted, what, linux=None, refusal=None):
    """winadmit in each cell against one row. `linux`: the target for Linux pods, and `refusal`: the row for refusals, if they differ."""
    others = {"refused": refusal or other}
    ratios = {name: ratio(results.row(ours, size, *cell), others.get(name, other)) for name, cell in CELLS.items()}
    missed = [name for name, value in ratios.items() if value < (linux if linux and name == "Linux" else wanted)]
    return [f"{what}, {size}", ", ".join(f"{name} {value:.2f}x" for name, value in ratios.items()),
            f"at least {wanted}x" + (f", Linux {linux}x" if linux else ""),
            f"**not {', '.join(missed)}**" if missed else "yes"]


def scaling_targets(results, ours, floor):
    """Latency, and the cost of Linux pods and of large reviews."""
    p99 = results.row(ours, "3.4 KB")["p99_us"] / results.row(floor, "3.4 KB")["p99_us"]
    yield ["p99 at 8 connections, 3.4 KB, against the floor's", f"{p99:.2f}x", "at most 1.0x", reached(p99, 1.0, True)]
    for size in SIZES:
        rows = {verdict: results.row(ours, size, "validate", verdict) for verdict in ("refused", "placed", "linux")}
        best = max(rows.values(), key=lambda row: row["per_second"])
        value = ratio(rows["linux"], best)
        yield [f"Linux pod against the fastest verdict, {size}", f"{value:.2f}x", "at least 0.97x", reached(value, 0.97)]
    per_byte = {size: results.row(ours, size)["server_cpu_us"] / kilobytes for size, kilobytes in SIZES.items()}
    value = per_byte["512 KB"] / per_byte["8 KB"]
    yield ["CPU per byte at 512 KB against 8 KB", f"{value:.2f}x", "at most 1.0x", reached(value, 1.0, True)]


def footprint_targets(results, ours):
    footprint = results.footprint[ours]
    for what, key, wanted, unit in (("memory when idle", "idle_mib", 12, "MB"),
                                    ("memory under 512 connections", "loaded_mib", 40, "MB"),
                                    ("cold start to the first answer", "cold_start_ms", 15, "ms")):
        yield [what, f"{footprint[key]:.1f} {unit}", f"at most {wanted} {unit}", reached(footprint[key], wanted, True)]


def held_targets(results, ours):
    """Memory with many connections, against that of nginx in the same run."""
    limit = results.names("limit")
    for key, what in (("silent", "silent connections"), ("asked", "connections that asked once and stay")) if limit else ():
        mine, bound = results.footprint[ours]["held"][key], results.footprint[limit[0]]["held"][key]
        yield [f"memory with {COUNT:,} {what}", held_memory(mine, " MB"), f"at most nginx's {held_memory(bound, ' MB')}",
               reached(mine["mib"], bound["mib"], True) if mine["held"] == COUNT else "**not all were held**"]


def held_memory(found, unit=""):
    return f"{found['mib']:.1f}{unit}" + ("" if found["held"] == COUNT else f" with {found['held']:,} of them")


def thread_targets(threads):
    if threads:
        value = threads["2"] / threads["1"]
        yield ["CPU per request, two threads against one", f"{value:.2f}x", "at most 1.05x", reached(value, 1.05, True)]


def end_to_end_targets(found):
    if not found:
        return
    rows = {row["name"]: row for row in found["rows"]}
    cpu = rows["winadmit"]["cpu_us"] / rows["policies"]["cpu_us"]
    yield ["through the API server, total CPU, against the exported policies", f"{cpu:.2f}x", "at most 0.7x", reached(cpu, 0.7, True)]
    for percentile in ("p50", "p99"):
        ours, constant = (rows[name][f"{percentile}_us"] for name in ("winadmit", "constant answer"))
        value = ours / constant
        yield [f"the same, {percentile} against a webhook that answers a constant", f"{value:.2f}x, {ours - constant:+.0f} us",
               "at most 1.1x", reached(value, 1.1, True)]
