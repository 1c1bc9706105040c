"""The chart: what its values change, what they refuse, and that it says the same as the kustomization."""

import copy
import unittest

import yaml

import manifests
import sound

PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"

# Sets of values that change as much as they can, each of which must render to something sound.
SETS = {
    "defaults": {},
    "cert-manager": {"certManager": {"enabled": True}},
    "an issuer of the user's": {"certManager": {"enabled": True, "issuerRef": {"kind": "ClusterIssuer", "name": "corp"}}},
    "a Secret of the user's": {"existingSecret": "mine", "caBundle": PEM},
    "everything observable": {"serviceMonitor": {"enabled": True}, "prometheusRule": {"enabled": True},
                              "grafanaDashboard": {"enabled": True}},
    "autoscaled": {"autoscaling": {"enabled": True, "minReplicas": 3}},
    "as little as can be": {"networkPolicy": {"enabled": False}, "podDisruptionBudget": {"enabled": False},
                            "priorityClassName": "", "replicaCount": 1, "webhookLabels": {"a": "b"}},
    "names": {"fullnameOverride": "x" * 60, "serviceAccount": {"name": "theirs"}},
    "labels": {"commonLabels": {"team": "a"}, "commonAnnotations": {"note": "b"}, "podLabels": {"mesh": "off"},
               "podAnnotations": {"scrape": "no"}},
    "scheduling": {"tolerations": [{"operator": "Exists"}], "affinity": {"nodeAffinity": {}},
                   "topologySpreadConstraints": [{"topologyKey": "rack", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}]},
    "image": {"image": {"repository": "registry.example/winadmit", "digest": "sha256:" + "0" * 64},
              "imagePullSecrets": [{"name": "pull"}]},
    "configuration": {"config": {"kubernetesVersion": "1.29"}, "extraArgs": ["--max-body=1000000"], "threads": 4},
}


class Helm(unittest.TestCase):
    def test_every_set_of_values_is_sound_and_lints(self):
        for name, values in SETS.items():
            with self.subTest(name):
                sound.check(self, manifests.helm(values=values))
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

    def test_rendering_twice_gives_the_same(self):
        """What Argo CD compares with the cluster after each sync: nothing random, nothing looked up."""
        for values in SETS.values():
            self.assertEqual(manifests.helm_text(values=values), manifests.helm_text(values=values))

    def test_a_ca_is_rendered_only_where_the_user_owns_it(self):
        """Else an upgrade or a roll back would put an old one back."""
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

    def test_failure_policy_and_timeout_follow_the_values(self):
        default = manifests.webhooks(manifests.helm())
        changed = manifests.webhooks(manifests.helm(values={
            "mutating": {"failurePolicy": "Fail", "timeoutSeconds": 3},
            "validating": {"failurePolicy": "Ignore", "timeoutSeconds": 2}}))
        for before, after in zip(default, changed):
            mutating = before["kind"].startswith("Mutating")
            for webhook in after["webhooks"]:
                self.assertEqual(("Fail", 3) if mutating else ("Ignore", 2),
                                 (webhook["failurePolicy"], webhook["timeoutSeconds"]))

    def test_exempt_namespaces_are_excluded_besides_the_own_one(self):
        found = manifests.helm(values={"exemptNamespaces": ["kube-system", "istio-system"]})
        for configuration in manifests.webhooks(found):
            for webhook in configuration["webhooks"]:
                names = [e["values"] for e in webhook["namespaceSelector"]["matchExpressions"]
                         if e["key"] == "kubernetes.io/metadata.name"]
                self.assertEqual([["kube-system", "istio-system", manifests.NAMESPACE]], names)

    def test_below_1_28_there_are_no_match_conditions(self):
        for version, expected in (("1.27.9", False), ("1.28.0", True), ("1.28.0-gke.100", True), ("1.36.1", True)):
            found = manifests.webhooks(manifests.helm(kubernetes=version))
            self.assertEqual({expected}, {"matchConditions" in webhook for o in found for webhook in o["webhooks"]}, version)
        found = manifests.webhooks(manifests.helm(values={"matchConditions": False}))
        self.assertEqual({False}, {"matchConditions" in webhook for o in found for webhook in o["webhooks"]})

    def test_cert_manager_is_told_which_certificate_to_inject(self):
        found = manifests.helm(values={"certManager": {"enabled": True}, "fullnameOverride": "other"})
        certificate = next(o for o in manifests.of_kind(found, "Certificate") if not o["spec"].get("isCA"))
        reference = f"{certificate['metadata']['namespace']}/{certificate['metadata']['name']}"
        for configuration in manifests.webhooks(found):
            self.assertEqual(reference, configuration["metadata"]["annotations"]["cert-manager.io/inject-ca-from"])
        service = manifests.one(found, "Service")["metadata"]
        self.assertIn(f"{service['name']}.{service['namespace']}.svc", certificate["spec"]["dnsNames"])
        mounted = manifests.one(found, "Deployment")["spec"]["template"]["spec"]["volumes"][1]["secret"]["secretName"]
        self.assertEqual(certificate["spec"]["secretName"], mounted)

    def test_the_rotation_is_told_the_names_that_are_rendered(self):
        found = manifests.helm(values={"fullnameOverride": "other"})
        arguments = manifests.one(found, "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]["args"]
        named = dict(argument.removeprefix("--").split("=") for argument in arguments if "=" in argument)
        self.assertEqual({"secret": manifests.one(found, "Secret")["metadata"]["name"],
                          "service": manifests.one(found, "Service")["metadata"]["name"],
                          "mutating": manifests.one(found, "MutatingWebhookConfiguration")["metadata"]["name"],
                          "validating": manifests.one(found, "ValidatingWebhookConfiguration")["metadata"]["name"]}, named)

    def test_a_changed_pod_is_another_job(self):
        """A Job's template cannot be changed, so an upgrade that changes it must not try."""
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
        for o in manifests.helm(values=SETS["labels"] | SETS["everything observable"]):
            self.assertEqual("a", o["metadata"]["labels"]["team"], o["kind"])
            self.assertEqual("b", o["metadata"]["annotations"]["note"], o["kind"])

    def test_names_stay_as_short_as_the_api_server_wants_them(self):
        long = manifests.helm(release="r" * 53, values=SETS["everything observable"] | SETS["cert-manager"])
        for o in long + manifests.helm(values=SETS["names"]):
            self.assertLessEqual(len(o["metadata"]["name"]), 52 if o["kind"] == "CronJob" else 63, o["kind"])

    def test_mistakes_are_refused_with_their_name(self):
        for values, says in (
                ({"replicas": 3}, "replicas"),
                ({"image": {"digest": "latest"}}, "digest"),
                ({"validating": {"failurePolicy": "fail"}}, "failurePolicy"),
                ({"mutating": {"timeoutSeconds": 31}}, "timeoutSeconds"),
                ({"replicaCount": 0}, "replicaCount"),
                ({"certManager": {"enabled": True}, "existingSecret": "mine"}, "mutually exclusive"),
                ({"caBundle": PEM}, "existingSecret")):
            with self.subTest(says), self.assertRaises(manifests.Refused) as refused:
                manifests.helm(values=values)
            self.assertIn(says, str(refused.exception))

    def test_each_value_is_described_by_the_schema(self):
        values = yaml.safe_load((manifests.CHART / "values.yaml").read_text())
        schema = yaml.safe_load((manifests.CHART / "values.schema.json").read_text())
        self.assertEqual(set(values), set(schema["properties"]) - {"global"})

    def test_the_alerts_of_the_chart_are_those_of_the_rule_file(self):
        found = manifests.helm(values={"prometheusRule": {"enabled": True, "runbookUrl": "https://example.com/"}})
        expected = yaml.safe_load((manifests.DEPLOY / "observability/alerts.yaml").read_text())
        for group in expected["groups"]:
            for rule in group["rules"]:
                rule["annotations"]["runbook_url"] = "https://example.com/" + rule["annotations"]["runbook_url"]
        self.assertEqual(expected, manifests.one(found, "PrometheusRule")["spec"])


def plain(template):
    """A pod template without what the two tools name differently."""
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
