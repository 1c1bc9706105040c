#!/usr/bin/env python3
"""Writes JSON Schemas of workloads for kubeconform from the OpenAPI document of Kubernetes: schemas.py SWAGGER FOLDER.

Each file is self-contained, as in the registry that kubeconform uses by default.
"""

import json
import sys
from pathlib import Path

KINDS = {("", "v1", "Pod"), ("apps", "v1", "Deployment"), ("apps", "v1", "DaemonSet"), ("apps", "v1", "StatefulSet"),
         ("apps", "v1", "ReplicaSet"), ("batch", "v1", "Job"), ("batch", "v1", "CronJob"), ("", "v1", "ReplicationController")}


def inlined(node, definitions):
    """The node with each reference replaced by what it refers to."""
    if isinstance(node, list):
        return [inlined(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return inlined(definitions[node["$ref"].rsplit("/", 1)[1]], definitions)
    made = {key: inlined(value, definitions) for key, value in node.items() if not key.startswith("x-kubernetes")}
    if made.pop("format", None) == "int-or-string":
        made["type"] = ["string", "integer"]
    return made


def main():
    swagger, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    definitions = json.loads(swagger.read_text())["definitions"]
    for definition in definitions.values():
        for kind in definition.get("x-kubernetes-group-version-kind", []):
            group, version, name = kind["group"], kind["version"], kind["kind"]
            if (group, version, name) not in KINDS:
                continue
            suffix = f"-{group.split('.')[0]}-{version}" if group else f"-{version}"
            (folder / f"{name.lower()}{suffix}.json").write_text(json.dumps(inlined(definition, definitions)))


main()
