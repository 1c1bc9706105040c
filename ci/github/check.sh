#!/bin/sh
# Runs `winadmit check` for the action: FILES, FLAGS, IMAGE, SARIF and UNTRUSTED are its inputs. WINADMIT is the command to
# run instead of the image. All is written whatever is found, also if a file cannot be read.
set -u
winadmit=${WINADMIT:-docker run --rm --volume "$PWD:$PWD:ro" --workdir "$PWD" $IMAGE}
worst=0
# The authors of a pull request, or of what else is no branch of the repository, do not decide how it is checked.
case "${UNTRUSTED:-${GITHUB_EVENT_NAME:-}}" in
  false | push | schedule | workflow_dispatch | release | merge_group) untrusted= ;;
  *) untrusted=--untrusted ;;
esac
# FLAGS is a list of words: patterns in it are for winadmit. FILES is one, too, with patterns of the shell. No file is taken
# for a flag.
set -f
# shellcheck disable=SC2086
set -- $untrusted $FLAGS
set +f
if [ -n "${SARIF:-}" ]; then
  report=$(mktemp) || exit 2
  # shellcheck disable=SC2086
  $winadmit check --recursive --exit-zero --quiet --output sarif "$@" -- $FILES >"$report" || worst=$?
fi
# shellcheck disable=SC2086
$winadmit check --recursive --output github "$@" -- $FILES || { code=$?; [ "$worst" -gt "$code" ] || worst=$code; }
if [ -n "${SARIF:-}" ]; then
  # The name and its folder may be links of a pull request. A link in place of the file is removed, and not followed.
  case $SARIF in
    /*) ;;
    *)
      folder=$(cd "$(dirname -- "$SARIF")" && pwd -P) || exit 2
      case $folder/ in
        "$(pwd -P)"/*) ;;
        *) printf 'winadmit: the folder of the SARIF file is not in the repository\n' >&2 && exit 2 ;;
      esac
      ;;
  esac
  { rm -f -- "$SARIF" && mv -- "$report" "$SARIF"; } || exit 2
fi
exit "$worst"
