"""Tests of deploy/ that need no cluster: the image, the manifests, the chart, alerts and shell scripts.

    make deploy-test                     all of them
    tests/deploy/run.sh helm_test         one file
    tests/deploy/run.sh helm_test.Helm.test_invalid_values_are_refused_by_name

kubectl and helm are those of the e2e tests. The last line is "N passed, N failed".
"""

import pathlib
import sys
import time
import unittest


class Count(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main():
    names = sys.argv[1:] or sorted(path.stem for path in pathlib.Path(__file__).parent.glob("*_test.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    start = time.monotonic()
    result = unittest.TextTestRunner(sys.stdout, resultclass=Count, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{time.monotonic() - start:.0f} s\n{result.passed} passed, {failed} failed")
    return 1 if failed or not result.passed else 0


if __name__ == "__main__":
    sys.exit(main())
