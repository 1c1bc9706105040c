"""The files of the image: the binary, the shared libraries that it loads, and what their licences and scanners require."""

import pathlib
import subprocess
import tempfile

import spdx

SBOM = "usr/share/sbom/winadmit.spdx.json"


def files(system, binary, build_dir, version, epoch):
    """({path: (content, mode)}, the packages). Without a build directory, the compiled-in libraries are not listed."""
    libraries = system.shared_libraries(binary)
    loaded = system.packages_of(libraries.values())
    compiled_in = system.compiled_in(build_dir.resolve(), loaded) if build_dir else []
    content = stripped(system, binary)
    sbom = spdx.document(version=version, binary=content, loaded=loaded, compiled_in=compiled_in, system=system, epoch=epoch)
    found = {path: (read(real), 0o755) for path, real in libraries.items()}
    for package in sorted(set(loaded) | set(compiled_in)):
        found[f"var/lib/dpkg/status.d/{package.name}"] = (package.status.encode(), 0o644)
        found[f"usr/share/doc/{package.name}/copyright"] = (system.copyright_of(package), 0o644)
    return found | {"winadmit": (content, 0o755), SBOM: (sbom, 0o644)}


def write(root, found):
    """Writes the files. Modes do not depend on the umask; the times are set when the image is built."""
    root.mkdir(parents=True, exist_ok=True)
    for path, (content, mode) in sorted(found.items()):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(mode)
    for folder in [root, *(path for path in root.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)


def stripped(system, binary):
    """The content of the binary without symbols."""
    with tempfile.TemporaryDirectory() as scratch:
        target = pathlib.Path(scratch) / "winadmit"
        subprocess.run([f"{system.triplet}-strip", "--strip-all", "-o", target, binary], check=True)
        return read(target)


def read(path):
    return pathlib.Path(path).read_bytes()
