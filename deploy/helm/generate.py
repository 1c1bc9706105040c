#!/usr/bin/python3
"""Writes the webhook configurations of the chart into a folder: generate.py WINADMIT FOLDER

webhooks.json has every webhook that `winadmit export webhook` prints for PLACEHOLDERS, without its namespaceSelector. The chart puts the values of the
configuration file in the places of the placeholders, see templates/_match_conditions.tpl. namespace-selectors.json has the requirement by
which each webhook selects namespaces, for each value that changes it. A webhook without one for a default OS is not used there.
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


# The keys of the configuration for each value of winadmit.defaultOs in templates/_helpers.tpl.
DEFAULT_OS = {
    "": "",
    "linux": "defaultOs: linux\n",
    "windows": "defaultOs: windows\n",
    "audit-linux": "defaultOs: linux\ndefaultOsMode: audit\n",
    "audit-windows": "defaultOs: windows\ndefaultOsMode: audit\n",
}


def export(winadmit, keys, mode):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        config.write(PLACEHOLDERS + keys)
        config.flush()
        return json.loads(subprocess.check_output([winadmit, "export", "webhook", "--output", "json", "--config", config.name,
                                                   "--default-mode", mode]))


def requirements(exported, label):
    """{name of a webhook: how it selects namespaces by this label}"""
    found = {}
    for webhook in (webhook for each in exported["items"] for webhook in each["webhooks"]):
        name = webhook["name"].removesuffix(".winadmit.dev")
        (found[name],) = (each for each in webhook["namespaceSelector"]["matchExpressions"] if each["key"] == label)
    return found


def add_webhooks(exported, to):
    """Adds the webhooks that `to` does not have, without their selectors."""
    for old, new in zip(to["items"], exported["items"]):
        known = {webhook["name"]: webhook for webhook in old["webhooks"]}
        for webhook in new["webhooks"]:
            del webhook["namespaceSelector"]
            if known.setdefault(webhook["name"], webhook) != webhook:
                sys.exit(f"{webhook['name']} differs in more than its namespaceSelector, and the chart has one for all values")
        old["webhooks"] = list(known.values())


def main():
    winadmit, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    selectors = {"modes": {"enforce": {}, "warn": {}, "audit": {}}, "defaultOs": {}}
    webhooks = {"items": [{"kind": kind, "webhooks": []} for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")]}
    for default_os, keys in DEFAULT_OS.items():
        for mode, by_name in selectors["modes"].items():
            exported = export(winadmit, keys, mode)
            by_name |= requirements(exported, "winadmit.dev/mode")
            selectors["defaultOs"][default_os] = requirements(exported, "winadmit.dev/default-os")
            add_webhooks(exported, webhooks)
    text = json.dumps(webhooks, indent=2) + "\n"
    for literal in LITERALS:
        if json.dumps(literal)[1:-1] not in text:
            sys.exit(f"{literal} is not in the export: its form has changed, and the chart cannot replace it")
    (folder / "webhooks.json").write_text(text)
    (folder / "namespace-selectors.json").write_text(json.dumps(selectors, indent=2) + "\n")


if __name__ == "__main__":
    main()
