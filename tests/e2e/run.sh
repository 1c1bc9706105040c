#!/usr/bin/env bash
# Runs the e2e tests. Arguments are passed to go test: tests/e2e/run.sh ./deploy -run Rolling
# "upgrades" stands for the tests of make upgrade-test.
# Without arguments, groups of tests run in parallel, most with a control plane of their own. A line is printed for each
# test as it ends; if a test fails, the output of its group is printed at the end. If only one test fails, it is run once
# more, alone, and reported as FLAKY if it passes then. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")" || exit 2
go=$(../../tools/go.sh) || exit 2
PATH="$go:$PATH"
./build-tools.sh >/dev/null || exit 2 # now, so that it does not count for the timeout of the tests
logs=$(mktemp -d)
upgrades='FromTheLastRelease|CertificateSource' # tests that take long, and build another release or cert-manager
groups=()
trap 'rm -rf "$logs"' EXIT
trap 'kill "${groups[@]}" 2>/dev/null; wait; exit 130' INT TERM

# group NAME ARGUMENTS...: starts go test in the background, with its output in a log.
group() {
  local name=$1
  shift
  go test -count=1 -p 1 -timeout 60m -v "$@" >"$logs/$name" 2>&1 &
  groups+=($!)
}

[ "$*" != upgrades ] || set -- ./deploy -run "$upgrades"
if [ $# -gt 0 ]; then
  group all "$@"
  tail --pid="${groups[0]}" -n +1 -f "$logs/all" & # it ends with the tests
else
  group the-tests-themselves ./stream ./docs ./scale
  group behind-the-api-server .
  group by-both-engines ./policies
  group without-taints ./untainted
  group by-the-docs ./docs/verbatim
  group by-kustomize ./deploy -run Overlay
  group by-others ./deploy -skip "Overlay|$upgrades"
  tail --pid="${groups[-1]}" -q -n +1 -F "$logs"/* 2>/dev/null | grep --line-buffered -E '^--- (PASS|FAIL)' &
fi
status=0
for pid in "${groups[@]}"; do
  wait "$pid" || status=1
done
wait
passed=$(cat "$logs"/* | grep -c '^ *--- PASS')
failed=$(cat "$logs"/* | grep -c '^ *--- FAIL')
if [ "$status" -ne 0 ] && [ $# -eq 0 ]; then
  for log in "$logs"/*; do
    grep -q '^FAIL' "$log" && echo "=== ${log##*/}" && cat "$log"
  done
fi
if [ "$status" -ne 0 ] && [ $# -eq 0 ] && [ "$(cat "$logs"/* | grep -c '^--- FAIL')" -eq 1 ]; then
  log=$(grep -l '^--- FAIL' "$logs"/*)
  name=$(sed -n 's/^--- FAIL: \([^ ]*\).*/\1/p' "$log")
  package=.$(sed -n 's,^FAIL\twinadmit/tests/e2e\(/[^\t]*\)\{0\,1\}\t.*,\1,p' "$log")
  echo "=== $name once more"
  if go test -count=1 -p 1 -timeout 60m -v "$package" -run "^$name\$"; then
    echo "FLAKY: $name failed in the suite and passed alone"
    passed=$((passed + failed))
    failed=0
    status=0
  fi
fi
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi # it failed before the first test
echo "$passed passed, $failed failed"
exit "$status"
