#!/bin/sh
# Runs the fuzz targets: tests/fuzz/run.sh [SECONDS]. Each replays its seeds and its corpus, and then
# runs for an equal part of SECONDS (default 60). One target alone: build/asan/tests/fuzz/review_fuzz.
# Inputs that fail are written to build/fuzz/TARGET-*. The last line is "N passed, N failed".
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
targets="connection request review config certs manifest output"
data=tests/data
seeds=build/fuzz/seeds

test -f build/asan/build.ninja || cmake --preset asan >/dev/null
# shellcheck disable=SC2046,SC2086 # lists of words
cmake --build build/asan -j "${JOBS:-$(nproc)}" --target $(printf '%s_fuzz ' $targets)

# Private keys are generated here, so that none is in the repository.
make_certificates() {
  mkdir -p "$seeds/certs"
  for key in ec:prime256v1 rsa:2048 ed25519; do
    name=$seeds/certs/${key%:*}
    case $key in
      ec:*) set -- -newkey ec -pkeyopt "ec_paramgen_curve:${key#*:}" ;;
      *) set -- -newkey "$key" ;;
    esac
    openssl req -x509 -nodes "$@" -subj "/CN=$key" -days 9999 -keyout "$name.key" -out "$name.crt" \
      -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -addext extendedKeyUsage=serverAuth 2>/dev/null
    openssl x509 -in "$name.crt" -outform DER -out "$name.der"
    cat "$name.crt" "$name.key" >"$name.pem"
  done
  rm -f "$seeds"/certs/*.crt "$seeds"/certs/*.key
}
test -d "$seeds/certs" || make_certificates

# fuzz TARGET LARGEST_INPUT [OPTION OR SEEDS]...
fuzz() {
  name=$1
  size=$2
  shift 2
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  [ ! -d "$data/fuzz/$name" ] || set -- "$@" "$data/fuzz/$name"
  echo "--- $name"
  "build/asan/tests/fuzz/${name}_fuzz" -max_total_time=$((seconds / 7)) -timeout=10 \
    -max_len="$size" -artifact_prefix="build/fuzz/$name-" -print_final_stats=1 "$corpus" "$@"
}

passed=0
failed=0
for target in $targets; do
  case $target in
    connection) set -- 4096 -dict=tests/fuzz/http.dict "$data/http" ;;
    request) set -- 16384 -dict=tests/fuzz/http.dict "$data/http" ;;
    review) set -- 65536 -dict=tests/fuzz/review.dict \
      "$data/reviews/windows" "$data/reviews/linux" "$data/reviews/kinds" ;;
    config) set -- 8192 -dict=tests/fuzz/config.dict "$data/config" ;;
    manifest) set -- 16384 -dict=tests/fuzz/manifest.dict "$data/fix" "$data/check" "$data/yaml" ;;
    output) set -- 4096 -dict=tests/fuzz/output.dict "$data/check" ;;
    certs) set -- 16384 "$seeds/certs" ;;
  esac
  if fuzz "$target" "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
