"""Checks winadmit check --render with the real helm and kubectl."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import manifests

WINDOWS = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {nodeSelector: {kubernetes.io/os: windows}}}}
"""
WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {hostPID: true, containers: [{name: c, image: i}]}
"""


class Render(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        programs = self.folder / "programs"
        programs.mkdir()
        for name in ("helm", "kubectl"):
            (programs / name).symlink_to(manifests.program(name))
        self.path = f"{programs}:{os.environ['PATH']}"

    def check(self, *arguments):
        return subprocess.run([manifests.WINADMIT, "check", "--render", *arguments], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "PATH": self.path}, check=False)

    def report(self, *arguments):
        return json.loads(self.check("-o", "json", *arguments).stdout)

    def write(self, files):
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)

    def test_the_objects_of_a_chart_are_those_that_helm_prints(self):
        self.write({"web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "web/templates/web.yaml": WEB.replace("name: web", "name: {{ .Values.name }}"),
                    "web/windows.yaml": "name: windows", ".winadmit.yaml": "render: [{chart: web, values: [windows.yaml]}]\n"})
        chart = self.folder / "web"
        printed = subprocess.run([self.folder / "programs/helm", "template", chart, "--values", chart / "windows.yaml"],
                                 capture_output=True, check=True).stdout
        piped = subprocess.run([manifests.WINADMIT, "check", "-o", "json", "-"], input=printed, capture_output=True, check=False).stdout
        report = self.report(chart)
        self.assertEqual([], report["errors"])
        self.assertEqual(json.loads(piped)["summary"], report["summary"])

    def test_the_objects_of_overlays_are_those_that_kubectl_prints(self):
        for overlay in manifests.OVERLAYS:
            with self.subTest(overlay.name):
                report = self.report(overlay)
                self.assertEqual([], report["errors"])
                self.assertEqual(len(manifests.kustomize(overlay)), report["summary"]["objects"])

    def test_findings_name_the_base_and_the_patch_and_the_files_stay(self):
        files = {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": WEB,
                 "win/kustomization.yaml": "resources: [../base]\nnamePrefix: x-\npatches: [{path: patch.yaml}]\n", "win/patch.yaml": WINDOWS}
        self.write(files)
        checked = self.check("-R", "base", "win")
        self.assertEqual(1, checked.returncode, checked.stderr)
        self.assertIn("base/web.yaml: error: Deployment x-web (win/patch.yaml): spec.template.spec.hostPID: ", checked.stdout)
        self.assertIn("1 object, 1 with Windows pods: 1 refused", checked.stderr)
        self.assertEqual(files, {name: (self.folder / name).read_text() for name in files})

    def test_nothing_is_fetched(self):
        """A file of a patch is read late: the environment stops it."""
        for kustomization in ("resources: ['https://example.com/a/b?ref=v1']\n",
                              "resources: [web.yaml]\npatches: [{path: 'https://example.com/patch.yaml'}]\n"):
            with self.subTest(kustomization):
                self.write({"far/kustomization.yaml": kustomization, "far/web.yaml": WEB})
                self.assertEqual(2, self.check("far").returncode)

    def test_a_chart_without_its_dependencies_is_an_error(self):
        self.write({"agent/Chart.yaml": "apiVersion: v2\nname: agent\nversion: 1.0.0\n"
                                        "dependencies: [{name: sub, version: 1.0.0, repository: 'https://example.com'}]\n"})
        checked = self.check("agent")
        self.assertEqual(2, checked.returncode)
        self.assertIn("missing in charts/ directory: sub", checked.stderr)


if __name__ == "__main__":
    unittest.main()
