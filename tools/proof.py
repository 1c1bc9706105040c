#!/usr/bin/env python3
"""Prints what a binary answers, or compares what two binaries answer.

    tools/proof.py --new BINARY --tree TREE --reviews DIR >answers.txt
    tools/proof.py --old BINARY --new BINARY --tree TREE --reviews DIR [--renamed FILE]

The inputs are the rule cases (tests/data/rules of TREE, a folder of whole pods) in every release, samples/ and the manifests below
tests/ of TREE, and the captured reviews of DIR. Each line of FILE is an old rule id and its new one. The exit code is 1 if answers differ.
"""

import argparse
import base64
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

RELEASES = [f"1.{minor}" for minor in range(14, 37)]
PATHS = ["/mutate", "/mutate/default-windows", "/mutate/default-linux", "/mutate/audit/default-windows", "/validate", "/validate/default-windows",
         "/validate/default-linux", "/validate/warn", "/validate/audit"]
CASES = "tests/data/rules"
VARIANTS = {"": [], " --no-mutate": ["--no-mutate"], " --default-os windows": ["--default-os", "windows"], " 1.20": ["--kubernetes-version", "1.20"]}
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("WINADMIT_")}
RANK = ["allow", "warn", "deny"]


class Answers:
    """What one binary answers: by kind and input, a sorted list of lines."""

    def __init__(self, binary, tree, reviews, renamed):
        self.binary, self.tree, self.reviews = pathlib.Path(binary).resolve(), tree, reviews
        self.ids = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, renamed))})(?![\w-])") if renamed else None
        self.renamed = renamed
        with concurrent.futures.ThreadPoolExecutor(2) as pool, tempfile.TemporaryDirectory() as folder:
            strict = pathlib.Path(folder, "strict.yaml")
            strict.write_text("strict: true\n", encoding="utf-8")
            jobs = [pool.submit(self.rule_cases, release, extra) for release in RELEASES for extra in ([], ["--config", strict])]
            jobs += [pool.submit(self.manifests, name, extra) for name, extra in VARIANTS.items()]
            jobs += [pool.submit(self.review, path, file) for path in PATHS for file in sorted(reviews.rglob("*.json"))]
            self.by_kind = collections.defaultdict(dict)
            for job in jobs:
                for kind, answers in job.result().items():
                    for key, lines in answers.items():
                        self.by_kind[kind][key] = sorted(lines)

    def run(self, *arguments, codes):
        done = subprocess.run([self.binary, *arguments], cwd=self.tree, env=ENVIRONMENT, capture_output=True, check=False)
        if done.returncode not in codes:
            sys.exit(f"{self.binary} {' '.join(map(str, arguments))}: exit code {done.returncode}: {done.stderr.decode()}")
        return json.loads(done.stdout)

    def rename(self, text):
        return self.ids.sub(lambda match: self.renamed[match[0]], text) if self.ids else text

    def finding(self, each):
        place = f"{each.get('line')}:{each.get('column')}-{each.get('endColumn')} {each.get('object')}: "
        source = f" [{each['source']}]" if each.get("source") else ""
        return f"{each['action']} ({self.rename(each.get('rule', ''))}) " + place + f"{each.get('field')}: {self.rename(each['message'])}{source}"

    def check(self, *arguments):
        return self.run("check", "-o", "json", "--exit-zero", "--skip-others", "-R", *arguments, codes=(0, 2))

    def rule_cases(self, release, extra):
        """Each case is judged with and without `strict`."""
        result = self.check("--no-project", "--kubernetes-version", release, *extra, CASES)
        named = " strict" if extra else ""
        answers = {f"{file.relative_to(self.tree / CASES)} {release}{named}": [] for file in (self.tree / CASES).rglob("*.json")}
        for each in result["findings"]:
            answers[f"{pathlib.Path(each['file']).relative_to(CASES)} {release}{named}"].append(self.finding(each))
        answers[f"errors {release}{named}"] = result["errors"]
        return {"rule cases": answers}

    def manifests(self, name, extra):
        folders = ["samples", *sorted(str(file.relative_to(self.tree)) for file in self.tree.glob("tests/*") if file.is_dir() and file.name != "data"),
                   *sorted(str(file.relative_to(self.tree)) for file in self.tree.glob("tests/data/*") if file.is_dir() and file.name != "rules")]
        result = self.check(*extra, *folders)
        answers = collections.defaultdict(list)
        for file in folders:
            for found in sorted((self.tree / file).rglob("*")):
                if found.suffix in (".yaml", ".yml", ".json"):
                    answers[f"{found.relative_to(self.tree)}{name}"] = []
        for each in result["findings"]:
            answers[each["file"] + name].append(self.finding(each))
        for each in result["errors"]:
            answers[each.partition(":")[0] + name].append(f"error {each}")
        counts = {key: value for key, value in result.items() if key not in ("findings", "errors", "summary")}
        counts |= {key: value for key, value in result["summary"].items() if key not in ("denials", "warnings")}
        answers["(counts)" + name] = [f"{key}: {json.dumps(value, sort_keys=True)}" for key, value in counts.items()]
        return {"manifests": answers}

    def review(self, path, file):
        response = self.run("review", "--path", path, file, codes=(0, 1))["response"]
        status, lines = response.get("status", {}), [f"{'allow' if response['allowed'] else 'deny'} {response.get('status', {}).get('code', '')}"]
        lines += [f"message: {line}" for line in self.rename(status.get("message", "")).split("\n")]
        lines += [f"cause: {self.rename(json.dumps(each, sort_keys=True))}" for each in status.get("details", {}).get("causes", [])]
        lines += [f"warning: {self.rename(each)}" for each in response.get("warnings", [])]
        for key, value in response.get("auditAnnotations", {}).items():
            lines += [f"annotation {self.rename(key)}: {line}" for line in self.rename(value).split("\n")]
        lines += [f"patch {index}: {json.dumps(each, sort_keys=True)}"
                  for index, each in enumerate(json.loads(base64.b64decode(response.get("patch", "W10="))))]
        rest = {key: value for key, value in response.items() if key not in ("allowed", "status", "warnings", "auditAnnotations", "patch")}
        lines.append(f"rest: {json.dumps(rest, sort_keys=True)}")
        return {f"reviews {path}": {str(file.relative_to(self.reviews)): lines}}


def verdict(lines):
    return max((word for line in lines if (word := line.partition(" ")[0]) in RANK), key=RANK.index, default="allow")


def compare(old, new):
    """The number of answers that differ. The same difference of several inputs is printed once."""
    differing, groups = 0, collections.defaultdict(list)
    for kind in sorted(old.by_kind.keys() | new.by_kind.keys()):
        before, after = old.by_kind[kind], new.by_kind[kind]
        counts, verdicts = collections.Counter(), collections.Counter()
        for key in sorted(before.keys() | after.keys()):
            was, now = collections.Counter(before.get(key, ["no answer"])), collections.Counter(after.get(key, ["no answer"]))
            if was == now:
                counts["the same"] += 1
                continue
            of_old, of_new = verdict(was), verdict(now)
            counts["differ" if of_old == of_new else "differ in the verdict"] += 1
            verdicts[f"{of_old} to {of_new}"] += of_old != of_new
            groups[kind, tuple(sorted((was - now).elements())), tuple(sorted((now - was).elements()))].append(key)
        differing += counts.total() - counts["the same"]
        print(f"{kind}: {counts.total()} answers: " + ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
        for what, count in sorted(verdicts.items()):
            if count:
                print(f"  {what}: {count}")
    for (kind, gone, added), keys in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]), item[0])):
        print(f"\n{kind}: {len(keys)}: {', '.join(keys[:3])}{', ...' if len(keys) > 3 else ''}")
        print("\n".join([f"  - {line}" for line in gone] + [f"  + {line}" for line in added]))
    return differing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", help="binary to compare with; without it, the answers of the other are printed")
    parser.add_argument("--new", required=True)
    parser.add_argument("--tree", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--reviews", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--renamed", type=pathlib.Path)
    given = parser.parse_args()
    renamed = {}
    if given.renamed:
        lines = given.renamed.read_text(encoding="utf-8").splitlines()
        renamed = dict(line.split() for line in lines if line.strip() and not line.startswith("#"))
    new = Answers(given.new, given.tree, given.reviews, {})
    if given.old:
        sys.exit(compare(Answers(given.old, given.tree, given.reviews, renamed), new) > 0)
    for kind, answers in sorted(new.by_kind.items()):
        for key, lines in sorted(answers.items()):
            print(f"{kind}: {key}")
            for line in lines:
                print(f"  {line}")


if __name__ == "__main__":
    main()
