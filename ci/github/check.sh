#!/bin/sh
# Runs `winadmit check` for the action: FILES, FLAGS, IMAGE and SARIF are its inputs. WINADMIT is the command to run
# instead of the image. All is written whatever is found, also if a file cannot be read.
set -u
winadmit=${WINADMIT:-docker run --rm --volume "$PWD:$PWD:ro" --workdir "$PWD" $IMAGE}
worst=0
# FLAGS is a list of words: patterns in it are for winadmit. FILES is one, too, with patterns of the shell. No file is taken
# for a flag.
set -f
# shellcheck disable=SC2086
set -- $FLAGS
set +f
# shellcheck disable=SC2086
if [ -n "${SARIF:-}" ]; then
  $winadmit check --recursive --exit-zero --quiet --output sarif "$@" -- $FILES >"$SARIF" || worst=$?
fi
# shellcheck disable=SC2086
$winadmit check --recursive --output github "$@" -- $FILES || { code=$?; [ "$worst" -gt "$code" ] || worst=$code; }
exit "$worst"
