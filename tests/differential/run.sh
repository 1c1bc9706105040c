#!/bin/sh
# Compares winadmit with Go programs: how it frames the same requests as net/http (http/main.go), how it reads the same
# manifests as kubectl (yaml/main.go), whether `check` judges the objects of a folder that kubectl creates
# (objects/main.go), whether Pod Security still allows what `fix` has changed (pod-security/main.go), and whether the schema
# of SARIF accepts the reports of `check` (sarif/main.go). Compares the fields that `check` knows with the Go types of each
# Kubernetes release (tools/pod-api).
# Arguments are passed to the first: tests/differential/run.sh -mutations 100000 -seed 2.
# YAML_MUTATIONS is for the second, OBJECT_FOLDERS for the third. Ends with "N passed, N failed", the sum of all.
set -eu
cd "$(dirname "$0")/../.."
PATH="$(tools/go.sh):$PATH"
root=$PWD
out=$root/build/differential
mkdir -p "$out"
build=${BUILD:-build/release}
test -f "$build/build.ninja" || cmake --preset release >/dev/null
cmake --build "$build" --target winadmit yaml_driver >&2
(cd tests/differential/http && go test . >&2 && go build -o "$out/http" .)
(cd tests/differential/yaml && go vet . && go build -o "$out/yaml" .)
(cd tests/differential/objects && go vet . && go build -o "$out/objects" .)
(cd tests/differential/pod-security && go vet . && go build -o "$out/pod-security" .)
(cd tests/differential/sarif && go mod download github.com/securego/gosec/v2 && go vet . && go build -o "$out/sarif" .)

status=0
"$out/http" "$@" >"$out/http.log" || status=$?
cat "$out/http.log"
(cd tests/differential/yaml && exec "$out/yaml" -driver "$root/$build/tests/yaml_driver" -root "$root" \
  -mutations "${YAML_MUTATIONS:-100000}") >"$out/yaml.log" || status=$?
cat "$out/yaml.log"
"$out/objects" -winadmit "$root/$build/winadmit" -root "$root" -cases "${OBJECT_FOLDERS:-2500}" >"$out/objects.log" || status=$?
cat "$out/objects.log"
(cd tests/differential/pod-security && WINADMIT=$root/$build/winadmit exec "$out/pod-security") >"$out/pod-security.log" ||
  status=$?
cat "$out/pod-security.log"
(cd tests/differential/sarif && WINADMIT=$root/$build/winadmit exec "$out/sarif") >"$out/sarif.log" || status=$?
cat "$out/sarif.log"
(cd tools/pod-api && go vet . && go run . -check ../../cli/fields/pod_api.txt) >"$out/pod-api.log" || status=$?
cat "$out/pod-api.log"
cat "$out/http.log" "$out/yaml.log" "$out/objects.log" "$out/pod-security.log" "$out/sarif.log" "$out/pod-api.log" |
  awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 } END { print p " passed, " f " failed" }'
exit "$status"
