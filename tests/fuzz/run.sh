#!/bin/sh
# tests/fuzz/run.sh [SECONDS]: replays the seeds and what was found, then fuzzes every target for an
# equal part of SECONDS; 60 altogether unless told. The last line is "N passed, N failed"; inputs
# that failed are in build/fuzz/, named after their target.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
targets="connection request review config certs"
data=tests/data
seeds=build/fuzz/seeds

test -f build/fuzz/build.ninja || cmake --preset fuzz >/dev/null
# shellcheck disable=SC2046,SC2086 # lists of words
cmake --build build/fuzz -j "${JOBS:-$(nproc)}" --target $(printf '%s_fuzz ' $targets)

# Keys are made here: none is kept with the sources.
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
  "build/fuzz/tests/fuzz/${name}_fuzz" -max_total_time=$((seconds / 5)) -timeout=10 \
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
    certs) set -- 16384 "$seeds/certs" ;;
  esac
  if fuzz "$target" "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
