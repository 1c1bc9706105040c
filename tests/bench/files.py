#!/usr/bin/env python3
"""Times `winadmit check` on files beside kubeconform, and writes docs/lab/benchmarks-files.md.

    make bench                 after the benchmark of the server
    tests/bench/files.py       alone, after tests/bench/build.sh; --quick: fewer repetitions

Each program is a whole process on one core. Programs take turns, so that changes of the machine's speed affect all.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import report  # noqa: E402 (these need the line above)
from running import SERVER_CORE, pinned  # noqa: E402
from winadmit import BINARY  # noqa: E402

FILES, FILE_SIZE = 1000, 5000
STREAM_SIZE = 50_000_000
SMALL_POD = """apiVersion: v1
kind: Pod
metadata:
  name: web-{index}
  namespace: shop
spec:
  nodeSelector:
    kubernetes.io/os: windows
  containers:
  - name: web
    image: registry.example/web:1
    ports:
    - containerPort: 8080
    resources:
      limits: {{cpu: 500m, memory: 512Mi}}
"""


def pod_spec(made):
    """The spec of the pod that an object describes."""
    spec = made["spec"]
    while "containers" not in spec:
        spec = (spec.get("template") or spec["jobTemplate"])["spec"]
    return spec


def filled(made):
    """An object as YAML, filled up with environment variables to FILE_SIZE bytes."""
    text = yaml.safe_dump(made, sort_keys=False)
    container = pod_spec(made)["containers"][0]
    container["env"] = variables = list(container.get("env") or [])
    while len(text) < FILE_SIZE:
        variables += [{"name": f"SETTING_{len(variables)}", "value": "value"} for _ in range(1 + (FILE_SIZE - len(text)) // 80)]
        text = yaml.safe_dump(made, sort_keys=False)
    return text


def write_files(folder):
    """Manifests of FILE_SIZE bytes and a little more: the objects of captured reviews that are not larger."""
    folder.mkdir(exist_ok=True)
    reviews = sorted((ROOT / "tests/data/reviews/windows").glob("*.json"))
    objects = [json.loads(each.read_text())["request"]["object"] for each in reviews]
    texts = [filled(each) for each in objects if len(yaml.safe_dump(each)) <= FILE_SIZE]
    for index in range(FILES):
        (folder / f"{index:04}.yaml").write_text(texts[index % len(texts)])


def write_stream(file):
    """Small pods in one file. Returns their number."""
    count = 0
    with file.open("w") as out:
        while out.tell() < STREAM_SIZE:
            out.write("---\n" + SMALL_POD.format(index=count))
            count += 1
    return count


def write_document(file):
    """One pod of STREAM_SIZE bytes."""
    with file.open("w") as out:
        out.write(SMALL_POD.format(index=0) + "    env:\n")
        while out.tell() < STREAM_SIZE:
            out.write("    - {name: SETTING, value: value}\n")


def run(command, accepted):
    """Wall and CPU milliseconds and peak memory in MB of one process."""
    with tempfile.NamedTemporaryFile("r") as out, tempfile.NamedTemporaryFile("r") as usage:
        # A child of this process would inherit its peak memory; a child of time does not.
        timed = ["/usr/bin/time", "--quiet", "--format", "%e %U %S %M", "--output", usage.name, *command]
        with open(out.name, "w") as to:
            done = subprocess.run(pinned(SERVER_CORE, timed), stdout=to, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "GOMAXPROCS": "1"})
        wall, user, system, memory = map(float, usage.read().split())
        text = out.read()
    if done.returncode not in accepted:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {text[:200]}")
    return {"wall": wall * 1000, "cpu": (user + system) * 1000, "memory": memory / 1000}, text


def checked_objects(text):
    return json.loads(text)["summary"]["objects"]


def validated_objects(text):
    summary = json.loads(text)["summary"]
    return summary["valid"] + summary["invalid"]


def measure(plan, repetitions):
    """{name: medians} of (name, command, accepted exit codes, count, expected)."""
    samples = {}
    for _ in range(repetitions):
        for name, command, accepted, count, expected in plan:
            sample, text = run(command, accepted)
            if count and count(text) != expected:
                raise RuntimeError(f"{name} read {count(text)} objects, not {expected}")
            samples.setdefault(name, []).append(sample)
    return {name: {key: statistics.median(each[key] for each in found) for key in ("wall", "cpu", "memory")}
            for name, found in samples.items()}


def write_report(found, pods, docs, about):
    ours, theirs = found["winadmit"], found["kubeconform"]
    stream, events, document = found["stream"], found["events"], found["document"]
    ratio = ours["cpu"] / theirs["cpu"]
    targets = [
        [f"{FILES:,} manifests of {FILE_SIZE / 1000:g} KB, CPU against kubeconform", f"{ratio:.2f}x", "at most 0.5x",
         "yes" if ratio <= 0.5 else "**no**"],
        ["the same, memory", f"{ours['memory']:.1f} MB", "at most 20 MB", "yes" if ours["memory"] <= 20 else "**no**"],
        [f"{STREAM_SIZE // 1_000_000} MB of {pods:,} pods in one file", f"{stream['cpu'] / 1000:.2f} s", "at most 2 s",
         "yes" if stream["cpu"] <= 2000 else "**no**"],
        ["the same, CPU against libyaml alone", f"{stream['cpu'] / events['cpu']:.2f}x", "", ""],
        ["the same, memory", f"{stream['memory']:.1f} MB", "at most 40 MB", "yes" if stream["memory"] <= 40 else "**no**"],
        [f"one document of {STREAM_SIZE // 1_000_000} MB, memory", f"{document['memory']:.1f} MB", "at most 40 MB",
         "yes" if document["memory"] <= 40 else "**no**"],
    ]
    names = {"winadmit": "winadmit check", "kubeconform": "kubeconform", "stream": f"winadmit check, {pods:,} pods in one file",
             "events": "libyaml, the events of the same file",
             "document": "winadmit check, one document, refused by its size"}
    rows = [[names[name], *(f"{row[key]:.{digits}f}" for key, digits in (("wall", 0), ("cpu", 0), ("memory", 1)))]
            for name, row in found.items()]
    parts = [
        "# Benchmarks of `winadmit check`",
        "Written by `make bench`; do not edit. Whole processes on one core, in turn; medians. The manifests are captured Windows "
        "workloads, filled up to the same size. kubeconform validates them with the schemas of the newest Kubernetes, from local files, "
        "without the network. libyaml is the reader of `check`; alone, it reads the events and does nothing with them.",
        f"{about['date']}. {about['cpu']}, Linux {about['kernel']}.",
        report.table(report.TARGET_COLUMNS, targets),
        report.table(["", "wall ms", "CPU ms", "memory MB"], rows),
    ]
    (docs / "lab/benchmarks-files.md").write_text("\n\n".join(parts) + "\n")
    return parts[3]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--winadmit", type=Path, default=BINARY)
    parser.add_argument("--tools", type=Path, default=ROOT / "build/bench")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs")
    options = parser.parse_args()
    work = options.tools.resolve()
    folder, stream, document = work / "manifests", work / "pods.yaml", work / "document.yaml"
    write_files(folder)
    pods = write_stream(stream)
    write_document(document)
    winadmit = str(options.winadmit.resolve())
    schemas = str(work / "schemas") + "/{{.ResourceKind}}{{.KindSuffix}}.json"
    plan = [
        ("winadmit", [winadmit, "check", "-f", str(folder), "-o", "json"], {0, 1}, checked_objects, FILES),
        ("kubeconform", [str(work / "kubeconform"), "-schema-location", schemas, "-summary", "-output", "json", str(folder)],
         {0, 1}, validated_objects, FILES),
        ("stream", [winadmit, "check", "-f", str(stream), "-o", "json"], {0}, checked_objects, pods),
        ("events", [str(work / "bench_yaml_events"), str(stream)], {0}, int, pods),
        ("document", [winadmit, "check", "-f", str(document), "-o", "json"], {2}, None, 0),
    ]
    found = measure(plan, 3 if options.quick else 9)
    (work / "files.json").write_text(json.dumps(found, indent=1))
    print(write_report(found, pods, options.docs, report.machine(options.winadmit)))


if __name__ == "__main__":
    main()
