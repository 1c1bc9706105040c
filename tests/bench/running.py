"""Starts servers on one core and the load generator on the other, and ends what was started."""

import json
import os
import shutil
import socket
import subprocess
import time

SERVER_CORE, GENERATOR_CORE = 0, 1


def can_schedule_realtime():
    """Whether servers and generator may run ahead of the machine's other work, so that neighbours do not disturb the figures."""
    chrt = shutil.which("chrt")
    return chrt is not None and subprocess.run([chrt, "-f", "1", "true"], capture_output=True).returncode == 0


REALTIME = can_schedule_realtime()


def pinned(core, command):
    return (["chrt", "-f", "1"] if REALTIME else []) + ["taskset", "-c", str(core)] + [str(word) for word in command]


def ahead_of_others():
    """For programs of many threads, which SCHED_FIFO would let spin: a session of its own, weighed more than others'."""
    os.setsid()
    try:
        with open("/proc/self/autogroup", "w") as autogroup:
            autogroup.write("-19")
    except OSError:
        pass  # then it shares as any other


class Server:
    """A running candidate; a context that ends it."""

    def __init__(self, candidate, port, cores=SERVER_CORE, extra=()):
        self.candidate, self.port = candidate, port
        self.process = subprocess.Popen(pinned(cores, [*candidate.command(port), *extra]),
                                        env={**os.environ, **candidate.environment},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_until_listening()

    def wait_until_listening(self):
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.process.kill()
        raise RuntimeError(f"{self.candidate.name} does not listen")

    def memory_mib(self, what):
        """VmRSS (now) or VmHWM (the most so far)."""
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith(what + ":"):
                    return int(line.split()[1]) / 1024
        raise RuntimeError(what)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def ask(load, server, body, hook, verdict, connections=8, seconds=1.0, handshakes=False):
    """One measurement: a dict as the load generator prints it. Fails where an answer is not right."""
    candidate = server.candidate
    path = candidate.hooks.get(hook) or candidate.hooks["any"]
    words = [load, "--port", server.port, "--path", path, "--body", body, "--pid", server.process.pid,
             "--connections", connections, "--seconds", seconds, "--warmup", min(0.3, seconds / 3),
             *candidate.expected(hook, verdict)]
    if handshakes:
        words.append("--handshakes")
    done = subprocess.run(pinned(GENERATOR_CORE, words), capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{candidate.name} {hook} {verdict} {body.name}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def cold_start_ms(load, candidate, port, body):
    hook = "validate"
    path = candidate.hooks.get(hook) or candidate.hooks["any"]
    words = [load, "--port", port, "--path", path, "--body", body, *candidate.expected(hook, "placed")]
    words += ["--cold-start-core", SERVER_CORE]
    words += [word for part in candidate.command(port) for word in ("--cold-start", f"{part}")]
    done = subprocess.run(pinned(GENERATOR_CORE, words), env={**os.environ, **candidate.environment},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{candidate.name} cold start: {done.stderr.strip()}")
    return json.loads(done.stdout.strip().splitlines()[-1])["cold_start_ms"]
