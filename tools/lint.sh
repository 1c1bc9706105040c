#!/usr/bin/env bash
# Runs clang-format and clang-tidy over the sources. `tools/lint.sh --fix` formats them instead.
# Needs the compile commands of the preset clang: make lint configures it.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' | grep -v '^tests/bench/floor/')
if [ "${1:-}" = --fix ]; then
  clang-format-19 -i "${sources[@]}"
  exit 0
fi

failed=0
clang-format-19 --dry-run -Werror "${sources[@]}" || failed=1

# Not the tests: googletest's macros expand to names that the checks refuse.
mapfile -t compiled < <(git ls-files 'text/*.cpp' 'policy/*.cpp' 'server/*.cpp' 'bytes/*.cpp' 'certs/*.cpp' 'cluster/*.cpp' 'manifests/*.cpp' 'cli/*.cpp' 'tools/*.cpp')
printf '%s\n' "${compiled[@]}" |
  xargs -P "$(nproc)" -n 2 clang-tidy-19 --quiet -p build/clang >build/clang/tidy.log 2>&1 || failed=1
grep -E 'error:|warning:' build/clang/tidy.log | grep -v 'warnings generated' | sort -u || true

if [ "$failed" -eq 0 ]; then echo "2 passed, 0 failed"; else echo "1 passed, 1 failed"; fi
exit "$failed"
