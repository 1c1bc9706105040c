"""Checks what the values of the chart do, which ones it refuses, and that their schema and their table are up to date."""

import json
import re
import unittest

import yaml

import manifests
from chart_values import PEM, SETS

REFUSED = (  # (values, what the error says)
    ({"engine": "policies", "config": {"exempt": {"byAnnotation": True}}}, "cannot express config.exempt.byAnnotation"),
    ({"engine": "both", "config": {"exempt": {"findings": [{"rule": "host-pid", "reason": "r"}]}}}, "cannot express config.exempt.findings"),
    ({"service": {"targetPort": "proxy"}}, "service.targetPort proxy is a port of no container"),
    ({"replicas": 3}, "replicas"),
    ({"image": {"repository": None}}, "repository"),
    ({"image": {"repository": ""}}, "/image/repository"),
    ({"fullnameOverride": "foo.bar"}, "foo.bar cannot be the name of a Service"),
    ({"nameOverride": "Win"}, "cannot be the name of a Service"),
    ({"commonLabels": {"app.kubernetes.io/name": "dup"}}, "commonLabels must not have app.kubernetes.io/name"),
    ({"nameOverride": "a b", "fullnameOverride": "a"}, "nameOverride a b cannot be the value of a label"),
    ({"namespaceOverride": "A_B"}, "namespaceOverride A_B cannot be the name of a namespace"),
    ({"service": {"labels": {"helm.sh/chart": "x"}}}, "service.labels must not have helm.sh/chart"),
    ({"webhookLabels": {"app.kubernetes.io/name": "x"}}, "webhookLabels must not have app.kubernetes.io/name"),
    ({"clientAuth": {"configMap": "a", "names": ["a", " b"]}}, "/clientAuth/names/1"),
    ({"podLabels": {"app.kubernetes.io/component": "dup"}}, "podLabels must not have app.kubernetes.io/component"),
    ({"imagePullSecrets": None}, "imagePullSecrets"),
    ({"affinity": None}, "affinity"),
    ({"matchConditions": None}, "matchConditions"),
    ({"validating": {"failurePolicy": None}}, "failurePolicy"),
    ({"image": {"digest": "latest"}}, "/image/digest"),
    ({"validating": {"failurePolicy": "fail"}}, "/validating/failurePolicy"),
    ({"mutating": {"timeoutSeconds": 31}}, "/mutating/timeoutSeconds"),
    ({"mutating": {"name": "00_winadmit"}}, "/mutating/name"),
    ({"replicaCount": 0}, "/replicaCount"),
    ({"service": {"targetPort": ""}}, "/service/targetPort"),
    ({"image": {"repository": "r.example/w:1.0"}}, "/image/repository"),
    ({"image": {"repository": "https://r.example/w"}}, "/image/repository"),
    ({"certs": {"extraArgs": ["--secret=mine"]}}, "certs.extraArgs: --secret is set by the chart"),
    ({"service": {"port": 1}}, "port"),
    ({"extraMatchConditions": [{"name": "a"}]}, "expression"),
    ({"platform": "k3s"}, "/platform"),
    ({"config": {"kubernetesVersion": 1.30}}, "/config/kubernetesVersion"),
    ({"config": {"kubernetesVersion": "1.13"}}, "/config/kubernetesVersion"),
    ({"config": {"kubernetesVersion": "latest"}}, "/config/kubernetesVersion"),
    ({"config": {"stict": True}}, "stict"),
    ({"config": {"tolerations": [{"key": "a", "effect": "Never"}]}}, "/config/tolerations/0/effect"),
    ({"certManager": {"enabled": True}, "existingSecret": "mine"}, "mutually exclusive"),
    ({"platform": "gke", "config": {"platform": "aks"}}, "contradicts"),
    ({"defaultOs": "linux", "config": {"defaultOs": "windows"}}, "defaultOs linux contradicts config.defaultOs windows"),
    ({"existingConfigMap": "mine", "config": {"strict": True}}, "existingConfigMap and config are mutually exclusive"),
    ({"existingConfigMap": "mine", "platform": "gke"}, "existingConfigMap and platform are mutually exclusive"),
    ({"caBundle": PEM}, "caBundle requires existingSecret"),
    ({"existingSecret": "mine", "caBundle": "ca.crt"}, "caBundle is neither PEM"),
    ({"existingSecret": "mine", "caBundle": "aGVsbG8="}, "caBundle is neither PEM"),
    ({"existingSecret": "mine", "caBundle": PEM.replace("CERTIFICATE", "PRIVATE KEY")}, "caBundle is neither PEM"),
    ({"existingSecret": "mine", "caBundle": PEM[:-10]}, "caBundle is neither PEM"),
    ({"existingSecret": "mine", "caBundle": PEM + PEM.replace("CERTIFICATE", "PRIVATE KEY")}, "caBundle has a private key"),
    ({"autoscaling": {"enabled": True, "minReplicas": 7}}, "minReplicas 7 is larger than autoscaling.maxReplicas 6"),
    ({"drainDelaySeconds": 28}, "terminationGracePeriodSeconds 30 must be longer than drainDelaySeconds 28"),
    ({"mutating": {"timeoutSeconds": 20}}, "the longest timeoutSeconds of the webhooks, 20"),
    ({"podDisruptionBudget": {"minAvailable": 1, "maxUnavailable": 1}}, "minAvailable or maxUnavailable, not both"),
    ({"podDisruptionBudget": {"minAvailable": 2}}, "minAvailable 2 of 2 replicas"),
    ({"podDisruptionBudget": {"minAvailable": "51%"}}, "minAvailable 51% of 2 replicas"),
    ({"podDisruptionBudget": {"minAvailable": "1%"}, "replicaCount": 1}, "minAvailable 1% of 1 replicas"),
    ({"podDisruptionBudget": {"minAvailable": "100%"}}, "minAvailable 100% of 2 replicas"),
    ({"dnsPolicy": "None"}, "/dnsPolicy"),
    ({"podDisruptionBudget": {"maxUnavailable": 0}}, "at least one replica must be allowed to stop"),
    ({"ports": {"admin": 8443}}, "ports.webhook and ports.admin are both 8443"),
    ({"certManager": {"duration": "24h"}}, "renewBefore 720h must be shorter than certManager.duration 24h"),
    ({"readinessProbe": {"httpGet": {"path": "/"}}}, "readinessProbe must not have httpGet: the chart sets its handler"),
    ({"certManager": {"duration": "86400s"}}, "renewBefore 720h must be shorter than certManager.duration 86400s"),
    ({"certManager": {"duration": "1h", "renewBefore": "59m60s"}}, "renewBefore 59m60s must be shorter"),
    ({"extraArgs": ["--dev=true"]}, "--dev contradicts --tls-cert"),
    ({"extraEnv": [{"name": "WINADMIT_DEV", "value": "true"}]}, "WINADMIT_DEV contradicts --tls-cert"),
    ({"extraArgs": ["--threads=4"]}, "--threads is set by the chart: use the value threads"),
    ({"extraArgs": ["--log-level", "debug"]}, "--log-level is set by the chart: use the value logLevel"),
    ({"extraArgs": ["--listen=:9443"]}, "use the value ports.webhook"),
    ({"extraArgs": ["--platform=gke"]}, "use the value platform"),
    ({"extraEnv": [{"name": "WINADMIT_THREADS", "value": "4"}]}, "WINADMIT_THREADS is set by the chart, as the flag --threads"),
    ({"extraEnv": [{"name": "WINADMIT_LISTEN", "value": ":1"}]}, "use the value ports.webhook"),
    ({"clientAuth": {"names": ["kube-apiserver"]}}, "clientAuth.names requires"),
    ({"clientAuth": {"secret": "a", "configMap": "b"}}, "secret or configMap, not both"),
    ({"certManager": {"privateKey": {"algorithm": "DSA"}}}, "/certManager/privateKey/algorithm"),
    ({"certManager": {"privateKey": {"bits": 2048}}}, "bits"),
    ({"certManager": {"usages": ["digital signature"]}}, "certManager.usages must have server auth"),
    ({"certs": {"tolerations": ["all"]}}, "/certs/tolerations/0"),
    ({"extraObjects": [1]}, "/extraObjects/0"),
    ({"extraContainers": ["proxy"]}, "/extraContainers/0"),
    ({"exemptNamespaces": ["kube-*"]}, "exemptNamespaces"),
    ({"config": {"exempt": {"namespaces": ["Foo"]}}}, "namespaces"),
    ({"podAnnotations": {"winadmit.dev/match-conditions": "a"}}, "podAnnotations must not have winadmit.dev/match-conditions"),
    ({"extraMatchConditions": [{"name": "may-be-windows", "expression": "true"}]}, "must not have the name may-be-windows"),
)


class Refusals(unittest.TestCase):
    def test_invalid_values_are_refused_by_name(self):
        for values, says in REFUSED:
            with self.subTest(f"{values}"), self.assertRaises(manifests.Refused) as refused:
                manifests.helm(values=values)
            self.assertIn(says, str(refused.exception))

    def test_every_flag_that_the_chart_sets_is_refused_in_extra_args(self):
        flags = {argument.split("=")[0] for name in ("host network", "client certificates") for argument in container(SETS[name])["args"][1:]}
        for flag in sorted(flags):
            with self.subTest(flag), self.assertRaises(manifests.Refused):
                manifests.helm(values={"extraArgs": [f"{flag}=1"]})


class Values(unittest.TestCase):
    def test_defaults_are_those_of_the_binary(self):
        """The reference has them. Those of the webhook configurations are compared with the export."""
        reference = (manifests.ROOT / "docs/reference.md").read_text()
        values = yaml.safe_load((manifests.CHART / "values.yaml").read_text())
        for name, default in (("--listen ADDRESS:PORT", f":{values['ports']['webhook']}"), ("--log-level", values["logLevel"]),
                              ("--admin-listen ADDRESS:PORT", f":{values['ports']['admin']}"), ("defaultOsMode", values["defaultOsMode"])):
            self.assertRegex(reference, rf"(?m)^\| `{name}[^`]*` \| [^|]+ \| `{default}` \|")

    def test_an_own_registry_replaces_that_of_the_repository(self):
        for repository, image, expected in (
                ("winadmit", {"registry": "r.example"}, "r.example/winadmit"),
                ("a.example/team/winadmit", {"registry": "r.example:5000/"}, "r.example:5000/team/winadmit"),
                ("localhost/winadmit", {"registry": "r.example"}, "r.example/winadmit"),
                ("team/winadmit", {"registry": "r.example"}, "r.example/team/winadmit"),
                ("a.example/winadmit", {}, "a.example/winadmit")):
            self.assertEqual(f"{expected}:9", container({"image": image | {"repository": repository, "tag": "9"}})["image"])
        both = {"global": {"imageRegistry": "g.example"}, "image": {"registry": "r.example", "repository": "a.example/w", "tag": "9"}}
        for name, template in manifests.pod_specs(manifests.helm(values=both)):
            self.assertEqual("g.example/w:9", template["spec"]["containers"][0]["image"], name)

    def test_global_pull_secrets_are_on_every_pod(self):
        values = {"global": {"imagePullSecrets": [{"name": "a"}]}, "imagePullSecrets": [{"name": "b"}]}
        for name, template in manifests.pod_specs(manifests.helm(values=values)):
            self.assertEqual([{"name": "a"}, {"name": "b"}], template["spec"]["imagePullSecrets"], name)

    def test_global_pull_secrets_may_be_names_as_in_other_charts(self):
        values = {"global": {"imagePullSecrets": ["a"]}, "imagePullSecrets": [{"name": "a"}]}
        for name, template in manifests.pod_specs(manifests.helm(values=values)):
            self.assertEqual([{"name": "a"}], template["spec"]["imagePullSecrets"], name)

    def test_names_that_yaml_reads_as_another_type_stay_texts(self):
        values = {"namespaceOverride": "1234", "fullnameOverride": "true", "existingSecret": "123", "priorityClassName": "true",
                  "mutating": {"name": "0"}}
        for each in manifests.helm(values=values):
            for key in ("name", "namespace"):
                self.assertIsInstance(each["metadata"].get(key, ""), str, each["kind"])
        spec = pod(values)
        self.assertEqual("true", spec["priorityClassName"])
        self.assertIn("123", [each["secret"]["secretName"] for each in spec["volumes"] if "secret" in each])

    def test_probes_may_leave_all_to_their_defaults(self):
        none = {"periodSeconds": None, "failureThreshold": None}
        container = pod({"startupProbe": none})["containers"][0]
        self.assertEqual({"httpGet"}, set(container["startupProbe"]))

    def test_no_quota_counts_the_pods_of_others_in_kube_system(self):
        for namespace, wanted in (("winadmit-system", 1), ("kube-system", 0)):
            found = [each for each in manifests.helm(values={"namespaceOverride": namespace}) if each["kind"] == "ResourceQuota"]
            self.assertEqual(wanted, len(found), namespace)

    def test_large_numbers_are_not_written_as_floating_point(self):
        deployment = next(each for each in manifests.helm(values={"revisionHistoryLimit": 1000000}) if each["kind"] == "Deployment")
        self.assertEqual(1000000, deployment["spec"]["revisionHistoryLimit"])

    def test_each_term_of_an_affinity_asks_for_an_architecture_of_the_image(self):
        arch = {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}
        zone = {"key": "zone", "operator": "In", "values": ["a"]}
        own = {"podAntiAffinity": {"a": []}, "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [zone]}, {"matchFields": [zone]}]}}}
        affinity = pod({"architectures": ["arm64"], "affinity": own})["affinity"]
        self.assertEqual({"a": []}, affinity["podAntiAffinity"])
        self.assertEqual([{"matchExpressions": [zone, arch]}, {"matchFields": [zone], "matchExpressions": [arch]}],
                         affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"])
        self.assertNotIn("affinity", pod({"architectures": []}))

    def test_on_openshift_the_scc_assigns_user_and_groups(self):
        for name, template in manifests.pod_specs(manifests.helm(values={"platform": "openshift"})):
            self.assertEqual({"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
                             template["spec"]["securityContext"], name)
        detected = manifests.helm("--api-versions", "security.openshift.io/v1", values={"platform": "any"})
        for name, template in manifests.pod_specs(detected):
            self.assertNotIn("runAsUser", template["spec"]["securityContext"], name)
        own = {"platform": "openshift", "podSecurityContext": {"runAsUser": 1000650000}}
        self.assertEqual(1000650000, pod(own)["securityContext"]["runAsUser"])
        self.assertNotIn("fsGroup", pod({"podSecurityContext": {"fsGroup": None}})["securityContext"])

    def test_client_certificates_are_checked_against_a_mounted_ca(self):
        for source, volume in (("secret", {"secret": {"secretName": "ca", "defaultMode": 0o440}}), ("configMap", {"configMap": {"name": "ca"}})):
            spec = pod({"clientAuth": {source: "ca", "key": "root.pem", "names": ["a", "b"]}})
            self.assertEqual(["--client-ca=/etc/winadmit/client-ca/root.pem", "--client-name=a", "--client-name=b"],
                             [each for each in spec["containers"][0]["args"] if "client" in each])
            volume[source]["items"] = [{"key": "root.pem", "path": "root.pem"}]
            self.assertIn({"name": "client-ca"} | volume, spec["volumes"])
            self.assertIn({"name": "client-ca", "mountPath": "/etc/winadmit/client-ca", "readOnly": True},
                          spec["containers"][0]["volumeMounts"])

    def test_host_network_comes_with_its_dns_policy_ports_and_strategy(self):
        found = manifests.helm(values=SETS["host network"])
        deployment = manifests.one(found, "Deployment")["spec"]
        spec = deployment["template"]["spec"]
        self.assertEqual((True, "ClusterFirstWithHostNet"), (spec["hostNetwork"], spec["dnsPolicy"]))
        self.assertEqual([10260, 10261], [port["containerPort"] for port in spec["containers"][0]["ports"]])
        self.assertLessEqual({"--listen=:10260", "--admin-listen=:10261"}, set(spec["containers"][0]["args"]))
        self.assertEqual({"maxSurge": 0, "maxUnavailable": 1}, deployment["strategy"]["rollingUpdate"])
        for key in ("hostNetwork", "dnsPolicy"):
            self.assertNotIn(key, pod({}))

    def test_no_address_is_of_one_family(self):
        """On a cluster with IPv6 alone 0.0.0.0 never becomes ready. Without --listen the server listens on both families."""
        for name, values in SETS.items():
            for each in container(values)["args"]:
                self.assertNotRegex(each, r"listen=[^:]", name)
        service = manifests.one(manifests.helm(values=SETS["families"]), "Service")["spec"]
        self.assertEqual(("SingleStack", ["IPv6"]), (service["ipFamilyPolicy"], service["ipFamilies"]))
        default = manifests.one(manifests.helm(), "Service")["spec"]
        self.assertEqual(set(), {"ipFamilyPolicy", "ipFamilies"} & set(default))

    def test_the_network_policy_opens_the_port_that_the_service_calls(self):
        def rule(values):
            return manifests.one(manifests.helm(values=values), "NetworkPolicy")["spec"]["ingress"][0]
        self.assertEqual({"ports": [{"port": "https", "protocol": "TCP"}]}, rule({}))
        self.assertEqual([{"port": 9443, "protocol": "TCP"}], rule({"service": {"targetPort": 9443}})["ports"])
        peers = [{"ipBlock": {"cidr": "10.0.0.0/8"}}]
        certs = manifests.one(manifests.helm(), "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["metadata"]["labels"]
        *given, own = rule({"networkPolicy": {"webhookFrom": peers}})["from"]
        self.assertEqual(peers, given)
        self.assertEqual(["podSelector"], list(own))
        self.assertLessEqual(own["podSelector"]["matchLabels"].items(), certs.items(), "the rotation looks what each replica serves")
        self.assertEqual("certs", own["podSelector"]["matchLabels"]["app.kubernetes.io/component"])

    def test_the_network_policy_opens_the_admin_port_to_nobody_if_the_list_is_empty(self):
        def ports(values):
            ingress = manifests.one(manifests.helm(values={"networkPolicy": values}), "NetworkPolicy")["spec"]["ingress"]
            return [each["ports"][0]["port"] for each in ingress]
        self.assertEqual(["https", "admin"], ports({}))
        self.assertEqual(["https"], ports({"metricsFrom": []}))

    def test_the_disruption_budget_goes_either_way(self):
        def budget(values):
            spec = manifests.one(manifests.helm(values={"podDisruptionBudget": values}), "PodDisruptionBudget")["spec"]
            return {key: spec[key] for key in spec if key.endswith("vailable")}
        self.assertEqual({"maxUnavailable": 1}, budget({}))
        self.assertEqual({"maxUnavailable": "25%"}, budget({"maxUnavailable": "25%"}))
        self.assertEqual({"minAvailable": 1}, budget({"minAvailable": 1}))
        self.assertEqual({"minAvailable": 0}, budget({"minAvailable": 0}))
        self.assertEqual({"minAvailable": "50%"}, budget({"minAvailable": "50%"}))

    def test_spread_constraints_select_the_pods_of_the_server_unless_they_select_others(self):
        own = [{"topologyKey": "rack", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"},
               {"topologyKey": "row", "labelSelector": {"matchLabels": {"a": "b"}}}]
        first, second = pod({"topologySpreadConstraints": own})["topologySpreadConstraints"]
        labels = manifests.one(manifests.helm(), "Deployment")["spec"]["selector"]["matchLabels"]
        self.assertEqual(own[0] | {"labelSelector": {"matchLabels": labels}}, first)
        self.assertEqual(own[1], second)

    def test_an_own_config_map_is_mounted_and_turns_match_conditions_off(self):
        found = manifests.helm(values={"existingConfigMap": "mine"})
        self.assertEqual([], manifests.of_kind(found, "ConfigMap"))
        template = manifests.one(found, "Deployment")["spec"]["template"]
        self.assertIn({"name": "config", "configMap": {"name": "mine"}}, template["spec"]["volumes"])
        self.assertNotIn("checksum/config", template["metadata"]["annotations"])
        self.assertEqual({False}, {"matchConditions" in webhook for o in manifests.webhooks(found) for webhook in o["webhooks"]})

    def test_own_match_conditions_are_added_to_those_of_every_webhook(self):
        own = SETS["extras"]["extraMatchConditions"]
        for values in (SETS["extras"], SETS["extras"] | {"matchConditions": False}):
            for o in manifests.webhooks(manifests.helm(values=values)):
                for webhook in o["webhooks"]:
                    self.assertEqual(own, webhook["matchConditions"][-1:], webhook["name"])
                    self.assertEqual("matchConditions" not in values, len(webhook["matchConditions"]) > 1)

    def test_extras_are_added_to_the_pod(self):
        values = SETS["extras"]
        spec = pod(values)
        main = spec["containers"][0]
        for more, of in (("extraEnv", main["env"]), ("extraVolumes", spec["volumes"]), ("extraVolumeMounts", main["volumeMounts"]),
                         ("extraContainers", spec["containers"])):
            self.assertEqual([], [each for each in values[more] if each not in of], more)
        self.assertEqual(values["lifecycle"], main["lifecycle"])
        self.assertEqual((2, 10, "/healthz"), (main["livenessProbe"]["timeoutSeconds"], main["livenessProbe"]["periodSeconds"],
                                               main["livenessProbe"]["httpGet"]["path"]))

    def test_helm_test_asks_for_a_verdict_with_a_permission_that_exists_only_meanwhile(self):
        def verify(values):
            return [o for o in manifests.helm(values=values) if o["metadata"]["name"] == "winadmit-verify"]
        found = verify({"tests": {"namespace": "team-a", "mode": "warn", "waitSeconds": 5, "ignoreTaints": ["dedicated"]}})
        self.assertEqual(["ClusterRole", "ClusterRoleBinding", "Pod", "Role", "RoleBinding", "ServiceAccount"], sorted(o["kind"] for o in found))
        for o in found:
            self.assertTrue(manifests.is_test(o), o["kind"])
            self.assertEqual(o["kind"] != "Pod", "hook-succeeded" in o["metadata"]["annotations"]["helm.sh/hook-delete-policy"],
                             "the permission goes, and the pod stays for helm test --logs")
            namespace = {"Pod": manifests.NAMESPACE, "ServiceAccount": manifests.NAMESPACE, "Role": "team-a", "RoleBinding": "team-a"}
            self.assertEqual(namespace.get(o["kind"]), o["metadata"].get("namespace"))
        self.assertEqual(["verify", "--in-cluster", "--namespace=team-a", "--mode=warn", "--wait=5", "--ignore-taint=dedicated"],
                         manifests.one(found, "Pod")["spec"]["containers"][0]["args"])
        for values in ({"tests": {"mode": "audit"}}, {"defaultMode": "audit"}, {"optIn": True}, {"exemptNamespaces": ["default"]},
                       {"tests": {"namespace": manifests.NAMESPACE}}, {"config": {"exempt": {"namespaces": ["default"]}}},
                       {"config": {"rules": {"mount-propagation": "allow"}}}):
            self.assertEqual([], verify(values), values)
        self.assertIn("--mode=warn", manifests.one(verify({"config": {"rules": {"mount-propagation": "warn"}}}), "Pod")["spec"]["containers"][0]["args"])
        self.assertEqual(6, len(verify({"optIn": True, "tests": {"mode": "enforce"}})))

    def test_the_memory_limit_grows_with_the_threads_unless_it_is_set(self):
        for values, limit in (({}, "192Mi"), ({"threads": 8}, "192Mi"), ({"threads": 9}, "200Mi"), ({"threads": 64}, "640Mi"),
                              ({"threads": 64, "resources": {"limits": {"memory": "1Gi"}}}, "1Gi"),
                              ({"threads": 64, "resources": {"limits": {"cpu": 2}}}, "640Mi"), ({"resources": None}, "192Mi")):
            self.assertEqual(limit, container(values)["resources"]["limits"]["memory"], values)

    def test_null_removes_a_list_or_mapping_of_the_defaults(self):
        values = yaml.safe_load((manifests.CHART / "values.yaml").read_text())
        found = [path for path in described(Schema.schema) if path != ("image", "repository") and isinstance(at(values, path), (dict, list)) and at(values, path)]
        self.assertIn(("nodeSelector",), found)
        for path in found:
            with self.subTest(path):
                manifests.helm(values=SETS["observability"] | nested(path, None))
        for name, template in manifests.pod_specs(manifests.helm(values={"nodeSelector": None})):
            self.assertNotIn("nodeSelector", template["spec"], name)

    def test_cert_manager_makes_the_keys_and_usages_that_are_asked_for(self):
        def certificates(values):
            found = manifests.helm(values={"certManager": {"enabled": True} | values})
            return [manifests.one(found, "Certificate", f"winadmit-{name}")["spec"] for name in ("ca", "serving")]
        always = {"rotationPolicy": "Always"}
        for given, ca, serving in (
                ({}, {"algorithm": "ECDSA", "size": 256}, {"algorithm": "ECDSA", "size": 256} | always),
                ({"algorithm": "RSA"}, {"algorithm": "RSA"}, {"algorithm": "RSA"} | always),
                ({"algorithm": "RSA", "size": 4096, "rotationPolicy": "Never"}, {"algorithm": "RSA", "size": 4096},
                 {"algorithm": "RSA", "size": 4096, "rotationPolicy": "Never"})):
            self.assertEqual([ca, serving], [each["privateKey"] for each in certificates({"privateKey": given})], given)
        self.assertEqual(["digital signature", "server auth"], certificates({})[1]["usages"])
        usages = ["key encipherment", "server auth"]
        self.assertEqual(usages, certificates({"usages": usages})[1]["usages"])

    def test_the_rotation_has_annotations_and_tolerations_of_its_own(self):
        everywhere, own = [{"operator": "Exists"}], [{"key": "infra", "operator": "Exists"}]
        found = manifests.helm(values={"tolerations": everywhere, "podAnnotations": {"a": "b", "c": "d"}, "certs": {
            "tolerations": own, "podAnnotations": {"c": "e"}, "annotations": {"argocd.argoproj.io/hook": "PostSync"}}})
        for kind in ("Job", "CronJob"):
            o = manifests.one(found, kind)
            hook = o["metadata"].get("annotations", {}).get("argocd.argoproj.io/hook")
            self.assertEqual("PostSync" if kind == "Job" else None, hook, "Argo CD would delete the CronJob")
            (_, template), = manifests.pod_specs([o])
            self.assertEqual({"a": "b", "c": "e"}, template["metadata"]["annotations"], kind)
            self.assertEqual(own, template["spec"]["tolerations"], kind)
        self.assertEqual(everywhere, manifests.one(found, "Deployment")["spec"]["template"]["spec"]["tolerations"])

    def test_extra_objects_may_be_templates(self):
        text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-more\n"
        plain = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "plain"}, "data": {"a": "{{ b }}"}}
        for engine in ({}, {"engine": "policies"}):
            found = manifests.helm(values={"extraObjects": [text, plain]} | engine)
            self.assertEqual("winadmit-more", manifests.one(found, "ConfigMap", "winadmit-more")["metadata"]["name"])
            self.assertEqual(plain, manifests.one(found, "ConfigMap", "plain"))

    def test_every_namespaced_object_is_in_the_overriding_namespace(self):
        found = manifests.helm(values={"namespaceOverride": "elsewhere", "certManager": {"enabled": True}}) + \
            manifests.helm(values={"namespaceOverride": "elsewhere"})
        for o in found:
            expected = "default" if manifests.is_test(o) and o["kind"].startswith("Role") else "elsewhere"
            self.assertIn(o["metadata"].get("namespace"), (None, expected), o["kind"])
        self.assertNotIn(manifests.NAMESPACE, json.dumps(found))


class Schema(unittest.TestCase):
    schema = json.loads((manifests.CHART / "values.schema.json").read_text())

    def test_it_describes_each_value_of_values_yaml_and_no_other(self):
        values = yaml.safe_load((manifests.CHART / "values.yaml").read_text())
        values["image"]["repository"] = "winadmit"
        self.assertEqual(sorted(paths(values, self.schema)), sorted(described(self.schema)))

    def test_every_value_has_a_description_and_no_other_is_allowed(self):
        for path, schema in described(self.schema).items():
            self.assertTrue(schema.get("description"), path)
        for path, schema in groups(self.schema):
            self.assertEqual(path == ("global",), schema["additionalProperties"], path)

    def test_the_readme_has_every_value_once(self):
        readme = (manifests.CHART / "README.md").read_text()
        rows = re.findall(r"^\| `([A-Za-z.]+)` \|", readme, re.M)
        self.assertEqual(sorted(rows), sorted(".".join(path) for path in described(self.schema)))


def described(schema, path=()):
    """{path: schema} of all values."""
    found = {}
    for name, each in schema["properties"].items():
        here = (*path, name)
        found |= described(each, here) if "properties" in each else {here: each}
    return found


def groups(schema, path=()):
    yield path, schema
    for name, each in schema["properties"].items():
        if "properties" in each:
            yield from groups(each, (*path, name))


def at(values, path):
    return at(values[path[0]], path[1:]) if path else values


def nested(path, value):
    """{"a": {"b": value}} for the path a.b."""
    return {path[0]: nested(path[1:], value)} if path else value


def paths(values, schema, path=()):
    for key, value in values.items():
        below = schema.get("properties", {}).get(key, {})
        if "properties" in below:
            yield from paths(value, below, (*path, key))
        else:
            yield (*path, key)


def pod(values):
    return manifests.one(manifests.helm(values=values), "Deployment")["spec"]["template"]["spec"]


def container(values):
    return pod(values)["containers"][0]


if __name__ == "__main__":
    unittest.main()
