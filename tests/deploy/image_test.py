"""Checks the image of `make image`: its OCI layout, its content, and that it runs."""

import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import tarfile
import unittest

from built_image import BuiltImage, build

ARCHITECTURE = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()


class Image(BuiltImage):
    architecture = ARCHITECTURE

    def entries(self):
        for layer in self.layers:
            with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
                yield from tar.getmembers()

    def run_inside(self, *command):
        """Runs a command as the user of the image, with the root file system of the image."""
        prefix = ["chroot", f"--userspec={self.config['config']['User']}"]
        if os.getuid() != 0:
            prefix = ["unshare", "--user", "--map-root-user", "chroot"]
        return subprocess.run([*prefix, self.root, *command], capture_output=True, text=True, check=False)

    def test_every_blob_matches_its_name_and_descriptor(self):
        for name, content in self.files.items():
            if name.startswith("blobs/"):
                self.assertEqual(hashlib.sha256(content).hexdigest(), name.rpartition("/")[2])
        for descriptor in [self.index["manifests"][0], self.manifest["config"], *self.manifest["layers"]]:
            self.assertEqual(len(self.blob(descriptor)), descriptor["size"])
        self.assertEqual([f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in self.layers],
                         self.config["rootfs"]["diff_ids"])

    def test_the_build_is_reproducible(self):
        """Of the same binary; tools/reproducible.sh compares the binaries of two builds."""
        again = build(self.output / "again", *self.arguments, TZ="Pacific/Auckland", LC_ALL="C", TMPDIR="/var/tmp")
        self.assertEqual(self.archive.read_bytes(), again.read_bytes())
        self.assertEqual((self.output / "image/winadmit.spdx.json").read_bytes(),
                         (self.output / "again/winadmit.spdx.json").read_bytes())

    def test_every_date_is_that_of_the_source(self):
        self.assertEqual("2023-11-14T22:13:20Z", self.config["created"])
        self.assertEqual({1700000000}, {entry.mtime for entry in self.entries()})

    def test_contains_only_the_binary_its_libraries_and_their_package_files(self):
        allowed = re.compile(r"(winadmit|(usr/)?lib(64)?/.*\.so(\.[0-9.]+)?|usr/share/doc/[^/]+/copyright|"
                             r"usr/share/sbom/winadmit\.spdx\.json|var/lib/dpkg/status\.d/[^/]+)")
        for entry in self.entries():
            self.assertTrue(entry.isdir() or allowed.fullmatch(entry.name), entry.name)
            self.assertTrue(entry.isdir() or entry.isreg(), entry.name)

    def test_its_user_can_change_no_file(self):
        for entry in self.entries():
            self.assertEqual((0, 0), (entry.uid, entry.gid), entry.name)
            self.assertEqual(0, entry.mode & 0o7022, f"{entry.name} {entry.mode:o}")

    def test_runs_as_a_numeric_unprivileged_user(self):
        user, _, group = self.config["config"]["User"].partition(":")
        self.assertTrue(user.isdigit() and group.isdigit() and int(user) > 0 and int(group) > 0)

    def test_the_binary_runs_in_the_image(self):
        result = self.run_inside("/winadmit", "version")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("version", result.stdout)

    def test_each_library_is_needed(self):
        for entry in self.entries():
            if ".so" not in entry.name or entry.name.startswith("lib64/"):
                continue
            with self.subTest(entry.name):
                hidden = self.root / entry.name
                hidden.rename(f"{hidden}.hidden")
                try:
                    self.assertNotEqual(0, self.run_inside("/winadmit", "version").returncode)
                finally:
                    pathlib.Path(f"{hidden}.hidden").rename(hidden)

    def test_labels_are_keys_of_the_image_specification(self):
        known = {"created", "authors", "url", "documentation", "source", "version", "revision", "vendor", "licenses",
                 "ref.name", "title", "description", "base.digest", "base.name"}
        labels = self.config["config"]["Labels"]
        prefix = "org.opencontainers.image."
        self.assertLessEqual({key.removeprefix(prefix) for key in labels}, known)
        self.assertEqual("1.2.3", labels[prefix + "version"])
        self.assertEqual("abc", labels[prefix + "revision"])
        self.assertEqual("2023-11-14T22:13:20Z", labels[prefix + "created"])
        annotations = {key: value for key, value in self.manifest["annotations"].items() if value}
        self.assertEqual({prefix + key for key in ("base.name", "created", "revision", "source")}, set(annotations))
        self.assertLessEqual(annotations.items(), labels.items())

    def test_the_configuration_is_what_the_manifests_rely_on(self):
        self.assertEqual({"User": "65532:65532", "Entrypoint": ["/winadmit"], "Cmd": ["serve"], "StopSignal": "SIGTERM",
                          "ExposedPorts": {"8443/tcp": {}, "8080/tcp": {}}},
                         {key: value for key, value in self.config["config"].items() if key != "Labels"})
        self.assertEqual(("linux", self.architecture), (self.config["os"], self.config["architecture"]))

    def test_podman_containerd_and_docker_find_the_name_that_kubernetes_asks_for(self):
        """Podman and containerd look at the annotation, Docker at manifest.json."""
        name = "docker.io/library/winadmit:1.2.3"
        self.assertEqual(name, self.index["manifests"][0]["annotations"]["io.containerd.image.name"])
        self.assertEqual([name], json.loads(self.files["manifest.json"])[0]["RepoTags"])

    def test_skopeo_reads_it_as_an_oci_archive_and_as_an_archive_of_docker(self):
        copied = self.output / "copied"
        subprocess.run(["skopeo", "copy", "--quiet", "--preserve-digests", f"oci-archive:{self.archive}", f"oci:{copied}:1.2.3"], check=True)
        self.assertEqual(self.index["manifests"][0]["digest"], json.loads((copied / "index.json").read_text())["manifests"][0]["digest"])
        seen = json.loads(subprocess.check_output(["skopeo", "inspect", "--config", f"docker-archive:{self.archive}"]))
        self.assertEqual(self.config["config"]["Entrypoint"], seen["config"]["Entrypoint"])

    def test_buildah_reads_and_runs_it(self):
        """An independent implementation finds and runs the entry point."""
        storage = ["--root", self.output / "storage", "--runroot", self.output / "run", "--storage-driver", "vfs"]

        def buildah(*command):
            return subprocess.check_output(["buildah", *storage, *command], text=True, stderr=subprocess.PIPE).strip()

        container = buildah("from", f"oci-archive:{self.archive}")
        try:
            self.assertIn("version", buildah("run", "--isolation", "chroot", container, "--", "/winadmit", "version"))
        finally:
            buildah("rm", container)


if __name__ == "__main__":
    unittest.main()
