#!/usr/bin/python3
"""Writes the webhook configurations and the policies of the chart into a folder: generate.py WINADMIT FOLDER

webhooks.json has every webhook that `winadmit export webhook` prints for PLACEHOLDERS, without its namespaceSelector. The chart puts the values of the
configuration file in the places of the placeholders, see templates/_match_conditions.tpl. namespace-selectors.json has the requirement by
which each webhook and each binding of a policy selects namespaces, for each value that changes it. A webhook without one for a default OS
is not used there.

policies.json is the same of `winadmit export policy`, see templates/_policies.tpl: "objects" has each policy once, with its "variants" for
the namespaces of a default OS; "modes" and "platforms" have the variables that a default mode and a platform set.
"""

import copy
import json
import pathlib
import re
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
# The chart makes these variables of the configuration.
CONFIGURED = ("windowsLabels", "windowsLabelKeys", "windowsRuntimeClasses")
MODES = ("enforce", "warn", "audit")


# The keys of the configuration for each value of winadmit.defaultOs in templates/_helpers.tpl.
DEFAULT_OS = {
    "": "",
    "linux": "defaultOs: linux\n",
    "windows": "defaultOs: windows\n",
    "audit-linux": "defaultOs: linux\ndefaultOsMode: audit\n",
    "audit-windows": "defaultOs: windows\ndefaultOsMode: audit\n",
}


def export(winadmit, kind, *flags, config=PLACEHOLDERS):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(config)
        file.flush()
        return json.loads(subprocess.check_output([winadmit, "export", kind, "--output", "json", "--config", file.name, *flags]))["items"]


def platforms(winadmit):
    text = subprocess.check_output([winadmit, "export", "policy", "--help"], text=True)
    return re.search(r"--platform ([a-z0-9|]+)", text).group(1).split("|")


def selecting(items):
    """(name, part) of each webhook and of each binding: the part has a namespaceSelector."""
    for each in items:
        for webhook in each.get("webhooks", []):
            yield webhook["name"].removesuffix(".winadmit.dev"), webhook
        if "matchResources" in each.get("spec", {}):
            yield each["metadata"]["name"], each["spec"]["matchResources"]


def requirements(items, label):
    """{name of a webhook or of a binding: how it selects namespaces by this label}"""
    found = {}
    for name, part in selecting(items):
        (found[name],) = (each for each in part["namespaceSelector"]["matchExpressions"] if each["key"] == label)
    return found


def add_webhooks(items, to):
    """Adds the webhooks that `to` does not have, without their selectors."""
    for old, new in zip(to, items):
        known = {webhook["name"]: webhook for webhook in old["webhooks"]}
        for webhook in new["webhooks"]:
            del webhook["namespaceSelector"]
            if known.setdefault(webhook["name"], webhook) != webhook:
                sys.exit(f"{webhook['name']} differs in more than its namespaceSelector, and the chart has one for all values")
        old["webhooks"] = list(known.values())


def without_selectors(items):
    for _, part in selecting(items):
        del part["namespaceSelector"]
    return items


def variables(policy):
    return {each["name"]: each["expression"] for each in policy["spec"].get("variables", [])}


def differing(base, others):
    """{name of the other export: {variable: expression}} of the variables that the exports set differently."""
    of = {name: {variable: text for each in items for variable, text in variables(each).items()} for name, items in others.items()}
    first = next(iter(of.values()))
    names = {name for name, text in first.items() if any(each[name] != text for each in of.values())} - set(CONFIGURED)
    for other in others.values():
        for old, new in zip(base, other, strict=True):
            if without(old, names) != without(new, names):
                sys.exit(f"the exports of {old['metadata']['name']} differ in more than {names}, and the chart has one for all")
    return {name: {variable: each[variable] for variable in sorted(names)} for name, each in of.items()}


def without(policy, names):
    """The policy without what the chart sets."""
    policy = copy.deepcopy(policy)
    del policy["metadata"]["annotations"]
    for each in policy["spec"].get("variables", []):
        if each["name"] in {*names, *CONFIGURED}:
            del each["expression"]
    for each in policy["spec"].get("matchConditions", []):
        if each["name"] == "may-be-windows":
            del each["expression"]
    return policy


def grouped(items):
    """Each policy once, with what differs between its variants."""
    objects = []
    for each in items:
        del each["metadata"]["annotations"]
        name = each["metadata"]["name"]
        base = next((o for o in objects if o["kind"] == each["kind"] and name.startswith(o["metadata"]["name"] + "-default-")), None)
        if "variables" not in each["spec"] or base is None:
            objects.append(each)
            base = each
        conditions = [condition["name"] for condition in each["spec"].get("matchConditions", [])]
        for index, name_of_condition in enumerate(conditions):
            if all(condition["name"] != name_of_condition for condition in base["spec"]["matchConditions"]):
                base["spec"]["matchConditions"].insert(index, each["spec"]["matchConditions"][index])
        own = {variable: text for variable, text in variables(each).items() if text != variables(base)[variable]}
        variant = {"name": name, "conditions": conditions, "variables": own}
        if "variables" in each["spec"]:
            base.setdefault("variants", []).append(variant)
            if rebuilt(base, variant) != {key: value for key, value in each.items() if key != "variants"}:
                sys.exit(f"{name} differs from {base['metadata']['name']} in more than its variables and conditions")
    return objects


def rebuilt(base, variant):
    """As the template does."""
    policy = copy.deepcopy({key: value for key, value in base.items() if key != "variants"})
    policy["metadata"]["name"] = variant["name"]
    for each in policy["spec"]["variables"]:
        each["expression"] = variant["variables"].get(each["name"], each["expression"])
    policy["spec"]["matchConditions"] = [each for each in policy["spec"]["matchConditions"] if each["name"] in variant["conditions"]]
    return policy


def checked(items, literals):
    text = json.dumps(items)
    for literal in literals:
        if json.dumps(literal)[1:-1] not in text:
            sys.exit(f"{literal} is not in the export: its form has changed, and the chart cannot replace it")
    return items


def main():
    winadmit, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    selectors = {"modes": {mode: {} for mode in MODES}, "defaultOs": {}}
    webhooks = {"items": [{"kind": kind, "webhooks": []} for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")]}
    policies = {}
    for default_os, keys in DEFAULT_OS.items():
        for mode in MODES:
            hooks, items = (export(winadmit, kind, "--default-mode", mode, config=PLACEHOLDERS + keys) for kind in ("webhook", "policy"))
            selectors["modes"][mode] |= requirements(hooks + items, "winadmit.dev/mode")
            selectors["defaultOs"][default_os] = requirements(hooks + items, "winadmit.dev/default-os")
            add_webhooks(hooks, webhooks["items"])
            without_selectors(items)
            if [without(each, ()) for each in policies.setdefault(mode, items)] != [without(each, ()) for each in items]:
                sys.exit("the policies for a default OS differ in more than the namespaceSelectors, and the chart has one for all")
    of_platforms = {platform: without_selectors(export(winadmit, "policy", config=f"platform: {platform}")) for platform in platforms(winadmit)}
    base = policies["enforce"]
    files = {
        "webhooks": {"items": checked(webhooks["items"], LITERALS)},
        "namespace-selectors": selectors,
        "policies": {"modes": differing(base, policies), "platforms": differing(base, of_platforms),
                     "objects": grouped(checked(base, (LITERALS[0], LITERALS[2])))},
    }
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content, indent=0) + "\n")


if __name__ == "__main__":
    main()
