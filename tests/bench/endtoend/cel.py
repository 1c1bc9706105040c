#!/usr/bin/env python3
"""Translates the rules of `winadmit rules` to CEL expressions of a ValidatingAdmissionPolicy.

    cel.py WINADMIT >cel.json

forbidsStrict (off by default) and forbidsWithSpecOs (checked by the API server itself) are not translated. "left_out"
lists the rules that have no other predicate, and advice.
"""

import json
import re
import subprocess
import sys

KUBERNETES = "1.36"

# {prefix of a field path: (list, loop variable)}. The first matching prefix is used.
LISTS = {
    "spec.{C}[*].securityContext.": ("variables.secured", "s"),
    "spec.{C}[*].": ("variables.containers", "c"),
    "spec.{containers,initContainers}[*].": ("variables.main", "c"),
    "spec.ephemeralContainers[*].": ("variables.ephemeral", "c"),
    "spec.volumes[*].": ("variables.volumes", "v"),
}
OBJECTS = ("seLinuxOptions",)  # typed objects: CEL has no size() for them

NON_ROOT = "securityContext.runAsNonRoot"
USER = "securityContext.windowsOptions.runAsUserName"
HOST_PROCESS = "securityContext.windowsOptions.hostProcess"


def value_or(holder, path, otherwise):
    """The value at a path, or `otherwise` if it is absent."""
    members = path.split(".")
    present = " && ".join(f"has({holder}.{'.'.join(members[:n + 1])})" for n in range(len(members)))
    return f"{present} ? {holder}.{path} : {otherwise}"


VARIABLES = {
    "main": f"object.spec.containers + ({value_or('object.spec', 'initContainers', '[]')})",
    "ephemeral": value_or("object.spec", "ephemeralContainers", "[]"),
    # dyn: the two lists have different types.
    "containers": "dyn(variables.main) + dyn(variables.ephemeral)",
    "secured": "variables.containers.map(c, has(c.securityContext), c.securityContext)",
    "volumes": value_or("object.spec", "volumes", "[]"),
    "annotations": value_or("object.metadata", "annotations", "{}"),
    "podNonRoot": value_or("object.spec", NON_ROOT, "false"),
    "podUser": value_or("object.spec", USER, "''"),
    "podHostProcess": value_or("object.spec", HOST_PROCESS, "false"),
    "hostProcess": f"variables.containers.all(c, {value_or('c', HOST_PROCESS, 'variables.podHostProcess')})",
}

# Predicates on several fields.
EXPRESSIONS = {
    "has runAsNonRoot true and runAsUserName ContainerAdministrator":
        f"variables.containers.all(c, !({value_or('c', NON_ROOT, 'variables.podNonRoot')}) || "
        f"({value_or('c', USER, 'variables.podUser')}).lowerAscii() != 'containeradministrator')",
}
UNLESS = {
    None: "",
    "every container is a HostProcess container": " || variables.hostProcess",
    # CEL evaluates it only if hostNetwork is set.
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
    """The expression that a present value is not forbidden by the predicate."""
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


def absent_or_allowed(holder, path, forbids):
    """The expression that no value at the path below the holder is forbidden by the predicate."""
    member, _, rest = path.partition(".")
    if member.startswith("{"):
        names, each = re.fullmatch(r"\{(.*)\}(.*)", member).groups()
        paths = [f"{name}{each}.{rest}" if rest else name + each for name in names.split(",")]
        parts = [absent_or_allowed(holder, path, forbids) for path in paths]
        return " && ".join(part if " || " not in part else f"({part})" for part in parts)
    value = f"{holder}.{member.removesuffix('[*]')}"
    absent = f"!has({value})"
    if member.endswith("[*]"):
        entry = member[0]
        return f"{absent} || {value}.all({entry}, {absent_or_allowed(entry, rest, forbids)})"
    if rest:
        return f"{absent} || {absent_or_allowed(value, rest, forbids)}"
    return absent if forbids == "is present" else f"{absent} || {allowed(value, forbids)}"


def annotation_allowed(key, forbids):
    before, star, after = key.partition("*")
    value = allowed(f"variables.annotations[{'key' if star else repr(key)}]", forbids)
    if not star:
        return f"!({key!r} in variables.annotations) || {value}"
    other = f"!key.startsWith({before!r})" if before else f"!key.endsWith({after!r})"
    return f"variables.annotations.all(key, {other} || {value})"


def expression(row):
    field, forbids = row["field"], row["forbids"]
    if forbids in EXPRESSIONS:
        return EXPRESSIONS[forbids]
    if key := re.fullmatch(r"metadata\.annotations\[(.*)\]", field):
        return annotation_allowed(key[1], forbids)
    # Predicates on members of the field become predicates on those members.
    if forbids == "has requests or limits":
        field, forbids = field + ".{requests,limits}", "is not empty"
    elif forbids.startswith("has the type "):
        field, forbids = field + ".type", forbids.replace("has the type", "is")
    for prefix, (entries, entry) in LISTS.items():
        if field.startswith(prefix):
            return f"{entries}.all({entry}, {absent_or_allowed(entry, field.removeprefix(prefix), forbids)})"
    return absent_or_allowed("object.spec", field.removeprefix("spec."), forbids)


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
