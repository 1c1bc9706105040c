#!/bin/sh
# tests/run.sh PRESET [GTEST ARGUMENTS]: builds a preset of CMakePresets.json and runs its tests.
# The last line is "N passed, N failed". Exits with 0 if no test failed, with 2 if there was no test to run.
set -eu
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
jobs=${JOBS:-$(nproc)}
build=build/$preset
results=$(pwd)/$build/test-results

if [ ! -f "$build/build.ninja" ]; then
  echo "Configuring $build"
  cmake --preset "$preset" >/dev/null
fi
cmake --build --preset "$preset" -j "$jobs"
rm -f "$results"*.xml

# attribute NAME: its sum over the results. <testsuite name="..." tests="9" failures="1" disabled="0" skipped="2" ...>
attribute() { sed -n "s/.*<testsuites\{0,1\} .*\<$1=\"\([0-9]*\)\".*/\1/p;s/^\t*$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1; }

# A process for each test. On a busy machine a test that waits for something can be late: it gets one more try, and a line
# says so.
run_each() {
  log=$build/test.log
  { ctest --preset "$preset" -j "$jobs" --repeat until-pass:2 --output-junit "$results.xml" || true; } 2>&1 | tee "$log"
  total=$(attribute tests "$results.xml")
  failed=$(attribute failures "$results.xml")
  skipped=$(attribute skipped "$results.xml")
  late=$(($(grep -Ec 'Test +#[0-9]+: .*\*\*\*(Failed|Timeout|Exception)' "$log" || true) - 2 * failed))
  [ "$late" -le 0 ] || echo "$late passed at the second try"
}

# Under a sanitizer the start of a process takes longer than most tests, so that each process runs a share of them, once.
run_shares() {
  shares=$((jobs * 2))
  total=0 failed=0 skipped=0 share=0
  pids=""
  while [ "$share" -lt "$shares" ]; do
    GTEST_TOTAL_SHARDS=$shares GTEST_SHARD_INDEX=$share timeout 1200 "$build/tests/winadmit_tests" \
      --gtest_output="xml:$results.$share.xml" "$@" >"$build/test.$share.log" 2>&1 &
    pids="$pids $!"
    share=$((share + 1))
  done
  share=0
  for pid in $pids; do
    status=0
    wait "$pid" || status=$?
    xml=$results.$share.xml
    if [ "$status" -ne 0 ]; then grep -Ev '^\[(-+| RUN  +|  +OK) \]' "$build/test.$share.log" || true; fi
    if [ -f "$xml" ]; then
      total=$((total + $(attribute tests "$xml")))
      failed=$((failed + $(attribute failures "$xml")))
      skipped=$((skipped + $(grep -c 'result="skipped"' "$xml" || true)))
    else # it has ended early
      total=$((total + 1))
      failed=$((failed + 1))
    fi
    share=$((share + 1))
  done
}

if [ "$preset" = release ]; then run_each; else run_shares "$@"; fi
if [ "${total:-0}" -eq 0 ]; then
  echo "0 passed, 0 failed"
  exit 2
fi
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$((total - failed - skipped)) passed, $failed failed"
[ "$failed" -eq 0 ]
