"""Checks the bill of materials of the image."""

import hashlib
import json
import pathlib
import re
import subprocess
import unittest

from built_image import BuiltImage


class Sbom(BuiltImage):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sbom = json.loads((cls.output / "image/winadmit.spdx.json").read_text())

    def test_lists_every_package_of_the_image(self):
        sbom = self.sbom
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

    def test_names_the_debian_release_of_the_build(self):
        packages = [reference["referenceLocator"] for package in self.sbom["packages"] for reference in package["externalRefs"]
                    if reference["referenceLocator"].startswith("pkg:deb/")]
        version = re.search(r'^VERSION_ID="?(\d+)', pathlib.Path("/etc/os-release").read_text(), re.M).group(1)
        self.assertTrue(packages)
        for package in packages:
            self.assertTrue(package.endswith(f"&distro=debian-{version}"), package)

    def test_lists_the_libraries_compiled_into_the_binary_and_none_of_its_tests(self):
        """They come from the dependency log of Ninja, whose build directory has the tests, too."""
        static = {row["relatedSpdxElement"] for row in self.sbom["relationships"] if row["relationshipType"] == "STATIC_LINK"}
        self.assertLessEqual({"SPDXRef-deb-nlohmann-json3-dev", "SPDXRef-deb-libcli11-dev", "SPDXRef-deb-libssl-dev"}, static)
        self.assertTrue(any(re.fullmatch(r"SPDXRef-deb-libboost1\.\d+-dev", name) for name in static), static)
        self.assertFalse({"SPDXRef-deb-libc6-dev", "SPDXRef-deb-linux-libc-dev", "SPDXRef-deb-libgtest-dev"} & static)

    def test_every_package_has_a_licence_and_each_of_our_own_identifiers_its_text(self):
        texts = {info["licenseId"]: info["extractedText"] for info in self.sbom["hasExtractedLicensingInfos"]}
        used = set()
        for package in self.sbom["packages"]:
            self.assertRegex(package["licenseDeclared"], r"^[A-Za-z0-9.() -]+$", package["name"])
            self.assertNotIn("NOASSERTION", package["licenseDeclared"], package["name"])
            used |= set(re.findall(r"LicenseRef-[\w.-]+", package["licenseDeclared"]))
        self.assertEqual(used, set(texts))
        for reference, text in texts.items():
            self.assertGreater(len(text), 100, reference)


if __name__ == "__main__":
    unittest.main()
