#!/bin/sh
# Installs the Debian packages that are missing, by group: tools/setup.sh build lint ...
# Knows Debian 12 and 13. Prints nothing if no package is missing. With --list it prints the packages, and installs nothing.
set -eu

boost() { # Debian 12 has 1.74 by default, which is too old
  if grep -q '^VERSION_ID="12"' /etc/os-release; then echo libboost1.81-dev; else echo libboost-dev; fi
}

packages_of() {
  case "$1" in
    libraries) echo "$(boost) libssl-dev nlohmann-json3-dev libfmt-dev libspdlog-dev prometheus-cpp-dev libsimdjson-dev" \
      "libyaml-dev libcli11-dev" ;;
    build) echo "g++ cmake ninja-build make ccache libgtest-dev $(packages_of libraries)" ;;
    test) echo "python3 curl openssl zsh fish git patch" ;;
    rootfs) echo "python3 binutils git ninja-build" ;;
    image) echo "$(packages_of rootfs) buildah skopeo" ;;
    arm64) echo "g++-aarch64-linux-gnu" ;; # on another architecture
    arm64-test) echo "qemu-user" ;;
    deploy) echo "python3-yaml prometheus shellcheck buildah git iproute2 util-linux" ;;
    gameday) echo "jq" ;;
    registry) echo "docker-registry skopeo" ;;
    go) echo "golang-go ca-certificates" ;;
    bench) echo "nginx-light openssl util-linux python3 python3-yaml time libbenchmark-dev valgrind" ;;
    scan) echo "python3-venv openssl" ;;
    torture) echo "python3 openssl curl faketime iproute2 procps util-linux" ;;
    lint) echo "clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev git" ;;
    *) echo "setup.sh: no group '$1'" >&2; exit 2 ;;
  esac
}

if [ "$1" = --list ]; then
  shift
  for group in "$@"; do packages_of "$group"; done
  exit 0
fi

missing=""
for group in "$@"; do
  packages=$(packages_of "$group")
  for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      missing="$missing $package"
  done
done
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: Debian packages are missing. Install them as root:" >&2
    echo "  apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  sudo="sudo"
fi
echo "Installing Debian packages:$missing"
log=$(mktemp)
# shellcheck disable=SC2086 # lists of words
if ! { $sudo apt-get update -qq &&
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
rm -f "$log"
