#!/usr/bin/python3
"""Writes the webhook configurations of the chart into a folder: generate.py WINADMIT FOLDER

MODE.json is what `winadmit export webhook --default-mode MODE` prints for PLACEHOLDERS. The chart puts the values of the configuration file
in the places of the placeholders, see templates/_match_conditions.tpl.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

PLACEHOLDERS = """\
platform: rke2 # it has no labels of its own
windowsLabels: {winadmit.dev/placeholder: [label]}
tolerations: [{key: winadmit.dev/placeholder, value: taint}]
windowsRuntimeClasses: [placeholder]
"""
# What the values are in the expressions.
LITERALS = ('{"winadmit.dev/placeholder":["label"]}', '{"winadmit.dev/placeholder":["taint"]}', '["placeholder"]')


def export(winadmit, mode):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        config.write(PLACEHOLDERS)
        config.flush()
        return subprocess.check_output([winadmit, "export", "webhook", "--output", "json", "--config", config.name,
                                        "--default-mode", mode], text=True)


def main():
    winadmit, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for mode in ("enforce", "warn", "audit"):
        text = export(winadmit, mode)
        for literal in LITERALS:
            if json.dumps(literal)[1:-1] not in text:
                sys.exit(f"{literal} is not in the export: its form has changed, and the chart cannot replace it")
        (folder / f"{mode}.json").write_text(text)


if __name__ == "__main__":
    main()
