#!/usr/bin/python3
"""Writes the JSON schema and the README of the chart from the comments in its values.yaml.

    chart_docs.py schema VALUES CONFIG_SCHEMA     prints values.schema.json
    chart_docs.py readme VALUES README            prints README with the table between its markers

The comments are those of helm-docs, with a line for the schema:

    # @section -- Service and network        the following values are in a section of this name
    # -- Annotations of the Service.         the description; further lines continue it
    # @schema {minimum: 1}                   keywords of JSON schema, in addition to the type of the default
    # -- (required) Where you pushed ...     a value without a default; its key follows as a comment, "# repository:"

A mapping whose members have descriptions is a group. Any other mapping is one value.
"""

import dataclasses
import json
import re
import sys

import yaml

DEFINITIONS = {
    "strings": {"type": "object", "additionalProperties": {"type": "string"}},
    "strings-list": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object"},
    "objects": {"type": "array", "items": {"type": "object"}},
    "duration": {"type": "string", "pattern": "^([0-9]+(h|m|s))+$"},
    "alerts": {
        "type": "object", "additionalProperties": {
            "type": "object", "additionalProperties": False,
            "properties": {"enabled": {"type": "boolean"}, "for": {"type": "string", "pattern": "^([0-9]+(h|m|s))+$"},
                           "labels": {"type": "object", "additionalProperties": {"type": "string"}}},
        },
    },
    "resources": {
        "type": "object", "additionalProperties": False,
        "properties": {"requests": {"type": "object"}, "limits": {"type": "object"}, "claims": {"type": "array"}},
    },
    "privateKey": {
        "type": "object", "additionalProperties": False,
        "properties": {"algorithm": {"enum": ["RSA", "ECDSA", "Ed25519"]}, "encoding": {"enum": ["PKCS1", "PKCS8"]},
                       "rotationPolicy": {"enum": ["Always", "Never"]}, "size": {"type": "integer"}},
    },
    "matchConditions": {
        "type": "array", "maxItems": 60,  # the API server allows 64 in all
        "items": {
            "type": "object", "additionalProperties": False, "required": ["name", "expression"],
            "properties": {"name": {"type": "string", "pattern": "^([a-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$"},
                           "expression": {"type": "string", "minLength": 1}},
        },
    },
}
TYPES = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}


@dataclasses.dataclass
class Value:
    """A value, or a group of values if it has no description."""

    path: tuple
    default: object
    section: str = ""
    description: str = ""
    schema: dict = dataclasses.field(default_factory=dict)
    required: bool = False
    members: list = dataclasses.field(default_factory=list)


def read(path):
    """The top-level values of a values.yaml, in its order."""
    text = path_text(path)
    described = list(comments(text.splitlines()))
    defaults = yaml.safe_load(text)
    root = Value((), defaults)
    for value in described:
        if not value.required:
            value.default = at(defaults, value.path)
        parent(root, value).append(value)
    missing = set(leaves(defaults, {value.path for value in described})) - {value.path for value in described}
    if missing:
        sys.exit(f"{path}: no description: {', '.join('.'.join(each) for each in sorted(missing))}")
    return root.members


def path_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def comments(lines):
    """Values with a description, without their defaults."""
    section, description, schema, keys = "", [], {}, []
    for line in lines:
        text = line.strip()
        required = bool(description) and description[0].startswith("(required) ")
        if match := re.fullmatch(r"# @section -- (.+)", text):
            section = match[1]
        elif match := re.fullmatch(r"# -- (.+)", text):
            description, schema = [match[1]], {}
        elif match := re.fullmatch(r"# @schema (.+)", text):
            schema = yaml.safe_load(match[1])
        elif match := re.match(r"( *)# ([A-Za-z]+):$" if required else r"( *)([A-Za-z]+):( |$)", line):
            keys = keys[:len(match[1]) // 2] + [match[2]]
            if description:
                words = " ".join(description).removeprefix("(required) ")
                yield Value(tuple(keys), None, section, words, schema, required)
            description, schema = [], {}
        elif text.startswith("# ") and description:
            description.append(text.removeprefix("# "))
        else:
            description, schema = [], {}


def at(mapping, path):
    for key in path:
        mapping = mapping[key]
    return mapping


def parent(root, value):
    """The list that a value belongs to. Creates the groups on the way."""
    members = root.members
    for depth in range(1, len(value.path)):
        path = value.path[:depth]
        group = next((each for each in members if each.path == path), None)
        if group is None:
            group = Value(path, at(root.default, path), value.section)
            members.append(group)
        members = group.members
    return members


def leaves(mapping, described, path=()):
    for key, default in mapping.items():
        here = (*path, key)
        if isinstance(default, dict) and default and here not in described:
            yield from leaves(default, described, here)
        else:
            yield here


def schema_of(value):
    if not value.members:
        found = {"description": value.description}
        if "$ref" in value.schema:
            return found | {"$ref": f"#/definitions/{value.schema['$ref']}"}
        if "type" not in value.schema and "enum" not in value.schema:
            found["type"] = TYPES[type(value.default)]
        return found | value.schema
    return {"type": "object", "additionalProperties": value.path == ("global",),
            "properties": {member.path[-1]: schema_of(member) for member in value.members},
            "required": with_default(value.members)}


def with_default(values):
    """The names of values that are always there, unless a user sets one to null: Helm removes such a default, and then
    the templates would fail without its name. A list or a mapping with content is missing then, which is the same as empty: there is no
    other way to remove a member of the default."""
    return [value.path[-1] for value in values if not value.required and (value.members or not is_collection(value.default))]


def is_collection(default):
    return isinstance(default, (list, dict)) and bool(default)


def required_of(values):
    """What is required, as a schema. Only what runs the webhook is."""
    groups = {value.path[-1]: [member.path[-1] for member in value.members if member.required] for value in values}
    groups = {group: members for group, members in groups.items() if members}
    return {"required": list(groups), "properties": {group: {"required": members} for group, members in groups.items()}}


def within(schema, place):
    """The schema with its references moved to where it is put."""
    if isinstance(schema, list):
        return [within(each, place) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: each.replace("#", place, 1) if key == "$ref" and isinstance(each, str) else within(each, place)
            for key, each in schema.items() if key not in ("$schema", "$id")}


def schema_text(values, config):
    definitions = DEFINITIONS | {"config": within(config, "#/definitions/config")}
    whole = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": "Written by deploy/generate.sh; do not edit.",
        "title": "Values of the winadmit chart",
        "type": "object",
        "additionalProperties": False,
        "properties": {value.path[-1]: schema_of(value) for value in values},
        "required": with_default(values),
        "if": {"properties": {"engine": {"const": "policies"}}, "required": ["engine"]},
        "else": required_of(values),
        "definitions": definitions,
    }
    return json.dumps(whole, indent=2) + "\n"


def rows(values):
    for value in values:
        if value.members:
            yield from rows(value.members)
        else:
            yield value


def table(values):
    section, lines = None, []
    for value in rows(values):
        if value.section != section:
            section = value.section
            lines += ["", f"### {section}", "", "| value | default | meaning |", "| --- | --- | --- |"]
        default = "required" if value.required else f"`{json.dumps(value.default)}`"
        cells = [f"`{'.'.join(value.path)}`", default, value.description]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines[1:])


def readme_text(values, readme):
    before, found, rest = readme.partition("<!-- values -->\n")
    _, end, after = rest.partition("<!-- end of values -->\n")
    if not found or not end:
        sys.exit("the README has no <!-- values --> and <!-- end of values -->")
    return f"{before}{found}\n{table(values)}\n\n{end}{after}"


def main():
    what, values, other = sys.argv[1:]
    text = path_text(other)
    if what == "schema":
        print(schema_text(read(values), json.loads(text)), end="")
    else:
        print(readme_text(read(values), text), end="")


if __name__ == "__main__":
    main()
