"""What an attack or a fault is, how it is run, and what is promised while it goes on."""

import multiprocessing
import os
import resource
import time
from dataclasses import dataclass, field

from clients import GoodClient, Probe
from server import MIB, Server

SETTLE = 10  # seconds after an attack until memory and descriptors are back

SCENARIOS = []


@dataclass
class Claim:
    """A promise, what was seen, and whether it was held. A timed one is not judged in the short form."""

    promise: str
    seen: str
    held: bool
    timed: bool = False


@dataclass
class Result:
    tried: str = ""
    claims: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def claim(self, promise, seen, held, timed=False):
        self.claims.append(Claim(promise, str(seen), bool(held), timed))

    def failed(self, quick):
        return [claim for claim in self.claims if not claim.held and not (quick and claim.timed)]


@dataclass
class Scenario:
    name: str
    theme: str
    title: str
    run: object
    quick: bool


def fault(name, title, quick=True):
    """Registers `run(env, result)`, which does everything itself."""
    def register(function):
        SCENARIOS.append(Scenario(name, function.__module__, title, function, quick))
        return function
    return register


def attack(name, title, quick=True, **options):
    """Registers `function(target, result)`, which runs in niced processes beside a well-behaved client."""
    def register(function):
        def run(env, result):
            beside_good_client(env, result, function, **options)
        SCENARIOS.append(Scenario(name, function.__module__, title, run, quick))
        return function
    return register


@dataclass
class Target:
    """What an attacker knows. `addresses` is how many addresses it calls from; 0: that of the good client."""

    port: int
    admin_port: int
    pid: int
    seconds: float
    quick: bool
    addresses: int
    review: bytes  # one that is refused
    process: int = 0

    def address(self, index=0):
        if not self.addresses:
            return GOOD_ADDRESS
        return f"127.0.1.{(index + self.process) % self.addresses + 1}"

    def until_end(self):
        """True as long as the attack is to go on."""
        return time.monotonic() < self.ends

    def begin(self):
        self.ends = time.monotonic() + self.seconds

    def count(self, full, quick):
        return quick if self.quick else full


GOOD_ADDRESS = "127.0.0.99"


def attacker(function, target, nice, pipe):
    """The body of an attacking process."""
    os.nice(nice)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    result = Result()
    target.begin()
    try:
        function(target, result)
    except (OSError, RuntimeError) as error:
        result.notes.append(f"attacker: {type(error).__name__}: {error}")
    pipe.send(result)
    pipe.close()
    os._exit(0)  # its connections end with it


def start_attackers(function, target, processes, nice):
    started = []
    for index in range(processes):
        receiver, sender = multiprocessing.Pipe(False)
        target.process = index
        process = multiprocessing.Process(target=attacker, args=(function, target, nice, sender), daemon=True)
        process.start()
        sender.close()
        started.append((process, receiver))
    return started


def join_attackers(started, result, limit):
    """Waits for the attackers, and merges what they tell."""
    end = time.monotonic() + limit
    for process, receiver in started:
        try:
            if receiver.poll(max(0, end - time.monotonic())):
                theirs = receiver.recv()
                result.tried = result.tried or theirs.tried
                result.claims += theirs.claims
                result.notes += theirs.notes
            else:
                result.notes.append(f"attacker stopped after {limit} s")
        except EOFError:
            result.notes.append("attacker ended without a word")
        process.kill()
        process.join()


def beside_good_client(env, result, function, processes=1, seconds=4, addresses=40, flags=None, descriptors=None,
                       held_rss=None, limit=60, tell_kept=False, stdout=None, at_end=None):
    """One attack: before, during and after, with everything that is promised. `at_end` gets the server."""
    with Server(env, flags, stdout, descriptors) as server:
        target = Target(server.port, server.admin_port, server.pid, env.seconds(seconds), env.quick, addresses,
                        env.review)
        with GoodClient(env, server) as good, Probe(server) as probe:
            good.phase("before")
            time.sleep(env.seconds(3))
            before = server.open_descriptors()
            good.phase("during")
            began = time.monotonic()
            attackers = start_attackers(function, target, processes, env.nice)
            join_attackers(attackers, result, limit)
            lasted = time.monotonic() - began
            held = max(probe.memory[-10:], default=0)
            good.phase("after")
            settled = settle(server, before)
            peak, rss, descriptors = server.status("VmHWM"), server.status("VmRSS"), server.open_descriptors()
            counts = good.finish()
        result.tried = f"{result.tried or 'once'}, {lasted:.0f} s"
        alive = server.alive()
        result.claim("alive", "alive" if alive else f"ended with {server.process.returncode}", alive)
        claim_answers(env, result, counts, tell_kept)
        if alive:
            claim_memory(env, result, server, peak, rss, settled)
            result.claim("descriptors of before", f"descriptors {before}, then {descriptors}",
                         descriptors <= before + 3)
        if held_rss:
            result.claim(f"at most {held_rss} MB while it lasts", f"{held / MIB:.1f} MB while it lasts",
                         held <= env.slack(held_rss) * MIB)
        claim_probe(env, result, probe)
        if at_end and alive:
            at_end(server)
        claim_log(result, server)


def settle(server, descriptors):
    """Seconds until memory and descriptors were back; at most SETTLE."""
    began = time.monotonic()
    time.sleep(1)
    while time.monotonic() - began < SETTLE and server.alive():
        if server.status("VmRSS") <= 40 * MIB and server.open_descriptors() <= descriptors:
            break
        time.sleep(0.2)
    return time.monotonic() - began


def claim_answers(env, result, counts, tell_kept):
    before, phases = counts["before"], [counts["during"], counts["after"]]
    asked = sum(one["asked"] for one in phases)
    right = sum(one["right"] for one in phases)
    # From the attackers' own address a new connection may be refused; those that are kept are served.
    excused = sum(one["fresh_failed"] for one in phases) if tell_kept else 0
    reasons = ", ".join(f"{count} x {why}" for one in phases for why, count in one["failures"].items())
    busy, retried = sum(one["busy"] for one in phases), sum(one["retried"] for one in phases)
    seen = f"good client {right} of {asked} right"
    seen += f" ({reasons})" if reasons else ""
    seen += f", {busy} busy" if busy else ""
    seen += f", {retried} asked again" if retried else ""
    result.claim("the good client gets every answer", seen, asked > 0 and right + excused == asked)
    bound = 3 * max(before["p99_ms"], 1)
    during = counts["during"]
    result.claim("p99 at most 3 times undisturbed",
                 f"p50 {before['p50_ms']:.1f} -> {during['p50_ms']:.1f}, "
                 f"p99 {before['p99_ms']:.1f} -> {during['p99_ms']:.1f} ms, longest {during['max_ms']:.0f} ms",
                 during["right"] and during["p99_ms"] <= bound, timed=True)


def claim_memory(env, result, server, peak, rss, settled):
    cgroup = server.cgroup.peak()
    seen = f"peak {peak / MIB:.0f} MB" + (f" (cgroup {cgroup / MIB:.0f})" if cgroup else "")
    result.claim("peak at most 128 MB", seen, peak <= env.slack(128) * MIB)
    result.claim("at most 40 MB 10 s later", f"{rss / MIB:.0f} MB after {settled:.0f} s",
                 rss <= env.slack(40) * MIB)


def claim_probe(env, result, probe):
    failures = f", {len(probe.failures)} failed ({probe.failures[0]})" if probe.failures else ""
    worst = probe.worst()
    result.claim("/healthz answers within 1 s", f"/healthz {worst * 1000:.0f} ms{failures}",
                 probe.times and not probe.failures and worst < (5 if env.quick else 1))


def claim_log(result, server):
    longest = server.longest_line()
    result.claim("no log line over 16 KiB", f"log {server.log_size() / 1024:.0f} KB, longest line {longest} B",
                 longest <= 16 << 10)
