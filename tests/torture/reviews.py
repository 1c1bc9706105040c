"""The reviews that are sent: captured ones for the good client, and generated ones that cost the most to judge."""

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
REVIEWS = TESTS / "data" / "reviews"
sys.path.insert(0, str(TESTS / "bench"))
import bodies  # noqa: E402 (needs the line above)

LIMIT = 7 << 20  # bytes of a request body


def write_good(folder):
    """Writes the requests of the good client and returns them as PATH=FILE: a refusal, a patch, Linux pods, 64 KB, an update."""
    small = bodies.load(bodies.SMALL)
    files = {"refused": bodies.with_verdict(small, "refused"), "unplaced": bodies.with_verdict(small, "unplaced"),
             "linux": bodies.with_verdict(small, "linux"),
             "large": bodies.with_verdict(bodies.grow(small, 64 << 10), "refused")}
    for name, review in files.items():
        (folder / f"{name}.json").write_bytes(bodies.to_bytes(review))
    update = REVIEWS / "kinds" / "b013-Pod-UPDATE--winpod.json"
    return [f"/validate={folder}/refused.json", f"/mutate={folder}/unplaced.json", f"/validate={folder}/linux.json",
            f"/mutate={folder}/linux.json", f"/validate={folder}/large.json", f"/validate={update}"]


def captured():
    """All captured reviews."""
    return sorted(path for path in REVIEWS.rglob("*.json"))


def review(spec, old=None, kind="Pod"):
    """A review as bytes. `spec` and `old` are JSON text."""
    def object_with(text):
        if kind == "Deployment":
            text = '{"selector":{},"template":{"metadata":{},"spec":%s}}' % text
        return '{"apiVersion":"v1","kind":"%s","metadata":{"name":"a","namespace":"b"},"spec":%s}' % (kind, text)
    group, resource = ("apps", "deployments") if kind == "Deployment" else ("", "pods")
    return ('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{'
            '"uid":"7a5c1f0e-52f5-4d4e-9a53-0a3dd9a1a001","kind":{"group":"%s","version":"v1","kind":"%s"},'
            '"resource":{"group":"%s","version":"v1","resource":"%s"},"name":"a","namespace":"b",'
            '"operation":"%s","userInfo":{"username":"u"},"object":%s,"oldObject":%s,"dryRun":false,"options":null}}'
            % (group, kind, group, resource, "UPDATE" if old else "CREATE", object_with(spec),
               object_with(old) if old else "null")).encode()


WINDOWS = '"nodeSelector":{"kubernetes.io/os":"windows"}'


def pod(fields, containers='[{"name":"c","image":"i"}]'):
    return '{%s,"containers":%s%s}' % (WINDOWS, containers, "," + fields if fields else "")


def repeated(piece, size=LIMIT - 4096, separator=","):
    """As many pieces as fit into `size`. `piece` is a text or a function of the index."""
    if isinstance(piece, str):
        return separator.join([piece] * (size // (len(piece) + len(separator))))
    parts, length, index = [], 0, 0
    while length < size:
        parts.append(piece(index))
        length += len(parts[-1]) + len(separator)
        index += 1
    return separator.join(parts[:-1])


NINE_FIELDS = ('{"name":"c%d","image":"i","securityContext":{"privileged":true,"runAsUser":1,"runAsGroup":1,'
               '"readOnlyRootFilesystem":true,"allowPrivilegeEscalation":true,"procMount":"Unmasked",'
               '"capabilities":{"add":["NET_ADMIN"]},"seLinuxOptions":{"level":"s0"},'
               '"seccompProfile":{"type":"Localhost"}},"tty":true}')


def selector(count, shift):
    return '{"kubernetes.io/os":"windows",%s}' % ",".join(f'"key-{index + shift:06}":"v"' for index in range(count))


def update_with_shifted_selector():
    """Both objects have 115,000 nodeSelector keys; the new ones are shifted by one."""
    old, new = ('{"nodeSelector":%s,"containers":[{"name":"c","image":"i"}]}' % selector(115_000, shift)
                for shift in (0, 1))
    return review(new, old, "Deployment")


def reversed_update(make, half=LIMIT // 2 - 4096):
    """An UPDATE from make(False, size) to make(True, size), which has the same entries in reverse order."""
    return review(make(True, half), make(False, half))


def pod_with_list(field, piece):
    def make(reverse, size):
        parts = repeated(piece, size, "\n").split("\n")
        return pod('"%s":[%s]' % (field, ",".join(reversed(parts) if reverse else parts)))
    return make


def pod_with_containers(piece):
    def make(reverse, size):
        parts = repeated(piece, size, "\n").split("\n")
        return pod("", "[%s]" % ",".join(reversed(parts) if reverse else parts))
    return make


MANY_FINDINGS = {
    "600,000 volumes that are refused": lambda: review(pod('"volumes":[%s]' % repeated('{"nfs":{}}', 6_600_000))),
    "8,000 containers with 9 refused fields": lambda: review(pod("", "[%s]" % ",".join(
        NINE_FIELDS % index for index in range(8000)))),
    "600,000 capabilities": lambda: review(pod("", '[{"name":"c","image":"i","securityContext":{"capabilities":'
                                               '{"add":[%s]}}}]' % repeated('"SYS_TIME"'))),
}

CONTENTS = {
    "zeros in volumes": lambda: review(pod('"volumes":[%s]' % repeated("0"))),
    "zeros in an unknown field": lambda: review(pod('"unknown":[%s]' % repeated("0"))),
    "empty containers": lambda: review(pod("", "[%s]" % repeated("{}"))),
    "containers with one name": lambda: review(pod("", "[%s]" % repeated('{"name":"c","image":"i"}'))),
    "many small images": lambda: review(pod("", "[%s]" % repeated(
        lambda index: '{"name":"c%d","image":"mcr.microsoft.com/windows/nanoserver:ltsc2022"}' % index))),
    "open brackets": lambda: review(pod('"unknown":' + "[" * (LIMIT - 4096))),
    "many arrays nested 1,000 deep": lambda: review(pod('"unknown":[%s]' % repeated("[" * 1000 + "]" * 1000))),
    "nested objects": lambda: review(pod('"volumes":%s' % ('{"a":' * 900 + "1" + "}" * 900))),
    "many labels": lambda: review(pod(repeated(lambda index: f'"k{index}":1'))),
    "many selector keys": lambda: review('{"nodeSelector":{%s}}' % repeated(lambda index: f'"k{index}":"v"')),
    "one duplicate key": lambda: review(pod(repeated('"hostPID":true'))),
    "one escaped duplicate key": lambda: review(pod(repeated('"\\u0068ostPID":true'))),
    "escapes in a name": lambda: review(pod("", '[{"name":"%s","image":"i"}]' % ("\\u0041" * ((LIMIT - 4096) // 6)))),
    "escaped quotes in an image": lambda: review(pod("", '[{"name":"c","image":"%s"}]' % ('\\"' * (LIMIT // 2 - 2048)))),
    "a large number": lambda: review(pod('"priority":' + "9" * (LIMIT - 4096))),
    "floating point numbers": lambda: review(pod('"unknown":[%s]' % repeated("1.7976931348623157e308"))),
    "many tolerations": lambda: review(pod('"tolerations":[%s]' % repeated(
        '{"key":"os","operator":"Equal","value":"Win2019","effect":"NoExecute"}'))),
    "many affinity terms": lambda: review(pod(
        '"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[%s]}}}'
        % repeated('{"matchExpressions":[{"key":"kubernetes.io/os","operator":"In","values":["windows"]}]}'))),
    "many values in one affinity term": lambda: review(pod(
        '"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":['
        '{"matchExpressions":[{"key":"kubernetes.io/os","operator":"In","values":[%s]}]}]}}}' % repeated('"windows"'))),
    "many expressions of many keys": lambda: review(pod(
        '"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":['
        '{"matchExpressions":[%s]}]}}}' % repeated(lambda index: '{"key":"k%d","operator":"Exists"}' % index))),
    "spaces": lambda: review(pod('"unknown":%s1' % (" " * (LIMIT - 4096)))),
    "not JSON": lambda: b"\xff" * (LIMIT - 1),
    "an update with the selector shifted by one": update_with_shifted_selector,
    "an update with reversed volumes": lambda: reversed_update(pod_with_list(
        "volumes", lambda index: '{"name":"v%d","nfs":{}}' % index)),
    "an update with reversed tolerations": lambda: reversed_update(pod_with_list(
        "tolerations", lambda index: '{"key":"k%d"}' % index)),
    "an update with reversed containers": lambda: reversed_update(pod_with_containers(
        lambda index: '{"name":"c%d","image":"i","securityContext":{"privileged":true}}' % index)),
    "an update with containers of one name": lambda: reversed_update(pod_with_containers(
        lambda index: '{"name":"c","image":"i","securityContext":{"runAsUser":%d}}' % index)),
}


def large(size=LIMIT - 8):
    """A Linux pod of the largest size that is accepted."""
    start = '{"nodeSelector":{"kubernetes.io/os":"linux"},"unknown":"'
    rest = size - len(review(start + '"}'))
    return review(start + "x" * rest + '"}')


def named(name):
    """A review with this name as the name of the pod, its namespace and the user."""
    named_review = json.loads(review(pod('"hostPID":true')))
    request = named_review["request"]
    request["name"] = request["object"]["metadata"]["name"] = request["namespace"] = name
    request["userInfo"]["username"] = name
    return json.dumps(named_review, ensure_ascii=False).encode()
