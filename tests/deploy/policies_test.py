"""Checks that the chart and the kustomization install the policies that `winadmit export policy` prints."""

import base64
import gzip
import itertools
import json
import tempfile
import unittest

import yaml

import manifests

KINDS = {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
FROM = "winadmit.dev/exported-from"
EXEMPT = ("--exempt-namespace", manifests.NAMESPACE)
# Of an exported policy, what the annotation has of a value.
CONFIGURED = {"rules": {"host-pid": "warn"}, "exempt": {"users": ["a<b>"], "namespaces": ["monitoring"]}, "platform": "gke"}


def exported(*flags, config=None):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump(config or {}, file)
        file.flush()
        return manifests.run(manifests.WINADMIT, "export", "policy", "--config", file.name, *flags)


def policies(found):
    """What the API server gets, by kind and name; the order of exempt namespaces has no meaning."""
    content = {}
    for o in found:
        if FROM not in o["metadata"].get("annotations", {}):
            continue
        selector = o["spec"].get("matchResources", {}).get("namespaceSelector")
        if selector:
            selector["matchExpressions"][0]["values"].sort()
        content[o["kind"], o["metadata"]["name"]] = o["apiVersion"], o["metadata"]["annotations"][FROM], o["spec"]
    return content


class Policies(unittest.TestCase):
    maxDiff = 2000

    def check(self, values, *flags, config=None):
        """The chart renders what the binary exports with these settings."""
        expected = policies(yaml.safe_load_all(exported(*flags, *EXEMPT, config=config)))
        found = policies(manifests.helm(values={"engine": "policies", **values}))
        self.assertEqual(expected.keys(), found.keys())
        for each in expected:
            self.assertEqual(expected[each], found[each], each)

    def test_the_chart_renders_what_is_exported_for_every_platform(self):
        for platform in manifests.platforms():
            with self.subTest(platform):
                self.check({"platform": platform}, "--platform", platform)

    def test_the_chart_renders_what_is_exported_for_every_mode_and_exemption(self):
        for mode, opt_in in itertools.product(("enforce", "warn", "audit"), (False, True)):
            with self.subTest(f"{mode} {opt_in}"):
                self.check({"defaultMode": mode, "optIn": opt_in, "exemptNamespaces": ["legacy", "a"]},
                           "--default-mode", mode, *(["--opt-in"] if opt_in else []), "--exempt-namespace", "legacy", "--exempt-namespace", "a")

    def test_the_chart_renders_what_is_exported_for_every_default_os(self):
        for default_os in ("linux", "windows"):
            self.check({"defaultOs": default_os}, "--default-os", default_os)
            self.check({"defaultOs": default_os, "defaultOsMode": "audit"})
            self.check({"config": {"defaultOs": default_os}}, config={"defaultOs": default_os})

    def test_the_chart_renders_what_is_exported_for_keys_of_the_configuration(self):
        for config in ({"windowsLabels": {"pool": ["win", {"w22": "10.0.20348"}], "kubernetes.azure.com/os-sku": ["Mine"]}, "platform": "aks"},
                       {"windowsRuntimeClasses": ["it's \"<b>\" & \\", "windows-2022"]},
                       {"exempt": {"namespaces": ["monitoring"]}, "unplaced": "deny", "kubernetesVersion": manifests.NEWEST},
                       {"kubernetesVersion": "1.99"}):
            with self.subTest(str(config)):
                self.check({"config": config}, config=config)

    def test_other_keys_need_an_export_and_the_chart_says_how(self):
        for config, expected in (({"rules": {"host-pid": "warn"}}, "config.rules"), ({"strict": True}, "config.strict"),
                                 ({"exempt": {"users": ["a"]}}, "config.exempt.users"), ({"kubernetesVersion": "1.33"}, "config.kubernetesVersion"),
                                 ({"tolerations": []}, "config.tolerations")):
            for engine in ("policies", "both"):
                self.refused({"engine": engine, "config": config, "optIn": True, "exemptNamespaces": ["a"]}, expected,
                             "winadmit export policy --config config.yaml --opt-in --exempt-namespace a --exempt-namespace winadmit-system >policies.yaml")

    def test_an_export_for_the_values_is_installed(self):
        self.check({"config": CONFIGURED, "policies": exported(*EXEMPT, config=CONFIGURED)}, config=CONFIGURED)

    def test_an_export_for_other_values_is_refused_with_the_command_that_makes_it_right(self):
        text = exported(*EXEMPT, config=CONFIGURED)
        for values, named, command in (
                ({"defaultMode": "audit"}, "defaultMode", "--default-mode audit"), ({"optIn": True}, "optIn", "--opt-in"),
                ({"exemptNamespaces": ["b"]}, "exemptNamespaces", "--exempt-namespace b"),
                ({"config": CONFIGURED | {"platform": "aks"}}, "platform", "--config config.yaml"),
                ({"config": CONFIGURED | {"strict": True}}, "config", "--config config.yaml"),
                ({"config": CONFIGURED | {"kubernetesVersion": "1.33"}}, "kubernetesVersion", "--config config.yaml"),
                ({"defaultOs": "windows"}, "defaultOs", "--default-os windows"),
                ({"config": {}, "platform": "gke"}, "config, exemptNamespaces", "policy --platform gke")):
            with self.subTest(named):
                self.refused({"engine": "both", "config": CONFIGURED, "policies": text, **values}, f"with another {named} than", command)

    def test_an_export_of_a_release_without_the_annotation_is_refused(self):
        self.refused({"engine": "policies", "policies": "kind: ValidatingAdmissionPolicy\nmetadata: {name: a}\n"}, "with another config, defaultMode")

    def test_the_chart_says_what_is_wrong_with_a_file(self):
        for text, expected in (("a: b", "not what winadmit export policy of this release prints"), ("a: [", "is not YAML"),
                               ("kind: ConfigMap\nmetadata: {name: a}\n", "document 1 is a ConfigMap")):
            with self.subTest(text):
                self.refused({"engine": "policies", "policies": text}, expected)

    def test_the_chart_reads_files_of_any_editor(self):
        text = exported(*EXEMPT)
        expected = policies(yaml.safe_load_all(text))
        for changed in (text.replace("\n", "\r\n"), text.replace("\n---\n", "\n--- \n"), text.replace("\n---\n", "\n--- # next\n")):
            self.assertEqual(expected, policies(manifests.helm(values={"engine": "policies", "policies": changed})))

    def test_policies_are_of_the_version_that_the_api_server_has(self):
        served = "admissionregistration.k8s.io/{}/MutatingAdmissionPolicy"
        for kubernetes, apis, expected in (("1.36.0", (), "v1"), ("1.35.1", ("v1beta1", "v1alpha1"), "v1beta1"), ("1.33.0", ("v1alpha1",), "v1alpha1"),
                                           ("1.34.0", (), None), ("1.30.0", (), None)):
            flags = [flag for api in apis for flag in ("--api-versions", served.format(api))]
            found = manifests.helm(*flags, values={"engine": "policies"}, kubernetes=kubernetes)
            versions = {o["kind"].removesuffix("Binding"): o["apiVersion"].rpartition("/")[2] for o in found if FROM in o["metadata"].get("annotations", {})}
            self.assertEqual({"ValidatingAdmissionPolicy": "v1"} | ({"MutatingAdmissionPolicy": expected} if expected else {}), versions, kubernetes)
        self.refused({"engine": "policies"}, "needs Kubernetes 1.30", kubernetes="1.29.0")

    def test_engine_policies_installs_nothing_of_the_webhook_and_needs_no_image(self):
        found = manifests.objects(manifests.run(manifests.program("helm"), "template", "other", manifests.CHART, "--kube-version", manifests.KUBERNETES,
                                                "--set", "engine=policies"))
        self.assertEqual(set(), {o["kind"] for o in found} - KINDS)
        for o in found:
            self.assertEqual("other", o["metadata"]["labels"]["app.kubernetes.io/instance"], o["kind"])

    def test_engine_both_installs_both(self):
        both = {o["kind"] for o in manifests.helm(values={"engine": "both"})}
        self.assertLessEqual({o["kind"] for o in manifests.helm()} | KINDS, both)

    def test_engine_policies_has_its_alerts_and_its_test(self):
        monitored = {"prometheusRule": {"enabled": True, "runbookUrl": "https://wiki.example"}}
        groups = {engine: [group["name"] for group in manifests.one(manifests.helm(values={"engine": engine, **monitored}), "PrometheusRule")["spec"]["groups"]]
                  for engine in ("webhook", "policies", "both")}
        self.assertEqual({"webhook": ["winadmit"], "policies": ["winadmit-policies"], "both": ["winadmit", "winadmit-policies"]}, groups)
        self.assertIn("winadmit-verify", [o["metadata"]["name"] for o in manifests.helm(values={"engine": "policies"}) if o["kind"] == "Pod"])

    def test_values_without_an_effect_on_policies_are_refused(self):
        for value in ("serviceMonitor", "grafanaDashboard"):
            self.refused({"engine": "policies", value: {"enabled": True}}, f"{value}.enabled has no effect with engine policies")
        self.refused({"engine": "policies", "existingConfigMap": "a"}, "existingConfigMap has no effect with engine policies")
        self.assertIn("config.setOs and config.unplaced have no effect", manifests.helm_notes(
            values={"engine": "both", "config": {"unplaced": "warn", "setOs": True}}))

    def test_a_release_fits_into_its_secret(self):
        """Helm stores chart, values and manifest as base64 of gzip of JSON, in base64 of a Secret of at most 1 MiB."""
        chart = [{"name": str(path.relative_to(manifests.CHART)), "data": base64.b64encode(path.read_bytes()).decode()}
                 for path in sorted(manifests.CHART.rglob("*")) if path.is_file()]
        for values in ({"engine": "webhook"}, {"engine": "policies"}, {"engine": "both"}, {"engine": "both", "policies": exported(*EXEMPT)}):
            monitored = {"prometheusRule": {"enabled": True, "runbookUrl": "https://wiki.example"}}
            if values["engine"] != "policies":
                monitored["grafanaDashboard"] = {"enabled": True}
            release = json.dumps({"chart": chart, "config": values, "manifest": manifests.helm_text(values=values | monitored)})
            size = len(base64.b64encode(base64.b64encode(gzip.compress(release.encode(), 9))))
            print(f"engine {values['engine']}{' with an export' if 'policies' in values else ''}: {size // 1000} KB")
            self.assertLess(size, 500_000)

    def test_the_kustomization_installs_what_is_exported(self):
        found = manifests.kustomize(manifests.DEPLOY / "kustomize/policies")
        self.assertEqual(policies(yaml.safe_load_all(manifests.run(manifests.WINADMIT, "export", "policy"))), policies(found))

    def test_the_kustomizations_of_both_engines_have_no_object_in_common(self):
        """To remove one engine would remove it from the other, too."""
        ids = [{manifests.identity(o) for o in manifests.kustomize(folder)}
               for folder in (manifests.DEPLOY / "kustomize/policies", *manifests.OVERLAYS)]
        for overlay in ids[1:]:
            self.assertEqual(set(), ids[0] & overlay)

    def refused(self, values, *expected, kubernetes=manifests.KUBERNETES):
        with self.assertRaises(manifests.Refused) as refused:
            manifests.helm(values=values, kubernetes=kubernetes)
        for text in expected:
            self.assertIn(text, str(refused.exception))


if __name__ == "__main__":
    unittest.main()
