"""Checks that the generated files of deploy/ are up to date: webhook configurations, alerts, dashboard, the schema and README of the
chart."""

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
                self.assertEqual(plain(manifests.exported()), plain(manifests.webhooks(manifests.kustomize(overlay))))

    def test_components_ship_what_the_binary_exports(self):
        overlay = manifests.DEPLOY / "kustomize/overlays/self-signed"
        sets = {f"platforms/{each}": ("--platform", each) for each in manifests.platforms() if each != "kep"}
        sets |= {f"components/default-mode-{mode}": ("--default-mode", mode) for mode in ("warn", "audit")}
        sets |= {"components/opt-in": ("--opt-in",)}
        for component, flags in sets.items():
            with self.subTest(component):
                found = manifests.kustomize_with(overlay, component)
                self.assertEqual(plain(manifests.exported(*flags)), plain(manifests.webhooks(found)))
        found = manifests.kustomize_with(overlay, "components/opt-in", "platforms/gke", "components/default-mode-audit")
        self.assertEqual(plain(manifests.exported("--opt-in", "--platform", "gke", "--default-mode", "audit")),
                         plain(manifests.webhooks(found)), "combined")

    def test_a_component_of_a_platform_also_tells_the_server(self):
        for platform in manifests.platforms():
            if platform == "kep":
                continue
            found = manifests.kustomize_with(manifests.DEPLOY / "kustomize/overlays/cert-manager", f"platforms/{platform}")
            template = manifests.one(found, "Deployment")["spec"]["template"]
            self.assertIn(f"--platform={platform}", template["spec"]["containers"][0]["args"])
            self.assertEqual({template["metadata"]["annotations"]["winadmit.dev/match-conditions"]},
                             {o["metadata"]["annotations"]["winadmit.dev/match-conditions"] for o in manifests.webhooks(found)})

    def test_the_chart_and_kustomize_have_every_platform(self):
        known = json.loads((manifests.CHART / "files/platforms.json").read_text())
        self.assertEqual(manifests.platforms(), list(known))
        components = {path.name for path in (manifests.DEPLOY / "kustomize/platforms").iterdir()}
        self.assertEqual(set(manifests.platforms()) - {"kep"}, components)
        schema = json.loads((manifests.CHART / "values.schema.json").read_text())
        self.assertEqual(["", *manifests.platforms()], schema["properties"]["platform"]["enum"])

    def test_webhooks_that_only_warn_always_have_failure_policy_ignore(self):
        exported = {webhook["name"]: webhook["failurePolicy"] for o in manifests.exported() for webhook in o["webhooks"]
                    if o["kind"].startswith("Validating")}
        self.assertEqual({"Fail", "Ignore"}, set(exported.values()))
        found = manifests.helm(values={"validating": {"failurePolicy": "Fail"}})
        for webhook in manifests.one(found, "ValidatingWebhookConfiguration")["webhooks"]:
            self.assertEqual(exported[webhook["name"]], webhook["failurePolicy"])


def plain(configurations):
    """{kind: (annotation for the server, webhooks)}"""
    return {o["kind"]: (o["metadata"]["annotations"]["winadmit.dev/match-conditions"], o["webhooks"]) for o in configurations}


if __name__ == "__main__":
    unittest.main()
