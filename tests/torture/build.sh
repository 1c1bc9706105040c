#!/bin/sh
# Builds the well-behaved client: build/torture/client.
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/build/torture
mkdir -p "$out"
PATH="$(tools/go.sh):$PATH"
cd tests/torture/client
CGO_ENABLED=0 go build -o "$out/client" .
