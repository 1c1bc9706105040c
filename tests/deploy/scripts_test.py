"""Runs shellcheck on all shell scripts of the project."""

import subprocess
import unittest

import manifests


class Scripts(unittest.TestCase):
    def test_shellcheck_reports_nothing(self):
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=manifests.ROOT, text=True).split("\0")
        scripts = [name for name in tracked if name and is_shell(manifests.ROOT / name)]
        self.assertIn("deploy/generate.sh", scripts)
        for name in scripts:
            with self.subTest(name):
                result = subprocess.run(["shellcheck", name], cwd=manifests.ROOT, capture_output=True, text=True, check=False)
                self.assertEqual(0, result.returncode, result.stdout)


def is_shell(path):
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        first = file.readline(80)
    return first.startswith(b"#!") and first.rstrip().endswith((b"sh", b"bash"))


if __name__ == "__main__":
    unittest.main()
