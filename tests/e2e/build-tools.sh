#!/usr/bin/env bash
# Builds the programs that the e2e tests run - the control plane, KWOK and Helm - from the Go modules
# pinned under tools/, each once, into a cache outside the checkout. Prints one "NAME PATH" line a
# program on stdout; progress goes to stderr. Arguments are the names of those wanted; none means all.
#
#   K8S_VERSION         the Kubernetes minor: a tools/kubernetes-* folder (default 1.36)
#   KUBEBUILDER_ASSETS  a folder of programs that you have already (the envtest convention): used first
#   WINADMIT_CACHE      where the built ones live (default ${XDG_CACHE_HOME:-~/.cache}/winadmit)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
minor=${K8S_VERSION:-1.36}
cache=${WINADMIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/winadmit}

# name, module folder, module path, package: in the order in which a waiting person wants them.
programs="
etcd                     etcd               go.etcd.io/etcd/server/v3  go.etcd.io/etcd/server/v3
kube-apiserver           kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kube-apiserver
kube-controller-manager  kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kube-controller-manager
kube-scheduler           kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kube-scheduler
kubectl                  kubernetes-$minor  k8s.io/kubernetes          k8s.io/kubernetes/cmd/kubectl
kwok                     kwok               sigs.k8s.io/kwok           sigs.k8s.io/kwok/cmd/kwok
helm                     helm               helm.sh/helm/v3            helm.sh/helm/v3/cmd/helm
"
# Only where they are asked for. The last controller that is a package of its main module; a newer cainjector.
[ $# -eq 0 ] || programs+="
cert-manager-controller  cert-manager  github.com/cert-manager/cert-manager  github.com/cert-manager/cert-manager/cmd/controller
cert-manager-cainjector  cainjector    github.com/cert-manager/cert-manager  .
"

say() { echo "build-tools: $*" >&2; }
die() { say "$*"; exit 2; }

[ -d "$here/tools/kubernetes-$minor" ] ||
  die "no tools/kubernetes-$minor; K8S_VERSION is one of: $(cd "$here/tools" && echo kubernetes-* | sed 's/kubernetes-//g')"

# The version that a module folder pins, without asking go for it: a filled cache needs no compiler.
pinned() { awk -v module="$2" '$1 == "require" && $2 == module { print $3 }' "$here/tools/$1/go.mod"; }

build() { # name, module folder, version, package, destination
  local name=$1 folder=$2 version=$3 package=$4 to=$5 flags="-s -w" started=$SECONDS
  if [[ $folder == kubernetes-* ]]; then
    # Without these the server calls itself v0.0.0, and clients complain.
    local stamp=k8s.io/component-base/version
    flags+=" -X $stamp.gitVersion=$version -X $stamp.gitMajor=1 -X $stamp.gitMinor=${minor#1.}"
  fi
  PATH="$("$here/../../tools/go.sh"):$PATH"
  say "$name $version: building (minutes for a control plane, once a machine) ..."
  mkdir -p "$(dirname "$to")"
  # Two compilers at a time and niced: a build must not take the machine from whoever works on it.
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
