"""Tests of deploy/ that need no cluster: the image, the manifests, the chart, alerts and shell scripts.

    make deploy-test                     all of them, a process for each file
    tests/deploy/run.sh helm_test         one file
    tests/deploy/run.sh helm_test.Helm.test_invalid_values_are_refused_by_name

kubectl and helm are those of the e2e tests. The last line is "N passed, N failed".
"""

import os
import pathlib
import re
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor


class Count(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def run(names):
    """Runs tests in this process. Returns how many have passed, and how many failed."""
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    start = time.monotonic()
    result = unittest.TextTestRunner(sys.stdout, resultclass=Count, verbosity=2).run(suite)
    print(f"{time.monotonic() - start:.0f} s")
    return result.passed, len(result.failures) + len(result.errors)


def run_file(name):
    """Runs the tests of a file in a process, and prints what it printed when it has ended."""
    done = subprocess.run([sys.executable, "-B", __file__, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"=== {name}\n{done.stdout}", end="", flush=True)
    counts = re.findall(r"^(\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
    return (int(counts[-1][0]), int(counts[-1][1])) if counts else (0, 1)


def main():
    names = sys.argv[1:]
    if names:
        passed, failed = run(names)
    else:
        files = sorted(pathlib.Path(__file__).parent.glob("*_test.py"), key=lambda path: -path.stat().st_size)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            passed, failed = map(sum, zip(*pool.map(run_file, [path.stem for path in files])))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
