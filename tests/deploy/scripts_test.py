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
FAILED = "echo '[  FAILED  ] Some.Test/1, where GetParam() = 2 (3 ms)'; "


class RunTests(unittest.TestCase):
    """tests/run.sh with a program instead of the tests, and one process for each of two shares."""

    def run_with(self, end, results=None, flaky=""):
        """Returns the exit code and the last lines. Without results the program ends before it writes them."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("tests", "bin", "build/asan/tests"):
                (root / name).mkdir(parents=True)
            shutil.copy(manifests.ROOT / "tests/run.sh", root / "tests")
            (root / "tests/flaky.txt").write_text(flaky)
            (root / "build/asan/build.ninja").touch()
            again = '[ "$1" != --gtest_filter=Some.Test/1 ] || exit 0'
            write = f'printf "%s" \'{results}\' >"${{1#--gtest_output=xml:}}"' if results else ":"
            programs = {"bin/cmake": "", "build/asan/tests/winadmit_tests": f"{again}\n{write}\n{end}"}
            for name, text in programs.items():
                (root / name).write_text("#!/bin/sh\n" + text + "\n")
                (root / name).chmod(0o755)
            path = f"{root}/bin:{os.environ['PATH']}"
            done = subprocess.run([root / "tests/run.sh", "asan"], env={"PATH": path, "JOBS": "1"}, capture_output=True,
                                  text=True, check=False)
            return done.returncode, *done.stdout.splitlines()[-2:]

    def test_adds_the_results_of_the_processes(self):
        self.assertEqual((0, "2 skipped", "16 passed, 0 failed"), self.run_with("exit 0", RESULTS.format(failures=0)))
        self.assertEqual((1, "2 skipped", "10 passed, 6 failed"), self.run_with("exit 1", RESULTS.format(failures=3)))

    def test_runs_a_failed_test_again_only_if_it_is_listed(self):
        one = FAILED + "exit 1", RESULTS.format(failures=1)
        self.assertEqual((0, "2 of the flaky tests passed at the second try", "16 passed, 0 failed"),
                         self.run_with(*one, flaky="# all\nSome.Test/1  # for a reason\n"))
        self.assertEqual((1, "2 skipped", "14 passed, 2 failed"), self.run_with(*one, flaky="Some.Test  # another\n"))

    def test_each_listed_test_exists_and_has_a_reason(self):
        tests = "".join(file.read_text() for file in (manifests.ROOT / "tests").rglob("*_test.cpp"))
        for line in (manifests.ROOT / "tests/flaky.txt").read_text().splitlines()[1:]:
            self.assertRegex(line, r"^\w+\.\w+  # .+")
            suite, name = line.split()[0].split(".")
            self.assertRegex(tests, rf"TEST\w*\({suite},\s*{name}\)")

    def test_counts_what_a_sanitizer_reports_beside_the_tests(self):
        for code, failures, counts in ((66, 0, "16 passed, 2 failed"), (1, 0, "16 passed, 2 failed"),
                                       (66, 3, "10 passed, 8 failed")):
            self.assertEqual((1, "2 skipped", counts), self.run_with(f"exit {code}", RESULTS.format(failures=failures)))

    def test_counts_a_process_that_ends_before_its_results(self):
        for results in (None, "", RESULTS.format(failures=0)[:40]):
            for code in (0, 134):
                self.assertEqual((1, "the tests ended early, in ", "0 passed, 2 failed"), self.run_with(f"exit {code}", results))


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
