#!/usr/bin/python3
"""Builds the OCI image from a compiled winadmit: Containerfile, with the files of rootfs.py.

    deploy/image/build.py --architecture arm64 --version 0.1.0 --output build/image

writes OUTPUT/winadmit.oci.tar, OUTPUT/winadmit.spdx.json (the bill of materials) and the kubectl plugin of plugin.py. With --rootfs
DIR it writes the files of the image instead, for the first stage of the Containerfile. Needs python3, binutils and buildah of Debian; no daemon.

The build is reproducible: every date is SOURCE_DATE_EPOCH, which is the time of the last commit by default.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leave the source tree unchanged
import buildah
import debian
import plugin
import rootfs
import spdx

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main():
    args = parse_arguments()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct") or 0)
    system = system_of(args.architecture)
    files = rootfs.files(system, args.binary, args.build_dir, args.version, epoch)
    if args.rootfs:
        rootfs.write(args.rootfs, files)
        return

    labels = {"revision": args.revision, "source": args.source, "created": spdx.rfc3339(epoch), "base.name": "scratch"}
    options = [f"--{kind}=org.opencontainers.image.{key}={value}" for key, value in labels.items() if value
               for kind in ("label", "annotation")]
    reference = f"{args.name}:{args.version}"
    with buildah.Store() as store, tempfile.TemporaryDirectory() as scratch:
        rootfs.write(pathlib.Path(scratch) / "rootfs", files)
        store.run("bud", "--file", HERE / "Containerfile", "--build-context", f"rootfs={scratch}/rootfs",
                  "--platform", f"linux/{args.architecture}", "--build-arg", f"VERSION={args.version}",
                  "--isolation", "chroot", "--timestamp", epoch, "--identity-label=false", "--unsetenv", "PATH", "--omit-history",
                  *options, "--tag", reference, HERE)
        archive = args.output / "winadmit.oci.tar"
        digest, manifest = store.archive(["push", "--compression-format", "gzip", "--compression-level", "9", reference], reference, archive)
    (args.output / "winadmit.spdx.json").write_bytes(files[rootfs.SBOM][0])
    (args.output / plugin.file_name(args.architecture)).write_bytes(plugin.archive(files, epoch))
    unpacked = sum(len(content) for content, _ in files.values())
    packed = sum(layer["size"] for layer in manifest["layers"])
    print(f"{archive}: {reference}@{digest}")
    print(f"{args.architecture}, {unpacked / 1e6:.1f} MB unpacked, {packed / 1e6:.1f} MB to pull, {len(files)} files")


def system_of(architecture):
    if architecture == debian.native_architecture():
        return debian.System(architecture)
    return debian.System(architecture, ROOT / "build/sysroot" / architecture)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    native = debian.native_architecture()
    parser.add_argument("--architecture", default=native, choices=debian.TRIPLETS)
    parser.add_argument("--binary", type=pathlib.Path, help="default: winadmit in the build directory")
    parser.add_argument("--build-dir", type=pathlib.Path, help="the Ninja build directory of the binary; it knows the compiled-in "
                        "libraries (default: that of compile.sh, if there is no --binary)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/image"))
    parser.add_argument("--rootfs", type=pathlib.Path, help="write the files of the image here instead of an archive")
    parser.add_argument("--name", default="docker.io/library/winadmit", help="repository part of the reference (default: "
                        "%(default)s, which is what Kubernetes takes the image winadmit for)")
    parser.add_argument("--version", required=True)
    parser.add_argument("--revision", default=git("rev-parse", "HEAD"))
    parser.add_argument("--source", default="", help="URL of the source, for org.opencontainers.image.source")
    args = parser.parse_args()
    if not args.binary:
        args.build_dir = args.build_dir or ROOT / "build" / ("release" if args.architecture == native else f"release-{args.architecture}")
        args.binary = args.build_dir / "winadmit"
    return args


def git(*arguments):
    """The output of git, or "" outside a checkout."""
    result = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=False)
    return result.stdout.strip() if result.returncode == 0 else ""


if __name__ == "__main__":
    main()
