"""A running `winadmit serve` on free ports, and its metrics."""

import subprocess
import urllib.request
from pathlib import Path

from processes import free_ports, wait_until_listening

ROOT = Path(__file__).resolve().parents[2]
BINARY = ROOT / "build/release/winadmit"


def serve_command(binary, port, admin_port, pair=None, **flags):
    """The command line of a server on loopback; `flags` as drain_delay=0. Without a pair it issues its own (--dev)."""
    flags = {"listen": f"127.0.0.1:{port}", "admin_listen": f"127.0.0.1:{admin_port}", **flags}
    if pair:
        flags = {"tls_cert": pair / "tls.crt", "tls_key": pair / "tls.key", **flags}
    words = [f"--{name.replace('_', '-')}={value}" for name, value in flags.items()]
    return [str(binary), "serve", *([] if pair else ["--dev"]), *words]


class Winadmit:
    """A running server; a context manager that stops it."""

    def __init__(self, binary, pair=None, log=subprocess.DEVNULL, **flags):
        self.port, self.admin_port = free_ports(2)
        self.process = subprocess.Popen(serve_command(binary, self.port, self.admin_port, pair, drain_delay=0, **flags),
                                        stdout=log, stderr=log)

    def __enter__(self):
        try:
            wait_until_listening(self.process, self.port, self.admin_port)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)


def read_metrics(admin_port):
    """The text of /metrics."""
    with urllib.request.urlopen(f"http://127.0.0.1:{admin_port}/metrics", timeout=5) as response:
        return response.read().decode()
