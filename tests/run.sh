#!/bin/sh
# tests/run.sh PRESET [CTEST ARGUMENTS]: builds a preset of CMakePresets.json and runs its tests.
# The last line is "N passed, N failed". Exits with 0 if no test failed, with 2 if there was no test to run.
set -eu
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
jobs=${JOBS:-$(nproc)}
results=$(pwd)/build/$preset/test-results.xml

if [ ! -f "build/$preset/build.ninja" ]; then
  echo "Configuring build/$preset"
  cmake --preset "$preset" >/dev/null
fi
cmake --build --preset "$preset" -j "$jobs"
rm -f "$results"
# On a busy machine a test that waits for something can be late. It gets one more try, and a line says so. A failure under a
# sanitizer is not tried again.
tries=1
[ "$preset" != release ] || tries=2
log=build/$preset/test.log
{ ctest --preset "$preset" -j "$jobs" --repeat "until-pass:$tries" --output-junit "$results" "$@" || true; } 2>&1 | tee "$log"

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
late=$(($(grep -Ec 'Test +#[0-9]+: .*\*\*\*(Failed|Timeout|Exception)' "$log" || true) - tries * failed))
[ "$late" -le 0 ] || echo "$late passed at the second try"
echo "$((total - failed - skipped)) passed, $failed failed"
[ "$failed" -eq 0 ]
