#!/usr/bin/env python3
"""Worst cases: reviews that take long to judge for their size.

    tests/bench/worst/cases.py FOLDER [BYTES]    writes FOLDER/NAME.json of that size (default: the size limit)

Any user who may create or update pods can send them. time.cpp (bench_worst) measures their time, linear.py checks that
their work is linear.
"""
import json
import pathlib
import sys

LIMIT = 7 * 1024 * 1024
WINDOWS = {"kubernetes.io/os": "windows"}
NFS = {"nfs": {}}


def pod(spec, metadata=None):
    return {"metadata": metadata or {"name": "p"}, "spec": {"nodeSelector": WINDOWS, **spec}}


def review(new, old=None, kind="Pod", group=""):
    request = {"uid": "u", "kind": {"group": group, "version": "v1", "kind": kind}, "namespace": "default",
               "operation": "UPDATE" if old else "CREATE", "object": new}
    if old:
        request["oldObject"] = old
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}


def largest(make, count):
    """A function of the size limit: the review of make(count), with a smaller count if it exceeds the limit."""
    def text_within(limit):
        size = count
        while True:
            text = json.dumps(make(int(size)), separators=(",", ":"))
            if len(text) <= limit:
                return text
            size *= 0.98 * limit / len(text)
    return text_within


def container(index, **members):
    return {"name": f"c{index}", **members}


FORBIDDEN = {"privileged": True, "allowPrivilegeEscalation": True, "procMount": "Unmasked", "readOnlyRootFilesystem": True,
             "runAsUser": 1, "runAsGroup": 1, "seLinuxOptions": {"level": "a"}, "seccompProfile": {"type": "Localhost"},
             "capabilities": {"add": ["A"]}}


def affinity(terms):
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def requirement(key, op, values):
    return {"key": key, "operator": op, "values": values}


def deployment(spec):
    return {"metadata": {"name": "d"}, "spec": {"template": pod(spec)}}


def selector(first, last):
    return {**WINDOWS, **{f"key-{i}": "v" for i in range(first, last)}}


def duplicates(member, count):
    """A review with a duplicate key, as text: JSON encoders do not write duplicate keys."""
    def text_within(limit):
        text = json.dumps(review(pod({"containers": [container(i) for i in range(1000)]})), separators=(",", ":"))
        times = min(count, (limit - len(text)) // (len(member) + 1))
        return text.replace('"spec":{', '"spec":{' + (member + ",") * times, 1)
    return text_within


CASES = {
    "volumes": largest(lambda n: review(pod({"volumes": [NFS] * n})), 600_000),
    "volumes-update": largest(
        lambda n: review(pod({"volumes": [NFS] * (n + 1)}), pod({"volumes": [NFS] * n})), 300_000),
    "containers-all-forbidden": largest(
        lambda n: review(pod({"containers": [container(i, securityContext=FORBIDDEN) for i in range(n)]})), 25_000),
    "containers-update": largest(
        lambda n: review(*[pod({"containers": [container(i, securityContext={**FORBIDDEN, "runAsUser": u})
                                               for i in range(n)]}) for u in (2, 1)]), 12_000),
    "containers-of-one-name-update": largest(
        lambda n: review(*[pod({"containers": [{"name": "c", "securityContext": {"runAsUser": i + shift}}
                                               for i in range(n)]}) for shift in (1, 0)]), 60_000),
    "selector-shifted-update": largest(
        lambda n: review(*[deployment({"nodeSelector": selector(shift, n + shift), "hostPID": True})
                           for shift in (1, 0)], kind="Deployment", group="apps"), 115_000),
    "labels-in-another-order-update": largest(
        lambda n: review(*[pod({"hostPID": True, "x": dict(list(selector(0, n).items())[::step])})
                           for step in (1, -1)]), 150_000),
    "members-and-containers": largest(
        lambda n: review(pod({**{f"m{i}": 0 for i in range(n // 4)}, "securityContext": {
            "runAsNonRoot": True, "windowsOptions": {"runAsUserName": "ContainerAdministrator"}},
            "containers": [{"x": 0}] * n})), 400_000),
    "affinity-terms": largest(
        lambda n: review(pod({"affinity": affinity([{"matchExpressions": [
            requirement("kubernetes.io/os", "In", ["windows"])]}] * n)})), 90_000),
    "affinity-values": largest(
        lambda n: review(pod({"affinity": affinity([{"matchExpressions": [
            requirement("x", op, [str(i) for i in range(n)]) for op in ("In", "NotIn")]}])})), 400_000),
    "affinity-many-of-one-key": largest(
        lambda n: review(pod({"affinity": affinity([{"matchExpressions": [
            requirement("x", "In", [str(i) for i in range(n)]), *[requirement("x", "NotIn", ["a"])] * (n // 4)]}])})),
        180_000),
    "affinity-one-value-many-times": largest(
        lambda n: review(pod({"affinity": affinity([{"matchExpressions": [
            requirement("x", "In", ["a"] * n), *[requirement("x", "In", ["a"])] * (n // 4)]}])})), 180_000),
    "affinity-requirements": largest(
        lambda n: review(pod({"affinity": affinity([{"matchExpressions": [
            {"key": f"k{i}", "operator": "Exists"} for i in range(n)]}])})), 180_000),
    "affinity-builds-and-containers": largest(
        lambda n: review(pod({"nodeSelector": {}, "affinity": affinity([{"matchExpressions": [
            requirement("node.kubernetes.io/windows-build", "In", ["10.0.17763", "10.0.1"] * n)]}]),
            "containers": [{"image": "a:ltsc2022"}] * n})), 120_000),
    "affinity-terms-of-builds-and-containers": largest(
        lambda n: review(pod({"affinity": affinity([{"matchExpressions": [
            requirement("node.kubernetes.io/windows-build", "In", ["10.0.17763"])]}] * n),
            "containers": [{"image": "a:ltsc2022"}] * n})), 45_000),
    "capabilities-of-containers": largest(
        lambda n: review(pod({"containers": [{"securityContext": {"capabilities": {"drop": ["ALL"]}}}] * n})), 110_000),
    "tolerations": largest(
        lambda n: review(pod({"tolerations": [{"key": "os", "value": "x"}] * n})), 230_000),
    "annotations": largest(
        lambda n: review(pod({}, {"annotations": {
            f"container.apparmor.security.beta.kubernetes.io/{i}": "x" for i in range(n)}})), 120_000),
    "annotations-isolation": largest(
        lambda n: review(pod({**{f"m{i}": 0 for i in range(n)}}, {"annotations": {
            "experimental.windows.kubernetes.io/isolation-type": "hyperv"}})), 500_000),
    "image-with-years": largest(lambda n: review(pod({"containers": [container(0, image="i:" + "ltsc-2022-" * n)]})), 700_000),
    "image-with-numbers": largest(lambda n: review(pod({"containers": [container(0, image="i:" + "1809-" * n)]})), 1_400_000),
    "image-with-words": largest(
        lambda n: review(pod({"containers": [container(0, image="i:" + "windows" * n + "1")]})), 1_000_000),
    "containers-with-a-new-field-update": largest(
        lambda n: review(*[pod({"containers": [container(i, securityContext=context) for i in range(n)]})
                           for context in ({"runAsUser": 1, "privileged": True}, {"privileged": True})]), 50_000),
    "sidecars": largest(
        lambda n: review(pod({"containers": [{"name": "istio-proxy", "image": "istio/proxyv2"}] * n})), 130_000),
    "hugepages": largest(
        lambda n: review(pod({"containers": [{"resources": {"limits": {f"hugepages-{i}": "1" for i in range(n)}}}]})),
        300_000),
    "wrong-types": largest(lambda n: review(pod({"containers": [0] * n})), 3_400_000),
    "empty-containers": largest(lambda n: review(pod({"containers": [{}] * n})), 2_400_000),
    "owners": largest(lambda n: review(pod({}, {"ownerReferences": [{}] * n})), 2_400_000),
    "host-network-many-times": duplicates('"hostNetwork":true', 300_000),
    "long-name-of-a-container-update": largest(
        lambda n: review(*[pod({"containers": [{"name": "c" * n, "volumeMounts": [
            {"mountPropagation": "Bidirectional"}] * (n // 40 + shift)}]}) for shift in (1, 0)]), 1_500_000),
    "one-entry-with-many-members": largest(
        lambda n: review(pod({"containers": [{**{f"m{i}": 0 for i in range(n)}, "volumeDevices": [0],
                                              "volumeMounts": [{"mountPropagation": "Bidirectional"}] * (n // 2)}]}),
                         pod({})), 150_000),
}


def write_all(folder, limit=LIMIT):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text_within in CASES.items():
        (folder / f"{name}.json").write_text(text_within(limit))


if __name__ == "__main__":
    write_all(pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:]))
