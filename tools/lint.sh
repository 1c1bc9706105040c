#!/usr/bin/env bash
# Runs clang-format and clang-tidy over the sources. `tools/lint.sh --fix` formats them instead.
# Needs the compile commands of the preset lint: make lint configures it.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' | grep -v '^tests/bench/floor/')
if [ "${1:-}" = --fix ]; then
  clang-format-19 -i "${sources[@]}"
  exit 0
fi

failed=0
clang-format-19 --dry-run -Werror "${sources[@]}" || failed=$((failed + 1))

# Several files at once, so that the headers are read once for them: it takes a third of the time. That each
# file includes what it uses is verified by make test. Not the tests: googletest's macros expand to names that the checks refuse.
if ! sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' build/lint/compile_commands.json | grep -Ev "^$PWD/(build/lint/)?tests/" |
  xargs -P "$(nproc)" -n 1 clang-tidy-19 --quiet -p build/lint >build/lint/tidy.log 2>&1; then
  failed=$((failed + 1))
  grep -E 'error:|warning:' build/lint/tidy.log | sort -u || tail -n 5 build/lint/tidy.log
fi

echo "$((2 - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
