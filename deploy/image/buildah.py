"""Runs buildah with a storage of its own, and packs its results into OCI archives. The same image gives the same bytes."""

import json
import os
import pathlib
import subprocess
import tempfile


class Store:
    """An image storage that is removed at the end. It needs no daemon and, with user namespaces, no root."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def run(self, *arguments):
        command = ["buildah", "--root", self.path / "root", "--runroot", self.path / "run", "--storage-driver", "vfs", *arguments]
        result = subprocess.run([str(part) for part in command], check=False, text=True, capture_output=True)
        if result.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
        return result.stdout.strip()

    def archive(self, push, reference, target):
        """Packs what `push` writes as an OCI archive, which Docker, Podman, containerd and skopeo read; returns its digest.

        buildah's own archives contain the time of their creation, and lack what Docker and containerd look for.
        """
        layout = self.path / "layout"
        self.run(*push, f"oci:{layout}:{reference.rpartition(':')[2]}")
        index = json.loads((layout / "index.json").read_text())
        described = index["manifests"][0]
        described["annotations"]["io.containerd.image.name"] = reference
        write(layout / "index.json", index)
        manifest = json.loads(blob(layout, described).read_text())
        if "layers" in manifest:
            # `docker load` without the containerd image store reads only this file.
            write(layout / "manifest.json", [{"Config": blob("", manifest["config"]).as_posix(), "RepoTags": [reference],
                                              "Layers": [blob("", layer).as_posix() for layer in manifest["layers"]]}])
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "--create", "--file", target, "--directory", layout, "--sort=name", "--mtime=@0", "--owner=0",
                        "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "--format=ustar", *sorted(os.listdir(layout))],
                       check=True)
        return described["digest"], manifest


def blob(layout, descriptor):
    return pathlib.Path(layout, "blobs", *descriptor["digest"].split(":"))


def write(path, value):
    path.write_text(json.dumps(value, sort_keys=True, separators=(",", ":")))
