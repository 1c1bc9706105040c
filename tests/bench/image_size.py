"""How large an image from scratch is that holds a program."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "deploy/image"))
from build import stripped
from debian import shared_libraries


def image_mib(binary):
    """The program without symbols and the libraries that it loads, unpacked."""
    libraries = shared_libraries(binary).values()
    return (len(stripped(binary)) + sum(library.stat().st_size for library in libraries)) / 2**20
