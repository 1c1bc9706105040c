"""The kubectl plugin: an archive with the files of the image, which runs on every Linux of its architecture."""

import gzip
import io
import pathlib
import tarfile

NAME = "kubectl-winadmit"
LICENSE = pathlib.Path(__file__).resolve().parents[2] / "LICENSE"

# The binary is not linked with a path to its libraries, because the image has them where the loader looks for them.
SCRIPT = """#!/bin/sh
# Starts winadmit with the libraries beside it. krew runs this file by a symbolic link.
here=$(dirname "$(readlink -f "$0")")
exec "$here/{loader}" --library-path "$here/{libraries}" --argv0 "$0" "$here/winadmit" "$@"
"""


def file_name(architecture):
    return f"{NAME}-linux-{architecture}.tar.gz"


def archive(files, epoch):
    """The content of the archive, from the {path: (content, mode)} of rootfs.files()."""
    loader = one(path for path in files if "/ld-linux" in path)
    libraries = one({str(pathlib.PurePath(path).parent) for path in files if ".so" in path and path != loader})
    script = SCRIPT.format(loader=loader, libraries=libraries).encode()
    files = files | {NAME: (script, 0o755), "LICENSE": (LICENSE.read_bytes(), 0o644)}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode, entry.mtime = len(content), mode, epoch
            tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), mtime=0)


def one(found):
    (only,) = found
    return only
