#!/usr/bin/python3
"""Writes the webhook configurations of the chart into a folder: generate.py WINADMIT FOLDER

webhooks.json is what `winadmit export webhook` prints for PLACEHOLDERS, without namespaceSelectors. The chart puts the values of the
configuration file in the places of the placeholders, see templates/_match_conditions.tpl. namespace-selectors.json has the requirement by
which each webhook selects namespaces, for each value that changes it.
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


def export(winadmit, *flags):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        config.write(PLACEHOLDERS)
        config.flush()
        return json.loads(subprocess.check_output([winadmit, "export", "webhook", "--output", "json", "--config", config.name, *flags]))


def requirements(exported, label):
    """{name of a webhook: how it selects namespaces by this label}"""
    found = {}
    for webhook in (webhook for each in exported["items"] for webhook in each["webhooks"]):
        name = webhook["name"].removesuffix(".winadmit.dev")
        (found[name],) = (each for each in webhook["namespaceSelector"]["matchExpressions"] if each["key"] == label)
    return found


def without_selectors(exported):
    for each in exported["items"]:
        for webhook in each["webhooks"]:
            del webhook["namespaceSelector"]
    return exported


def main():
    winadmit, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    modes = {mode: export(winadmit, "--default-mode", mode) for mode in ("enforce", "warn", "audit")}
    selectors = {"modes": {mode: requirements(exported, "winadmit.dev/mode") for mode, exported in modes.items()},
                 "defaultOs": {"": requirements(modes["enforce"], "winadmit.dev/default-os")}}
    webhooks = without_selectors(modes["enforce"])
    if any(without_selectors(modes[mode]) != webhooks for mode in ("warn", "audit")):
        sys.exit("the exports for the modes differ in more than the namespaceSelectors, and the chart has one for all")
    text = json.dumps(webhooks, indent=2) + "\n"
    for literal in LITERALS:
        if json.dumps(literal)[1:-1] not in text:
            sys.exit(f"{literal} is not in the export: its form has changed, and the chart cannot replace it")
    (folder / "webhooks.json").write_text(text)
    (folder / "namespace-selectors.json").write_text(json.dumps(selectors, indent=2) + "\n")


if __name__ == "__main__":
    main()
