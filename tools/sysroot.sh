#!/bin/sh
# Unpacks the libraries that winadmit is built from, as Debian has them for another architecture, into a folder for a cross
# compiler: tools/sysroot.sh arm64 build/sysroot/arm64
#
# Debian's own multiarch installation does not do: libsimdjson-dev exists once per machine. apt chooses and
# verifies the packages, from the sources of this machine. No script of a package runs, and root is not needed. The folder has
# a dpkg database (dpkg-query --admindir=FOLDER/var/lib/dpkg), with the SHA-256 of each package. A folder that is complete is
# kept; remove it to get newer packages.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
architecture=$1
target=$2

wanted="$("$here/setup.sh" --list libraries) libstdc++-$(gcc -dumpversion)-dev"
stamp=$target/.complete
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then exit 0; fi

echo "Unpacking the $architecture packages of the libraries into $target"
rm -rf "$target"
mkdir -p "$target"
target=$(cd "$target" && pwd)
work=$target/.apt
dpkg=$target/var/lib/dpkg
mkdir -p "$work/lists/partial" "$work/archives/partial" "$dpkg/info" "$dpkg/updates"
: >"$dpkg/status"
# A merged /usr, which the packages of Debian 13 expect.
mkdir -p "$target/usr/lib"
ln -s usr/lib "$target/lib"

# Like the apt of this machine, for one other architecture, and with no package installed.
cat >"$work/apt.conf" <<CONF
#clear APT::Architectures;
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
Dir::State "$work";
Dir::State::status "$dpkg/status";
Dir::Cache "$work";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
CONF
export APT_CONFIG="$work/apt.conf"
# shellcheck disable=SC2086 # a list of words
if ! { apt-get update -qq && apt-get install -qq -y --download-only --no-install-recommends $wanted; } >"$work/log" 2>&1; then
  cat "$work/log" >&2
  exit 1
fi

for package in "$work"/archives/*.deb; do
  name=$(dpkg-deb --field "$package" Package)
  dpkg-deb --fsys-tarfile "$package" | tar -x --no-same-owner --keep-directory-symlink -C "$target"
  # What dpkg would record. Multi-Arch is left out: with it, the lists would need the architecture in their names.
  dpkg-deb --fsys-tarfile "$package" | tar -t | sed -e 's,^\.,,' -e 's,\(.\)/$,\1,' -e 's,^/$,/.,' >"$dpkg/info/$name.list"
  {
    dpkg-deb --field "$package" | sed -e '/^Multi-Arch:/d' -e '1a Status: install ok installed'
    echo "SHA256: $(sha256sum "$package" | cut -d ' ' -f 1)"
    echo
  } >>"$dpkg/status"
done
rm -rf "$work"
echo "$wanted" >"$stamp"
