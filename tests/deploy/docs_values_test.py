"""Renders the values of the chart that the documentation shows: files, `--set` of commands, Applications and HelmReleases.

They are found, not listed. An upgrade that reuses values has those of the commands before it in its section.
"""

import json
import pathlib
import re
import shlex
import tempfile
import unittest

import yaml

import manifests
from chart_values import PEM

PAGES = sorted(path for folder in (".", "docs", "deploy") for path in (manifests.ROOT / folder).glob("*.md" if folder == "." else "**/*.md")
               if path.name != "CHANGELOG.md")
KNOWN = set(json.loads((manifests.CHART / "values.schema.json").read_text())["properties"])
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.M | re.S)
FENCE_OR_HEADING = re.compile(f"{FENCE.pattern}|^#+ [^\n]*$", re.M | re.S)


class DocsValues(unittest.TestCase):
    def test_every_file_of_values_is_rendered(self):
        shown = [each for page in PAGES for each in files(page)]
        self.assertLessEqual({"Application", "HelmRelease", "values"}, {kind for _, kind, _ in shown})
        for where, _, values in shown:
            with self.subTest(where):
                manifests.helm(values=values)

    def test_every_command_with_values_is_rendered(self):
        count = 0
        for page in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                for command, flags in commands(page, pathlib.Path(folder)):
                    count += 1
                    with self.subTest(f"{page.name}: {command}"):
                        manifests.helm(*flags)
        self.assertGreater(count, 20, "the commands were not found")


def files(page):
    """(where, kind, values) of each file of values on a page, and of each mapping in backticks in the README of the chart."""
    text = page.read_text()
    for found in FENCE.finditer(text):
        if found[2] != "yaml":
            continue
        for document in yaml.safe_load_all(re.sub(f"^{found[1]}", "", found[3], flags=re.M)):
            where = f"{page.name}:{text[:found.start()].count(chr(10)) + 2}"
            kind = document.get("kind") if isinstance(document, dict) else None
            if kind == "Application":
                yield where, kind, document["spec"]["source"]["helm"]["valuesObject"]
            elif kind == "HelmRelease":
                yield where, kind, document["spec"]["values"]
            elif are_values(document):
                yield where, "values", document
    if page.parent == manifests.CHART:
        for row in re.findall(r"^\|.*", FENCE.sub("", text).partition("<!-- values -->")[0], re.M):
            shown = [values for values in map(mapping, re.findall(r"`([^`]+)`", row)) if are_values(values)]
            if shown:
                yield f"{page.name}: {row[:40]}", "values", {key: value for values in shown for key, value in values.items()}


def mapping(text):
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def are_values(document):
    return isinstance(document, dict) and bool(document) and set(document) <= KNOWN


def commands(page, folder):
    """(command, flags for `helm template`) of each command and each inline flag that sets a value. Files are written to the folder."""
    text = page.read_text()
    for each in [*PAGES, page]:  # a page may use a file of another one
        for name, content in re.findall(r"`([\w.-]+\.yaml)`:\n\n```yaml\n(.*?)^```$", each.read_text(), re.M | re.S):
            (folder / name).write_text(content)
    reused = []
    for found in FENCE_OR_HEADING.finditer(text):
        if found[2] is None:
            reused = []
        for line in (found[3] if found[2] == "sh" else "").replace("\\\n", " ").splitlines():
            if export := re.search(r"winadmit (export policy .*?) *>([\w.-]+)", line):
                arguments = [str(folder / each) if (folder / each).exists() else each for each in shlex.split(export[1])]
                (folder / export[2]).write_text(manifests.run(manifests.WINADMIT, *arguments))
            if not re.search(r"^ *helm (install|upgrade|template) ", line):
                continue
            flags = values_of(shlex.split(line.partition(" # ")[0]), folder)
            reused = [*reused, *flags] if "reuse-values" in line else flags
            if flags:
                yield line.strip(), reused
    for code in re.findall(r"`(--set(?:-string|-json|-file)? [\w.]+=[^`]*)`", FENCE.sub("", text)):
        yield code, values_of(shlex.split(code), folder)


def values_of(words, folder):
    """The flags among the words of a command that set a value."""
    flags = []
    for flag, value in zip(words, words[1:]):
        if flag in ("--values", "-f"):
            flags += ["--values", folder / value]
        elif flag == "--set-file":
            key, _, name = value.partition("=")
            file = folder / name.replace("/", "-")
            if not file.exists():
                file.write_text(PEM)  # a certificate that another command makes
            flags += [flag, f"{key}={file}"]
        elif flag in ("--set", "--set-string", "--set-json"):
            flags += [flag, value]
    return flags


if __name__ == "__main__":
    unittest.main()
