#!/bin/bash
# tests/run.sh PRESET [ARGUMENTS]: builds a preset of CMakePresets.json and runs its tests. ARGUMENTS are for ctest, or with a
# sanitized preset for the test binary. The last line is "N passed, N failed". Exits with 0 if no test failed, with 2 if there
# was no test to run.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
jobs=${JOBS:-$(nproc)}
build=build/$preset
results=$(pwd)/$build/test-results
total=0
failed=0
skipped=0
pids=()
trap '[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

if [ ! -f "$build/build.ninja" ]; then
  echo "Configuring $build"
  cmake --preset "$preset" >/dev/null
fi
cmake --build --preset "$preset" -j "$jobs"
rm -f "$results"*.xml

# attribute NAME FILE: the number of the first element that has it, 0 if there is none. ctest writes an attribute a line.
attribute() {
  local number
  number=$(sed -n "s/\(.* \|^\t*\)$1=\"\([0-9]*\)\".*/\2/p;T;q" "$2")
  echo "${number:-0}"
}

# A process for each test. On a busy machine a test that waits for something can be late: it gets one more try, and a line
# says so.
run_each() {
  local log=$build/test.log late
  { ctest --preset "$preset" -j "$jobs" --repeat until-pass:2 --output-junit "$results.xml" "$@" || true; } 2>&1 | tee "$log"
  total=$(attribute tests "$results.xml")
  failed=$(attribute failures "$results.xml")
  skipped=$(attribute skipped "$results.xml")
  late=$(($(grep -Ec 'Test +#[0-9]+: .*\*\*\*(Failed|Timeout|Exception)' "$log" || true) - 2 * failed))
  [ "$late" -le 0 ] || echo "$late passed at the second try"
}

# count_share NUMBER STATUS: adds the results of a process.
count_share() {
  local xml=$results.$1.xml log=$build/test.$1.log share_failed=0
  if grep -q '</testsuites>' "$xml" 2>/dev/null; then
    share_failed=$(attribute failures "$xml")
    total=$((total + $(attribute tests "$xml")))
    skipped=$((skipped + $(grep -c 'result="skipped"' "$xml" || true)))
  else
    echo "the tests ended early, in $(grep '^\[ RUN ' "$log" | tail -n 1)"
  fi
  # A sanitizer may report something that no test notices: a race, or a leak at the end.
  if [ "$2" -ne 0 ]; then
    grep -Ev '^\[(-+| RUN  +|  +OK) \]' "$log" || true
    if [ "$share_failed" -eq 0 ]; then
      share_failed=1
      total=$((total + 1))
    fi
  fi
  failed=$((failed + share_failed))
}

# Under a sanitizer the start of a process takes longer than most tests, so each process runs a share of them, once.
run_shares() {
  local shares=$((jobs * 2)) share status
  for ((share = 0; share < shares; share++)); do
    GTEST_TOTAL_SHARDS=$shares GTEST_SHARD_INDEX=$share timeout --kill-after=30 1200 "$build/tests/winadmit_tests" \
      --gtest_output="xml:$results.$share.xml" "$@" >"$build/test.$share.log" 2>&1 &
    pids+=($!)
  done
  for ((share = 0; share < shares; share++)); do
    status=0
    wait "${pids[$share]}" || status=$?
    count_share "$share" "$status"
  done
}

if [ "$preset" = release ]; then run_each "$@"; else run_shares "$@"; fi
if [ "$total" -eq 0 ]; then
  echo "0 passed, 0 failed"
  exit 2
fi
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$((total - failed - skipped)) passed, $failed failed"
[ "$failed" -eq 0 ]
