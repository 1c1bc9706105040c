#!/bin/sh
# Writes the generated files of deploy/: webhook configurations from the binary, copies of the alerts and the dashboard.
#   deploy/generate.sh           run it after a change of the export, of alerts.yaml or of dashboard.json
#   deploy/generate.sh --check   prints a diff and fails if a generated file is out of date
set -eu
cd "$(dirname "$0")"
winadmit=${WINADMIT:-../build/release/winadmit}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
mkdir -p "$new/kustomize/base" "$new/helm/winadmit/files/webhooks" "$new/observability"

mark='# Written by deploy/generate.sh; do not edit.'
{
  echo "$mark"
  "$winadmit" export webhook --output yaml
} >"$new/kustomize/base/webhooks.yaml"
platforms=$("$winadmit" export webhook --help | sed -n 's/^ *--platform \([a-z0-9|]*\).*/\1/p' | tr '|' ' ')
[ -n "$platforms" ]
for platform in $platforms; do
  "$winadmit" export webhook --platform "$platform" --output json >"$new/helm/winadmit/files/webhooks/$platform.json"
done
cp observability/alerts.yaml observability/dashboard.json "$new/helm/winadmit/files/"
{
  echo "$mark"
  printf 'apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\n'
  printf 'metadata:\n  name: winadmit\n  namespace: winadmit-system\nspec:\n'
  sed 's/^\(.\)/  \1/' observability/alerts.yaml
} >"$new/observability/prometheus-rule.yaml"

if [ "${1:-}" != --check ]; then
  cp -r "$new/." .
  exit
fi
cd "$new"
find . -type f | while read -r file; do
  diff -u "$OLDPWD/$file" "$file"
done
