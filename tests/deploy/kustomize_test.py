"""Checks the kustomize base and its overlays, rendered by kubectl."""

import pathlib
import re
import shutil
import tempfile
import unittest

import yaml

import consistency
import manifests


class Kustomize(unittest.TestCase):
    def test_every_overlay_is_consistent(self):
        self.assertEqual({"cert-manager", "self-signed", "dev"}, {path.name for path in manifests.OVERLAYS})
        for overlay in manifests.OVERLAYS:
            with self.subTest(overlay.name):
                consistency.check(self, manifests.kustomize(overlay))

    def test_webhooks_come_after_what_they_call(self):
        for overlay in manifests.OVERLAYS:
            with self.subTest(overlay.name):
                kinds = [o["kind"] for o in manifests.kustomize(overlay)]
                for configuration in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"):
                    self.assertGreater(kinds.index(configuration), kinds.index("Deployment"))
                    self.assertGreater(kinds.index(configuration), kinds.index("Service"))

    def test_components_work_with_each_overlay(self):
        for component, kinds in (("components/autoscaling", {"HorizontalPodAutoscaler"}),
                                 ("../observability", {"ServiceMonitor", "PrometheusRule"})):
            for overlay in manifests.OVERLAYS:
                with self.subTest(f"{component} with {overlay.name}"):
                    found = manifests.kustomize_with(overlay, component)
                    consistency.check(self, found)
                    self.assertLessEqual(kinds, {o["kind"] for o in found})

    def test_the_alerts_link_to_the_runbook_that_the_user_names(self):
        rule = manifests.one(manifests.kustomize_with(manifests.OVERLAYS[0], "../observability"), "PrometheusRule")
        links = [each["annotations"]["runbook_url"] for each in rule["spec"]["groups"][0]["rules"] if "alert" in each]
        self.assertTrue(links)
        for link in links:
            self.assertRegex(link, "^https://wiki.example/runbook.md#winadmit[a-z]+$")

    def test_the_alerts_need_the_url_of_a_runbook(self):
        with self.assertRaises(manifests.Refused) as refused:
            manifests.kustomize_with(manifests.OVERLAYS[0], "../observability", resource="")
        self.assertIn("winadmit-runbook", str(refused.exception))

    def test_namespace_labels_are_checked_unless_kubernetes_is_too_old(self):
        overlay, kinds = manifests.OVERLAYS[0], {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
        self.assertEqual(["Warn"], actions(manifests.kustomize(overlay)))
        self.assertEqual(["Deny"], actions(manifests.kustomize_with(overlay, "components/deny-wrong-labels")))
        self.assertFalse(kinds & {o["kind"] for o in manifests.kustomize_with(overlay, "components/before-1.30")})

    def test_pods_that_were_not_placed_are_refused_where_refusing_is_on(self):
        config = next(o for o in manifests.kustomize(manifests.OVERLAYS[0]) if o["kind"] == "ConfigMap")
        self.assertEqual({"unplaced": "deny"}, yaml.safe_load(config["data"]["config.yaml"]))


    def test_two_platforms_are_refused(self):
        with self.assertRaisesRegex(manifests.Refused, "test failed|testing value"):
            manifests.kustomize_with(manifests.OVERLAYS[0], "platforms/gke", "platforms/aks")

    def test_no_webhook_refuses_while_winadmit_does_not_answer_if_that_is_chosen(self):
        def policies(*components):
            found = manifests.webhooks(manifests.kustomize_with(manifests.OVERLAYS[0], *components))
            return {each["failurePolicy"] for configuration in found for each in configuration["webhooks"]}

        self.assertEqual({"Fail", "Ignore"}, policies())
        self.assertEqual({"Ignore"}, policies("components/fail-open"))
        self.assertEqual({"Ignore"}, policies("components/fail-open", "platforms/aks", "components/default-mode-warn"))

    def test_on_openshift_the_scc_assigns_user_and_group(self):
        overlay = manifests.DEPLOY / "kustomize/overlays/self-signed"
        for component in ((), ("components/transition-trust",)):
            found = manifests.kustomize_with(overlay, "platforms/openshift", *component)
            for name, template in manifests.pod_specs(manifests.of_kind(found, "Deployment", "Job", "CronJob")):
                context = template["spec"]["securityContext"]
                self.assertEqual({"runAsNonRoot", "seccompProfile"}, set(context), name)

    def test_while_the_source_of_certificates_changes_both_are_there(self):
        overlay = manifests.DEPLOY / "kustomize/overlays/self-signed"
        for component, mounted in (("transition-trust", "winadmit-tls"), ("transition-serve", "winadmit-serving")):
            found = manifests.kustomize_with(overlay, f"components/{component}")
            consistency.check(self, found)
            template = manifests.one(found, "Deployment")["spec"]["template"]
            self.assertEqual(mounted, template["spec"]["volumes"][1]["secret"]["secretName"])
            for name, template in manifests.pod_specs(manifests.of_kind(found, "Job", "CronJob")):
                self.assertIn("--also-trust=winadmit-serving", template["spec"]["containers"][0]["args"], name)
            self.assertEqual({manifests.NAMESPACE}, {o["metadata"]["namespace"] for o in manifests.of_kind(found, "Certificate", "Issuer")})

    def test_the_docs_say_how_to_use_a_configuration_of_ones_own(self):
        """As in docs/configuration.md: the webhooks, the file and the annotation for the server belong together."""
        page = (manifests.ROOT / "docs/configuration.md").read_text()
        kustomization = re.search(r"cat >my-cluster/kustomization.yaml <<'EOF'\n(.*?)\nEOF", page, re.DOTALL).group(1)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="test-", dir=manifests.ROOT))
        try:
            (folder / "kustomization.yaml").write_text(kustomization)
            (folder / "config.yaml").write_text("{platform: aks, windowsRuntimeClasses: [windows-2022]}")
            flags = ("--config", folder / "config.yaml")
            (folder / "webhooks.yaml").write_text(manifests.run(manifests.WINADMIT, "export", "webhook", *flags))
            found, expected = manifests.kustomize(folder), manifests.exported(*flags)
        finally:
            shutil.rmtree(folder)
        consistency.check(self, found)
        self.assertEqual([o["webhooks"] for o in expected], [o["webhooks"] for o in manifests.webhooks(found)])
        template = manifests.one(found, "Deployment")["spec"]["template"]
        self.assertEqual(expected[0]["metadata"]["annotations"].items(),
                         expected[0]["metadata"]["annotations"].items() & template["metadata"]["annotations"].items())
        self.assertIn(template["spec"]["volumes"][0]["configMap"]["name"], [o["metadata"]["name"] for o in found if o["kind"] == "ConfigMap"])


def actions(found):
    return manifests.one(found, "ValidatingAdmissionPolicyBinding")["spec"]["validationActions"]


if __name__ == "__main__":
    unittest.main()
