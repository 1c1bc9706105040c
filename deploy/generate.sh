#!/bin/sh
# Writes the generated files of deploy/: webhook configurations and kustomize components from the binary, copies of the alerts and the
# dashboard, and the schema and the README of the chart from its values.yaml.
#   deploy/generate.sh           run it after a change of the export, of alerts.yaml, of dashboard.json or of values.yaml
#   deploy/generate.sh --check   prints a diff and fails if a generated file is out of date
set -eu
cd "$(dirname "$0")"
winadmit=${WINADMIT:-../build/release/winadmit}
reference=$(dirname "$winadmit")/winadmit_reference
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
mkdir -p "$new/kustomize" "$new/helm/winadmit/files" "$new/observability"

mark='# Written by deploy/generate.sh; do not edit.'
kustomize/generate.py "$winadmit" "$new/kustomize"
helm/generate.py "$winadmit" "$new/helm/winadmit/files"
"$reference" config-schema >"$new/helm/winadmit/files/config.schema.json"
"$reference" platforms >"$new/helm/winadmit/files/platforms.json"
sed '/^---$/,$d' kustomize/base/namespace-labels.yaml >"$new/helm/winadmit/files/namespace-labels.yaml"
sed '/^---$/,$d' kustomize/components/restrict-labels/policy.yaml >"$new/helm/winadmit/files/restrict-labels.yaml"
cp observability/alerts.yaml observability/alerts-policies.yaml observability/dashboard.json "$new/helm/winadmit/files/"
{
  echo "$mark"
  printf 'apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\n'
  printf 'metadata:\n  name: winadmit\n  namespace: winadmit-system\nspec:\n'
  sed 's/^\(.\)/  \1/' observability/alerts.yaml
} >"$new/observability/prometheus-rule.yaml"
chart=$new/helm/winadmit
config=$chart/files/config.schema.json
helm/chart_docs.py schema helm/winadmit/values.yaml "$config" >"$chart/values.schema.json"
helm/chart_docs.py readme helm/winadmit/values.yaml helm/winadmit/README.md >"$chart/README.md"

if [ "${1:-}" != --check ]; then
  cp -r "$new/." .
  exit
fi
status=0
for folder in kustomize helm observability; do
  for file in $(cd "$new" && find "$folder" -type f); do
    diff -u "$file" "$new/$file" || status=1
  done
done
exit $status
