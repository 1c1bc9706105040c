"""Starts and watches processes: free ports, memory, CPU time, file descriptors, waiting.

Shared by tests/bench, tests/deploy and tests/torture, which add this folder to their import path.
"""

import os
import re
import resource
import socket
import time
from pathlib import Path

MIB = 1 << 20


class ServerFault(RuntimeError):
    """A server did not start or does not listen."""


def free_ports(count):
    """Different loopback ports on which nothing listens now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition, seconds, step=0.05):
    """Polls until the condition holds. Returns whether it did, and the seconds that it took."""
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        if condition():
            return True, time.monotonic() - start
        time.sleep(step)
    return condition(), time.monotonic() - start


def wait_until_listening(process, *ports, seconds=10):
    """Raises ServerFault if the process exits or does not listen on every port in time."""
    def is_done():
        return process.poll() is not None or all(map(listens, ports))
    done, _ = wait_for(is_done, seconds, 0.01)
    if process.poll() is not None:
        raise ServerFault(f"the server exited with {process.returncode}")
    if not done:
        raise ServerFault(f"the server does not listen after {seconds} s")


def memory(pid, field):
    """VmRSS (now), VmHWM (peak) or another field of /proc/PID/status, in bytes. 0 after the process has exited."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(rf"^{field}:\s+(\d+)", status, re.M)
    return int(found[1]) * 1024 if found else 0


def cpu_seconds(pid):
    """User and system CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_descriptors(pid):
    """The number of open file descriptors. 0 after the process has exited."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def raise_descriptor_limit(least=0):
    """Raises the limit of this process and its children to the hard limit; that itself needs root if it is below `least`."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY:
        hard = max(hard, least)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
