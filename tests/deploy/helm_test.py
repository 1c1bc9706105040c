"""Checks the chart: its values, its objects, and that it renders the same pods as the kustomization."""

import copy
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
                manifests.run(manifests.program("helm"), "lint", "--strict", "--kube-version", "1.36.0", manifests.CHART,
                              "--values", "-", stdin=yaml.safe_dump(values))

    def test_defaults_run_the_same_pods_as_the_kustomization(self):
        chart = {name.split()[0]: plain(template) for name, template in manifests.pod_specs(manifests.helm())}
        overlay = manifests.kustomize(manifests.DEPLOY / "kustomize/overlays/self-signed")
        del chart["Pod"]  # helm test
        self.assertEqual({name.split()[0]: plain(template) for name, template in manifests.pod_specs(overlay)}, chart)

    def test_defaults_hold_the_same_kinds_as_the_kustomization(self):
        overlay = manifests.kustomize(manifests.DEPLOY / "kustomize/overlays/self-signed")
        self.assertEqual(sorted(o["kind"] for o in overlay if o["kind"] != "Namespace"),
                         sorted(o["kind"] for o in manifests.helm() if o["kind"] != "Pod"))

    def test_rendering_is_deterministic(self):
        """Argo CD renders again to compare with the cluster: nothing may be random or looked up."""
        for values in SETS.values():
            self.assertEqual(manifests.helm_text(values=values), manifests.helm_text(values=values))

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

    def test_invalid_values_are_refused_by_name(self):
        for values, says in (
                ({"replicas": 3}, "replicas"),
                ({"image": {"digest": "latest"}}, "digest"),
                ({"validating": {"failurePolicy": "fail"}}, "failurePolicy"),
                ({"mutating": {"timeoutSeconds": 31}}, "timeoutSeconds"),
                ({"replicaCount": 0}, "replicaCount"),
                ({"certManager": {"enabled": True}, "existingSecret": "mine"}, "mutually exclusive"),
                ({"platform": "k3s"}, "platform"),
                ({"config": {"platform": "k3s"}}, "k3s is unknown"),
                ({"platform": "gke", "config": {"platform": "aks"}}, "contradicts"),
                ({"caBundle": PEM}, "existingSecret")):
            with self.subTest(says), self.assertRaises(manifests.Refused) as refused:
                manifests.helm(values=values)
            self.assertIn(says, str(refused.exception))

    def test_the_schema_describes_each_value(self):
        values = yaml.safe_load((manifests.CHART / "values.yaml").read_text())
        schema = yaml.safe_load((manifests.CHART / "values.schema.json").read_text())
        self.assertEqual(set(values), set(schema["properties"]) - {"global"})

    def test_the_prometheus_rule_contains_the_alerts(self):
        found = manifests.helm(values={"prometheusRule": {"enabled": True, "runbookUrl": "https://example.com/"}})
        expected = yaml.safe_load((manifests.DEPLOY / "observability/alerts.yaml").read_text())
        for group in expected["groups"]:
            for rule in group["rules"]:
                rule["annotations"]["runbook_url"] = "https://example.com/" + rule["annotations"]["runbook_url"]
        self.assertEqual(expected, manifests.one(found, "PrometheusRule")["spec"])


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
