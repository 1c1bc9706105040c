#!/bin/bash
# tests/run.sh PRESET [ARGUMENTS]: builds a preset of CMakePresets.json and runs its tests. ARGUMENTS are for the test programs,
# such as --gtest_filter='Target*'. A test that fails is run again only if tests/flaky.txt lists it. The last line is
# "N passed, N failed". Exits with 0 if no test failed, with 2 if there was no test to run.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
shares=$((${JOBS:-$(nproc)} * 2)) # many tests wait for something
build=build/$preset
total=0
failed=0
skipped=0
late=0
pids=()
trap '[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

if [ ! -f "$build/build.ninja" ]; then
  echo "Configuring $build"
  cmake --preset "$preset" >/dev/null
fi
cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}"
rm -f "$build"/tests/*_tests.*.xml

# attribute NAME FILE: the number of the first element that has it, 0 if there is none.
attribute() {
  local number
  number=$(sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p;T;q" "$2")
  echo "${number:-0}"
}

# count_share PROGRAM SHARE STATUS: adds the results of a process.
count_share() {
  local xml=$1.$2.xml log=$1.$2.log tests=1 failures=1
  if grep -q '</testsuites>' "$xml" 2>/dev/null; then
    tests=$(attribute tests "$xml")
    failures=$(attribute failures "$xml")
    skipped=$((skipped + $(grep -c 'result="skipped"' "$xml" || true)))
    again+=" $(sed -n 's/^\[  FAILED  \] \([^ ,]*\).* ([0-9]* ms)$/\1/p' "$log" | grep -Fxf <(sed 's/ *#.*//' tests/flaky.txt) || true)"
    # A sanitizer may report something that no test notices: a race, or a leak at the end.
    if [ "$3" -ne $((failures > 0)) ]; then
      tests=$((tests + 1))
      failures=$((failures + 1))
    fi
  else
    echo "the tests ended early, in $(grep '^\[ RUN ' "$log" | tail -n 1)"
  fi
  [ "$failures" -eq 0 ] || grep -Ev '^\[(-+| RUN  +|  +OK) \]' "$log" || true
  total=$((total + tests))
  failed=$((failed + failures))
}

# Each process runs a share of the tests: starting one takes longer than most tests.
for program in "$build"/tests/*_tests; do
  pids=()
  again=
  for ((share = 0; share < shares; share++)); do
    GTEST_TOTAL_SHARDS=$shares GTEST_SHARD_INDEX=$share timeout --kill-after=30 1200 "$program" \
      --gtest_output="xml:$program.$share.xml" "$@" >"$program.$share.log" 2>&1 &
    pids+=($!)
  done
  for ((share = 0; share < shares; share++)); do
    status=0
    wait "${pids[$share]}" || status=$?
    count_share "$program" "$share" "$status"
  done
  for name in $again; do
    timeout 300 "$program" --gtest_filter="$name" || continue
    late=$((late + 1))
    failed=$((failed - 1))
  done
done
if [ "$total" -eq 0 ]; then
  echo "0 passed, 0 failed"
  exit 2
fi
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
[ "$late" -eq 0 ] || echo "$late of the flaky tests passed at the second try"
echo "$((total - failed - skipped)) passed, $failed failed"
[ "$failed" -eq 0 ]
