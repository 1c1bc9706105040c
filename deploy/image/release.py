#!/usr/bin/python3
"""Makes a release: deploy/image/release.py 0.1.0

Writes build/release-VERSION/: an image and a kubectl plugin per architecture, an OCI index of both images, the chart, bills of
materials, provenance and SHA256SUMS. Refuses if the source is not that of the version. The same commit and Debian packages give
the same files.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leave the source tree unchanged
import build
import plugin
import provenance

ROOT = build.ROOT
ARCHITECTURES = ("amd64", "arm64")
REPOSITORY = "docker.io/library/winadmit"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version")
    parser.add_argument("--source", default=os.environ.get("SOURCE", ""), help="URL of the repository (default: $SOURCE)")
    parser.add_argument("--image", default=os.environ.get("IMAGE", ""),
                        help="name that the image will have in your registry, without a tag (default: $IMAGE)")
    parser.add_argument("--builder", default=os.environ.get("BUILDER", f"{provenance.HOME}/make-release"),
                        help="URI of who builds, for the provenance (default: $BUILDER, or %(default)s)")
    args = parser.parse_args()
    if problems := check(ROOT, args.version):
        sys.exit("\n".join(f"release: {problem}" for problem in problems))
    build_dirs = {}
    for architecture in ARCHITECTURES:
        say(f"compiling for {architecture}")
        build_dirs[architecture] = ROOT / output_of(build.HERE / "compile.sh", architecture)
    assemble(ROOT / f"build/release-{args.version}", args.version, build_dirs, source=args.source, image=args.image,
             builder=args.builder)


def check(root, version):
    """What is wrong with the source for a release of the version, a line each."""
    problems = []
    ours = re.search(r"^project\(winadmit VERSION (\S+)", (root / "CMakeLists.txt").read_text(), re.M).group(1)
    if version != ours:
        problems.append(f"CMakeLists.txt has version {ours}, not {version or 'none'}: make release VERSION={ours}, or change it there")
    elif f"\n## [{version}]" not in (root / "CHANGELOG.md").read_text():
        problems.append(f"CHANGELOG.md has no section [{version}]")
    if changed := output_of("git", "-C", root, "status", "--porcelain"):
        problems.append(f"these files are not committed:\n{changed}")
    return problems


def assemble(output, version, build_dirs, source="", image="", builder=f"{provenance.HOME}/make-release"):
    """Writes the files of a release from the build directory of each architecture."""
    output.mkdir(parents=True, exist_ok=True)
    for old in output.iterdir():
        old.unlink()
    epoch = os.environ.setdefault("SOURCE_DATE_EPOCH", output_of("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    archives, digests, sboms = [], {}, {}
    for architecture, build_dir in build_dirs.items():
        say(f"image for {architecture}")
        archives.append(output / f"winadmit-{version}-{architecture}.oci.tar")
        with tempfile.TemporaryDirectory() as scratch:
            print(output_of(build.HERE / "build.py", "--architecture", architecture, "--build-dir", build_dir, "--binary",
                            build_dir / "winadmit", "--version", version, "--source", source, "--name", REPOSITORY, "--output", scratch))
            pathlib.Path(scratch, "winadmit.oci.tar").rename(archives[-1])
            sboms[architecture] = pathlib.Path(scratch, "winadmit.spdx.json").read_bytes()
            name = plugin.file_name(architecture)
            pathlib.Path(scratch, name).rename(output / name)
        (output / f"winadmit-{version}-{architecture}.spdx.json").write_bytes(sboms[architecture])
        digests[f"{REPOSITORY}:{version} ({architecture})"] = digest_in(archives[-1])
    expect_same_packages(sboms)
    say("index")
    index = output / f"winadmit-{version}.oci.tar"
    print(output_of(build.HERE / "index.py", "--reference", f"{REPOSITORY}:{version}", "--output", index, *archives))
    digests[f"{REPOSITORY}:{version}"] = digest_in(index)
    say("chart")
    package_chart(output, version, source, image)
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in output.iterdir()}
    say("provenance and checksums")
    name = f"winadmit-{version}.provenance.json"
    (output / name).write_text(provenance.statement(
        version, output_of("git", "-C", ROOT, "rev-parse", "HEAD"), source, int(epoch), builder,
        {architecture: build.system_of(architecture) for architecture in build_dirs}, sboms, files | digests))
    files[name] = hashlib.sha256((output / name).read_bytes()).hexdigest()
    (output / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(files.items())))
    for path in sorted(output.iterdir()):
        print(f"{path.stat().st_size:>10} {path}")


def expect_same_packages(sboms):
    """Both architectures must have the same versions: a sysroot may be older than the packages of this machine."""
    versions = {architecture: set(re.findall(r'"sourceInfo": "built from (.*)"', sbom.decode())) for architecture, sbom in sboms.items()}
    if len(set(map(frozenset, versions.values()))) > 1:
        only = {architecture: sorted(found - set.intersection(*versions.values())) for architecture, found in versions.items()}
        sys.exit(f"release: the architectures have different packages: {only}. Upgrade this machine, or remove build/sysroot")


def package_chart(output, version, source, image):
    """`helm package` writes the time of each file, so its archive is packed again without them."""
    helm = output_of(ROOT / "tests/e2e/build-tools.sh", "helm").split()[1]
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([helm, "package", ROOT / "deploy/helm/winadmit", "--version", version, "--app-version", version,
                        "--destination", scratch], check=True, stdout=subprocess.DEVNULL)
        name = f"winadmit-{version}.tgz"
        subprocess.run(["tar", "-xzmf", f"{scratch}/{name}", "-C", scratch], check=True)
        chart = pathlib.Path(scratch, "winadmit/Chart.yaml")
        chart.write_text(described(chart.read_text(), changes_of((ROOT / "CHANGELOG.md").read_text(), version), source,
                                   image and f"{image}:{version}"))
        plain = subprocess.run(["tar", "--create", "--directory", scratch, "--sort=name", "--mtime=@0", "--owner=0", "--group=0",
                                "--numeric-owner", "--mode=u=rwX,go=rX", "--format=ustar", "winadmit"], check=True, capture_output=True)
        (output / name).write_bytes(gzip.compress(plain.stdout, mtime=0))


# Helm stores Chart.yaml with each revision of a release, in a Secret of at most 1 MiB.
MAX_CHANGES = 16384


def described(chart, changes, source, image):
    """Chart.yaml with what Artifact Hub shows of this release. A JSON text is a YAML text."""
    icon = base64.b64encode((ROOT / "deploy/helm/icon.svg").read_bytes()).decode()
    annotations = {"changes": changes} | ({"images": [{"name": "winadmit", "image": image}]} if image else {})
    found = "".join(f"  artifacthub.io/{name}: {json.dumps(json.dumps(value))}\n" for name, value in annotations.items() if value)
    sources = f"sources: [{json.dumps(source)}]\n" if source else ""
    return chart.replace("annotations:\n", "annotations:\n" + found) + f"icon: data:image/svg+xml;base64,{icon}\n" + sources


def changes_of(changelog, version):
    """The entries of a version in CHANGELOG.md, as [{kind, description}]."""
    section = re.search(rf"^## \[{re.escape(version)}\].*?\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    found = [{"kind": kind.lower(), "description": " ".join(entry.split())}
             for kind, entries in re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", section.group(1) if section else "", re.M | re.S)
             for entry in re.findall(r"^- (.*?)(?=^- |^\n|\Z)", entries, re.M | re.S)]
    size, kept = 0, []
    for change in found:
        size += len(change["description"])
        if size > MAX_CHANGES:
            return [*kept, {"kind": "changed", "description": f"{len(found) - len(kept)} more, see CHANGELOG.md"}]
        kept.append(change)
    return kept


def digest_in(archive):
    index = json.loads(output_of("tar", "-xOf", archive, "index.json"))
    return index["manifests"][0]["digest"].removeprefix("sha256:")


def output_of(*command):
    return subprocess.run([str(part) for part in command], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def say(what):
    print(f"release: {what}", flush=True)


if __name__ == "__main__":
    main()
