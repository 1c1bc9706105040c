"""Writes an OCI image layout as one tar file. The same content always gives the same bytes.

https://github.com/opencontainers/image-spec: layers and documents are blobs, named by their SHA-256.
"""

import dataclasses
import datetime
import gzip
import hashlib
import io
import json
import pathlib
import tarfile


@dataclasses.dataclass(frozen=True)
class Layer:
    tar: bytes
    packed: bytes


@dataclasses.dataclass(frozen=True)
class Image:
    layers: list
    config: dict
    architecture: str
    epoch: int
    labels: dict

    @property
    def unpacked_size(self):
        return sum(len(layer.tar) for layer in self.layers)

    @property
    def packed_size(self):
        return sum(len(layer.packed) for layer in self.layers)

    def write(self, target, reference):
        """Writes the archive and returns the digest of the image manifest."""
        blobs = {}

        def add(content, media_type):
            name = sha256(content)
            blobs[name] = content
            return {"mediaType": media_type, "digest": f"sha256:{name}", "size": len(content)}

        config = add(document({
            "created": rfc3339(self.epoch), "architecture": self.architecture, "os": "linux",
            "config": self.config | {"Labels": self.labels},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(layer.tar)}" for layer in self.layers]},
            "history": [{"created": rfc3339(self.epoch), "created_by": "winadmit: make image"} for _ in self.layers],
        }), "application/vnd.oci.image.config.v1+json")
        layers = [add(layer.packed, "application/vnd.oci.image.layer.v1.tar+gzip") for layer in self.layers]
        manifest = add(document({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config,
            "layers": layers, "annotations": self.labels,
        }), "application/vnd.oci.image.manifest.v1+json")
        manifest["platform"] = {"architecture": self.architecture, "os": "linux"}
        manifest["annotations"] = {"org.opencontainers.image.ref.name": reference.rpartition(":")[2],
                                   "io.containerd.image.name": reference}

        files = {f"blobs/sha256/{name}": (content, 0o644) for name, content in blobs.items()}
        files["oci-layout"] = (document({"imageLayoutVersion": "1.0.0"}), 0o644)
        files["index.json"] = (document({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
                                         "manifests": [manifest]}), 0o644)
        # `docker load` before 25.0 reads only this file. It refers to the same blobs.
        files["manifest.json"] = (document([{"Config": blob_path(config), "RepoTags": [reference],
                                             "Layers": [blob_path(layer) for layer in layers]}]), 0o644)
        pathlib.Path(target).write_bytes(tar(files))
        return manifest["digest"]


def layer(entries):
    """A layer of {path: (bytes, mode)}."""
    plain = tar(entries)
    return Layer(tar=plain, packed=gzip.compress(plain, compresslevel=9, mtime=0))


def tar(entries):
    """Entries are sorted, owned by root and dated 1970. Each parent directory comes once, before its content."""
    out = io.BytesIO()
    parents = {str(parent) for path in entries for parent in pathlib.PurePosixPath(path).parents} - {"."}
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(parents | set(entries)):
            entry = tarfile.TarInfo(path)
            if path in entries:
                content, entry.mode = entries[path]
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
            else:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
    return out.getvalue()


def document(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def blob_path(descriptor):
    return "blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")


def rfc3339(epoch):
    return datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
