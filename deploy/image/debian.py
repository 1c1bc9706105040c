"""Shared libraries of a binary, and the Debian packages that own files: of this machine, or of another architecture, from the
folder of tools/sysroot.sh."""

import os
import pathlib
import platform
import re
import subprocess
import sys
import urllib.parse
from dataclasses import dataclass

TRIPLETS = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}


@dataclass(frozen=True, order=True)
class Package:
    name: str
    version: str
    architecture: str
    source: str
    source_version: str
    maintainer: str

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


def native_architecture():
    return run("dpkg", "--print-architecture").strip()  # Debian and OCI both say amd64 and arm64


class System:
    """Where the files and packages of an architecture are."""

    def __init__(self, architecture, root=pathlib.Path("/")):
        self.architecture = architecture
        self.root = root.resolve()
        self.triplet = TRIPLETS[architecture]

    def real(self, path):
        """The file that a path of this system leads to. Absolute links stay inside the root."""
        target = self.root / str(path).lstrip("/")
        while target.is_symlink():
            link = os.readlink(target)
            target = self.root / link.lstrip("/") if link.startswith("/") else target.parent / link
        return target.resolve()

    def inside(self, file):
        """The path in this system of a file of the build machine; None if it is elsewhere."""
        file = pathlib.Path(file)
        return f"/{file.relative_to(self.root)}" if file.is_relative_to(self.root) else None

    def shared_libraries(self, binary):
        """{path in the image: real file} of every library that the dynamic loader maps, and of the loader. It reads the ELF
        headers, because a binary of another architecture cannot be run. Empty for a static binary."""
        found, pending = {}, [pathlib.Path(binary)]
        if loader := re.search(r"interpreter: (\S+)\]", run("readelf", "--program-headers", "--wide", binary)):
            found[loader.group(1).lstrip("/")] = self.real(loader.group(1))
        while pending:
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "--dynamic", "--wide", pending.pop())):
                if any(path.endswith(f"/{name}") for path in found):
                    continue
                path = self.find_library(name, binary)
                found[path] = self.real(path)
                pending.append(found[path])
        return dict(sorted(found.items()))

    def find_library(self, name, binary):
        for folder in (f"lib/{self.triplet}", f"usr/lib/{self.triplet}"):
            if self.real(f"{folder}/{name}").is_file():
                return f"{folder}/{name}"
        sys.exit(f"{binary} needs {name}, which is not installed for {self.architecture}")

    def compiled_in(self, build_dir, loaded):
        """The packages from which a Ninja build took headers and archives for winadmit itself, not for its tests.

        Without the packages of `loaded` libraries, which are listed already, and without the kernel headers and those of the
        cross compiler, which have the same code as the loaded C and C++ libraries.
        """
        excluded = {package.source for package in loaded} | {"linux", "cross-toolchain-base"}
        return [package for package in self.packages_of(self.files_used(build_dir))
                if package.source not in excluded and not re.fullmatch(r"gcc-\d+-cross", package.source)]

    def files_used(self, build_dir):
        """The files of packages that went into winadmit."""
        inputs = set(run("ninja", "-C", build_dir, "-t", "inputs", "winadmit").splitlines())
        headers, target = set(), None
        for line in run("ninja", "-C", build_dir, "-t", "deps").splitlines():
            if not line.startswith(" "):
                target = line.partition(":")[0]
            elif target in inputs:
                headers.add(line.strip())
        absolute = {os.path.normpath(build_dir / path) for path in headers | inputs}
        return sorted(path for path in absolute if str(self.inside(path)).startswith(("/usr/", "/lib/")) and
                      not os.path.isdir(path))

    def packages_of(self, files):
        """The packages that own these files, sorted, without duplicates."""
        files = {self.inside(file) for file in files}
        if not files:
            return []
        paths = sorted(files | {usr_merge_alias(path) for path in files})
        owners, owned = set(), set()
        for names, path in re.findall(r"^([^/\n]+): (/.*)$", self.dpkg_query("-S", *paths, check=False), re.M):
            owners.update(name.strip() for name in names.split(","))
            owned |= {path, usr_merge_alias(path)}
        if unowned := sorted(files - owned):
            sys.exit(f"no Debian package owns {unowned[0]}: the bill of materials would be incomplete")
        fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Maintainer}\n"
        rows = self.dpkg_query("-W", "-f", fields, *sorted(owners)).splitlines()
        return sorted({Package(*row.split("\t")) for row in rows})

    def copyright_of(self, package):
        return self.real(f"usr/share/doc/{package.name}/copyright").read_bytes()

    def checksums(self, names):
        """{name: SHA-256 of the .deb} of installed packages. tools/sysroot.sh records it; otherwise apt knows it while the
        version is in its lists."""
        fields = "${Package}\t${Version}\t${SHA256}\n"
        found, installed = {}, {}
        for row in self.dpkg_query("-W", "-f", fields, *names).splitlines():
            name, version, checksum = row.split("\t")
            installed[name, version] = name
            if checksum:
                found[name] = checksum
        if len(found) < len(names):
            for paragraph in run("apt-cache", "show", *names, check=False).split("\n\n"):
                shown = dict(re.findall(r"^(Package|Version|SHA256): (.*)$", paragraph, re.M))
                name = installed.get((shown.get("Package"), shown.get("Version")))
                if name and "SHA256" in shown:
                    found.setdefault(name, shown["SHA256"])
        return found

    def dpkg_query(self, *arguments, check=True):
        return run("dpkg-query", f"--admindir={self.root / 'var/lib/dpkg'}", *arguments, check=check)


def usr_merge_alias(path):
    """The same file by its other path: with a merged /usr, /lib/... is /usr/lib/..., and dpkg knows only one of them."""
    return path.removeprefix("/usr") if path.startswith("/usr/lib") else f"/usr{path}"


def run(*command, check=True):
    return subprocess.run([str(part) for part in command], check=check, text=True, capture_output=True).stdout
