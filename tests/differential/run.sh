#!/bin/sh
# Compares how winadmit and Go's net/http server frame the same requests, see http/main.go. Arguments are passed to the
# program: tests/differential/run.sh -mutations 100000 -seed 2. Ends with "N passed, N failed".
set -eu
cd "$(dirname "$0")/../.."
PATH="$(tools/go.sh):$PATH"
(cd tests/differential/http && go test . >&2 && go build -o ../../../build/differential/http .)
exec build/differential/http "$@"
