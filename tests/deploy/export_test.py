"""Checks that the generated files of deploy/ are up to date: webhook configurations, alerts, dashboard."""

import json
import subprocess
import unittest

import manifests


class Export(unittest.TestCase):
    def test_generated_files_are_up_to_date(self):
        result = subprocess.run([manifests.DEPLOY / "generate.sh", "--check"], capture_output=True, text=True,
                                check=False)
        self.assertEqual(0, result.returncode, f"run deploy/generate.sh\n{result.stdout}{result.stderr}")

    def test_every_overlay_ships_what_the_binary_exports(self):
        for overlay in manifests.OVERLAYS:
            with self.subTest(overlay.name):
                shipped = {o["kind"]: o["webhooks"] for o in manifests.webhooks(manifests.kustomize(overlay))}
                self.assertEqual({o["kind"]: o["webhooks"] for o in manifests.exported()}, shipped)

    def test_the_chart_ships_what_the_binary_exports(self):
        shipped = {o["kind"]: o["webhooks"] for o in manifests.webhooks(manifests.helm())}
        self.assertEqual({o["kind"]: o["webhooks"] for o in manifests.exported()}, shipped)
        for platform in manifests.platforms():
            with self.subTest(platform):
                shipped = {o["kind"]: o["webhooks"] for o in manifests.webhooks(manifests.helm(values={"platform": platform}))}
                expected = {o["kind"]: o["webhooks"] for o in manifests.exported("--platform", platform)}
                self.assertEqual(expected, shipped)

    def test_the_chart_has_every_platform(self):
        files = sorted(path.stem for path in (manifests.CHART / "files/webhooks").iterdir())
        self.assertEqual(sorted(manifests.platforms()), files)
        schema = json.loads((manifests.CHART / "values.schema.json").read_text())
        self.assertEqual(["", *manifests.platforms()], schema["properties"]["platform"]["enum"])

    def test_webhooks_that_only_warn_always_have_failure_policy_ignore(self):
        exported = {webhook["name"]: webhook["failurePolicy"] for o in manifests.exported() for webhook in o["webhooks"]
                    if o["kind"].startswith("Validating")}
        self.assertEqual({"Fail", "Ignore"}, set(exported.values()))
        found = manifests.helm(values={"validating": {"failurePolicy": "Fail"}})
        for webhook in manifests.one(found, "ValidatingWebhookConfiguration")["webhooks"]:
            self.assertEqual(exported[webhook["name"]], webhook["failurePolicy"])


if __name__ == "__main__":
    unittest.main()
