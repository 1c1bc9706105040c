"""What Debian knows of the files that go into the image: which libraries a binary loads, and whose they are."""

import dataclasses
import os
import pathlib
import platform
import re
import subprocess
import sys
import urllib.parse


@dataclasses.dataclass(frozen=True, order=True)
class Package:
    name: str
    version: str
    architecture: str
    source: str
    source_version: str
    maintainer: str

    @property
    def copyright(self):
        return pathlib.Path(f"/usr/share/doc/{self.name}/copyright").read_bytes()

    @property
    def status(self):
        """The paragraph that vulnerability scanners read from /var/lib/dpkg/status.d in images without dpkg."""
        return (f"Package: {self.name}\nStatus: install ok installed\nMaintainer: {self.maintainer}\n"
                f"Architecture: {self.architecture}\nSource: {self.source} ({self.source_version})\n"
                f"Version: {self.version}\n")

    @property
    def purl(self):
        name, version = (urllib.parse.quote(part, safe="~") for part in (self.name, self.version))
        return f"pkg:deb/debian/{name}@{version}?arch={self.architecture}&distro=debian-{release()}"


def release():
    """The major version of the Debian that builds the image."""
    return platform.freedesktop_os_release()["VERSION_ID"]


def shared_libraries(binary):
    """Path in the image -> real file, for every library that the loader would map, the loader included; none of a static binary."""
    listing = run("ldd", binary, check=False)
    if "not found" in listing:
        sys.exit(f"{binary} needs a library that is not installed:\n{listing}")
    # "libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x7f..)", "/lib64/ld-linux-x86-64.so.2 (0x7f..)"; the vDSO has no path
    paths = re.findall(r"(/\S+) \(0x", listing)
    return {path.lstrip("/"): pathlib.Path(path).resolve() for path in sorted(set(paths))}


def compiled_in(build_dir, loaded):
    """Packages whose headers went into the objects of a Ninja build: header-only libraries, for the most part.

    Left out are the headers of libraries that are loaded, which are listed already, and the kernel's, which declare and hold no code.
    """
    listed = {package.source for package in loaded} | {"linux"}
    return [package for package in packages_of(headers_used(build_dir)) if package.source not in listed]


def headers_used(build_dir):
    record = run("ninja", "-C", build_dir, "-t", "deps")
    absolute = {os.path.normpath(os.path.join(build_dir, path)) for path in re.findall(r"^ +(\S+)$", record, re.M)}
    return sorted(path for path in absolute if path.startswith("/usr/"))


def packages_of(files):
    """The Debian packages that own these files, each once, sorted."""
    files = {str(path) for path in files}
    if not files:
        return []
    spellings = sorted(files | {other_spelling(path) for path in files})
    owners, owned = set(), set()
    for names, path in re.findall(r"^([^/\n]+): (/.*)$", run("dpkg", "-S", *spellings, check=False), re.M):
        owners.update(name.strip() for name in names.split(","))
        owned |= {path, other_spelling(path)}
    if strangers := sorted(files - owned):
        sys.exit(f"no Debian package owns {strangers[0]}, so the bill of materials would lack it")
    fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Maintainer}\n"
    rows = run("dpkg-query", "-W", "-f", fields, *sorted(owners)).splitlines()
    return sorted({Package(*row.split("\t")) for row in rows})


def other_spelling(path):
    """dpkg knows a file as its package ships it; with a merged /usr, /lib/... and /usr/lib/... are one file."""
    return path.removeprefix("/usr") if path.startswith("/usr/lib") else f"/usr{path}"


def oci_architecture():
    return run("dpkg", "--print-architecture").strip()  # amd64 and arm64 are the same words in both worlds


def run(*command, check=True):
    return subprocess.run([str(part) for part in command], check=check, text=True, capture_output=True).stdout
