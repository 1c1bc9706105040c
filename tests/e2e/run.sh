#!/usr/bin/env bash
# Every e2e test, one package after another: each starts a control plane of its own. Ends with
# "N passed, N failed". Arguments go to go test: tests/e2e/run.sh ./deploy -run Rolling
set -uo pipefail
cd "$(dirname "$0")" || exit 2
if [ $# -eq 0 ]; then set -- ./...; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
go test -count=1 -p 1 -timeout 30m -v "$@" | tee "$log"
status=${PIPESTATUS[0]}
passed=$(grep -c '^ *--- PASS' "$log")
failed=$(grep -c '^ *--- FAIL' "$log")
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi # it did not come to a test
echo "$passed passed, $failed failed"
exit "$status"
