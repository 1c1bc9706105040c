#!/bin/sh
# Compiles winadmit for an architecture, with the preset that the image is built from, and prints the build directory:
# deploy/image/compile.sh arm64. Installs what a cross build needs.
set -eu
cd "$(dirname "$0")/../.."

preset=release
if [ "$1" != "$(dpkg --print-architecture)" ]; then
  preset=release-$1
  { tools/setup.sh "$1" && tools/sysroot.sh "$1" "build/sysroot/$1"; } >&2
fi
echo "Building build/$preset/winadmit" >&2
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}" --target winadmit >&2
echo "build/$preset"
