"""The AdmissionReviews of the benchmarks: captured ones of 3.4 KB and 8 KB, and larger ones with more containers.

    tests/bench/bodies.py FOLDER    writes them

Each size exists with four verdicts: a Windows pod without placement, a placed one, one that is refused with five findings,
and a Linux pod with the same five fields. The bytes hardly differ, only the verdict.
"""

import argparse
import copy
import json
from pathlib import Path

REVIEWS = Path(__file__).resolve().parent.parent / "data" / "reviews"
SMALL = "kinds/a004-Pod-CREATE--iis-576c8f7b79-vpxtk.json"
MEDIUM = "windows/kubernetes-sigs_secrets-store-csi-driver-bf9e6a71.json"
SIZES = {"3.4 KB": None, "8 KB": None, "64 KB": 64 << 10, "512 KB": 512 << 10}
VERDICTS = ("unplaced", "placed", "refused", "linux")
TOLERATION = {"key": "os", "operator": "Equal", "value": "Win1809", "effect": "NoSchedule"}
FINDINGS = 5


def to_bytes(review):
    return json.dumps(review, separators=(",", ":"), ensure_ascii=False).encode()


def load(name):
    """A captured review, with the namespace `default`, which all candidates know, and without its placement."""
    review = json.loads((REVIEWS / name).read_bytes())
    review["request"]["namespace"] = "default"
    pod = review["request"]["object"]
    pod["metadata"]["namespace"] = "default"
    pod["spec"]["tolerations"] = [t for t in pod["spec"]["tolerations"] if t.get("key")]
    return review


def grow(review, size):
    """Adds copies of the first container with environment variables until the review has the size."""
    grown = copy.deepcopy(review)
    containers = grown["request"]["object"]["spec"]["containers"]
    pattern = containers[0]
    while (missing := size - len(to_bytes(grown))) > 0:
        container = copy.deepcopy(pattern)
        container["name"] = f"sidecar-{len(containers)}"
        container["env"] = [
            {"name": f"SETTING_{i}", "value": f"value {i} of {container['name']}"}
            for i in range(min(40, missing // 60 + 1))
        ]
        containers.append(container)
    return grown


def with_verdict(review, verdict):
    review = copy.deepcopy(review)
    spec = review["request"]["object"]["spec"]
    spec["nodeSelector"] = {"kubernetes.io/os": "linux" if verdict == "linux" else "windows"}
    if verdict in ("placed", "refused"):
        spec["tolerations"].append(TOLERATION)
    if verdict in ("refused", "linux"):
        spec["hostPID"] = True
        spec["hostIPC"] = True
        spec.setdefault("securityContext", {})["fsGroup"] = 2000
        security = spec["containers"][0].setdefault("securityContext", {})
        security["privileged"] = True
        security["capabilities"] = {"add": ["NET_ADMIN"]}
    return review


def write_all(folder):
    """Writes all bodies and returns {(size, verdict): path}."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for size, grown_to in SIZES.items():
        base = load(MEDIUM if size == "8 KB" else SMALL)
        if grown_to:
            base = grow(base, grown_to)
        for verdict in VERDICTS:
            path = folder / f"{size.replace(' ', '')}-{verdict}.json"
            path.write_bytes(to_bytes(with_verdict(base, verdict)))
            paths[size, verdict] = path
    return paths


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    write_all(parser.parse_args().folder)
