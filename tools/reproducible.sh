#!/bin/sh
# Builds the last commit twice, in two folders of different names, and compares the bytes:
# tools/reproducible.sh [TARGET]. The last line is "N passed, N failed".
set -eu
cd "$(dirname "$0")/.."

target=${1:-winadmit}
jobs=${JOBS:-$(nproc)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build() { # folder
  mkdir -p "$scratch/$1"
  git archive HEAD | tar -x -C "$scratch/$1"
  (cd "$scratch/$1" && export CCACHE_DISABLE=1 &&
    cmake --preset release -DWINADMIT_TESTS=OFF >/dev/null &&
    cmake --build --preset release -j "$jobs" --target "$target" >/dev/null)
}
digests() { # folder
  (cd "$scratch/$1/build/release" &&
    find . -type f \( -name '*.o' -o -name '*.a' -o -name winadmit \) -exec sha256sum {} + | sort -k 2)
}

build one
build another/place
digests one >"$scratch/first"
digests another/place >"$scratch/second"
if diff "$scratch/first" "$scratch/second"; then
  echo "$(wc -l <"$scratch/first") files, each the same in both builds"
  echo "1 passed, 0 failed"
else
  echo "0 passed, 1 failed"
  exit 1
fi
