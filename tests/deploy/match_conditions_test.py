"""Checks that the chart makes the webhook configurations from the values that the server gets as its configuration.

If they differ, the API server does not send a pod that only the configuration makes a Windows pod, and it is admitted unchecked.
"""

import hashlib
import random
import tempfile
import unittest

import yaml

import manifests

ANNOTATION = "winadmit.dev/match-conditions"
CONFIGURATIONS = {
    "defaults": {},
    "runtime classes": {"windowsRuntimeClasses": ["windows-2022", "windows-2019"]},
    "labels": {"windowsLabels": {"pool": ["win", "a"], "b.example/os": [{"w22": "10.0.20348"}, "w"]}},
    "a label of the platform": {"platform": "aks", "windowsLabels": {"kubernetes.azure.com/os-sku": ["Mine"], "pool": ["win"]}},
    "tolerations replace those by build, too": {"tolerations": [{"key": "sku", "value": "win"}]},
    "tolerations without a value": {"tolerations": [{"key": "sku", "operator": "Exists"}, {"key": "sku", "value": "b"}]},
    "no tolerations": {"tolerations": []},
    "tolerations by build replace those of the platform": {"tolerationsByBuild": {"10.0.20348": [{"key": "z", "value": "y"}]}},
    "both": {"tolerations": [{"key": "a", "value": "b"}], "tolerationsByBuild": {"10.0.17763": [{"key": "a", "value": "a"}]}},
    "quotes": {"windowsRuntimeClasses": ["it's \"<b>\" & \\", "it's"]},
    "exempt namespaces": {"exempt": {"namespaces": ["monitoring"]}},
}


class MatchConditions(unittest.TestCase):
    def test_the_chart_renders_what_the_binary_exports_for_the_same_configuration(self):
        for name, config in CONFIGURATIONS.items():
            with self.subTest(name):
                self.check(config)

    def test_they_are_equal_on_every_platform(self):
        for platform in manifests.platforms():
            for name in ("defaults", "labels", "both", "tolerations by build replace those of the platform"):
                with self.subTest(f"{name} on {platform}"):
                    self.check(CONFIGURATIONS[name] | {"platform": platform})

    def test_they_are_equal_for_random_configurations(self):
        for seed in range(20):
            with self.subTest(seed):
                self.check(random_configuration(random.Random(seed)))

    def test_the_default_mode_and_the_opt_in_are_those_of_the_export(self):
        for mode in ("enforce", "warn", "audit"):
            for opt_in in (False, True):
                with self.subTest(f"{mode} {opt_in}"):
                    self.assertEqual(manifests.exported("--default-mode", mode, *(["--opt-in"] if opt_in else [])),
                                     plain(manifests.helm(values={"defaultMode": mode, "optIn": opt_in})))

    def test_the_default_os_is_that_of_the_export(self):
        for default_os in ("linux", "windows"):
            for mode in ("enforce", "audit"):
                with self.subTest(f"{default_os} {mode}"):
                    keys = {"defaultOs": default_os, "defaultOsMode": mode}
                    self.check(keys)
                    self.assertEqual(manifests.helm(values={"config": keys}), manifests.helm(values=keys))

    def test_without_match_conditions_the_annotation_says_so(self):
        for values, kubernetes in (({"matchConditions": False}, manifests.KUBERNETES), ({}, "1.27.0")):
            for configuration in manifests.webhooks(manifests.helm(values=values, kubernetes=kubernetes)):
                self.assertEqual("off", configuration["metadata"]["annotations"][ANNOTATION])

    def test_the_pods_get_the_annotation_of_the_webhooks(self):
        found = manifests.helm(values={"config": CONFIGURATIONS["labels"]})
        template = manifests.one(found, "Deployment")["spec"]["template"]
        annotations = {o["metadata"]["annotations"][ANNOTATION] for o in manifests.webhooks(found)}
        self.assertEqual({template["metadata"]["annotations"][ANNOTATION]}, annotations)
        expression = manifests.webhooks(found)[0]["webhooks"][0]["matchConditions"][1]["expression"]
        self.assertEqual({hashlib.sha256(expression.encode()).hexdigest()}, annotations)
        environment = {each["name"]: each for each in template["spec"]["containers"][0]["env"]}
        self.assertEqual(f"metadata.annotations['{ANNOTATION}']",
                         environment["WINADMIT_MATCH_CONDITIONS"]["valueFrom"]["fieldRef"]["fieldPath"])

    def test_no_placeholder_is_left(self):
        for configuration in manifests.webhooks(manifests.helm()):
            self.assertNotIn("placeholder", str(configuration))

    def check(self, config):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(config, file)
            file.flush()
            expected = manifests.exported("--config", file.name)
        self.assertEqual(expected, plain(manifests.helm(values={"config": config})))


def plain(found):
    """The webhook configurations without what only the chart adds."""
    configurations = manifests.webhooks(found)
    for configuration in configurations:
        configuration["metadata"] = {
            "name": configuration["metadata"]["name"],
            "annotations": {ANNOTATION: configuration["metadata"]["annotations"][ANNOTATION]},
        }
        for webhook in configuration["webhooks"]:
            # The order of these names is of no meaning, and that of the chart is another one.
            expression = webhook["namespaceSelector"]["matchExpressions"][0]
            expression["values"] = sorted(expression["values"], key=("kube-system", manifests.NAMESPACE, "monitoring").index)
    return configurations


def random_configuration(chance):
    def names(count):
        return ["n" + "".join(chance.choices("abcXYZ019-._", k=6)) + "z" for _ in range(chance.randrange(count))]

    def tolerations():
        return [{"key": key, **({"operator": "Exists"} if chance.random() < 0.2 else {"value": chance.choice(["", "Win1809", "w"])})}
                for key in names(4) + chance.choices(["os", "sku"], k=chance.randrange(3))]

    keys = {
        "platform": lambda: chance.choice(manifests.platforms()),
        "windowsLabels": lambda: {
            key: [name if chance.random() < 0.6 else {name: "10.0.20348"} for name in names(4)]
            for key in names(4) + ["kubernetes.azure.com/os-sku", "pool"]},
        "windowsRuntimeClasses": lambda: names(4),
        "tolerations": tolerations,
        "tolerationsByBuild": lambda: {build: tolerations() for build in chance.sample(["10.0.17763", "10.0.20348", "10.0.26100"], 2)},
        "strict": lambda: True,
        "unplaced": lambda: "warn",
    }
    return {key: make() for key, make in keys.items() if chance.random() < 0.6}


if __name__ == "__main__":
    unittest.main()
