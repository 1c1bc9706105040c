"""The soak: captured reviews at a fixed rate for hours. Every answer is compared with the first answer to its request."""

import time

import reviews
from clients import GoodClient, Probe
from processes import MIB
from scenario import Result
from server import Server

RATE = 500  # requests per second


def soak(env, seconds):
    """The result, and a table row for each minute."""
    result, lines = Result(), []
    requests = [f"{path}={file}" for file in reviews.captured() for path in ("/validate", "/mutate")]
    with Server(env, stdout=open("/dev/null", "wb")) as server:
        with GoodClient(env, server, rate=RATE, connections=8, requests=requests) as good, Probe(server) as probe:
            ends = time.monotonic() + seconds
            states = []
            while (left := ends - time.monotonic()) > 0:
                good.phase(f"{len(states)}", min(60, left))
                states.append((server.memory("VmRSS") / MIB, server.open_descriptors()))
                print(f"soak: minute {len(states)}: {states[-1][0]:.1f} MB, {states[-1][1]} descriptors", flush=True)
            counts = good.finish()
        peak = server.memory("VmHWM") / MIB
        result.claim_alive(server)
    phases = [counts[str(index)] for index in range(len(states))]
    for index, (phase, (rss, descriptors)) in enumerate(zip(phases, states), 1):
        lines.append(f"| {index} | {phase['right']:,} of {phase['asked']:,} | {phase['p50_ms']:.2f} | {phase['p99_ms']:.2f} "
                     f"| {phase['max_ms']:.1f} | {rss:.1f} | {descriptors} |")
    asked, right = (sum(phase[count] for phase in phases) for count in ("asked", "right"))
    result.tried = f"{asked:,} requests of {len(requests)} kinds, {RATE}/s, {seconds:.0f} s"
    result.claim("each answer is the first answer to its request", f"{right:,} of {asked:,}", right == asked)
    first, last = states[0], states[-1]
    result.claim("memory does not grow", f"{first[0]:.1f} MB after the first minute, {last[0]:.1f} MB at the end, peak "
                 f"{peak:.1f} MB", last[0] <= first[0] * 1.1 + 2)
    result.claim("descriptors do not grow", f"{first[1]}, then {last[1]}", last[1] <= first[1] + 2)
    result.claim("/healthz answers within 1 s", f"/healthz {probe.longest() * 1000:.0f} ms, {len(probe.failures)} failed",
                 not probe.failures and probe.longest() < 1)
    return result, lines
