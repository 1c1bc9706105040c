#!/bin/sh
# Prints the manifest of the kubectl plugin for https://krew.sigs.k8s.io: ci/krew/manifest.sh VERSION URL FOLDER
# FOLDER has kubectl-winadmit-linux-ARCH.tar.gz for each architecture, as make release writes them, and URL is where they will
# be downloaded from.
set -eu
version=${1#v} url=$2 folder=$3
set -- "$folder"/kubectl-winadmit-linux-*.tar.gz
if [ ! -e "$1" ]; then
  echo "no kubectl-winadmit-linux-ARCH.tar.gz in $folder" >&2
  exit 1
fi
cat <<MANIFEST
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: winadmit
spec:
  version: v$version
  shortDescription: Check and fix manifests of Windows pods
  description: |
    Finds in manifests, with file and line, what Windows pods cannot use, says what to do instead, and adds the placement
    on Windows nodes: kubectl winadmit check -f pod.yaml
  platforms:
MANIFEST
for archive; do
  arch=${archive##*-linux-}
  arch=${arch%.tar.gz}
  cat <<PLATFORM
    - selector:
        matchLabels: {os: linux, arch: $arch}
      uri: $url/${archive##*/}
      sha256: $(sha256sum "$archive" | cut -d ' ' -f 1)
      bin: kubectl-winadmit
PLATFORM
done
