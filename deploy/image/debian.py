"""Shared libraries of a binary, and the Debian packages that own files."""

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
    """{path in the image: real file} of every library that the dynamic loader maps, and of the loader. Empty for a static binary."""
    listing = run("ldd", binary, check=False)
    if "not found" in listing:
        sys.exit(f"{binary} needs a library that is not installed:\n{listing}")
    # "libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x7f..)", "/lib64/ld-linux-x86-64.so.2 (0x7f..)"; the vDSO has no path.
    paths = re.findall(r"(/\S+) \(0x", listing)
    return {path.lstrip("/"): pathlib.Path(path).resolve() for path in sorted(set(paths))}


def compiled_in(build_dir, loaded):
    """Packages whose headers a Ninja build included, mostly header-only libraries.

    Without the packages of `loaded` libraries, which are listed already, and without the kernel headers, which contain no code.
    """
    excluded = {package.source for package in loaded} | {"linux"}
    return [package for package in packages_of(headers_used(build_dir)) if package.source not in excluded]


def headers_used(build_dir):
    log = run("ninja", "-C", build_dir, "-t", "deps")
    absolute = {os.path.normpath(os.path.join(build_dir, path)) for path in re.findall(r"^ +(\S+)$", log, re.M)}
    return sorted(path for path in absolute if path.startswith("/usr/"))


def packages_of(files):
    """The Debian packages that own these files, sorted, without duplicates."""
    files = {str(path) for path in files}
    if not files:
        return []
    paths = sorted(files | {usr_merge_alias(path) for path in files})
    owners, owned = set(), set()
    for names, path in re.findall(r"^([^/\n]+): (/.*)$", run("dpkg", "-S", *paths, check=False), re.M):
        owners.update(name.strip() for name in names.split(","))
        owned |= {path, usr_merge_alias(path)}
    if unowned := sorted(files - owned):
        sys.exit(f"no Debian package owns {unowned[0]}: the bill of materials would be incomplete")
    fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Maintainer}\n"
    rows = run("dpkg-query", "-W", "-f", fields, *sorted(owners)).splitlines()
    return sorted({Package(*row.split("\t")) for row in rows})


def usr_merge_alias(path):
    """The same file by its other path: with a merged /usr, /lib/... is /usr/lib/..., and dpkg knows only one of them."""
    return path.removeprefix("/usr") if path.startswith("/usr/lib") else f"/usr{path}"


def oci_architecture():
    return run("dpkg", "--print-architecture").strip()  # Debian and OCI both say amd64 and arm64


def run(*command, check=True):
    return subprocess.run([str(part) for part in command], check=check, text=True, capture_output=True).stdout
