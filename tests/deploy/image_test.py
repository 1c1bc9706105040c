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

import manifests
from built_image import BINARY, BuiltImage, build

CONTAINERFILE = manifests.DEPLOY / "image/Containerfile"


class Image(BuiltImage):
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
        again = build(self.output / "again", TZ="Pacific/Auckland", LC_ALL="C", HOME="/nonexistent")
        self.assertEqual(self.archive.read_bytes(), again.read_bytes())
        self.assertEqual((self.output / "image/winadmit.spdx.json").read_bytes(),
                         (self.output / "again/winadmit.spdx.json").read_bytes())

    def test_another_binary_keeps_the_layer_of_libraries(self):
        changed = self.output / "changed"
        changed.write_bytes(BINARY.read_bytes())
        changed.chmod(0o755)
        subprocess.run(["objcopy", "--add-section", f"note={__file__}", changed], check=True)
        subprocess.run(["objcopy", "--set-section-flags", "note=alloc,readonly", changed], check=True,
                       capture_output=True)
        with tarfile.open(build(self.output / "other", changed)) as archive:
            index = json.load(archive.extractfile("index.json"))
            digest = index["manifests"][0]["digest"]
            manifest = json.load(archive.extractfile("blobs/sha256/" + digest.removeprefix("sha256:")))
        self.assertEqual(manifest["layers"][0], self.manifest["layers"][0])
        self.assertNotEqual(digest, self.index["manifests"][0]["digest"])

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
        self.assertEqual(labels, self.manifest["annotations"])

    def test_the_containerfile_has_the_same_configuration(self):
        final = CONTAINERFILE.read_text().rpartition("\nFROM ")[2]
        self.assertTrue(final.startswith("scratch\n"))
        words = dict(re.findall(r"^(USER|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD) (.*)$", final, re.M))
        config = self.config["config"]
        self.assertEqual(config["User"], words["USER"])
        self.assertEqual(config["StopSignal"], words["STOPSIGNAL"])
        self.assertEqual(config["Entrypoint"], json.loads(words["ENTRYPOINT"]))
        self.assertEqual(config["Cmd"], json.loads(words["CMD"]))
        self.assertEqual(set(config["ExposedPorts"]), {f"{port}/tcp" for port in words["EXPOSE"].split()})

    def test_buildah_reads_and_runs_it(self):
        """An independent implementation finds and runs the entry point."""
        storage = ["--root", self.output / "storage", "--runroot", self.output / "run", "--storage-driver", "vfs"]

        def buildah(*command):
            return subprocess.check_output(["buildah", *storage, *command], text=True, stderr=subprocess.PIPE).strip()

        container = buildah("from", f"oci-archive:{self.archive}")
        try:
            seen = json.loads(buildah("inspect", container))["OCIv1"]["config"]
            self.assertEqual((self.config["config"]["User"], ["/winadmit"], ["serve"]),
                             (seen["User"], seen["Entrypoint"], seen["Cmd"]))
            self.assertIn("version", buildah("run", "--isolation", "chroot", container, "--", "/winadmit", "version"))
        finally:
            buildah("rm", container)


if __name__ == "__main__":
    unittest.main()
