#!/bin/sh
# Runs `winadmit check` for the action: FILES, FLAGS, IMAGE and SARIF are its inputs. WINADMIT is the command to run
# instead of the image.
set -eu
winadmit=${WINADMIT:-docker run --rm --volume "$PWD:$PWD:ro" --workdir "$PWD" $IMAGE}
# FILES and FLAGS are lists of words.
# shellcheck disable=SC2086
if [ -n "${SARIF:-}" ]; then
  $winadmit check --exit-zero --quiet --output sarif $FLAGS $FILES >"$SARIF"
fi
# shellcheck disable=SC2086
exec $winadmit check --output github $FLAGS $FILES
