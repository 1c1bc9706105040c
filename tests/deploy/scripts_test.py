"""Runs shellcheck on all shell scripts of the project, loads all Python programs, and tests what counts the tests."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import manifests


def tracked_files():
    return subprocess.check_output(["git", "ls-files", "-z"], cwd=manifests.ROOT, text=True).split("\0")[:-1]


# Loads a program with its imports, but does not run it.
LOAD = """
import os, runpy, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
runpy.run_path(sys.argv[1], run_name="loaded")
"""


class Scripts(unittest.TestCase):
    def test_python_programs_find_what_they_import(self):
        """Also those that take too long for a test of their own, as the benchmarks."""
        files = [name for name in tracked_files() if is_python_program(manifests.ROOT / name)]
        self.assertIn("tests/bench/bench.py", files)
        for name in files:
            with self.subTest(name):
                result = subprocess.run([sys.executable, "-B", "-c", LOAD, manifests.ROOT / name], capture_output=True,
                                        text=True, check=False)
                self.assertEqual(0, result.returncode, result.stderr)

    def test_shellcheck_reports_nothing(self):
        scripts = [name for name in tracked_files() if is_shell(manifests.ROOT / name)]
        self.assertIn("deploy/generate.sh", scripts)
        for name in scripts:
            with self.subTest(name):
                result = subprocess.run(["shellcheck", name], cwd=manifests.ROOT, capture_output=True, text=True, check=False)
                self.assertEqual(0, result.returncode, result.stdout)


RESULTS = '<testsuites tests="9" failures="{failures}">\n<testcase result="skipped"/>\n</testsuites>\n'


class RunTests(unittest.TestCase):
    """tests/run.sh with a sanitized preset, a program instead of the tests, and one process for each of two shares."""

    def run_with(self, exit_code, results=None):
        """Returns the exit code and the last line. Without results the program ends before it writes them."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("tests", "bin", "build/asan/tests"):
                (root / name).mkdir(parents=True)
            shutil.copy(manifests.ROOT / "tests/run.sh", root / "tests")
            (root / "build/asan/build.ninja").touch()
            write = f'printf "%s" \'{results}\' >"${{1#--gtest_output=xml:}}"' if results else ":"
            programs = {"bin/cmake": "", "build/asan/tests/winadmit_tests": f"{write}\nexit {exit_code}"}
            for name, text in programs.items():
                (root / name).write_text("#!/bin/sh\n" + text + "\n")
                (root / name).chmod(0o755)
            path = f"{root}/bin:{os.environ['PATH']}"
            done = subprocess.run([root / "tests/run.sh", "asan"], env={"PATH": path, "JOBS": "1"}, capture_output=True,
                                  text=True, check=False)
            return done.returncode, done.stdout.splitlines()[-1]

    def test_adds_the_results_of_the_processes(self):
        self.assertEqual((0, "16 passed, 0 failed"), self.run_with(0, RESULTS.format(failures=0)))
        self.assertEqual((1, "10 passed, 6 failed"), self.run_with(1, RESULTS.format(failures=3)))

    def test_counts_what_a_sanitizer_reports_beside_the_tests(self):
        self.assertEqual((1, "16 passed, 2 failed"), self.run_with(66, RESULTS.format(failures=0)))

    def test_counts_a_process_that_ends_before_its_results(self):
        for results in (None, "", RESULTS.format(failures=0)[:40]):
            self.assertEqual((1, "0 passed, 2 failed"), self.run_with(134, results))


def is_shell(path):
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        first = file.readline(80)
    return first.startswith(b"#!") and first.rstrip().endswith((b"sh", b"bash"))


def is_python_program(path):
    return path.suffix == ".py" and '__name__ == "__main__"' in path.read_text()


if __name__ == "__main__":
    unittest.main()
