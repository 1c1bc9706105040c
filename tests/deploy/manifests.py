"""Renders the kustomizations and the chart, and finds objects in the result."""

import functools
import json
import os
import pathlib
import re
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm/winadmit"
WINADMIT = os.environ.get("WINADMIT", str(ROOT / "build/release/winadmit"))
NAMESPACE = "winadmit-system"
OVERLAYS = sorted(path.parent for path in DEPLOY.glob("kustomize/overlays/*/kustomization.yaml"))


@functools.cache
def program(name):
    """kubectl or helm of the versions that the e2e tests pin."""
    listing = subprocess.check_output([ROOT / "tests/e2e/build-tools.sh", name], text=True)
    return listing.split()[1]


def kustomize(folder):
    return objects(run(program("kubectl"), "kustomize", folder))


def helm(*flags, values=None, release="winadmit", kubernetes="1.36.0"):
    return objects(helm_text(*flags, values=values, release=release, kubernetes=kubernetes))


def helm_text(*flags, values=None, release="winadmit", kubernetes="1.36.0"):
    return run(program("helm"), "template", release, CHART, "--namespace", NAMESPACE, "--kube-version", kubernetes,
               "--values", "-", *flags, stdin=json.dumps(values or {}))


def exported(*flags):
    return json.loads(run(WINADMIT, "export", "webhook", "--output", "json", *flags))["items"]


def platforms():
    """The values of --platform."""
    found = re.search(r"--platform ([a-z0-9|]+)", run(WINADMIT, "export", "webhook", "--help"))
    return found.group(1).split("|")


def objects(text):
    """The Kubernetes objects of a YAML stream. Each kind, namespace and name must be unique."""
    found = [document for document in yaml.safe_load_all(text) if document]
    keys = [(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in found]
    assert len(keys) == len(set(keys)), f"duplicate object: {sorted(keys)}"
    return found


def of_kind(found, *kinds):
    return [o for o in found if o["kind"] in kinds]


def one(found, kind, name=None):
    matches = [o for o in of_kind(found, kind) if name in (None, o["metadata"]["name"])]
    assert len(matches) == 1, f"{len(matches)} objects {kind} {name or ''}"
    return matches[0]


def webhooks(found):
    return of_kind(found, "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


def pod_specs(found):
    """(kind and name, pod template) of everything that creates pods."""
    for o in found:
        spec = o.get("spec", {})
        template = spec.get("jobTemplate", {}).get("spec", spec).get("template")
        if o["kind"] in ("Deployment", "Job", "CronJob"):
            yield f"{o['kind']} {o['metadata']['name']}", template
        elif o["kind"] == "Pod":
            yield f"Pod {o['metadata']['name']}", o


class Refused(Exception):
    """The renderer failed. The message is its output."""


def run(*command, stdin=None):
    result = subprocess.run([str(part) for part in command], input=stdin, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Refused(result.stdout + result.stderr)
    return result.stdout
