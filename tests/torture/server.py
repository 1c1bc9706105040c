"""Starts `winadmit serve` in a cgroup, and reads its memory, descriptors and log."""

import os
import resource
import signal
import subprocess
import time

import processes
from processes import ServerFault, free_ports, wait_until_listening


class Server:
    """A running server; a context manager that kills it. `flags` add to the default flags, or replace them."""

    count = 0

    def __init__(self, env, flags=None, stdout=None, descriptors=None, pair=None, environment=None, wait=True):
        Server.count += 1
        self.env, self.flags, self.stdout, self.descriptors = env, flags or {}, stdout, descriptors
        self.environment, self.wait = environment, wait
        self.pair = pair or env.pair
        self.port, self.admin_port = free_ports(2)
        self.log = env.folder / f"log-{Server.count}"
        self.start()

    def start(self):
        self.cgroup = self.env.cgroup(f"{os.getpid()}-{Server.count}-{time.monotonic_ns()}")
        flags = {"--threads": 2, "--listen": f"127.0.0.1:{self.port}", "--drain-delay": 0.5,
                 "--admin-listen": f"127.0.0.1:{self.admin_port}", "--tls-cert": f"{self.pair}/tls.crt",
                 "--tls-key": f"{self.pair}/tls.key", **self.flags}
        words = [self.env.binary, "serve", *(f"{name}={value}" for name, value in flags.items())]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL,
                                            stdout=self.stdout if self.stdout is not None else log, stderr=log,
                                            preexec_fn=self.before_exec,
                                            env={**os.environ, **(self.environment or {})})
        self.pid = self.process.pid
        if self.wait:
            try:
                wait_until_listening(self.process, self.port, self.admin_port)
            except ServerFault as error:
                raise ServerFault(f"{error}: {self.log_tail()}") from error

    def before_exec(self):
        self.cgroup.join()
        if self.descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    def is_alive(self):
        return self.process.poll() is None

    def memory(self, field):
        return processes.memory(self.pid, field)

    def open_descriptors(self):
        return processes.open_descriptors(self.pid)

    def log_text(self):
        return self.log.read_text(errors="replace")

    def log_size(self):
        return self.log.stat().st_size

    def longest_line(self):
        with open(self.log, "rb") as log:
            return max(map(len, log), default=0)

    def log_tail(self):
        return self.log.read_bytes()[-300:].decode(errors="replace").strip()

    def stop(self, which=signal.SIGTERM, seconds=30):
        """Sends a signal. Returns the exit code (None: still running), and the seconds until the exit."""
        start = time.monotonic()
        self.process.send_signal(which)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        return code, time.monotonic() - start

    def kill(self):
        if self.is_alive():
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.cgroup.remove()
