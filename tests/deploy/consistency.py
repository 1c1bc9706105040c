"""Checks that hold for every rendering, by kustomize or Helm."""

import manifests

PERMISSIONS = {  # all that the roles may allow: {resource: verbs}
    "secrets": {"get", "patch"},
    "endpointslices": {"list"},
    "mutatingwebhookconfigurations": {"get", "patch"},
    "validatingwebhookconfigurations": {"get", "patch"},
}


def check(test, found):
    check_webhooks(test, found)
    check_pods(test, found)
    check_permissions(test, found)
    check_selectors(test, found)


def check_webhooks(test, found):
    service = manifests.one(found, "Service")
    ports = {port["port"] for port in service["spec"]["ports"]}
    configurations = manifests.webhooks(found)
    test.assertEqual(["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
                     sorted(o["kind"] for o in configurations))
    for configuration in configurations:
        test.assertEqual("true", configuration["metadata"]["labels"]["admissions.enforcer/disabled"])
        test.assertTrue(configuration["webhooks"])
        for webhook in configuration["webhooks"]:
            target = webhook["clientConfig"]["service"]
            test.assertEqual((service["metadata"]["namespace"], service["metadata"]["name"]),
                             (target["namespace"], target["name"]), "the Service of the webhook does not exist")
            test.assertIn(target.get("port", 443), ports)
            test.assertEqual(("None", "Equivalent"), (webhook["sideEffects"], webhook["matchPolicy"]))
            test.assertLessEqual(webhook["timeoutSeconds"], 10)
            excluded = [set(expression["values"]) for expression in webhook["namespaceSelector"]["matchExpressions"]
                        if expression["key"] == "kubernetes.io/metadata.name" and expression["operator"] == "NotIn"]
            test.assertTrue(excluded, webhook["name"])
            test.assertLessEqual({"kube-system", service["metadata"]["namespace"]}, excluded[0])
            if configuration["kind"].startswith("Mutating"):
                test.assertEqual("Never" if webhook["name"].startswith("place-audit") else "IfNeeded", webhook["reinvocationPolicy"])


def check_pods(test, found):
    """Settings beyond Pod Security level `restricted`, which the API server checks in the e2e tests."""
    accounts = {o["metadata"]["name"]: o for o in manifests.of_kind(found, "ServiceAccount")}
    for name, template in manifests.pod_specs(found):
        spec = template["spec"]
        component = template["metadata"]["labels"]["app.kubernetes.io/component"]
        test.assertEqual(component in ("certs", "verify"), spec["automountServiceAccountToken"], name)
        if spec["serviceAccountName"] in accounts:
            test.assertFalse(accounts[spec["serviceAccountName"]]["automountServiceAccountToken"])
        test.assertEqual({"kubernetes.io/os": "linux"}, spec["nodeSelector"], name)
        terms = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        architectures = {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64", "arm64"]}
        test.assertTrue(all(architectures in term["matchExpressions"] for term in terms), name)
        test.assertEqual((True, 65532, 65532), tuple(spec["securityContext"].get(key, 65532) for key in
                                                     ("runAsNonRoot", "runAsUser", "runAsGroup")), name)
        for container in spec["containers"]:
            test.assertTrue(container["securityContext"]["readOnlyRootFilesystem"], name)
            test.assertEqual(["ALL"], container["securityContext"]["capabilities"]["drop"], name)
            test.assertIn("memory", container["resources"]["limits"], name)
            test.assertEqual({"cpu", "memory"}, set(container["resources"]["requests"]), name)
        for volume in spec.get("volumes", []):
            if "secret" in volume:
                items = [item["key"] for item in volume["secret"]["items"]]
                test.assertIn(items, (["tls.crt", "tls.key"], ["ca.crt"]), "the server must not mount the key of the CA")


def check_permissions(test, found):
    names = {}
    for o in found:
        names.setdefault(o["kind"].lower() + "s", set()).add(o["metadata"]["name"])
    names.setdefault("secrets", set()).update(o["spec"]["secretName"] for o in manifests.of_kind(found, "Certificate"))
    for role in manifests.of_kind(found, "Role", "ClusterRole"):
        if manifests.is_test(role):  # dry runs need a permission that RBAC cannot limit: it exists only during the test
            allowed = {"Role": ("pods", "create"), "ClusterRole": ("nodes", "list")}[role["kind"]]
            test.assertEqual([{"apiGroups": [""], "resources": [allowed[0]], "verbs": [allowed[1]]}], role["rules"])
            continue
        for rule in role["rules"]:
            for resource in rule["resources"]:
                test.assertLessEqual(set(rule["verbs"]), PERMISSIONS[resource], role["metadata"]["name"])
                if resource != "endpointslices":
                    test.assertTrue(rule["resourceNames"], resource)
                    test.assertLessEqual(set(rule["resourceNames"]), names[resource], "permission for an unknown object")
    server = manifests.one(found, "Deployment")["spec"]["template"]["spec"]["serviceAccountName"]
    for binding in manifests.of_kind(found, "RoleBinding", "ClusterRoleBinding"):
        test.assertNotIn(server, [subject["name"] for subject in binding["subjects"]], "the server must have no role")
        kind = binding["roleRef"]["kind"].lower() + "s"
        test.assertIn(binding["roleRef"]["name"], names[kind])
        for subject in binding["subjects"]:
            test.assertIn(subject["name"], names["serviceaccounts"])


def check_selectors(test, found):
    """Everything that selects pods selects those of the server, and not those of the certificate rotation."""
    labels = {name: template["metadata"]["labels"] for name, template in manifests.pod_specs(found)}
    for o in manifests.of_kind(found, "Service", "Deployment", "PodDisruptionBudget", "NetworkPolicy"):
        selector = o["spec"].get("selector") or o["spec"]["podSelector"]
        selector = selector.get("matchLabels", selector)
        for name, pod_labels in labels.items():
            matches = selector.items() <= pod_labels.items()
            test.assertEqual(name.startswith("Deployment"), matches, f"{o['kind']} selects {name}")
