"""The host: memory, clock, ports, threads and address families."""

import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

import wire
from attack import claim_answers
from clients import GoodClient
from contents import send_large
from processes import MIB, wait_for
from scenario import fault
from server import Server


def send_large_to(server):
    return send_large(lambda _: wire.start_tls(wire.connect(server.port, 10)), 20, 0.5)


@fault("no-memory", "allocations fail: 32 MiB of data, and 20 bodies of 7 MiB at once")
def no_memory(env, result):
    with Server(env) as server:
        with GoodClient(env, server) as good:
            good.phase("before", env.seconds(2))
            good.phase("gap")
            limit = server.memory("VmData") + 32 * MIB
            subprocess.run(["prlimit", f"--pid={server.pid}", f"--data={limit}"], check=True)
            statuses = send_large_to(server)
            time.sleep(0.5)
            good.phase("during", env.seconds(2))
            good.phase("after")
            counts = good.finish()
        result.tried = "20"
        result.claim_alive(server)
        result.claim("200, 500, 503 or closed", f"answers {statuses}", set(statuses) <= {0, 200, 500, 503})
        claim_answers(result, counts)


@fault("memory-limit", "a cgroup that is too small: 24 MiB, and 20 bodies of 7 MiB at once")
def memory_limit(env, result):
    with Server(env) as server:
        if server.cgroup.peak() is None:
            result.tried = "not done: no cgroup"
            return
        server.cgroup.limit(24 * MIB)
        statuses = send_large_to(server)
        time.sleep(0.3)
        killed = not server.is_alive()
        if killed:
            server.cgroup.remove()
            server.start()
        with GoodClient(env, server) as good:
            for phase in ("before", "during", "after"):
                good.phase(phase, 1)
            counts = good.finish()
    result.tried = "20"
    result.notes.append(f"answers {statuses}; {'killed by the kernel and started again' if killed else 'not killed'}")
    claim_answers(result, counts)


@fault("clock-jumps", "the wall clock jumps by an hour, a year and back, while clients send requests")
def clock_jumps(env, result):
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if not library:
        result.tried = "not done: libfaketime is not installed"
        return
    clock = env.folder / "clock"
    clock.write_text("+0")
    jumps = ["+3600", "-3600", "+400d", "-400d", "+0"]
    with Server(env, environment={"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(clock),
                                  "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}) as server:
        with GoodClient(env, server) as good:
            good.phase("before", 1)
            good.phase("during")
            for jump in jumps:
                clock.write_text(jump)
                time.sleep(env.seconds(1.5))
            good.phase("after")
            counts = good.finish()
        result.claim_alive(server)
    result.tried = f"{len(jumps)} jumps of CLOCK_REALTIME"
    claim_answers(result, counts)


@fault("port-taken", "another process has the port")
def port_taken(env, result):
    with Server(env) as first:
        for name, flags in (("webhook", {"--listen": f"127.0.0.1:{first.port}"}),
                            ("admin", {"--admin-listen": f"127.0.0.1:{first.admin_port}"})):
            with Server(env, flags, wait=False) as second:
                exited, took = wait_for(lambda: not second.is_alive(), 5)
                code = second.process.poll()
                result.claim(f"{name} port: exit 2 with an error", f"{name}: exit {code} after {took:.1f} s",
                             exited and code == 2 and "use" in second.log_text())
    result.tried = "2 ports"


@fault("no-threads", "the system lets some threads start and no more")
def no_threads(env, result):
    if os.geteuid() != 0:
        result.tried = "not done: needs root"
        return
    program = shutil.copy(env.binary, env.folder)  # where any user may run it

    def become_limited_user(threads):
        resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
        os.setgroups([])
        os.setuid(64321)
    limits = range(1, 9)
    seen = set()
    for threads in limits:
        done = subprocess.run([program, "serve", "--dev", "--threads=20", "--listen=127.0.0.1:0",
                               "--admin-listen=127.0.0.1:0"],
                              preexec_fn=lambda threads=threads: become_limited_user(threads),
                              capture_output=True, text=True, timeout=10)
        seen.add(f"exit {done.returncode}: {done.stderr.strip()}")
    result.tried = f"{len(limits)} limits"
    result.claim("exit 2 with an error", "; ".join(sorted(seen)),
                 all(each.startswith("exit 2: ") and "Resource temporarily unavailable" in each for each in seen))


# Name: commands that prepare the network namespace, and the addresses that must be served.
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
        with open(env.folder / "families.log", "wb") as log, subprocess.Popen(
                ["unshare", "-n", "sh", "-c", script], stdout=log, stderr=log) as process:
            try:
                served = [address for address in addresses
                          if wait_for(lambda: serves_on(process, address, env), 3, 0.2)[0]]
            finally:
                process.kill()
        result.claim(f"{name}: served on {' and '.join(addresses)}",
                     f"{name}: " + (f"served on {' and '.join(served)}" if served else "not served"),
                     served == addresses)


def serves_on(process, address, env):
    """Whether both ports answer within the network namespace of the process."""
    def curl(*options):
        return subprocess.run(["nsenter", "-n", "-t", str(process.pid), "curl", "-sk", "-m", "2", "-o", "/dev/null", "-w",
                               "%{http_code}", *options], capture_output=True, text=True).stdout
    return (process.poll() is None and curl(f"http://{address}:8080/healthz") == "200"
            and curl("-H", "Content-Type: application/json", "--data-binary", f"@{env.review_file}",
                     f"https://{address}:8443/validate") == "200")
