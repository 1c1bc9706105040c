"""What happens to the process and its host: signals, restarts, memory, clocks, ports, address families."""

import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import reviews
import wire
from attack import claim_answers, fault
from clients import GoodClient
from server import MIB, Server


def watched(env, server, rate=400, **options):
    return GoodClient(env, server, rate=rate, **options)


def only_refused(counts):
    """Failures of a phase other than that there was no connection yet: those requests were never sent."""
    return {why: count for why, count in counts["failures"].items() if not why.startswith("connect: ")}


@fault("sigterm", "SIGTERM while requests are in flight")
def sigterm(env, result):
    rounds = env.count(5, 1)
    codes, longest, answered, asked, lost = [], 0, 0, 0, {}
    for _ in range(rounds):
        with Server(env) as server, watched(env, server) as good:
            good.phase("before")
            time.sleep(env.seconds(1))
            good.phase("during")
            half = start_halves(env, server, 20)
            ending = threading.Thread(target=lambda: ended.append(server.end()))
            ended = []
            ending.start()
            time.sleep(0.2)
            answered += finish_halves(env, half)
            asked += len(half)
            ending.join()
            time.sleep(0.2)
            counts = good.finish()
            codes.append(ended[0][0])
            longest = max(longest, ended[0][1])
            for why, count in only_refused(counts["during"]).items():
                lost[why] = lost.get(why, 0) + count
            if counts["during"]["wrong"] or counts["during"]["busy"]:
                lost["wrong or busy"] = counts["during"]["wrong"] + counts["during"]["busy"]
    result.tried = f"{rounds}"
    result.claim("exit 0", f"exit {codes}", set(codes) == {0})
    result.claim("each request in flight is answered", f"{answered} of {asked} half-sent answered; "
                 f"good client lost {lost or 'none'}", answered == asked and not lost)
    result.claim("within 25 s", f"longest {longest:.1f} s", longest < 25)


def start_halves(env, server, count):
    request = wire.request(env.review)
    connections = []
    for _ in range(count):
        connections.append(wire.shake_hands(wire.connect(server.port, 10)))
        connections[-1].sendall(request[:len(request) // 2])
    time.sleep(0.05)
    return connections


def finish_halves(env, connections):
    request = wire.request(env.review)
    answered = 0
    for connection in connections:
        try:
            connection.sendall(request[len(request) // 2:])
            answered += wire.read_answer(connection)[0] == 200
            connection.close()
        except OSError:
            pass
    return answered


@fault("sigkill", "SIGKILL, and a start on the same port")
def sigkill(env, result):
    rounds = env.count(5, 2)
    longest, counts = 0, None
    with Server(env) as server, watched(env, server) as good:
        good.phase("before")
        time.sleep(1)
        good.phase("gap")
        for _ in range(rounds):
            server.end(signal.SIGKILL)
            server.cgroup.remove()
            began = time.monotonic()
            server.start()
            longest = max(longest, time.monotonic() - began)
            time.sleep(0.3)
        good.phase("during")
        time.sleep(env.seconds(2))
        good.phase("after")
        counts = good.finish()
    result.tried = f"{rounds}"
    result.claim("listens again within 1 s", f"again after {longest * 1000:.0f} ms", longest < 1, timed=True)
    result.claim("nothing wrong in between", f"{counts['gap']['wrong']} wrong, {counts['gap']['failed']} failed in between",
                 not counts["gap"]["wrong"])
    claim_answers(env, result, counts, False)


@fault("sigstop", "SIGSTOP for 5 s, then SIGCONT")
def sigstop(env, result):
    pause = 2 if env.quick else 5
    with Server(env) as server, watched(env, server, rate=100) as good:
        good.phase("before")
        time.sleep(1)
        before = server.open_descriptors()
        good.phase("stopped")
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(pause)
        server.process.send_signal(signal.SIGCONT)
        time.sleep(1)
        good.phase("during")
        time.sleep(env.seconds(3))
        good.phase("after")
        counts = good.finish()
        stopped = counts["stopped"]
        result.tried = f"once, {pause} s"
        result.claim("each request is answered, late", f"{stopped['right']} of {stopped['asked']} right, longest "
                     f"{stopped['max_ms'] / 1000:.1f} s", stopped["right"] == stopped["asked"])
        claim_answers(env, result, counts, False)
        result.claim("descriptors of before", f"descriptors {before}, then {server.open_descriptors()}",
                     server.open_descriptors() <= before + 3)


@fault("restart-storm", "starts and ends one after the other, by SIGTERM at any time")
def restart_storm(env, result):
    rounds = env.count(40, 10)
    codes, longest = {}, 0
    for index in range(rounds):
        with Server(env, {"--drain-delay": 0}, wait=False) as server:
            time.sleep(index * 0.004)
            code, took = server.end()
            codes[code] = codes.get(code, 0) + 1
            longest = max(longest, took)
    result.tried = f"{rounds}, 0 to {rounds * 4} ms after the start"
    # Before main has a handler the signal ends the process as by default.
    result.claim("exit 0, or ended by the signal", f"exit codes {codes}, longest {longest:.1f} s",
                 set(codes) <= {0, -signal.SIGTERM} and longest < 5)


def send_large(port, count):
    data = wire.request(reviews.large())
    statuses = []

    def send(index):
        try:
            with wire.shake_hands(wire.connect(port, 10)) as connection:
                connection.settimeout(15)
                connection.sendall(data[:-1])
                time.sleep(0.5)
                connection.sendall(data[-1:])
                statuses.append(wire.read_answer(connection)[0])
        except OSError:
            statuses.append(0)
    threads = [threading.Thread(target=send, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {status: statuses.count(status) for status in sorted(set(statuses))}


@fault("no-memory", "allocations fail: 32 MiB of data, and 20 bodies of 7 MiB at once")
def no_memory(env, result):
    with Server(env) as server:
        with GoodClient(env, server) as good:
            good.phase("before")
            time.sleep(env.seconds(2))
            good.phase("gap")
            limit = server.status("VmData") + 32 * MIB
            subprocess.run(["prlimit", f"--pid={server.pid}", f"--data={limit}"], check=True)
            statuses = send_large(server.port, 20)
            time.sleep(0.5)
            good.phase("during")
            time.sleep(env.seconds(2))
            good.phase("after")
            counts = good.finish()
        result.tried = "20"
        result.claim("alive", "alive" if server.alive() else f"ended with {server.process.returncode}", server.alive())
        result.claim("200, 500, 503 or closed", f"answers {statuses}", set(statuses) <= {0, 200, 500, 503})
        claim_answers(env, result, counts, False)


@fault("memory-limit", "a cgroup that is too small: 24 MiB, and 20 bodies of 7 MiB at once")
def memory_limit(env, result):
    with Server(env) as server:
        if server.cgroup.peak() is None:
            result.tried = "not done: no cgroup"
            return
        server.cgroup.limit(24 * MIB)
        statuses = send_large(server.port, 20)
        time.sleep(0.3)
        killed = not server.alive()
        if killed:
            server.cgroup.remove()
            server.start()
        with GoodClient(env, server) as good:
            good.phase("before")
            time.sleep(1)
            good.phase("during")
            time.sleep(1)
            good.phase("after")
            counts = good.finish()
    result.tried = "20"
    result.notes.append(f"answers {statuses}; {'killed by the kernel and started again' if killed else 'not killed'}")
    claim_answers(env, result, counts, False)


def faketime_library():
    return next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


@fault("clock-jumps", "the wall clock jumps by an hour, a year and back, while clients ask")
def clock_jumps(env, result):
    library = faketime_library()
    if not library:
        result.tried = "not done: libfaketime is not installed"
        return
    clock = env.folder / "clock"
    clock.write_text("+0")
    jumps = ["+3600", "-3600", "+400d", "-400d", "+0"]
    with Server(env, environment={"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(clock),
                                  "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}) as server:
        with GoodClient(env, server) as good:
            good.phase("before")
            time.sleep(1)
            good.phase("during")
            for jump in jumps:
                clock.write_text(jump)
                time.sleep(env.seconds(1.5))
            good.phase("after")
            counts = good.finish()
        result.claim("alive", "alive" if server.alive() else f"ended with {server.process.returncode}", server.alive())
    result.tried = f"{len(jumps)} jumps of CLOCK_REALTIME"
    claim_answers(env, result, counts, False)


@fault("port-taken", "another process has the port")
def port_taken(env, result):
    with Server(env) as first:
        for name, extra in (("webhook", {"--listen": f"127.0.0.1:{first.port}"}),
                            ("admin", {"--admin-listen": f"127.0.0.1:{first.admin_port}"})):
            with Server(env, extra, wait=False) as second:
                ended, took = wire.wait_for(lambda: not second.alive(), 5)
                said = second.log.read_text(errors="replace")
                code = second.process.poll()
                result.claim(f"{name} port: exit 2 with a sentence", f"{name}: exit {code} after {took:.1f} s",
                             ended and code == 2 and "use" in said)
    result.tried = "2 ports"


@fault("no-threads", "the system lets some threads start and no more")
def no_threads(env, result):
    if os.geteuid() != 0:
        result.tried = "not done: needs root"
        return
    program = shutil.copy(env.binary, env.folder)  # where anybody may run it

    def become_somebody(threads):
        resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
        os.setgroups([])
        os.setuid(64321)
    counts = range(1, 9)
    said = set()
    for count in counts:
        done = subprocess.run([program, "serve", "--dev", "--threads=20", "--listen=127.0.0.1:0",
                               "--admin-listen=127.0.0.1:0"], preexec_fn=lambda threads=count: become_somebody(threads),
                              capture_output=True, text=True, timeout=10)
        said.add(f"exit {done.returncode}: {done.stderr.strip()}")
    result.tried = f"{len(counts)} limits"
    result.claim("exit 2 with a sentence", "; ".join(sorted(said)),
                 all(one.startswith("exit 2: ") and "Resource temporarily unavailable" in one for one in said))


FAMILIES = {
    "both": ("", ["127.0.0.1", "[::1]"]),
    "IPv4 only": ("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.lo.disable_ipv6=1;", ["127.0.0.1"]),
    "IPv6 only": ("ip -4 address flush dev lo;", ["[::1]"]),
}


@fault("address-families", "hosts with IPv4 only, IPv6 only and both, and no --listen")
def address_families(env, result):
    if os.geteuid() != 0 or not shutil.which("ip"):
        result.tried = "not done: needs root and iproute2"
        return
    result.tried = ", ".join(FAMILIES)
    for name, (prepare, addresses) in FAMILIES.items():
        script = (f"ip link set lo up; {prepare} exec {env.binary} serve --threads=2 --tls-cert={env.pair}/tls.crt "
                  f"--tls-key={env.pair}/tls.key")
        log = env.folder / "families.log"
        with open(log, "wb") as output, subprocess.Popen(["unshare", "-n", "sh", "-c", script], stdout=output,
                                                         stderr=output) as process:
            try:
                served = [address for address in addresses
                          if wire.wait_for(lambda: asked_within(process, address, env), 3, 0.2)[0]]
            finally:
                process.kill()
        result.claim(f"{name}: served on {' and '.join(addresses)}",
                     f"{name}: " + (f"served on {' and '.join(served)}" if served else "not served"),
                     served == addresses)


def asked_within(process, address, env):
    def curl(*words):
        return subprocess.run(["nsenter", "-n", "-t", str(process.pid), "curl", "-sk", "-m", "2", "-o", "/dev/null", "-w",
                               "%{http_code}", *words], capture_output=True, text=True).stdout
    return (process.poll() is None and curl(f"http://{address}:8080/healthz") == "200"
            and curl("-H", "Content-Type: application/json", "--data-binary", f"@{env.review_file}",
                     f"https://{address}:8443/validate") == "200")
