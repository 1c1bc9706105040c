#!/usr/bin/env bash
# Prints the folder of a go that is new enough for the modules of the test cluster and of the benchmarks:
#   PATH="$(tools/go.sh):$PATH"
# Debian 12 has Go 1.19 only. Where there is no newer one, it is built, once, into the cache: from the
# sources in Go's own toolchain modules, which Go's checksum database vouches for; each release builds the
# next that it may. About ten minutes on two cores; progress goes to stderr.
set -euo pipefail

wanted=1.26
chain="1.21.13 1.23.12 1.25.5 1.26.0" # the first that 1.19 builds, up to the one that is wanted
cache=${WINADMIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/winadmit}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

say() { echo "go: $*" >&2; }

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
if [ -x "$to/bin/go" ]; then
  echo "$to/bin"
  exit 0
fi

"$here/setup.sh" go >&2
mkdir -p "$cache"
exec 9>"$cache/go.lock"
flock 9
work=$(mktemp -d "$cache/go-build.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# Not `go env` of a go that is on the PATH but too new for what follows, or too old: Debian's.
boot=/usr/lib/go
platform=$("$boot/bin/go" env GOOS)-$("$boot/bin/go" env GOARCH)
(cd "$work" && printf 'module build\n\ngo 1.19\n' >go.mod)
for version in $chain; do
  started=$SECONDS
  say "$version: building from source (a chain of $(wc -w <<<"$chain"), once a machine) ..."
  root=$work/$version
  module=$(cd "$work" && "$boot/bin/go" mod download -json "golang.org/toolchain@v0.0.1-go$version.$platform" |
    sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  cp -r "$module" "$root"
  chmod -R u+w "$root"
  # Nothing that was compiled elsewhere is run. Modules within a module have their go.mod under another name.
  rm -rf "${root:?}/bin" "$root/pkg/tool"
  find "$root" -name _go.mod -execdir mv {} go.mod \;
  (cd "$root/src" && GOROOT_BOOTSTRAP=$boot GOTOOLCHAIN=local bash make.bash) >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
  }
  say "$version: built in $((SECONDS - started)) s"
  boot=$root
done
mv "$boot" "$to"
echo "$to/bin"
