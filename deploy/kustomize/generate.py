#!/usr/bin/python3
"""Writes the generated files of deploy/kustomize into a folder: generate.py WINADMIT FOLDER

    base/webhooks.yaml                  what `winadmit export webhook` prints
    platforms/PLATFORM/                 a component for each other platform: its flag and its matchConditions, which belong together
    components/default-mode-MODE/       a component for each other mode of namespaces without a label
    components/fail-open/               a component with failurePolicy Ignore for the webhooks that refuse
    components/opt-in/                  a component that selects only namespaces with a label
    components/default-os-linux/        a component that makes Linux the default OS; -audit: that only tells what this would change
    policies/policies.yaml              what `winadmit export policy` prints, for the newest release

A component is a JSON patch: the difference between two exports. So components can be combined.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "# Written by deploy/generate.sh; do not edit.\n"
ANNOTATION = "winadmit.dev/match-conditions"
MODES = {
    "warn": "# Namespaces without the label winadmit.dev/mode are in mode warn.",
    "audit": "# Namespaces without the label winadmit.dev/mode are in mode audit.",
}
FAIL_OPEN = "# While winadmit does not answer, the API server accepts Windows pods instead of refusing them."
DEFAULT_OS = {
    "default-os-linux": ("defaultOs: linux",
                         "# Pods that do not say their OS are for Linux, in namespaces without the label winadmit.dev/default-os."),
    "default-os-linux-audit": ("{defaultOs: linux, defaultOsMode: audit}",
                               "# winadmit tells what components/default-os-linux would change, and changes nothing."),
}
OPT_IN = "# winadmit is called only for namespaces with the label winadmit.dev/mode."


def export(winadmit, *flags):
    text = subprocess.check_output([winadmit, "export", "webhook", "--output", "json", *flags], text=True)
    return json.loads(text)["items"]


def export_configured(winadmit, config):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(config)
        file.flush()
        return export(winadmit, "--config", file.name)


def platforms(winadmit):
    """The ids of the platforms, the default first."""
    text = subprocess.check_output([winadmit, "export", "webhook", "--help"], text=True)
    return re.search(r"--platform ([a-z0-9|]+)", text).group(1).split("|")


def difference(old, new, path=""):
    """The operations of a JSON patch that turn a JSON value into another one."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for key in old:
            yield from difference(old[key], new[key], f"{path}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(old, list) and isinstance(new, list) and all(isinstance(each, dict) for each in old + new):
        if len(old) > len(new):
            raise ValueError(f"{path}: a patch cannot remove from a list, because other patches count on its indexes")
        for index, each in enumerate(new):
            if index < len(old):
                yield from difference(old[index], each, f"{path}/{index}")
            else:
                yield {"op": "add", "path": f"{path}/-", "value": each}
    elif old != new:
        yield {"op": "replace", "path": path, "value": new}


def patch(target, name, operations):
    """A patch of a kustomization, as text, because the expressions are easier to read in blocks."""
    lines = [f"  - target: {{kind: {target}, name: {name}}}", "    patch: |-"]
    for operation in operations:
        lines += [f"      - op: {operation['op']}", f"        path: {operation['path']}"]
        if operation["op"] == "remove":
            continue
        value = operation["value"]
        if isinstance(value, str) and "\n" in value:
            lines += ["        value: |-"] + [f"          {line}" for line in value.split("\n")]
        else:
            lines += [f"        value: {json.dumps(value)}"]
    return "\n".join(lines) + "\n"


def component(about, patches):
    return (f"{MARK}{about}\napiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n" +
            "".join(patch(*each) for each in patches if each[-1]))


def webhook_patches(default, changed):
    for old, new in zip(default, changed):
        yield old["kind"], old["metadata"]["name"], list(difference(old, new))


def default_os_patches(default, changed):
    """Without the annotation: its hash belongs to the platform, and the server needs no default OS in its configuration."""
    for old, new in zip(default, changed):
        yield old["kind"], old["metadata"]["name"], list(difference(old["webhooks"], new["webhooks"], "/webhooks"))


def without_ids(template, *members):
    """Operations that remove user and group IDs. The SCC restricted-v2 of OpenShift assigns them, and refuses fixed ones."""
    return [{"op": "remove", "path": f"{template}/spec/securityContext/{each}"} for each in members]


def fail_open_patches(default):
    for configuration in default:
        operations = [{"op": "replace", "path": f"/webhooks/{index}/failurePolicy", "value": "Ignore"}
                      for index, each in enumerate(configuration["webhooks"]) if each["failurePolicy"] == "Fail"]
        yield configuration["kind"], configuration["metadata"]["name"], operations


def platform_component(default, changed, platform):
    about = (f"# The platform {platform}. The flag of the server and the matchConditions of the webhooks belong together: the API server\n"
             "# sends only pods that match. The first operation fails beside a second platform; any is for several.")
    path = "/spec/template/metadata/annotations/" + ANNOTATION.replace("/", "~1")
    old_hash, new_hash = (each[0]["metadata"]["annotations"][ANNOTATION] for each in (default, changed))
    deployment = [{"op": "test", "path": path, "value": old_hash},
                  {"op": "replace", "path": path, "value": new_hash},
                  {"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": f"--platform={platform}"}]
    certs = []
    if platform == "openshift":
        deployment += without_ids("/spec/template", "runAsUser", "runAsGroup", "fsGroup")
        certs = [("Job", "winadmit-certs", without_ids("/spec/template", "runAsUser", "runAsGroup")),
                 ("CronJob", "winadmit-certs", without_ids("/spec/jobTemplate/spec/template", "runAsUser", "runAsGroup"))]
    return component(about, [("Deployment", "winadmit", deployment), *certs, *webhook_patches(default, changed)])


def main():
    winadmit, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    default = export(winadmit)
    files = {"base/webhooks.yaml": MARK + subprocess.check_output([winadmit, "export", "webhook"], text=True)}
    for platform in platforms(winadmit)[1:]:
        files[f"platforms/{platform}/kustomization.yaml"] = platform_component(
            default, export(winadmit, "--platform", platform), platform)
    for mode, about in MODES.items():
        files[f"components/default-mode-{mode}/kustomization.yaml"] = component(
            about, webhook_patches(default, export(winadmit, "--default-mode", mode)))
    for name, (config, about) in DEFAULT_OS.items():
        files[f"components/{name}/kustomization.yaml"] = component(
            about, default_os_patches(default, export_configured(winadmit, config)))
    files["components/fail-open/kustomization.yaml"] = component(FAIL_OPEN, fail_open_patches(default))
    files["components/opt-in/kustomization.yaml"] = component(OPT_IN, webhook_patches(default, export(winadmit, "--opt-in")))
    files["policies/policies.yaml"] = MARK + subprocess.check_output(
        [winadmit, "export", "policy"], text=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
