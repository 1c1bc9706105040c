"""Writes docs/lab/torture.md: the tables, the machine, and the soak."""

import datetime
import os
import platform
import re

# Headings by theme, in the order of the page.
HEADINGS = {"connections": "Connections", "handshakes": "Handshakes", "contents": "Bodies and contents",
            "held": "Held memory behind the address of the API server",
            "framing": "Heads and framing", "admin": "Admin port and descriptors", "logs": "Logs",
            "certificates": "Certificates", "signals": "Signals and restarts", "host": "Host", "capacity": "Beyond capacity"}

INTRODUCTION = """# Attacks and faults

Written by `make torture`. Each row starts `winadmit serve --threads=2` in a cgroup of 192 MiB. A well-behaved client sends 200
requests per second over four kept connections, and one per second over a new connection. It has its own source address, and
compares every answer with the first answer to the same request. A probe requests `/healthz` every 100 ms over a new connection.
The attackers have 40 other source addresses. They stand for other machines, so they use only idle CPU time (SCHED_IDLE).

"**All**" means: the process is alive; the client gets every answer; its p99 is at most 3 times the p99 before the attack (at least
3 ms); memory (RSS) is at most 128 MB at its peak and 40 MB 10 s later; the server has no more descriptors than before;
`/healthz` answers within 1 s; no log line is longer than 16 KiB. If only a time is exceeded, the row is repeated once and says so.

"""

ALL = ["alive", "the good client gets every answer", "p99 at most 3 times undisturbed", "peak at most 128 MB",
       "at most 40 MB 10 s later", "descriptors of before", "/healthz answers within 1 s", "no log line over 16 KiB"]


def machine(env):
    model = "unknown processor"
    with open("/proc/cpuinfo") as cpuinfo:
        if found := re.search(r"model name\s*: (.*)", cpuinfo.read()):
            model = found[1]
    return (f"Machine: {model}, {os.cpu_count()} cores, Linux {platform.release().split('-')[0]}, {env.cgroup.kind}. "
            f"{env.version}. {datetime.date.today()}, load average {env.load:.1f} at the start.")


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def row(scenario, result, quick):
    promises = [claim.promise for claim in result.claims]
    if set(ALL) <= set(promises):
        promises = ["**all**"] + [promise for promise in promises if promise not in ALL]
    failed = result.failed(quick)
    held = "yes" if not failed else "**no**: " + "; ".join(dict.fromkeys(claim.promise for claim in failed))
    if not result.claims:
        held = "-"
    seen = "; ".join([claim.seen for claim in result.claims] + result.notes)
    return "| " + " | ".join(map(cell, [f"`{scenario.name}`", scenario.title, result.tried, "; ".join(dict.fromkeys(promises)), seen, held])) + " |"


def table(rows, quick):
    """`rows` are (scenario, result)."""
    text = ""
    for theme, title in HEADINGS.items():
        of_theme = [row(scenario, result, quick) for scenario, result in rows if scenario.theme == theme]
        if of_theme:
            text += f"## {title}\n\n| name | attack or fault | tried | promised | seen | held? |\n| --- | --- | --- | --- | --- | --- |\n"
            text += "\n".join(of_theme) + "\n\n"
    return text


def soak_section(text):
    """The section about the soak in an existing report."""
    found = re.search(r"^## Soak\n.*", text, re.M | re.S)
    return found[0] if found else ""


def soak_text(env, result, lines):
    claims = "\n".join(f"- {claim.promise}: {'yes' if claim.held else '**no**'} ({claim.seen})" for claim in result.claims)
    return (f"## Soak\n\n{result.tried}.\n\n{claims}\n\n{machine(env)}\n\n"
            "| minute | right | p50 ms | p99 ms | longest ms | RSS MB | descriptors |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n" + "\n".join(lines) + "\n")
