"""Large manifests of many objects, for which `winadmit check` and `winadmit fix` have to take linear time."""

import json


def pod(index, spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"web-{index}", "namespace": "shop"},
            "spec": {"os": {"name": "windows"}, "containers": [{"name": "web", "image": "web:1"}], **spec}}


def pods(size, spec):
    return [pod(index, spec) for index in range(size // len(json.dumps(pod(0, spec))))]


def pod_list(size, spec, **style):
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": pods(size, spec)}, **style)


def documents(size, spec):
    return "".join(f"---\n{json.dumps(each)}\n" for each in pods(size, spec))


def repeated(size, begin, entry, end=""):
    """`entry` is repeated until the text has about the size; its %d is the index."""
    return begin + "".join(entry.replace("%d", str(index)) for index in range(size // len(entry))) + end


LONG = "a" * 300  # at most 1,000 findings of an object are told, so the entries that have one are long


def merged_mappings(size):
    """A pod whose spec has a mapping that is merged twice into another one, which is merged twice into a third, and so on, as far as
    kubectl takes it."""
    levels = "".join(f"x{level}: &x{level} {{<<: [*x{level - 1}, *x{level - 1}]}}\n" for level in range(1, 7))
    containers = repeated(size, "", f"  - {{image: {LONG}, securityContext: {{privileged: true}}, name: c%d}}\n")
    return ("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nx0: &x0 {a: 1}\n" + levels +
            "spec:\n  <<: *x6\n  os: {name: windows}\n  containers:\n" + containers)


POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  os: {name: windows}\n"
POD_WITH_CONTAINER = POD + "  hostPID: true\n  containers: [{name: c, image: x}]\n"
ANNOTATED_VOLUME = ("  - name: v%d\n    ephemeral: {volumeClaimTemplate: {metadata: "
                    "{annotations: {winadmit.dev/ignore: host-pid}}}}\n")
COMMENTED_CONTAINER = (f"  - name: c%d\n    image: {LONG}\n    securityContext:\n      # winadmit: ignore read-only-root-filesystem\n"
                       "      readOnlyRootFilesystem: true\n      privileged: true\n")
DENIED, PLACED = {"hostPID": True}, {}
CHECK, FIX = ["check", "-q", "--exit-zero"], ["fix"]
# The text of about a size, and the command that reads it.
CASES = {
    "check-list": (lambda size: pod_list(size, DENIED, indent=1), CHECK),
    "check-list-in-one-line": (lambda size: pod_list(size, DENIED, separators=(",", ":")), CHECK),
    "check-list-of-good-pods": (lambda size: pod_list(size, PLACED, indent=1), CHECK),
    "check-list-as-sarif": (lambda size: pod_list(size, DENIED, indent=1), [*CHECK, "-o", "sarif"]),
    "check-documents": (lambda size: documents(size, DENIED), CHECK),
    "check-comments": (lambda size: "apiVersion: v1\nkind: ConfigMap\n" + "".join(
        f"key{key}: 1  # winadmit: ignore host-pid\n" for key in range(size // 40)), CHECK),
    "check-comment-of-many-rules": (
        lambda size: repeated(size, "# winadmit: ignore ", "r%d,", "host-pid\n" + POD_WITH_CONTAINER), CHECK),
    "check-many-comments-of-one-line": (lambda size: repeated(size // 2, "", "# winadmit: ignore host-ipc\n") + repeated(
        size // 2, "{apiVersion: v1, kind: List, items: [",
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {os: {name: windows}, hostPID: true}},", "]}"), CHECK),
    "check-unused-annotations": (
        lambda size: repeated(size, POD_WITH_CONTAINER + "  volumes:\n", ANNOTATED_VOLUME), CHECK),
    "fix-removed-comments": (
        lambda size: repeated(size, POD + "  containers:\n", COMMENTED_CONTAINER), ["fix", "--set-os"]),
    "check-merged-mappings": (merged_mappings, CHECK),
    "fix-list": (lambda size: pod_list(size, PLACED, indent=1), FIX),
}
