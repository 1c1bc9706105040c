"""Builds the image and unpacks it, for the tests of its content."""

import gzip
import io
import json
import os
import pathlib
import subprocess
import tarfile
import tempfile
import unittest

import manifests

BUILD = manifests.DEPLOY / "image/build.py"
BINARY = pathlib.Path(manifests.WINADMIT)


def build(output, *arguments, **environment):
    subprocess.run([BUILD, "--output", output, "--version", "1.2.3", "--revision", "abc", "--source", "https://example.com/winadmit",
                    *arguments], check=True, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"} | environment, stdout=subprocess.DEVNULL)
    return output / "winadmit.oci.tar"


class BuiltImage(unittest.TestCase):
    """A test case with the image in an OCI layout (files, index, manifest, config, layers) and unpacked (root)."""

    arguments = ["--binary", BINARY, "--build-dir", BINARY.parent]

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.output = pathlib.Path(cls.scratch.name)
        cls.archive = build(cls.output / "image", *cls.arguments)
        with tarfile.open(cls.archive) as archive:
            cls.files = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
        cls.index = json.loads(cls.files["index.json"])
        cls.manifest = json.loads(cls.blob(cls.index["manifests"][0]))
        cls.config = json.loads(cls.blob(cls.manifest["config"]))
        cls.layers = [gzip.decompress(cls.blob(layer)) for layer in cls.manifest["layers"]]
        cls.root = cls.output / "rootfs"
        for layer in cls.layers:
            with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
                tar.extractall(cls.root)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def blob(cls, descriptor):
        return cls.files["blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")]
