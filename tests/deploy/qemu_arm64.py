"""Runs the image for arm64 with QEMU on another architecture: `make arm64-test`. Not one of the tests of `make deploy-test`, because
it needs a cross build, which takes minutes.
"""

import base64
import json
import pathlib
import re
import ssl
import subprocess
import sys
import unittest
import urllib.request

import image_test
import manifests
import sbom_test

sys.path.insert(0, str(manifests.ROOT / "tests/support"))
from pairs import make_pair
from winadmit import Winadmit

BUILD_DIR = manifests.ROOT / "build/release-arm64"
QEMU = "qemu-aarch64"


class Arm64:
    """The image of the cross build, and a program that runs its binary with the libraries in the image."""

    architecture = "arm64"
    arguments = ["--architecture", "arm64", "--build-dir", BUILD_DIR, "--binary", BUILD_DIR / "winadmit"]

    def run_inside(self, *command):
        program = [QEMU, "-L", self.root, f"{self.root}{command[0]}", *command[1:]]
        return subprocess.run(program, capture_output=True, text=True, check=False)


class Image(Arm64, image_test.Image):
    test_buildah_reads_and_runs_it = None  # it runs the binary without QEMU

    def test_every_elf_file_is_for_arm64(self):
        binaries = [path for path in self.root.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
        self.assertGreater(len(binaries), 5)
        for path in binaries:
            header = subprocess.check_output(["readelf", "--file-header", path], text=True)
            self.assertRegex(header, r"Machine: +AArch64", path)

    def test_indirect_branches_are_protected(self):
        """Of our own objects. Those of Debian 12's static libraries are not, so the linker does not mark the whole binary."""
        for archive in sorted(BUILD_DIR.glob("*/libwinadmit_*.a")):
            notes = subprocess.check_output(["readelf", "--notes", "--wide", archive], text=True)
            self.assertGreater(notes.count("File: "), 0)
            self.assertEqual(notes.count("File: "), notes.count("BTI, PAC"), archive)


class Sbom(Arm64, sbom_test.Sbom):
    test_lists_every_package_of_the_image = None  # it asks the dpkg of this machine for their versions

    def test_lists_packages_of_arm64_alone(self):
        found = [each["externalRefs"][0]["referenceLocator"] for each in self.sbom["packages"]]
        self.assertEqual({"arm64", "all"}, {re.search(r"arch=(\w+)", each).group(1) for each in found})


class Serving(Arm64, image_test.BuiltImage):
    """`winadmit serve` of the image answers over TLS."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        program = cls.output / "winadmit"
        program.write_text(f'#!/bin/sh\nexec {QEMU} -L {cls.root} {cls.root}/winadmit "$@"\n')
        program.chmod(0o755)
        pair = make_pair(cls.output / "pair")
        cls.trust = ssl.create_default_context(cafile=pair / "tls.crt")
        cls.server = Winadmit(program, pair)
        cls.addClassCleanup(cls.server.__exit__)
        cls.server.__enter__()

    def post(self, path, spec):
        review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "705ab4f5", "kind": {"group": "", "version": "v1", "kind": "Pod"},
            "resource": {"group": "", "version": "v1", "resource": "pods"}, "namespace": "web", "operation": "CREATE",
            "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {
                "containers": [{"name": "main", "image": "registry.example/app:1"}], **spec}}}}
        request = urllib.request.Request(f"https://127.0.0.1:{self.server.port}{path}", json.dumps(review).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, context=self.trust, timeout=30) as response:
            return json.load(response)["response"]

    def test_is_ready(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.admin_port}/readyz", timeout=30) as response:
            self.assertEqual(200, response.status)

    def test_refuses_a_windows_pod_with_host_pid(self):
        response = self.post("/validate", {"nodeSelector": {"kubernetes.io/os": "windows"}, "hostPID": True})
        self.assertFalse(response["allowed"])
        self.assertIn("host-pid", response["status"]["message"])

    def test_places_a_windows_pod(self):
        response = self.post("/mutate", {"os": {"name": "windows"}})
        self.assertTrue(response["allowed"])
        paths = {operation["path"] for operation in json.loads(base64.b64decode(response["patch"]))}
        self.assertEqual({"/spec/nodeSelector", "/spec/tolerations"}, paths)


if __name__ == "__main__":
    unittest.main()
