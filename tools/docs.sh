#!/bin/sh
# Writes the pages that are made from the code: tools/docs.sh [BUILD_FOLDER]; default build/release.
#   --check   fails, with a diff, if a committed page differs from what this would write
set -eu
cd "$(dirname "$0")/.."
check=
if [ "${1:-}" = --check ]; then
  check=1
  shift
fi
build=${1:-build/release}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
mkdir -p "$new/docs" "$new/policy/rules"

"$build/winadmit" rules -o markdown >"$new/policy/rules/RULES.md"
"$build/winadmit_reference" >"$new/docs/reference.md"
tools/refusal_svg.py "$build/winadmit" >"$new/docs/refusal.svg"

if [ -z "$check" ]; then
  cp -r "$new/." .
  exit
fi
status=0
for page in policy/rules/RULES.md docs/reference.md docs/refusal.svg; do
  diff -u "$page" "$new/$page" || status=1
done
[ "$status" -eq 0 ] || echo "The generated pages differ. Run tools/docs.sh $build, read the changes, and commit them." >&2
exit "$status"
