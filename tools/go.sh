#!/usr/bin/env bash
# Prints the folder of a Go that is new enough for the test cluster and the benchmarks:
#   PATH="$(tools/go.sh):$PATH"
# Debian 12 has Go 1.19, Debian 13 has 1.24. If there is no newer one, it is built once, into the cache, from the sources in
# Go's own toolchain modules, which Go's checksum database verifies. Each release builds the next one that it can. This takes
# about ten minutes on two cores. Progress goes to stderr.
set -euo pipefail

wanted=1.26
chain="1.21.13 1.23.12 1.25.5 1.26.0" # the first one that 1.19 can build, up to the one that is wanted
cache=${WINADMIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/winadmit}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

log() { echo "go: $*" >&2; }

new_enough() { # the program go
  local version
  version=$(GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return 1
  [ "$(printf '%s\n' "go$wanted" "$version" | sort -V | head -n 1)" = "go$wanted" ]
}

if command -v go >/dev/null && new_enough go; then
  dirname "$(command -v go)"
  exit 0
fi
to=$cache/go-${chain##* }-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)

finish_if_built() {
  if [ -x "$to/bin/go" ]; then
    echo "$to/bin"
    exit 0
  fi
}

finish_if_built

"$here/setup.sh" go >&2
mkdir -p "$cache"
exec 9>"$cache/go.lock"
flock 9
finish_if_built # another run may have done it meanwhile
work=$(mktemp -d "$cache/go-build.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# Debian's Go, not one on the PATH that may be too old or too new for the chain.
boot=/usr/lib/go
platform=$("$boot/bin/go" env GOOS)-$("$boot/bin/go" env GOARCH)
(cd "$work" && printf 'module build\n\ngo 1.19\n' >go.mod)
for version in $chain; do
  started=$SECONDS
  log "$version: building from source (a chain of $(wc -w <<<"$chain") releases, once per machine) ..."
  root=$work/$version
  module=$(cd "$work" && "$boot/bin/go" mod download -json "golang.org/toolchain@v0.0.1-go$version.$platform" |
    sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  cp -r "$module" "$root"
  chmod -R u+w "$root"
  # Run no binary that was compiled elsewhere. A module cannot contain a go.mod of another, so those are stored as _go.mod.
  rm -rf "${root:?}/bin" "$root/pkg/tool"
  find "$root" -name _go.mod -execdir mv {} go.mod \;
  (cd "$root/src" && GOROOT_BOOTSTRAP=$boot GOTOOLCHAIN=local bash make.bash) >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
  }
  log "$version: built in $((SECONDS - started)) s"
  boot=$root
done
mv -T "$boot" "$to"
echo "$to/bin"
