#!/bin/sh
# tests/run.sh PRESET [CTEST ARGUMENTS]: builds a preset of CMakePresets.json and runs its tests.
# The last line is "N passed, N failed", alone; 0 is returned if none failed, 2 if there was nothing
# to run.
set -eu
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
jobs=${JOBS:-$(nproc)}
results=$(pwd)/build/$preset/test-results.xml

test -f "build/$preset/build.ninja" || cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" -j "$jobs"
rm -f "$results"
ctest --preset "$preset" -j "$jobs" --output-junit "$results" "$@" || true

# <testsuite name="..." tests="9" failures="1" disabled="0" skipped="2" ...>
count() { sed -n "s/^\t*$1=\"\([0-9]*\)\".*/\1/p" "$results" | head -n 1; }
total=$(count tests)
failed=$(count failures)
skipped=$(count skipped)
if [ "${total:-0}" -eq 0 ]; then
  echo "0 passed, 0 failed"
  exit 2
fi
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$((total - failed - skipped)) passed, $failed failed"
[ "$failed" -eq 0 ]
