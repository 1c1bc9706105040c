"""Runs a server on one core and the load generator on another."""

import json
import os
import shutil
import subprocess

import processes
from processes import MIB, ServerFault, wait_until_listening

SERVER_CORE, GENERATOR_CORE = 0, 1


def can_use_realtime():
    """Whether SCHED_FIFO is permitted. With it other processes of the machine do not disturb the measurement."""
    chrt = shutil.which("chrt")
    return chrt is not None and subprocess.run([chrt, "-f", "1", "true"], capture_output=True).returncode == 0


REALTIME = can_use_realtime()


def pinned(core, command):
    return (["chrt", "-f", "1"] if REALTIME else []) + ["taskset", "-c", str(core)] + [str(word) for word in command]


def raise_priority():
    """For multi-threaded programs, which would spin under SCHED_FIFO: a session with a larger share of the CPU."""
    os.setsid()
    try:
        with open("/proc/self/autogroup", "w") as autogroup:
            autogroup.write("-19")
    except OSError:
        pass  # keep the normal share


class Server:
    """A running candidate; a context manager that kills it."""

    def __init__(self, candidate, port, cores=SERVER_CORE, extra=()):
        self.candidate, self.port = candidate, port
        self.process = subprocess.Popen(pinned(cores, [*candidate.command(port), *extra]),
                                        env={**os.environ, **candidate.environment},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until_listening(self.process, port, seconds=20)
        except ServerFault as error:
            self.process.kill()
            raise ServerFault(f"{candidate.name}: {error}") from error

    def memory_mib(self, field):
        """VmRSS (now) or VmHWM (peak)."""
        return processes.memory(self.process.pid, field) / MIB

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def run_load(options, what, environment=None):
    """The JSON that the load generator prints. Raises RuntimeError if a response is wrong."""
    done = subprocess.run(pinned(GENERATOR_CORE, options), env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{what}: {done.stderr.strip()}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure(load, server, body, hook, verdict, connections=8, seconds=1.0, handshakes=False):
    """One measurement of throughput and latency: the results of the load generator."""
    candidate = server.candidate
    options = [load, "--port", server.port, "--path", candidate.path(hook), "--body", body, "--pid", server.process.pid,
               "--connections", connections, "--seconds", seconds, "--warmup", min(0.3, seconds / 3),
               *candidate.expected(hook, verdict), *(["--handshakes"] if handshakes else [])]
    return run_load(options, f"{candidate.name} {hook} {verdict} {body.name}")


def cold_start_ms(load, candidate, port, body):
    """Milliseconds from the start of the process to its first response."""
    command = [word for part in candidate.command(port) for word in ("--cold-start", part)]
    options = [load, "--port", port, "--path", candidate.path("validate"), "--body", body,
               *candidate.expected("validate", "placed"), "--cold-start-core", SERVER_CORE, *command]
    return run_load(options, f"{candidate.name} cold start", {**os.environ, **candidate.environment})["cold_start_ms"]
