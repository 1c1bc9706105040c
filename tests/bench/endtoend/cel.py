#!/usr/bin/env python3
"""Prints the rules of `winadmit rules` as one would write them in CEL, for the API server's own process.

    cel.py WINADMIT >cel.json

Not translated are forbidsStrict, which is off unless asked for, and forbidsWithSpecOs: what those predicates catch, the
API server refuses before it comes to a validating policy. Rows that have nothing else, and advice, are in "left_out".
"""

import json
import re
import subprocess
import sys

KUBERNETES = "1.36"

# Where the walk of a field's path starts: the first prefix counts.
WALKS = {
    "spec.{C}[*].securityContext.": ("variables.secured", "s"),
    "spec.{C}[*].": ("variables.containers", "c"),
    "spec.{containers,initContainers}[*].": ("variables.main", "c"),
    "spec.ephemeralContainers[*].": ("variables.ephemeral", "c"),
    "spec.volumes[*].": ("variables.volumes", "v"),
}
OBJECTS = ("seLinuxOptions",)  # typed ones, of which CEL would not take the size

NON_ROOT = "securityContext.runAsNonRoot"
USER = "securityContext.windowsOptions.runAsUserName"
HOST_PROCESS = "securityContext.windowsOptions.hostProcess"


def value_or(holder, path, otherwise):
    """The value at a path, if it is there."""
    members = path.split(".")
    there = " && ".join(f"has({holder}.{'.'.join(members[:n + 1])})" for n in range(len(members)))
    return f"{there} ? {holder}.{path} : {otherwise}"


VARIABLES = {
    "main": f"object.spec.containers + ({value_or('object.spec', 'initContainers', '[]')})",
    "ephemeral": value_or("object.spec", "ephemeralContainers", "[]"),
    # Lists of different types otherwise.
    "containers": "dyn(variables.main) + dyn(variables.ephemeral)",
    "secured": "variables.containers.map(c, has(c.securityContext), c.securityContext)",
    "volumes": value_or("object.spec", "volumes", "[]"),
    "annotations": value_or("object.metadata", "annotations", "{}"),
    "podNonRoot": value_or("object.spec", NON_ROOT, "false"),
    "podUser": value_or("object.spec", USER, "''"),
    "podHostProcess": value_or("object.spec", HOST_PROCESS, "false"),
    "hostProcess": f"variables.containers.all(c, {value_or('c', HOST_PROCESS, 'variables.podHostProcess')})",
}

# Predicates that relate several fields, and what they are.
BY_HAND = {
    "has runAsNonRoot true and runAsUserName ContainerAdministrator":
        f"variables.containers.all(c, !({value_or('c', NON_ROOT, 'variables.podNonRoot')}) || "
        f"({value_or('c', USER, 'variables.podUser')}).lowerAscii() != 'containeradministrator')",
}
UNLESS = {
    None: "",
    "every container is a HostProcess container": " || variables.hostProcess",
    # The field that it excuses is looked at first, so this is rarely reached.
    "every container is a HostProcess container and hostNetwork is true":
        " || has(object.spec.hostNetwork) && object.spec.hostNetwork && variables.hostProcess",
}

WINDOWS = "has(object.spec.os) ? object.spec.os.name == 'windows' : has(object.spec.nodeSelector) && " \
    "'kubernetes.io/os' in object.spec.nodeSelector && object.spec.nodeSelector['kubernetes.io/os'] == 'windows'"
UNPLACED = "!has(object.spec.tolerations) || !object.spec.tolerations.exists(t, " \
    "has(t.key) ? t.key == 'os' && (!has(t.value) || t.value == 'Win1809') : true)"
PLACE = "[JSONPatch{op: 'add', path: '/spec/tolerations/-', value: Object.spec.tolerations{" \
    "key: 'os', operator: 'Equal', value: 'Win1809', effect: 'NoSchedule'}}]"


def allowed(value, forbids):
    """That a value which is there is not what a predicate forbids."""
    words = re.findall(r'"([^"]*)"', forbids)
    listed = "[" + ", ".join(f"'{word}'" for word in words) + "]"
    if forbids == "is true":
        return f"!{value}"
    if forbids == "is false":
        return value
    if forbids == "is not empty":
        return f"size(dyn({value})) == 0" if value.endswith(OBJECTS) else f"{value}.size() == 0"
    if forbids == "has a key hugepages-*":
        return f"{value}.all(key, !key.startsWith('hugepages-'))"
    if number := re.match(r"is not (\d+)", forbids):
        return f"{value} == {number[1]}"
    if forbids.startswith("is other than ") and words:
        return f"{value} in {listed}"
    if forbids.startswith("is ") and words:
        return f"{value} != {listed[1:-1]}" if len(words) == 1 else f"!({value} in {listed})"
    raise ValueError(f"no CEL for: {forbids}")


def walked(holder, path, forbids):
    """That nothing at a path below the holder is what the predicate forbids."""
    member, _, rest = path.partition(".")
    if member.startswith("{"):
        names, each = re.fullmatch(r"\{(.*)\}(.*)", member).groups()
        paths = [f"{name}{each}.{rest}" if rest else name + each for name in names.split(",")]
        parts = [walked(holder, path, forbids) for path in paths]
        return " && ".join(part if " || " not in part else f"({part})" for part in parts)
    value = f"{holder}.{member.removesuffix('[*]')}"
    absent = f"!has({value})"
    if member.endswith("[*]"):
        entry = member[0]
        return f"{absent} || {value}.all({entry}, {walked(entry, rest, forbids)})"
    if rest:
        return f"{absent} || {walked(value, rest, forbids)}"
    return absent if forbids == "is present" else f"{absent} || {allowed(value, forbids)}"


def annotated(key, forbids):
    before, star, after = key.partition("*")
    value = allowed(f"variables.annotations[{'key' if star else repr(key)}]", forbids)
    if not star:
        return f"!({key!r} in variables.annotations) || {value}"
    other = f"!key.startsWith({before!r})" if before else f"!key.endsWith({after!r})"
    return f"variables.annotations.all(key, {other} || {value})"


def expression(row):
    field, forbids = row["field"], row["forbids"]
    if forbids in BY_HAND:
        return BY_HAND[forbids]
    if key := re.fullmatch(r"metadata\.annotations\[(.*)\]", field):
        return annotated(key[1], forbids)
    # What a predicate says of members is said of the members.
    if forbids == "has requests or limits":
        field, forbids = field + ".{requests,limits}", "is not empty"
    elif forbids.startswith("has the type "):
        field, forbids = field + ".type", forbids.replace("has the type", "is")
    for prefix, (list_, entry) in WALKS.items():
        if field.startswith(prefix):
            return f"{list_}.all({entry}, {walked(entry, field.removeprefix(prefix), forbids)})"
    return walked("object.spec", field.removeprefix("spec."), forbids)


def translate(rows):
    found = {"deny": [], "warn": []}
    left_out = []
    for row in rows:
        if "forbids" not in row or row.get("unless") not in UNLESS:
            left_out.append(row["id"])
            continue
        verdict = "cannot" if row["action"] == "deny" else "should not"
        found[row["action"]].append({
            "expression": expression(row) + UNLESS[row.get("unless")],
            "message": f"{row['field']}: {verdict} be set for a windows pod: {row['reason']}"})
    return {
        "windows": WINDOWS, "unplaced": UNPLACED, "place": PLACE,
        "variables": [{"name": name, "expression": text} for name, text in VARIABLES.items()],
        "rules": found["deny"], "warnings": found["warn"], "left_out": left_out,
    }


def main():
    done = subprocess.run([sys.argv[1], "rules", "-o", "json", "--kubernetes-version", KUBERNETES],
                          capture_output=True, text=True, check=True)
    print(json.dumps(translate(json.loads(done.stdout)), indent=2))


if __name__ == "__main__":
    main()
