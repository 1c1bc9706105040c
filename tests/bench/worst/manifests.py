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
    "fix-list": (lambda size: pod_list(size, PLACED, indent=1), FIX),
}
