#!/bin/sh
# tests/fuzz/run.sh [SECONDS]: fuzzes the handler from the captured reviews on; 60 seconds unless told.
# The last line is "1 passed, 0 failed", or the other way round; what failed is in build/fuzz/.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}

test -f build/fuzz/build.ninja || cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target winadmit_fuzz -j "${JOBS:-$(nproc)}"
corpus=build/fuzz/corpus
mkdir -p "$corpus"
if build/fuzz/tests/fuzz/winadmit_fuzz -max_total_time="$seconds" -timeout=10 -max_len=65536 \
  -dict=tests/fuzz/review.dict -artifact_prefix=build/fuzz/ -print_final_stats=1 \
  "$corpus" tests/data/reviews/windows tests/data/reviews/linux tests/data/reviews/kinds; then
  echo "1 passed, 0 failed"
else
  echo "0 passed, 1 failed"
  exit 1
fi
