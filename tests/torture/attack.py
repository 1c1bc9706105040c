"""Runs an attack beside a well-behaved client, and checks what is promised for every attack."""

import multiprocessing
import os
import threading
import time

from clients import GoodClient, Probe
from processes import MIB, raise_descriptor_limit, wait_for
from scenario import SCENARIOS, Result, Scenario
from server import Server
from target import Target

SETTLE_SECONDS = 10  # after an attack until memory and descriptors are back
BURST_AFTER = 14  # seconds: 1,300 connections are open
MAX_LOG_LINE = 16 << 10


def attack(name, title, quick=True, **options):
    """Registers `function(target, result)`, which runs in niced processes. `options` are those of run_attack."""
    def register(function):
        def run(env, result):
            run_attack(env, result, function, **options)
        SCENARIOS.append(Scenario(name, function.__module__, title, run, quick))
        return function
    return register


def attacker_main(function, target, nice, pipe):
    """The main function of an attacking process. It stands for other machines, so it takes the CPU that nobody else
    wants: a process of nice 19 may still delay a server that wakes up, by a time slice of 3 ms."""
    if nice is None:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(nice)
    raise_descriptor_limit()
    result = Result()
    target.start_clock()
    try:
        function(target, result)
    except (OSError, RuntimeError) as error:
        result.notes.append(f"attacker: {type(error).__name__}: {error}")
    pipe.send(result)
    pipe.close()
    os._exit(0)  # closes its connections without further TLS records


def start_attackers(function, target, processes, nice):
    started = []
    for index in range(processes):
        receiver, sender = multiprocessing.Pipe(False)
        target.process = index
        process = multiprocessing.Process(target=attacker_main, args=(function, target, nice, sender), daemon=True)
        process.start()
        sender.close()
        started.append((process, receiver))
    return started


def join_attackers(started, result, limit):
    """Waits for the attackers and merges their results."""
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
            result.notes.append("attacker exited without a result")
        process.kill()
        process.join()


def run_attack(env, result, function, processes=1, seconds=4, addresses=40, flags=None, descriptors=None,
               held_rss=None, limit=60, fresh_may_fail=False, stdout=None, at_end=None, client=None, claims=None,
               burst=0):
    """One attack, with a phase of the good client before, during and after it.

    `held_rss` (MB) bounds the memory during the attack. `limit` (seconds) ends it. With `fresh_may_fail` the good
    client's new connections may be refused. `at_end(server)` is called before the server stops. `client` are options of the
    good client, and `claims(result, counts)` what is promised to it instead. `burst` is a number of its new connections at
    once in the middle of the attack.
    """
    with Server(env, flags, stdout, descriptors) as server:
        target = Target(server.port, server.admin_port, server.pid, env.seconds(seconds), env.quick, addresses,
                        env.review)
        with GoodClient(env, server, **(client or {})) as good, Probe(server) as probe:
            good.phase("before")
            time.sleep(env.seconds(3))
            before = server.open_descriptors()
            good.phase("during")
            start = time.monotonic()
            attackers = start_attackers(function, target, processes, env.nice)
            if burst:
                threading.Timer(env.seconds(BURST_AFTER), good.burst, [burst]).start()
            join_attackers(attackers, result, limit)
            lasted = time.monotonic() - start
            held = max(probe.memory[-10:], default=0)
            good.phase("after")
            settled = settle(server, before)
            peak, rss, descriptors = server.memory("VmHWM"), server.memory("VmRSS"), server.open_descriptors()
            counts = good.finish()
        result.tried = f"{result.tried or 'once'}, {lasted:.0f} s"
        alive = result.claim_alive(server)
        if claims:
            claims(result, counts)
        else:
            claim_answers(result, counts, fresh_may_fail)
        if alive:
            claim_memory(env, result, server, peak, rss, settled)
            claim_descriptors(result, before, descriptors)
        if held_rss:
            result.claim(f"at most {held_rss} MB while it lasts", f"{held / MIB:.1f} MB while it lasts",
                         held <= env.slack(held_rss) * MIB)
        claim_probe(env, result, probe)
        if at_end and alive:
            at_end(server)
        claim_log(result, server)


def settle(server, descriptors):
    """Waits until memory and descriptors are back, at most SETTLE_SECONDS. Returns the seconds that it took."""
    start = time.monotonic()
    time.sleep(1)
    wait_for(lambda: not server.is_alive()
             or server.memory("VmRSS") <= 40 * MIB and server.open_descriptors() <= descriptors,
             SETTLE_SECONDS - 1, 0.2)
    return time.monotonic() - start


def claim_answers(result, counts, fresh_may_fail=False):
    before, phases = counts["before"], [counts["during"], counts["after"]]

    def total(count):
        return sum(phase[count] for phase in phases)

    asked, right, busy, retried = map(total, ("asked", "right", "busy", "retried"))
    # A new connection from the attackers' own address may be refused; kept ones must be served.
    excused = total("fresh_failed") if fresh_may_fail else 0
    reasons = ", ".join(f"{count} x {why}" for phase in phases for why, count in phase["failures"].items())
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


def claim_descriptors(result, before, after):
    result.claim("descriptors of before", f"descriptors {before}, then {after}", after <= before + 3)


def claim_probe(env, result, probe):
    failures = f", {len(probe.failures)} failed ({probe.failures[0]})" if probe.failures else ""
    longest = probe.longest()
    result.claim("/healthz answers within 1 s", f"/healthz {longest * 1000:.0f} ms{failures}",
                 probe.times and not probe.failures and longest < (5 if env.quick else 1))


def claim_log(result, server):
    longest = server.longest_line()
    result.claim("no log line over 16 KiB", f"log {server.log_size() / 1024:.0f} KB, longest line {longest} B",
                 longest <= MAX_LOG_LINE)
