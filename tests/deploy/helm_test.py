"""Checks the chart: its values, its objects, and that it renders the same pods as the kustomization."""

import copy
import re
import unittest

import yaml

import consistency
import manifests
from chart_values import PEM, SETS


class Helm(unittest.TestCase):
    def test_every_set_of_values_is_consistent_and_passes_helm_lint(self):
        for name, values in SETS.items():
            with self.subTest(name):
                consistency.check(self, manifests.helm(values=values))
                manifests.run(manifests.program("helm"), "lint", "--strict", "--kube-version", manifests.KUBERNETES, manifests.CHART,
                              "--values", "-", stdin=manifests.values_text(values))

    def test_defaults_run_the_same_pods_as_the_kustomization(self):
        found = [o for o in manifests.helm() if not manifests.is_test(o)]
        chart = {name.split()[0]: plain(template) for name, template in manifests.pod_specs(found)}
        overlay = manifests.kustomize(manifests.DEPLOY / "kustomize/overlays/self-signed")
        self.assertEqual({name.split()[0]: plain(template) for name, template in manifests.pod_specs(overlay)}, chart)

    def test_defaults_hold_the_same_kinds_as_the_kustomization(self):
        overlay = manifests.kustomize(manifests.DEPLOY / "kustomize/overlays/self-signed")
        self.assertEqual(sorted(o["kind"] for o in overlay if o["kind"] != "Namespace"),
                         sorted(o["kind"] for o in manifests.helm() if not manifests.is_test(o)))

    def test_rendering_is_deterministic(self):
        """Argo CD renders again to compare with the cluster: nothing may be random or looked up."""
        for values in SETS.values():
            self.assertEqual(manifests.helm_text(values=values), manifests.helm_text(values=values))

    def test_the_notes_say_that_pods_are_judged_for_another_release_than_that_of_the_cluster(self):
        older = {"config": {"kubernetesVersion": "1.34"}}
        self.assertNotIn("judged by", manifests.helm_notes())
        self.assertIn('set config.kubernetesVersion to "1.34"', manifests.helm_notes(kubernetes="1.34.2"))
        self.assertNotIn("judged by", manifests.helm_notes(older, kubernetes="1.34.2"))
        self.assertIn(f"rules of Kubernetes 1.34, and this cluster has {manifests.NEWEST}", manifests.helm_notes(older))
        self.assertIn('set config.kubernetesVersion to "1.99"', manifests.helm_notes(older, kubernetes="1.99.0"))
        self.assertNotIn("judged by", manifests.helm_notes({"existingConfigMap": "mine"}, kubernetes="1.34.2"))

    def test_the_notes_say_that_a_release_is_newer_than_the_newest_known(self):
        newer = {"config": {"kubernetesVersion": "1.99"}}
        for values, kubernetes in (({}, "1.99.0"), (newer, "1.99.0"), (newer, manifests.KUBERNETES)):
            notes = manifests.helm_notes(values, kubernetes=kubernetes)
            self.assertEqual(1, notes.count("judged by"), notes)
            self.assertRegex(notes, f"rules of Kubernetes {manifests.NEWEST}, the newest that winadmit [0-9.]+ knows")

    def test_the_notes_name_the_taints_that_pods_tolerate(self):
        for values, expected in (({}, "platform kep has the taints os=Win1809, os=Win2022, os=Win2025."), ({"platform": "aks"}, "platform aks has no taint."),
                                 ({"config": {"platform": "eks"}}, "platform eks has the taints os=windows."),
                                 ({"config": {"tolerations": [{"key": "a"}]}}, "get the tolerations of the configuration."),
                                 ({"existingConfigMap": "mine"}, "get the tolerations of the configuration.")):
            self.assertIn(expected, manifests.helm_notes(values))
            self.assertIn("kubectl get nodes -l kubernetes.io/os=windows", manifests.helm_notes(values))

    def test_a_changed_pod_template_renames_the_job(self):
        """The template of a Job is immutable, so an upgrade must create another Job."""
        first = manifests.one(manifests.helm(), "Job")
        self.assertEqual(first, manifests.one(manifests.helm(values={"replicaCount": 3}), "Job"))
        second = manifests.one(manifests.helm(values={"image": {"tag": "9"}}), "Job")
        self.assertNotEqual(first["metadata"]["name"], second["metadata"]["name"])

    def test_a_changed_configuration_rolls_the_pods(self):
        def template(values):
            return manifests.one(manifests.helm(values=values), "Deployment")["spec"]["template"]
        self.assertNotEqual(template({}), template({"config": {"strict": True}}))
        self.assertEqual(template({}), template({"replicaCount": 4}))

    def test_each_upgrade_runs_the_job(self):
        """It sets a caBundle that was lost. `helm template` renders the first revision, and an upgrade the next."""
        names = {manifests.one(manifests.helm(*flags), "Job")["metadata"]["name"] for flags in ((), ("--is-upgrade",))}
        self.assertEqual(1, len(names), "both are revision 1, so that programs which only render see no change")
        template = (manifests.CHART / "templates/certs.yaml").read_text()
        self.assertIn(".Release.Revision", template)

    def test_the_job_ends_and_goes_but_not_while_helm_may_wait_for_it(self):
        found = manifests.helm()
        job, cron = manifests.one(found, "Job"), manifests.one(found, "CronJob")["spec"]["jobTemplate"]["spec"]
        self.assertGreaterEqual(job["spec"]["ttlSecondsAfterFinished"], 3600, "helm --timeout")
        for spec in (job["spec"], cron):
            self.assertLess(spec["activeDeadlineSeconds"], 3600, "the CronJob starts no other Job meanwhile")
        self.assertIn("HookSucceeded", job["metadata"]["annotations"]["argocd.argoproj.io/hook-delete-policy"])

    def test_the_job_can_be_left_out(self):
        kinds = [o["kind"] for o in manifests.helm(values={"certs": {"job": False}})]
        self.assertEqual((0, 1), (kinds.count("Job"), kinds.count("CronJob")))

    def test_an_autoscaler_owns_the_replicas(self):
        self.assertNotIn("replicas", manifests.one(manifests.helm(values=SETS["autoscaled"]), "Deployment")["spec"])

    def test_common_labels_and_annotations_are_on_every_object(self):
        for o in manifests.helm(values=SETS["labels"] | SETS["observability"]):
            self.assertEqual("a", o["metadata"]["labels"]["team"], o["kind"])
            self.assertEqual("b", o["metadata"]["annotations"]["note"], o["kind"])

    def test_names_are_within_the_limits_of_the_api_server(self):
        long = manifests.helm(release="r" * 53, values=SETS["observability"] | SETS["cert-manager"])
        for o in long + manifests.helm(values=SETS["names"]):
            self.assertLessEqual(len(o["metadata"]["name"]), 52 if o["kind"] == "CronJob" else 63, o["kind"])

    def test_the_prometheus_rule_contains_the_alerts(self):
        for url in ("https://example.com/a", "https://example.com/a/"):
            found = manifests.helm(values={"prometheusRule": {"enabled": True, "runbookUrl": url}}, release="other")
            expected = (manifests.DEPLOY / "observability/alerts.yaml").read_text()
            expected = expected.replace("runbook_url: ", "runbook_url: https://example.com/a/")
            # The rotation of this release, not of another one in the cluster.
            expected = expected.replace("winadmit-certs", "other-winadmit-certs")
            self.assertEqual(yaml.safe_load(expected), manifests.one(found, "PrometheusRule")["spec"])

    def test_the_rotation_has_the_name_that_its_alert_knows(self):
        rules = manifests.one(manifests.helm(values=SETS["observability"]), "PrometheusRule")["spec"]["groups"][0]["rules"]
        expression, = [rule["expr"] for rule in rules if rule.get("alert") == "WinadmitRotationFailing"]
        name, = set(re.findall('job_name=~"([^"]+)"', expression))
        for kind in ("Job", "CronJob"):
            self.assertRegex(manifests.one(manifests.helm(), kind)["metadata"]["name"], f"^{name}$")

    def test_the_prometheus_rule_needs_the_url_of_the_runbook(self):
        with self.assertRaises(manifests.Refused) as refused:
            manifests.helm(values={"prometheusRule": {"enabled": True}})
        self.assertIn("prometheusRule.runbookUrl is required", str(refused.exception))


def plain(template):
    """The spec of a pod template without the names that differ between Helm and kustomize."""
    spec = copy.deepcopy(template["spec"])
    for container in spec["containers"]:
        container.pop("imagePullPolicy", None)
        container["args"] = [argument for argument in container["args"] if not argument.startswith("--log-level")]
    for volume in spec.get("volumes", []):
        if "configMap" in volume:
            volume["configMap"]["name"] = "config"
    for constraint in spec.get("topologySpreadConstraints", []):
        constraint.pop("labelSelector")
    return spec


if __name__ == "__main__":
    unittest.main()
