#!/bin/sh
# Every check of what deploy/ ships that needs no cluster: the image, the rendered manifests, alerts, scripts.
# Prints "N passed, N failed". tests/deploy/run.sh image_test runs one file.
set -eu
cd "$(dirname "$0")"
exec /usr/bin/python3 -B main.py "$@"
