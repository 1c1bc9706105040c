"""What `make image` makes: opened as a runtime opens it, compared with what it promises, and run."""

import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "deploy/image/build.py"
CONTAINERFILE = ROOT / "deploy/image/Containerfile"
BINARY = pathlib.Path(os.environ.get("WINADMIT", ROOT / "build/release/winadmit"))


def build(output, binary=BINARY, **environment):
    subprocess.run([BUILD, "--binary", binary, "--output", output, "--version", "1.2.3", "--revision", "abc",
                    "--source", "https://example.com/winadmit"], check=True, capture_output=True,
                   env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"} | environment)
    return output / "winadmit.oci.tar"


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.output = pathlib.Path(cls.scratch.name)
        cls.archive = build(cls.output / "image")
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

    def entries(self):
        for layer in self.layers:
            with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
                yield from tar.getmembers()

    def run_inside(self, *command):
        """As the image's user, on its root and on nothing else of this machine."""
        prefix = ["chroot", f"--userspec={self.config['config']['User']}"]
        if os.getuid() != 0:
            prefix = ["unshare", "--user", "--map-root-user", "chroot"]
        return subprocess.run([*prefix, self.root, *command], capture_output=True, text=True, check=False)

    def test_every_blob_is_what_its_name_and_descriptor_say(self):
        for name, content in self.files.items():
            if name.startswith("blobs/"):
                self.assertEqual(hashlib.sha256(content).hexdigest(), name.rpartition("/")[2])
        for descriptor in [self.index["manifests"][0], self.manifest["config"], *self.manifest["layers"]]:
            self.assertEqual(len(self.blob(descriptor)), descriptor["size"])
        self.assertEqual([f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in self.layers],
                         self.config["rootfs"]["diff_ids"])

    def test_same_input_gives_same_bytes(self):
        again = build(self.output / "again", TZ="Pacific/Auckland", LC_ALL="C", HOME="/nonexistent")
        self.assertEqual(self.archive.read_bytes(), again.read_bytes())
        self.assertEqual((self.output / "image/winadmit.spdx.json").read_bytes(),
                         (self.output / "again/winadmit.spdx.json").read_bytes())

    def test_another_binary_keeps_the_library_layer_or_changes_the_digest(self):
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

    def test_holds_the_binary_its_libraries_and_their_papers_only(self):
        allowed = re.compile(r"(winadmit|(usr/)?lib(64)?/.*\.so(\.[0-9.]+)?|usr/share/doc/[^/]+/copyright|"
                             r"usr/share/sbom/winadmit\.spdx\.json|var/lib/dpkg/status\.d/[^/]+)")
        for entry in self.entries():
            self.assertTrue(entry.isdir() or allowed.fullmatch(entry.name), entry.name)
            self.assertTrue(entry.isdir() or entry.isreg(), entry.name)

    def test_nothing_in_it_can_be_changed_by_its_user(self):
        for entry in self.entries():
            self.assertEqual((0, 0), (entry.uid, entry.gid), entry.name)
            self.assertEqual(0, entry.mode & 0o7022, f"{entry.name} {entry.mode:o}")

    def test_runs_as_an_unprivileged_number(self):
        user, _, group = self.config["config"]["User"].partition(":")
        self.assertTrue(user.isdigit() and group.isdigit() and int(user) > 0 and int(group) > 0)

    def test_the_binary_runs_on_this_root(self):
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

    def test_labels_are_the_keys_of_the_image_specification(self):
        known = {"created", "authors", "url", "documentation", "source", "version", "revision", "vendor", "licenses",
                 "ref.name", "title", "description", "base.digest", "base.name"}
        labels = self.config["config"]["Labels"]
        prefix = "org.opencontainers.image."
        self.assertLessEqual({key.removeprefix(prefix) for key in labels}, known)
        self.assertEqual("1.2.3", labels[prefix + "version"])
        self.assertEqual("abc", labels[prefix + "revision"])
        self.assertEqual("2023-11-14T22:13:20Z", labels[prefix + "created"])
        self.assertEqual(labels, self.manifest["annotations"])

    def test_the_bill_of_materials_names_everything_inside(self):
        sbom = json.loads((self.output / "image/winadmit.spdx.json").read_text())
        self.assertEqual(sbom, json.loads((self.root / "usr/share/sbom/winadmit.spdx.json").read_text()))
        listed = {package["name"]: package for package in sbom["packages"]}
        self.assertEqual(hashlib.sha256((self.root / "winadmit").read_bytes()).hexdigest(),
                         listed["winadmit"]["checksums"][0]["checksumValue"])
        for status in (self.root / "var/lib/dpkg/status.d").iterdir():
            version = re.search(r"^Version: (.*)$", status.read_text(), re.M).group(1)
            self.assertEqual(version, listed[status.name]["versionInfo"])
            self.assertEqual(subprocess.check_output(["dpkg-query", "-Wf", "${Version}", status.name], text=True),
                             version)
        identifiers = {package["SPDXID"] for package in sbom["packages"]} | {"SPDXRef-DOCUMENT"}
        for row in sbom["relationships"]:
            self.assertLessEqual({row["spdxElementId"], row["relatedSpdxElement"]}, identifiers)

    def test_the_bill_of_materials_names_the_debian_that_it_was_built_on(self):
        sbom = json.loads((self.output / "image/winadmit.spdx.json").read_text())
        packages = [reference["referenceLocator"] for package in sbom["packages"] for reference in package["externalRefs"]
                    if reference["referenceLocator"].startswith("pkg:deb/")]
        version = re.search(r'^VERSION_ID="?(\d+)', pathlib.Path("/etc/os-release").read_text(), re.M).group(1)
        self.assertTrue(packages)
        for package in packages:
            self.assertTrue(package.endswith(f"&distro=debian-{version}"), package)

    def test_the_containerfile_makes_an_image_of_the_same_configuration(self):
        final = CONTAINERFILE.read_text().rpartition("\nFROM ")[2]
        self.assertTrue(final.startswith("scratch\n"))
        words = dict(re.findall(r"^(USER|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD) (.*)$", final, re.M))
        config = self.config["config"]
        self.assertEqual(config["User"], words["USER"])
        self.assertEqual(config["StopSignal"], words["STOPSIGNAL"])
        self.assertEqual(config["Entrypoint"], json.loads(words["ENTRYPOINT"]))
        self.assertEqual(config["Cmd"], json.loads(words["CMD"]))
        self.assertEqual(set(config["ExposedPorts"]), {f"{port}/tcp" for port in words["EXPOSE"].split()})

    def test_the_bill_of_materials_names_what_is_compiled_in(self):
        """Read from the record that Ninja keeps of the headers that each object included."""
        build_dir = BINARY.parent
        output = self.output / "with-build-dir"
        subprocess.run([BUILD, "--binary", BINARY, "--build-dir", build_dir, "--output", output, "--version", "1"],
                       check=True, capture_output=True)
        sbom = json.loads((output / "winadmit.spdx.json").read_text())
        static = {row["relatedSpdxElement"] for row in sbom["relationships"] if row["relationshipType"] == "STATIC_LINK"}
        self.assertLessEqual({"SPDXRef-deb-nlohmann-json3-dev", "SPDXRef-deb-libcli11-dev", "SPDXRef-deb-libssl-dev"}, static)
        self.assertTrue(any(re.fullmatch(r"SPDXRef-deb-libboost1\.\d+-dev", name) for name in static), static)
        self.assertFalse({"SPDXRef-deb-libc6-dev", "SPDXRef-deb-linux-libc-dev"} & static)

    def test_buildah_reads_it(self):
        """A reader that is not ours: the image's own entry point, found and run by its configuration."""
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
