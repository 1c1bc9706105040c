"""Checks `make release`: what it refuses, and the files of a release for the architecture of this machine."""

import base64
import contextlib
import hashlib
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

import manifests
import yaml
from built_image import BINARY

sys.path.insert(0, str(manifests.DEPLOY / "image"))
import debian
import release

ARCHITECTURE = debian.native_architecture()


class Checks(unittest.TestCase):
    """Of a checkout that is ready for the release of 1.2.3, but for what each test changes."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        (self.root / "CMakeLists.txt").write_text("project(winadmit VERSION 1.2.3 LANGUAGES CXX)\n")
        (self.root / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n## [1.2.3]\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "All")

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, *arguments], check=True)

    def problem(self, version):
        problems = release.check(self.root, version)
        self.assertEqual(1, len(problems), problems)
        return problems[0]

    def test_the_committed_version_is_accepted(self):
        self.assertEqual([], release.check(self.root, "1.2.3"))

    def test_another_version_is_refused(self):
        self.assertIn("CMakeLists.txt has version 1.2.3, not 1.2.4", self.problem("1.2.4"))
        self.assertIn("make release VERSION=1.2.3", self.problem(""))

    def test_a_version_without_a_section_in_the_changelog_is_refused(self):
        (self.root / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n## [1.2.2]\n")
        self.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--all", "--message", "Forget")
        self.assertEqual("CHANGELOG.md has no section [1.2.3]", self.problem("1.2.3"))

    def test_a_change_that_is_not_committed_is_refused_by_name(self):
        (self.root / "new.cpp").write_text("")
        self.assertIn("?? new.cpp", self.problem("1.2.3"))


class Changes(unittest.TestCase):
    """What the chart says of its version, for Artifact Hub."""

    def test_are_the_entries_of_the_version_with_their_kinds(self):
        log = "## [Unreleased]\n\n### Added\n\n- Later.\n\n## [1.2.3] - 2026-01-02\n\n### Added\n\n- A flag\n  of two lines.\n\n- Another.\n\n" \
              "### Fixed\n\n- A fault.\n\n## [1.2.2]\n\n### Added\n\n- Before.\n"
        self.assertEqual([("added", "A flag of two lines."), ("added", "Another."), ("fixed", "A fault.")],
                         [(each["kind"], each["description"]) for each in release.changes_of(log, "1.2.3")])
        self.assertEqual([], release.changes_of(log, "2"))

    def test_have_a_bound(self):
        log = "## [1]\n\n### Added\n\n" + f"- {'a' * 1000}\n" * 20
        *kept, last = release.changes_of(log, "1")
        self.assertEqual((16, "4 more, see CHANGELOG.md"), (len(kept), last["description"]))


class Previous(unittest.TestCase):
    """tests/e2e/build-previous.sh, which builds the last release for the upgrade tests."""

    def test_names_the_commit_that_a_checkout_without_history_lacks(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch, "tests/e2e")
            folder.mkdir(parents=True)
            for name in ("build-previous.sh", "previous-release"):
                shutil.copy(manifests.ROOT / "tests/e2e" / name, folder)
            subprocess.run(["git", "init", "--quiet", scratch], check=True)
            result = subprocess.run([folder / "build-previous.sh"], capture_output=True, text=True, check=False,
                                    env=os.environ | {"WINADMIT_CACHE": f"{scratch}/cache"})
        self.assertEqual((3, ""), (result.returncode, result.stdout))
        self.assertRegex(result.stderr, r"the commit \w+ of the last release is not in this checkout")


class Release(unittest.TestCase):
    """Made of the tested binary, for one architecture, and without the checks: the checkout may have changes."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.output = cls.assemble("first")

    @classmethod
    def assemble(cls, name):
        output = pathlib.Path(cls.scratch.name) / name
        with mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "1700000000"}), contextlib.redirect_stdout(io.StringIO()):
            release.assemble(output, "1.2.3", {ARCHITECTURE: BINARY.parent}, source="https://example.com/winadmit",
                             image="registry.example/winadmit",
                             builder="https://example.com/builder")
        return output

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def read(self, name):
        return (self.output / name).read_bytes()

    def test_has_these_files_and_the_checksum_of_each(self):
        listed = dict(reversed(line.split("  ")) for line in self.read("SHA256SUMS").decode().splitlines())
        self.assertEqual({f"winadmit-1.2.3-{ARCHITECTURE}.oci.tar", f"winadmit-1.2.3-{ARCHITECTURE}.spdx.json", "winadmit-1.2.3.oci.tar",
                          f"kubectl-winadmit-linux-{ARCHITECTURE}.tar.gz", "winadmit-1.2.3.tgz", "winadmit-1.2.3.provenance.json"},
                         set(listed))
        self.assertEqual(set(listed) | {"SHA256SUMS"}, {path.name for path in self.output.iterdir()})
        for name, digest in listed.items():
            self.assertEqual(hashlib.sha256(self.read(name)).hexdigest(), digest, name)

    def test_a_second_one_is_the_same(self):
        again = self.assemble("second")
        self.assertEqual(self.read("SHA256SUMS"), (again / "SHA256SUMS").read_bytes())

    def test_the_index_names_the_image_of_the_archive(self):
        image = release.digest_in(self.output / f"winadmit-1.2.3-{ARCHITECTURE}.oci.tar")
        digest = release.digest_in(self.output / "winadmit-1.2.3.oci.tar")
        with tarfile.open(self.output / "winadmit-1.2.3.oci.tar") as archive:
            index = json.load(archive.extractfile(f"blobs/sha256/{digest}"))
        self.assertEqual([(f"sha256:{image}", {"architecture": ARCHITECTURE, "os": "linux"})],
                         [(each["digest"], each["platform"]) for each in index["manifests"]])

    def test_skopeo_copies_the_index_with_its_digest(self):
        copied = pathlib.Path(self.scratch.name) / "copied"
        subprocess.run(["skopeo", "copy", "--quiet", "--all", f"oci-archive:{self.output}/winadmit-1.2.3.oci.tar", f"oci:{copied}:x"],
                       check=True)
        self.assertEqual("sha256:" + release.digest_in(self.output / "winadmit-1.2.3.oci.tar"),
                         json.loads((copied / "index.json").read_text())["manifests"][0]["digest"])

    def test_the_plugin_runs_by_a_link_with_its_own_libraries_alone(self):
        unpacked = pathlib.Path(self.scratch.name) / "plugin"
        with tarfile.open(self.output / f"kubectl-winadmit-linux-{ARCHITECTURE}.tar.gz") as archive:
            archive.extractall(unpacked)
        link = unpacked.parent / "kubectl-winadmit"
        link.symlink_to(unpacked / "kubectl-winadmit")
        result = subprocess.run([link, "check", "--help"], capture_output=True, text=True, check=False)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("Usage: kubectl winadmit check", result.stdout)
        start = (unpacked / "kubectl-winadmit").read_text().splitlines()[-1].replace("$here", str(unpacked))
        _, *loader = shlex.split(start)[:4]  # exec LOADER --library-path FOLDER
        loaded = subprocess.check_output([*loader, "--list", unpacked / "winadmit"], text=True)  # NAME => PATH (ADDRESS)
        paths = re.findall(r"=> (/\S+)", loaded)
        self.assertGreater(len(paths), 5, loaded)
        self.assertEqual([], [path for path in paths if not path.startswith(f"{unpacked}/")])

    def test_the_manifest_of_krew_has_the_plugin(self):
        text = manifests.run(manifests.ROOT / "ci/krew/manifest.sh", "1.2.3", "https://example.com/v1.2.3", self.output)
        (platform,) = yaml.safe_load(text)["spec"]["platforms"]
        name = f"kubectl-winadmit-linux-{ARCHITECTURE}.tar.gz"
        self.assertEqual((f"https://example.com/v1.2.3/{name}", hashlib.sha256(self.read(name)).hexdigest()),
                         (platform["uri"], platform["sha256"]))
        with tarfile.open(self.output / name) as archive:
            self.assertLessEqual({platform["bin"], "LICENSE"}, set(archive.getnames()))

    def test_the_chart_has_the_version_and_every_file_of_the_source(self):
        with tarfile.open(self.output / "winadmit-1.2.3.tgz") as archive:
            names = archive.getnames()
            chart = yaml.safe_load(archive.extractfile("winadmit/Chart.yaml"))
        self.assertEqual(("1.2.3", "1.2.3"), (chart["version"], chart["appVersion"]))
        self.assertEqual(["https://example.com/winadmit"], chart["sources"])
        kind, _, icon = chart["icon"].partition(",")
        self.assertEqual(("data:image/svg+xml;base64", (manifests.DEPLOY / "helm/icon.svg").read_bytes()), (kind, base64.b64decode(icon)))
        annotations = {name.removeprefix("artifacthub.io/"): yaml.safe_load(text) for name, text in chart["annotations"].items()}
        self.assertEqual(("Apache-2.0", [{"name": "winadmit", "image": "registry.example/winadmit:1.2.3"}]),
                         (annotations["license"], annotations["images"]))
        manifests.run(manifests.program("helm"), "lint", "--strict", "--set", "image.repository=winadmit", self.output / "winadmit-1.2.3.tgz")
        sources = {f"winadmit/{path.relative_to(manifests.CHART)}" for path in manifests.CHART.rglob("*") if path.is_file()}
        self.assertEqual(set(), {name for name in sources if not name.endswith(".helmignore")} - set(names))
        rendered = manifests.run(manifests.program("helm"), "template", "winadmit", self.output / "winadmit-1.2.3.tgz",
                                 "--kube-version", manifests.KUBERNETES, "--set", "image.repository=registry.example/winadmit")
        self.assertIn("image: registry.example/winadmit:1.2.3", rendered.replace('"', ""))

    def test_the_provenance_names_the_revision_the_packages_and_every_file(self):
        statement = json.loads(self.read("winadmit-1.2.3.provenance.json"))
        self.assertEqual(("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"),
                         (statement["_type"], statement["predicateType"]))
        subjects = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
        self.assertEqual(hashlib.sha256(self.read("winadmit-1.2.3.tgz")).hexdigest(), subjects["winadmit-1.2.3.tgz"])
        self.assertEqual(release.digest_in(self.output / "winadmit-1.2.3.oci.tar"), subjects["docker.io/library/winadmit:1.2.3"])
        predicate = statement["predicate"]
        self.assertEqual("https://example.com/builder", predicate["runDetails"]["builder"]["id"])
        source, *packages = predicate["buildDefinition"]["resolvedDependencies"]
        head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=manifests.ROOT, text=True).strip()
        self.assertEqual({"gitCommit": head}, source["digest"])
        self.assertEqual(f"git+https://example.com/winadmit@{head}", source["uri"])
        sbom = json.loads(self.read(f"winadmit-1.2.3-{ARCHITECTURE}.spdx.json"))
        used = {each["externalRefs"][0]["referenceLocator"] for each in sbom["packages"]} - {
            f"pkg:generic/winadmit@1.2.3?arch={ARCHITECTURE}"}
        listed = {each["uri"]: each for each in packages}
        self.assertLessEqual(used, set(listed))
        self.assertTrue(any(re.match(r"pkg:deb/debian/buildah@", uri) for uri in listed), sorted(listed))
        with_digest = [uri for uri in used if re.fullmatch(r"[0-9a-f]{64}", listed[uri].get("digest", {}).get("sha256", ""))]
        self.assertTrue(with_digest, "apt knows the checksum of no package")

    def test_architectures_with_different_packages_are_refused(self):
        def sbom(version):
            return f'"sourceInfo": "built from openssl {version}"'.encode()

        release.expect_same_packages({"amd64": sbom("3.0.20"), "arm64": sbom("3.0.20")})
        with self.assertRaisesRegex(SystemExit, "arm64.*openssl 3.0.20"):
            release.expect_same_packages({"amd64": sbom("3.0.21"), "arm64": sbom("3.0.20")})


if __name__ == "__main__":
    unittest.main()
