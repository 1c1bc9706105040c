#!/usr/bin/python3
"""Builds an OCI image that contains only winadmit and the shared libraries that it loads.

    deploy/image/build.py --binary build/release/winadmit --output build/image

writes OUTPUT/winadmit.oci.tar (an OCI image layout, for `docker load`, `podman load`, `skopeo copy oci-archive:` and
`ctr image import`) and OUTPUT/winadmit.spdx.json (the bill of materials). With --rootfs DIR it writes the root file system
instead, for the Containerfile. Needs python3, binutils and ldd of Debian; no daemon, no root.

The build is reproducible: tar entries are sorted, owned by root, dated 1970, and compressed without a timestamp. The only
date is SOURCE_DATE_EPOCH. It is in the image configuration only, so releases share the layer with the libraries.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leave the source tree unchanged
import debian
import oci
import spdx

USER = "65532:65532"  # numeric: the image has no /etc/passwd, and the kubelet must check runAsNonRoot


def main():
    args = parse_arguments()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or last_commit_time())
    libraries = debian.shared_libraries(args.binary)
    packages = debian.packages_of(libraries.values())
    compiled_in = debian.compiled_in(args.build_dir.resolve(), packages) if args.build_dir else []

    binary = stripped(args.binary)
    sbom = spdx.document(name="winadmit", version=args.version, binary=binary, loaded=packages,
                         compiled_in=compiled_in, epoch=epoch)
    library_layer = {path: (read(real), 0o755) for path, real in libraries.items()} | package_files(packages)
    own_layer = package_files(compiled_in)
    own_layer |= {"winadmit": (binary, 0o755), "usr/share/sbom/winadmit.spdx.json": (sbom, 0o644)}

    if args.rootfs:
        write_tree(args.rootfs, library_layer | own_layer)
        return
    args.output.mkdir(parents=True, exist_ok=True)
    (args.output / "winadmit.spdx.json").write_bytes(sbom)
    image = oci.Image(
        layers=[oci.layer(library_layer), oci.layer(own_layer)],
        config={"User": USER, "Entrypoint": ["/winadmit"], "Cmd": ["serve"], "WorkingDir": "/",
                "ExposedPorts": {"8443/tcp": {}, "8080/tcp": {}}, "StopSignal": "SIGTERM"},
        architecture=debian.oci_architecture(), epoch=epoch, labels=labels(args, epoch))
    target = args.output / "winadmit.oci.tar"
    digest = image.write(target, reference=f"{args.name}:{args.version}")
    print(f"{target}: {args.name}:{args.version}@{digest}")
    print(f"{image.unpacked_size / 1e6:.1f} MB unpacked, {image.packed_size / 1e6:.1f} MB to pull, "
          f"{len(libraries)} libraries of {len(packages)} Debian packages")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/image"))
    parser.add_argument("--rootfs", type=pathlib.Path, help="write the root file system here instead of an archive")
    parser.add_argument("--build-dir", type=pathlib.Path,
                        help="the Ninja build directory of the binary; its dependency log lists the compiled-in libraries")
    parser.add_argument("--name", default="winadmit", help="repository part of the reference (default: %(default)s)")
    parser.add_argument("--version", required=True)
    parser.add_argument("--revision", default=git("rev-parse", "HEAD"))
    parser.add_argument("--source", default="", help="URL of the source, for org.opencontainers.image.source")
    return parser.parse_args()


def package_files(packages):
    """The dpkg status that vulnerability scanners read, and the copyright files that the licences require."""
    status = {f"var/lib/dpkg/status.d/{package.name}": (package.status.encode(), 0o644) for package in packages}
    return status | {f"usr/share/doc/{package.name}/copyright": (package.copyright, 0o644) for package in packages}


def labels(args, epoch):
    """The pre-defined annotation keys of the OCI image specification, without empty values."""
    keys = {"title": "winadmit", "description": "Kubernetes admission webhook that places Windows pods and refuses what "
            "Windows lacks", "version": args.version, "revision": args.revision, "source": args.source,
            "created": oci.rfc3339(epoch), "base.name": "scratch"}
    return {f"org.opencontainers.image.{key}": value for key, value in keys.items() if value}


def stripped(binary):
    """The content of the binary without symbols."""
    with tempfile.TemporaryDirectory() as scratch:
        target = pathlib.Path(scratch) / "winadmit"
        subprocess.run(["strip", "--strip-all", "-o", target, binary], check=True)
        return read(target)


def last_commit_time():
    return git("log", "-1", "--format=%ct") or "0"


def git(*arguments):
    """The output of git, or "" outside a checkout."""
    result = subprocess.run(["git", *arguments], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True,
                            check=False)
    return result.stdout.strip() if result.returncode == 0 else ""


def read(path):
    return pathlib.Path(path).read_bytes()


def write_tree(root, entries):
    for path, (content, mode) in sorted(entries.items()):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(mode)


if __name__ == "__main__":
    main()
