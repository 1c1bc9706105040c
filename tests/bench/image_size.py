"""The size of a container image that contains only a program and its libraries."""

import sys
from pathlib import Path

from processes import MIB

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "deploy/image"))
from debian import System, native_architecture  # noqa: E402 (these need the line above)
from rootfs import stripped  # noqa: E402


def image_mib(binary):
    """The program without symbols, and the libraries that it loads, uncompressed."""
    system = System(native_architecture())
    libraries = system.shared_libraries(binary).values()
    return (len(stripped(system, binary)) + sum(library.stat().st_size for library in libraries)) / MIB
