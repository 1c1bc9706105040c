"""Renders the kustomizations and the chart, and finds objects in the result."""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm/winadmit"
WINADMIT = os.environ.get("WINADMIT", str(ROOT / "build/release/winadmit"))
NAMESPACE = "winadmit-system"
NEWEST = "1." + re.search(r"kNewestVersion\{1, (\d+)\}", (ROOT / "policy/rules/version.hpp").read_text())[1]
KUBERNETES = NEWEST + ".0"
OVERLAYS = sorted(path.parent for path in DEPLOY.glob("kustomize/overlays/*/kustomization.yaml"))


@functools.cache
def program(name):
    """kubectl or helm of the versions that the e2e tests pin."""
    listing = subprocess.check_output([ROOT / "tests/e2e/build-tools.sh", name], text=True)
    return listing.split()[1]


def kustomize(folder):
    return objects(run(program("kubectl"), "kustomize", folder))


# What the component ../observability needs among the resources.
RUNBOOK = """apiVersion: v1
kind: ConfigMap
metadata:
  name: winadmit-runbook
  annotations: {config.kubernetes.io/local-config: "true"}
data: {url: https://wiki.example/runbook.md}
"""


def kustomize_with(overlay, *components, patch=None, resource=RUNBOOK):
    """Renders an overlay with components of deploy/kustomize, as the kustomization of a user would include them."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="test-", dir=DEPLOY / "kustomize"))
    try:
        (folder / "resource.yaml").write_text(resource)
        (folder / "kustomization.yaml").write_text(json.dumps({
            "apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization",
            "resources": [os.path.relpath(overlay, folder), "resource.yaml"], "components": [f"../{component}" for component in components],
            **(patch or {})}))
        return kustomize(folder)
    finally:
        shutil.rmtree(folder)


def helm(*flags, values=None, release="winadmit", kubernetes=KUBERNETES):
    return objects(helm_text(*flags, values=values, release=release, kubernetes=kubernetes))


def helm_text(*flags, values=None, release="winadmit", kubernetes=KUBERNETES):
    return run(program("helm"), "template", release, CHART, "--namespace", NAMESPACE, "--kube-version", kubernetes,
               "--values", "-", *flags, stdin=values_text(values))


def helm_notes(values=None, kubernetes=KUBERNETES):
    """What helm install prints. `helm template` leaves it out, so a copy of the chart has it as a ConfigMap."""
    with tempfile.TemporaryDirectory() as folder:
        chart = pathlib.Path(folder) / CHART.name
        shutil.copytree(CHART, chart)
        (chart / "templates/NOTES.txt").rename(chart / "notes")
        (chart / "templates/notes.yaml").write_text(
            'kind: ConfigMap\napiVersion: v1\ndata:\n  notes: |\n    {{- tpl (.Files.Get "notes") . | nindent 4 }}\n')
        text = run(program("helm"), "template", "winadmit", chart, "--namespace", "winadmit-system", "--kube-version", kubernetes,
                   "--show-only", "templates/notes.yaml", "--values", "-", stdin=values_text(values))
    return yaml.safe_load(text)["data"]["notes"]


def values_text(values=None):
    """These values for helm, with the image of the kustomization unless they have another repository."""
    values = values or {}
    return json.dumps(values | {"image": {"repository": "winadmit"} | values.get("image", {})})


def exported(*flags):
    return json.loads(run(WINADMIT, "export", "webhook", "--output", "json", *flags))["items"]


def platforms():
    """The values of --platform."""
    found = re.search(r"--platform ([a-z0-9|]+)", run(WINADMIT, "export", "webhook", "--help"))
    return found.group(1).split("|")


def objects(text):
    """The Kubernetes objects of a YAML stream. Each kind, namespace and name must be unique."""
    found = [document for document in yaml.safe_load_all(text) if document]
    keys = [identity(o) for o in found]
    assert len(keys) == len(set(keys)), f"duplicate object: {sorted(keys)}"
    return found


def identity(o):
    return o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]


def of_kind(found, *kinds):
    return [o for o in found if o["kind"] in kinds]


def one(found, kind, name=None):
    matches = [o for o in of_kind(found, kind) if name in (None, o["metadata"]["name"])]
    assert len(matches) == 1, f"{len(matches)} objects {kind} {name or ''}"
    return matches[0]


def is_test(o):
    """Whether the object exists only while `helm test` runs."""
    return o["metadata"].get("annotations", {}).get("helm.sh/hook") == "test"


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
