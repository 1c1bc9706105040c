#!/bin/sh
# Builds the programs of `make bench` into build/bench: the load generator, the floors, the Go peers, and the Rust peer if
# cargo is new enough. With the argument "micro" it builds the programs of bench-micro and bench-budget instead.
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/build/bench
mkdir -p "$out"

cmake --preset release -DWINADMIT_BENCH=ON >/dev/null
if [ "${1:-}" = micro ]; then
  exec cmake --build --preset release --target winadmit bench_micro bench_repeat bench_worst
fi
cmake --build --preset release --target winadmit bench_load bench_floor bench_yaml_events
for program in bench_load bench_floor bench_yaml_events; do
  ln -sf "$PWD/build/release/tests/bench/$program" "$out"
done

PATH="$(tools/go.sh):$PATH"
build_go() { # FOLDER PACKAGE PROGRAM; without -trimpath, because endtoend finds the checkout by its source paths
  (cd "tests/bench/$1" && CGO_ENABLED=0 go build -ldflags "-s -w" -o "$out/$3" "$2")
}
build_go peers/controller-runtime . controller-runtime
build_go peers/pod-security . pod-security
build_go peers/opa github.com/open-policy-agent/opa opa
build_go peers/kubeconform github.com/yannh/kubeconform/cmd/kubeconform kubeconform
newest=$(printf '%s\n' tests/e2e/tools/kubernetes-* | sort -V | tail -n 1)
kubernetes=$(cd "$newest" && go mod download k8s.io/kubernetes && go list -m -f '{{.Dir}}' k8s.io/kubernetes)
tests/bench/peers/kubeconform/schemas.py "$kubernetes/api/openapi-spec/swagger.json" "$out/schemas"
build_go endtoend . endtoend

build_rust() {
  manifest=tests/bench/peers/rust/Cargo.toml
  wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$manifest")
  rm -f "$out/rust-peer"
  have=$(cargo --version 2>/dev/null | cut -d ' ' -f 2) || have=""
  if [ -z "$have" ] || [ "$(printf '%s\n' "$wanted" "$have" | sort -V | head -n 1)" != "$wanted" ]; then
    echo "bench: skipping the Rust peer: it needs cargo $wanted or newer" >&2
    return
  fi
  cargo build --quiet --release --locked --manifest-path "$manifest" --target-dir "$out/rust"
  ln -sf "$out/rust/release/rust-peer" "$out/rust-peer"
}
build_rust
