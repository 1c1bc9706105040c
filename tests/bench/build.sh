#!/bin/sh
# Builds all that `make bench` drives into build/bench: the load generator, the floor, the Go peers.
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/build/bench
mkdir -p "$out"

cmake --preset release -DWINADMIT_BENCH=ON >/dev/null
cmake --build --preset release --target winadmit bench_load bench_floor
ln -sf "$PWD/build/release/tests/bench/bench_load" "$PWD/build/release/tests/bench/bench_floor" "$out"

if ! command -v go >/dev/null; then
  echo "bench: no go on this machine: controller-runtime, pod-security-admission and OPA are left out" >&2
  exit 0
fi
build_go() {  # folder, package, program
  (cd "tests/bench/peers/$1" && CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags "-s -w" -o "$out/$3" "$2")
}
build_go controller-runtime . controller-runtime
build_go pod-security . pod-security
build_go opa github.com/open-policy-agent/opa opa
