#!/usr/bin/env bash
# Builds the image and the chart of the last release (previous-release), once per machine, into the cache outside the checkout.
# Prints the folder: it has winadmit.oci.tar and chart/. Exits with 3 if this checkout lacks the commit, as a shallow clone does.
#
#   WINADMIT_CACHE  the cache (default ${XDG_CACHE_HOME:-~/.cache}/winadmit)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
cache=${WINADMIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/winadmit}

say() { echo "build-previous: $*" >&2; }

name=$(grep -v '^#' "$here/previous-release")
if ! commit=$(git -C "$root" rev-parse --quiet --verify "$name^{commit}"); then
  say "the commit $name of the last release is not in this checkout: git fetch --unshallow --tags"
  exit 3
fi
to=$cache/release-$commit
mkdir -p "$cache"
exec 9>"$to.lock"
flock 9
if [ ! -f "$to/winadmit.oci.tar" ]; then
  started=$SECONDS
  say "building $name: some minutes, once per machine ..."
  rm -rf "$to.part"
  mkdir -p "$to.part/source"
  git -C "$root" archive "$commit" | tar -x -C "$to.part/source"
  (cd "$to.part/source" &&
    tools/setup.sh build image && # of that release: it may need packages that this one does not
    cmake --preset release -DWINADMIT_TESTS=OFF &&
    nice -n 10 cmake --build --preset release -j 2 --target winadmit &&
    deploy/image/build.py --binary build/release/winadmit --version previous --output "$to.part") >&2
  mv "$to.part/source/deploy/helm/winadmit" "$to.part/chart"
  rm -rf "$to.part/source" "$to"
  mv "$to.part" "$to"
  say "$name: built in $((SECONDS - started)) s"
fi
echo "$to"
