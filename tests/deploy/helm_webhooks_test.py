"""Checks the webhook configurations and the certificates of the chart."""

import json
import unittest

import yaml

import consistency
import manifests
from chart_values import PEM, SETS


class HelmWebhooks(unittest.TestCase):
    def test_a_ca_bundle_is_rendered_only_with_an_existing_secret(self):
        """Otherwise an upgrade or a rollback would restore an old CA."""
        for name, values in SETS.items():
            bundles = {webhook["clientConfig"].get("caBundle") for configuration in
                       manifests.webhooks(manifests.helm(values=values)) for webhook in configuration["webhooks"]}
            self.assertEqual("caBundle" in values, bundles != {None}, name)
        secret = manifests.one(manifests.helm(), "Secret")
        self.assertEqual(set(), {"data", "stringData"} & set(secret))

    def test_a_ca_bundle_may_be_pem_or_base64(self):
        pem = manifests.helm(values={"existingSecret": "mine", "caBundle": PEM})
        encoded = manifests.webhooks(pem)[0]["webhooks"][0]["clientConfig"]["caBundle"]
        self.assertEqual(pem, manifests.helm(values={"existingSecret": "mine", "caBundle": encoded}))

    def test_failure_policy_and_timeout_follow_the_values_except_for_linux_pods(self):
        default = manifests.webhooks(manifests.helm())
        changed = manifests.webhooks(manifests.helm(values={
            "mutating": {"failurePolicy": "Fail", "timeoutSeconds": 3},
            "validating": {"failurePolicy": "Ignore", "timeoutSeconds": 2}}))
        for before, after in zip(default, changed):
            mutating = before["kind"].startswith("Mutating")
            for webhook in after["webhooks"]:
                expected = ("Fail", 3) if mutating else ("Ignore", 2)
                if "default-linux" in webhook["name"]:
                    expected = ("Ignore", 1)  # Linux pods never depend on winadmit
                self.assertEqual(expected, (webhook["failurePolicy"], webhook["timeoutSeconds"]), webhook["name"])

    def test_exempt_namespaces_are_excluded_and_the_release_namespace(self):
        found = manifests.helm(values={"exemptNamespaces": ["kube-system", "istio-system"]})
        for configuration in manifests.webhooks(found):
            for webhook in configuration["webhooks"]:
                names = [e["values"] for e in webhook["namespaceSelector"]["matchExpressions"]
                         if e["key"] == "kubernetes.io/metadata.name"]
                self.assertEqual([["kube-system", "istio-system", manifests.NAMESPACE]], names)

    def test_daemon_sets_that_are_not_placed_have_no_webhook(self):
        def names(config):
            found = manifests.webhooks(manifests.helm(values={"config": config}))
            return {webhook["name"] for o in found for webhook in o["webhooks"] if "daemonsets" in webhook["name"]}
        self.assertEqual(3, len(names({})))
        self.assertEqual(3, len(names({"placeDaemonSets": True})))
        self.assertEqual(set(), names({"placeDaemonSets": False}))

    def test_below_1_28_there_are_no_match_conditions(self):
        for version, expected in (("1.27.9", False), ("1.28.0", True), ("1.28.0-gke.100", True), ("1.36.1", True)):
            found = manifests.webhooks(manifests.helm(kubernetes=version))
            self.assertEqual({expected}, {"matchConditions" in webhook for o in found for webhook in o["webhooks"]}, version)
        found = manifests.webhooks(manifests.helm(values={"matchConditions": False}))
        self.assertEqual({False}, {"matchConditions" in webhook for o in found for webhook in o["webhooks"]})

    def test_the_platform_is_that_of_the_value_or_of_the_configuration(self):
        def rendered(values):
            found = manifests.helm(values=values)
            config = yaml.safe_load(manifests.one(found, "ConfigMap")["data"]["config.yaml"])
            pods = manifests.one(found, "Deployment")["spec"]["template"]
            return config, [o["webhooks"] for o in manifests.webhooks(found)], pods
        self.assertEqual({"platform": "aks", "strict": True, "unplaced": "deny"}, rendered({"platform": "aks", "config": {"strict": True}})[0])
        self.assertEqual(rendered({"platform": "aks"}), rendered({"config": {"platform": "aks"}}))
        self.assertNotEqual(rendered({"platform": "aks"})[2], rendered({})[2], "a changed platform rolls the pods")

    def test_pods_that_were_not_placed_are_refused_where_refusing_is_on(self):
        for values, expected in (({}, "deny"), ({"validating": {"failurePolicy": "Ignore"}}, None), ({"config": {"unplaced": "warn"}}, "warn")):
            config = yaml.safe_load(manifests.one(manifests.helm(values=values), "ConfigMap")["data"]["config.yaml"]) or {}
            self.assertEqual(expected, config.get("unplaced"), values)

    def test_namespace_labels_are_checked_unless_kubernetes_is_too_old(self):
        kinds = {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
        for policy, kubernetes, expected in (("warn", manifests.KUBERNETES, ["Warn"]), ("deny", "1.30.0", ["Deny"]), ("off", manifests.KUBERNETES, None), ("warn", "1.29.9", None)):
            found = manifests.helm(values={"namespaceLabelPolicy": policy}, kubernetes=kubernetes)
            if expected:
                self.assertEqual(expected, manifests.one(found, "ValidatingAdmissionPolicyBinding")["spec"]["validationActions"])
            else:
                self.assertFalse(kinds & {o["kind"] for o in found})

    def test_only_the_groups_of_the_values_may_set_labels(self):
        groups = ["system:masters", 'a "team" & more']
        found = manifests.helm(values={"namespaceLabels": {"allowedGroups": groups}, "namespaceLabelPolicy": "off"})
        policy = manifests.one(found, "ValidatingAdmissionPolicy")
        self.assertEqual(groups, json.loads(policy["spec"]["variables"][0]["expression"]))
        binding = manifests.one(found, "ValidatingAdmissionPolicyBinding")
        self.assertEqual((policy["metadata"]["name"], ["Deny"]), (binding["spec"]["policyName"], binding["spec"]["validationActions"]))
        component = manifests.kustomize_with(manifests.OVERLAYS[0], "components/restrict-labels")
        expected = manifests.one(component, "ValidatingAdmissionPolicy", "winadmit-restrict-labels")["spec"]
        policy["spec"]["variables"][0] = expected["variables"][0]
        self.assertEqual(expected, policy["spec"])
        self.assertEqual(binding["spec"], manifests.one(component, "ValidatingAdmissionPolicyBinding", "winadmit-restrict-labels")["spec"])
        with self.assertRaisesRegex(manifests.Refused, "namespaceLabels.allowedGroups needs Kubernetes 1.30"):
            manifests.helm(values={"namespaceLabels": {"allowedGroups": groups}}, kubernetes="1.29.9")

    def test_the_chart_and_the_kustomization_check_the_same_labels(self):
        overlay = manifests.kustomize(manifests.DEPLOY / "kustomize/overlays/self-signed")
        for kind in ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"):
            self.assertEqual(manifests.one(overlay, kind)["spec"], manifests.one(manifests.helm(), kind)["spec"])

    def test_the_hook_of_the_removal_is_not_for_programs_that_only_render(self):
        """They would take its empty configurations for the real ones."""
        self.assertNotIn("pre-delete", manifests.helm_text())

    def test_while_the_source_of_certificates_changes_both_are_there(self):
        def objects(transition):
            found = manifests.helm(values={"certManager": {"enabled": True, "transition": transition}})
            consistency.check(self, found)
            mounted = manifests.one(found, "Deployment")["spec"]["template"]["spec"]["volumes"][1]["secret"]["secretName"]
            injected = {"cert-manager.io/inject-ca-from" in o["metadata"]["annotations"] for o in manifests.webhooks(found)}
            jobs = manifests.of_kind(found, "Job", "CronJob")
            self.assertEqual(2, len(manifests.of_kind(found, "Certificate")))
            return mounted, injected, [template["spec"]["containers"][0]["args"] for _, template in manifests.pod_specs(jobs)]
        for transition, mounted in (("trust", "winadmit-tls"), ("serve", "winadmit-serving")):
            found = objects(transition)
            self.assertEqual((mounted, {False}), found[:2])
            self.assertEqual(2, len(found[2]))
            for arguments in found[2]:
                self.assertLessEqual({"--secret=winadmit-tls", "--also-trust=winadmit-serving"}, set(arguments))
        self.assertEqual(("winadmit-serving", {True}, []), objects(""))

    def test_cert_manager_injects_the_ca_of_the_serving_certificate(self):
        found = manifests.helm(values={"certManager": {"enabled": True}, "fullnameOverride": "other"})
        certificate = next(o for o in manifests.of_kind(found, "Certificate") if not o["spec"].get("isCA"))
        reference = f"{certificate['metadata']['namespace']}/{certificate['metadata']['name']}"
        for configuration in manifests.webhooks(found):
            self.assertEqual(reference, configuration["metadata"]["annotations"]["cert-manager.io/inject-ca-from"])
        service = manifests.one(found, "Service")["metadata"]
        self.assertIn(f"{service['name']}.{service['namespace']}.svc", certificate["spec"]["dnsNames"])
        mounted = manifests.one(found, "Deployment")["spec"]["template"]["spec"]["volumes"][1]["secret"]["secretName"]
        self.assertEqual(certificate["spec"]["secretName"], mounted)

    def test_the_order_of_the_webhooks_does_not_depend_on_the_release(self):
        """The API server calls mutating configurations in the order of their names, see docs/compatibility.md."""
        for release in ("a", "prod"):
            found = manifests.helm(release=release)
            self.assertEqual("00-winadmit", manifests.one(found, "MutatingWebhookConfiguration")["metadata"]["name"])
            self.assertEqual(f"{release}-winadmit", manifests.one(found, "ValidatingWebhookConfiguration")["metadata"]["name"])

    def test_the_rotation_uses_the_rendered_names(self):
        found = manifests.helm(values={"fullnameOverride": "other", "mutating": {"name": "01-other"}})
        consistency.check(self, found)
        arguments = manifests.one(found, "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]["args"]
        named = dict(argument.removeprefix("--").split("=") for argument in arguments if "=" in argument)
        self.assertEqual({"secret": manifests.one(found, "Secret")["metadata"]["name"],
                          "service": manifests.one(found, "Service")["metadata"]["name"],
                          "mutating": manifests.one(found, "MutatingWebhookConfiguration")["metadata"]["name"],
                          "validating": manifests.one(found, "ValidatingWebhookConfiguration")["metadata"]["name"]}, named)


if __name__ == "__main__":
    unittest.main()
