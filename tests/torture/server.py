"""Starts `winadmit serve` within a limit on its memory, and reads what the kernel knows about it."""

import os
import re
import resource
import signal
import socket
import subprocess
import time
from pathlib import Path

MIB = 1 << 20
MEMORY_LIMIT = 192 * MIB  # as in the manifests


class NoCgroup:
    """Where no cgroup can be made: the process's own peak is all that is known."""

    kind = "none: memory is not limited, peaks are those of the process"

    def __init__(self, name):
        pass

    def join(self):
        pass

    def peak(self):
        return None

    def remove(self):
        pass

    @classmethod
    def remove_root(cls):
        pass


class CgroupV2:
    kind = "cgroup v2"
    root = Path("/sys/fs/cgroup/winadmit-torture")
    files = {"limit": "memory.max", "peak": "memory.peak"}

    def __init__(self, name):
        self.path = self.root / name
        self.path.mkdir(parents=True)
        self.limit(MEMORY_LIMIT)

    def limit(self, size):
        with open(self.path / self.files["limit"], "r+") as file:  # never made by us
            file.write(str(size))

    def join(self):
        with open(self.path / "cgroup.procs", "r+") as file:
            file.write("0")

    def peak(self):
        try:
            return int((self.path / self.files["peak"]).read_text())
        except OSError:  # memory.peak came with Linux 5.19
            return None

    def remove(self):
        for _ in range(50):
            try:
                self.path.rmdir()
                return
            except OSError:  # the last process has not left yet
                time.sleep(0.02)

    @classmethod
    def remove_root(cls):
        try:
            cls.root.rmdir()
        except OSError:
            pass


class CgroupV1(CgroupV2):
    kind = "cgroup v1"
    root = Path("/sys/fs/cgroup/memory/winadmit-torture")
    files = {"limit": "memory.limit_in_bytes", "peak": "memory.max_usage_in_bytes"}


def find_cgroup():
    """The kind of cgroup that this machine lets us make."""
    if Path("/sys/fs/cgroup/cgroup.controllers").exists():
        kind = CgroupV2
        for parent in (kind.root.parent, kind.root):
            try:
                parent.mkdir(exist_ok=True)
                (parent / "cgroup.subtree_control").write_text("+memory +cpu")
            except OSError:
                pass
    elif CgroupV1.root.parent.exists():
        kind = CgroupV1
    else:
        return NoCgroup
    try:
        kind(f"try-{os.getpid()}").remove()
        return kind
    except OSError:
        return NoCgroup


class ServerFault(RuntimeError):
    """The server did not start, or did not listen."""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def cpu_seconds(pid):
    """CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """A running winadmit; a context that ends it. `flags` replace or join the usual ones."""

    count = 0

    def __init__(self, run, flags=None, stdout=None, descriptors=None, pair=None, environment=None, wait=True):
        Server.count += 1
        self.run, self.flags, self.stdout, self.descriptors = run, flags or {}, stdout, descriptors
        self.environment, self.wait = environment, wait
        self.pair = pair or run.pair
        self.port, self.admin_port = free_ports(2)
        self.log = run.folder / f"log-{Server.count}"
        self.stopped_by_us = False
        self.start()

    def start(self):
        self.cgroup = self.run.cgroup(f"{os.getpid()}-{Server.count}-{time.monotonic_ns()}")
        flags = {"--threads": 2, "--listen": f"127.0.0.1:{self.port}", "--drain-delay": 0.5,
                 "--admin-listen": f"127.0.0.1:{self.admin_port}", "--tls-cert": f"{self.pair}/tls.crt",
                 "--tls-key": f"{self.pair}/tls.key", **self.flags}
        words = [self.run.binary, "serve", *(f"{name}={value}" for name, value in flags.items())]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL,
                                            stdout=self.stdout if self.stdout is not None else log, stderr=log,
                                            preexec_fn=self.prepare,
                                            env={**os.environ, **(self.environment or {})})
        self.pid = self.process.pid
        if self.wait:
            self.wait_until_ready()

    def prepare(self):
        self.cgroup.join()
        if self.descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    def wait_until_ready(self, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise ServerFault(f"the server ended with {self.process.returncode}: {self.log_tail()}")
            with socket.socket() as probe, socket.socket() as admin:
                if not probe.connect_ex(("127.0.0.1", self.port)) and not admin.connect_ex(
                        ("127.0.0.1", self.admin_port)):
                    return
            time.sleep(0.01)
        raise ServerFault("the server does not listen")

    def alive(self):
        return self.process.poll() is None

    def status(self, what):
        """VmRSS (now) or VmHWM (the most so far), in bytes; 0 once the process has ended."""
        try:
            text = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return 0
        found = re.search(rf"^{what}:\s+(\d+)", text, re.M)
        return int(found[1]) * 1024 if found else 0

    def open_descriptors(self):
        try:
            return len(os.listdir(f"/proc/{self.pid}/fd"))
        except OSError:
            return 0

    def log_size(self):
        return self.log.stat().st_size

    def longest_line(self):
        with open(self.log, "rb") as log:
            return max(map(len, log), default=0)

    def log_tail(self):
        return self.log.read_bytes()[-300:].decode(errors="replace").strip()

    def end(self, which=signal.SIGTERM, seconds=30):
        """Ends the process; its exit code, and how long it took."""
        began = time.monotonic()
        self.process.send_signal(which)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        return code, time.monotonic() - began

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.alive():
            self.process.kill()
            self.process.wait()
        self.cgroup.remove()
