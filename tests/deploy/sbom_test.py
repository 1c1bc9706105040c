"""Checks the bill of materials of the image."""

import hashlib
import json
import pathlib
import re
import subprocess
import unittest

from built_image import BINARY, BUILD, BuiltImage


class Sbom(BuiltImage):
    def test_lists_every_package_of_the_image(self):
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

    def test_names_the_debian_release_of_the_build(self):
        sbom = json.loads((self.output / "image/winadmit.spdx.json").read_text())
        packages = [reference["referenceLocator"] for package in sbom["packages"] for reference in package["externalRefs"]
                    if reference["referenceLocator"].startswith("pkg:deb/")]
        version = re.search(r'^VERSION_ID="?(\d+)', pathlib.Path("/etc/os-release").read_text(), re.M).group(1)
        self.assertTrue(packages)
        for package in packages:
            self.assertTrue(package.endswith(f"&distro=debian-{version}"), package)

    def test_lists_the_compiled_in_libraries(self):
        """They come from the dependency log of Ninja."""
        build_dir = BINARY.parent
        output = self.output / "with-build-dir"
        subprocess.run([BUILD, "--binary", BINARY, "--build-dir", build_dir, "--output", output, "--version", "1"],
                       check=True, capture_output=True)
        sbom = json.loads((output / "winadmit.spdx.json").read_text())
        static = {row["relatedSpdxElement"] for row in sbom["relationships"] if row["relationshipType"] == "STATIC_LINK"}
        self.assertLessEqual({"SPDXRef-deb-nlohmann-json3-dev", "SPDXRef-deb-libcli11-dev", "SPDXRef-deb-libssl-dev"}, static)
        self.assertTrue(any(re.fullmatch(r"SPDXRef-deb-libboost1\.\d+-dev", name) for name in static), static)
        self.assertFalse({"SPDXRef-deb-libc6-dev", "SPDXRef-deb-linux-libc-dev"} & static)


if __name__ == "__main__":
    unittest.main()
