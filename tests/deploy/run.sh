#!/bin/sh
# Runs the tests of deploy/, see main.py: tests/deploy/run.sh [image_test ...]. Ends with "N passed, N failed".
set -eu
cd "$(dirname "$0")"
exec /usr/bin/python3 -B main.py "$@"
