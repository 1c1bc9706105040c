#!/usr/bin/env bash
# Builds the programs of the e2e tests (the control plane, KWOK, Helm) from the Go modules pinned under tools/, into a
# cache outside the checkout. Prints "NAME PATH" for each program; progress goes to stderr. Arguments select programs by
# name; the default is all.
#
#   K8S_VERSION         the Kubernetes minor: a tools/kubernetes-* folder (default: the newest)
#   KUBEBUILDER_ASSETS  a folder with prebuilt programs (the envtest convention), which are preferred
#   WINADMIT_CACHE      the cache (default ${XDG_CACHE_HOME:-~/.cache}/winadmit)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
newest=$(cd "$here/tools" && printf '%s\n' kubernetes-* | sort -V | tail -n 1)
minor=${K8S_VERSION:-${newest#kubernetes-}}
cache=${WINADMIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/winadmit}

# Name, module folder, module path, package.
programs="
etcd                     etcd               go.etcd.io/etcd/server/v3  go.etcd.io/etcd/server/v3
kube-apiserver           kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kube-apiserver
kube-controller-manager  kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kube-controller-manager
kube-scheduler           kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kube-scheduler
kubectl                  kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kubectl
kwok                     kwok               sigs.k8s.io/kwok           sigs.k8s.io/kwok/cmd/kwok
helm                     helm               helm.sh/helm/v3            helm.sh/helm/v3/cmd/helm
"
# Built only on request: the last cert-manager controller that is a package of its main module, and a newer cainjector.
[ $# -eq 0 ] || programs+="
cert-manager-controller  cert-manager  github.com/cert-manager/cert-manager  github.com/cert-manager/cert-manager/cmd/controller
cert-manager-cainjector  cainjector    github.com/cert-manager/cert-manager  .
"

say() { echo "build-tools: $*" >&2; }
die() { say "$*"; exit 2; }

[ -d "$here/tools/kubernetes-$minor" ] ||
  die "no tools/kubernetes-$minor; K8S_VERSION is one of: $(cd "$here/tools" && echo kubernetes-* | sed 's/kubernetes-//g')"

# The version that a module folder pins. It does not call go: with a filled cache no compiler is needed.
pinned() { awk -v module="$2" '$1 == "require" && $2 == module { print $3 }' "$here/tools/$1/go.mod"; }

build() { # name, module folder, version, package, destination
  local name=$1 folder=$2 version=$3 package=$4 to=$5 flags="-s -w" started=$SECONDS
  if [[ $folder == kubernetes-* ]]; then
    # Without these the server reports v0.0.0, which clients reject.
    local stamp=k8s.io/component-base/version
    flags+=" -X $stamp.gitVersion=$version -X $stamp.gitMajor=1 -X $stamp.gitMinor=${minor#1.}"
  fi
  PATH="$("$here/../../tools/go.sh"):$PATH"
  say "$name $version: building (takes minutes, once per machine) ..."
  mkdir -p "$(dirname "$to")"
  # Two compilers at a time, with a low priority: the machine must stay usable.
  (cd "$here/tools/$folder" &&
    CGO_ENABLED=0 nice -n 10 go build -p 2 -trimpath -ldflags "$flags" -o "$to.part" "$package") >&2
  mv "$to.part" "$to"
  say "$name $version: built in $((SECONDS - started)) s"
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock --nonblock 9 || { say "another build holds $cache/lock; waiting for it ..."; flock 9; }

while read -r name folder module package; do
  [ -n "$name" ] || continue
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  if [ -x "${KUBEBUILDER_ASSETS:-/nonexistent}/$name" ]; then
    path=$KUBEBUILDER_ASSETS/$name
  else
    version=$(pinned "$folder" "$module")
    path=$cache/${folder%-1.*}-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)/$name
    [ -x "$path" ] || build "$name" "$folder" "$version" "$package" "$path"
  fi
  echo "$name $path"
done <<<"$programs"
