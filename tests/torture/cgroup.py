"""A cgroup with a memory limit, version 1 or 2, for one server."""

import os
import time
from pathlib import Path

from processes import MIB

MEMORY_LIMIT = 192 * MIB  # as in deploy/


class NoCgroup:
    """Used where no cgroup can be created: then only the peak of the process is known."""

    kind = "no cgroup: memory is not limited, and peaks are those of the process"

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
        with open(self.path / self.files["limit"], "r+") as file:  # r+: the kernel creates these files
            file.write(str(size))

    def join(self):
        """Moves the calling process into the cgroup."""
        with open(self.path / "cgroup.procs", "r+") as file:
            file.write("0")

    def peak(self):
        try:
            return int((self.path / self.files["peak"]).read_text())
        except OSError:  # memory.peak exists since Linux 5.19
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
    """The class of cgroup that this process may create."""
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
