"""Clients behind the address of the API server that hold the memory of requests."""

import time

import wire
from attack import attack

COUNT = 1300
MAX_REFUSED = 0.05  # of the requests on new connections
OFTEN = {"fresh": "0.2s"}
SELDOM = {"connections": 25, "rate": 25 / 30, "fresh": "0.2s"}  # client-go keeps 25 idle, each asks once in 30 s


def hold_bodies(first_request):
    """Holds all but one byte of a body of 16 KiB on each connection, and opens those again that the server ends."""
    def hold(target, result):
        part = wire.request(b"[" + b" " * (16 << 10))[:-1]
        first = first_request(target)

        def begin(raw):
            connection = wire.start_tls(raw)
            if first:
                connection.sendall(first)
                wire.read_response(connection)
            connection.sendall(part)
            return connection

        connections, _ = target.open_many(target.count(COUNT, 300), begin, patience=25)
        count = opened = len(connections)
        target.start_clock()
        while target.is_running():
            open_ones = [each for each in connections if wire.count_open([each])]
            for each in connections:
                if each not in open_ones:
                    each.close()
            again, _ = target.open_many(count - len(open_ones), begin, patience=min(2, max(target.end - time.monotonic(), 0)))
            opened += len(again)
            connections = open_ones + again
            time.sleep(0.05)
        result.tried = f"{count:,} at once, {opened:,} in all"
    return hold


def claim_kept(result, counts):
    """What is promised on kept connections: each request is answered, and none is asked again."""
    phases = [counts["during"], counts["after"]]
    asked = sum(phase["asked"] - phase["fresh_asked"] for phase in phases)
    lost = sum(phase["busy"] - phase["fresh_busy"] + phase["failed"] - phase["fresh_failed"] + phase["wrong"] for phase in phases)
    retried = sum(phase["retried"] for phase in phases)
    reasons = ", ".join(f"{count} x {why}" for phase in phases for why, count in phase["failures"].items())
    during, before = counts["during"], counts["before"]
    result.claim("kept connections of the good client lose nothing",
                 f"kept: {asked - lost} of {asked} right, {retried} asked again {reasons}", asked and not lost and not retried)
    result.notes.append(f"p50 {before['p50_ms']:.1f} -> {during['p50_ms']:.1f}, p99 {before['p99_ms']:.1f} -> "
                        f"{during['p99_ms']:.1f} ms, longest {during['max_ms']:.0f} ms")


def claim_new(most_refused):
    def claim(result, counts):
        claim_kept(result, counts)
        phases = [counts["during"], counts["after"]]
        asked = sum(phase["fresh_asked"] for phase in phases)
        busy = sum(phase["fresh_busy"] for phase in phases)
        failed = sum(phase["fresh_failed"] for phase in phases)
        promise = "of its new ones at most 1 in 20 is refused" if most_refused else "its new ones are answered"
        result.claim(promise, f"new: {asked - busy - failed} of {asked} right, {busy} x 503, {failed} x nothing",
                     asked and busy + failed <= most_refused * asked)
    return claim


def held(name, title, first_request, most_refused=MAX_REFUSED, **options):
    attack(name, title, seconds=8, addresses=0, limit=70, quick=False, claims=claim_new(most_refused), **options)(
        hold_bodies(first_request))


BODIES = "1,300 bodies of 16 KiB from the good client's own address, all but the last byte"
held("held-bodies", BODIES, lambda target: b"", client=OFTEN)
held("held-bodies-404", f"{BODIES}, after a 404 each", lambda target: wire.get("/nothing"), client=OFTEN)
held("held-bodies-review", f"{BODIES}, after a valid review each", lambda target: wire.request(target.review), most_refused=0,
     client=OFTEN)
held("held-bodies-burst", f"{BODIES}, and 100 new connections of the good client at once", lambda target: wire.get("/nothing"),
     client=OFTEN, burst=100)
attack("held-bodies-seldom", f"{BODIES}; the good client asks on each of 25 kept connections once in 30 s", seconds=32, addresses=0,
       limit=90, quick=False, claims=claim_new(MAX_REFUSED), client=SELDOM)(hold_bodies(lambda target: wire.get("/nothing")))
