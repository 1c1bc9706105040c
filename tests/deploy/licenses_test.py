"""Checks the reading of Debian's copyright files."""

import sys
import unittest

import manifests

sys.path.insert(0, str(manifests.DEPLOY / "image"))
import licenses

HEADER = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"


def of(*paragraphs, source="lib"):
    return licenses.licence_of(source, (HEADER + "".join(f"\n{paragraph}\n" for paragraph in paragraphs)).encode())


class Licenses(unittest.TestCase):
    def test_short_names_become_spdx_identifiers(self):
        for short, expected in {
                "Expat": "MIT", "zlib": "Zlib", "BSD-3-clause": "BSD-3-Clause", "GPL-2+": "GPL-2.0-or-later", "GPL-2": "GPL-2.0-only",
                "LGPL-2.1+": "LGPL-2.1-or-later", "Apache-2.0 or Expat": "Apache-2.0 OR MIT",
                "GPL-2 or Expat, and ISC": "(GPL-2.0-only OR MIT) AND ISC", "Expat and ISC": "ISC AND MIT"}.items():
            self.assertEqual(expected, of(f"Files: *\nLicense: {short}").expression, short)

    def test_a_licence_without_an_identifier_keeps_its_text(self):
        found = of("Files: *\nCopyright: 2020 A\nLicense: Jam", "License: Jam\n Permission to copy\n .\n is granted.")
        self.assertEqual("LicenseRef-lib-Jam", found.expression)
        self.assertIn("Permission to copy", found.texts["LicenseRef-lib-Jam"])

    def test_the_packaging_does_not_count_and_alternatives_keep_their_parentheses(self):
        found = of("Files: *\nLicense: Expat", "Files: debian/*\nLicense: GPL-3+", "Files: extra/*\nLicense: GPL-1+ or Artistic")
        self.assertEqual("(GPL-1.0-or-later OR Artistic-1.0-Perl) AND MIT", found.expression)

    def test_prose_is_known_by_source_package_or_not_at_all(self):
        self.assertEqual("GPL-3.0-or-later WITH GCC-exception-3.1", licenses.licence_of("gcc-14", b"This is prose.").expression)
        self.assertEqual("NOASSERTION", licenses.licence_of("unknown", b"This is prose.").expression)


if __name__ == "__main__":
    unittest.main()
