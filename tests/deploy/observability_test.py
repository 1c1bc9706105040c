"""Checks alerts, runbook and dashboard with promtool, against each other, and against the metrics of a running server."""

import functools
import http.client
import json
import re
import ssl
import subprocess
import sys
import tempfile
import unittest

import yaml

import manifests

sys.path.insert(0, str(manifests.ROOT / "tests/support"))
from winadmit import Winadmit, read_metrics  # noqa: E402 (needs the line above)

OBSERVABILITY = manifests.DEPLOY / "observability"


RULES = ("alerts.yaml", "alerts-policies.yaml")
TESTS = ("alerts_test.yaml", "alerts_days_test.yaml", "alerts_policies_test.yaml")

# Metrics of other programs: kube-apiserver, kube-state-metrics, Prometheus. tests/e2e has an outage with a real API server.
OTHERS = {
    "apiserver_admission_webhook_fail_open_count", "apiserver_admission_webhook_rejection_count",
    "apiserver_validating_admission_policy_check_total", "apiserver_mutating_admission_policy_check_total",
    "apiserver_admission_webhook_admission_duration_seconds_bucket", "apiserver_admission_match_condition_evaluation_errors_total",
    "kube_job_created", "kube_job_failed", "kube_job_status_active", "kube_job_status_completion_time",
    "kube_pod_container_resource_limits",
}


def rules():
    groups = [group for file in RULES for group in yaml.safe_load((OBSERVABILITY / file).read_text())["groups"]]
    return [rule for group in groups for rule in group["rules"]]


def read_tests(file):
    return yaml.safe_load((OBSERVABILITY / file).read_text())["tests"]


def two_clusters(keep=("east", "west")):
    """The first of alerts_test.yaml, with the series of these clusters."""
    test = read_tests("alerts_test.yaml")[0]
    assert clusters(test) == {"east", "west"}
    return test | {"input_series": [series for series in test["input_series"] if clusters({"input_series": [series]}) <= set(keep)]}


def clusters(test):
    return set(re.findall(r'cluster="([^"]+)"', " ".join(series["series"] for series in test["input_series"])))


def alerts():
    return [rule for rule in rules() if "alert" in rule]


class Alerts(unittest.TestCase):
    def test_prometheus_accepts_the_rules(self):
        promtool("check", "rules", *RULES)

    def test_each_fires_only_on_its_condition(self):
        for file in TESTS:
            with self.subTest(file):
                promtool("test", "rules", file)

    def test_each_needs_no_label_for_the_cluster(self):
        """The test with two clusters, without the label and the cluster that is healthy."""
        text = json.dumps(two_clusters(("east",)))
        for label in (r'cluster=\"east\", ', '"cluster": "east", ', " in cluster east"):
            self.assertIn(label, text)
            text = text.replace(label, "")
        run_test(OBSERVABILITY / "alerts.yaml", text)

    def test_each_fires_in_one_of_several_clusters_and_has_a_test_that_it_does_not(self):
        seen = set()
        for test in (test for file in TESTS for test in read_tests(file)):
            for expectation in test.get("alert_rule_test", []):
                fired = expectation.get("exp_alerts") or []
                seen |= {(expectation["alertname"], None)} if not fired else set()
                if len(clusters(test)) > 1:
                    seen |= {(expectation["alertname"], alert["exp_labels"]["severity"]) for alert in fired if "cluster" in alert["exp_labels"]}
        expected = {(alert["alert"], severity) for alert in alerts() for severity in (alert["labels"]["severity"], None)}
        self.assertEqual(expected, seen)

    def test_the_counters_of_the_api_server_are_all_read_in_the_way_that_is_tested(self):
        ways = {re.sub(r"apiserver_\w+{[^}]*}|(?<=sum by \(cluster), [a-z_, ]+", "counter", rule["expr"]) for rule in rules() if "record" in rule}
        self.assertEqual(1, len(ways), ways)

    def test_the_tests_do_not_begin_counters_of_the_api_server_at_0(self):
        for file in TESTS:
            for test in read_tests(file):
                for series in test["input_series"]:
                    if re.match(r"apiserver_.*(count|total){", series["series"]) and "no_error" not in series["series"]:
                        self.assertNotRegex(str(series["values"]), r"^0", f"{file}: {test['name']}: {series['series']}")

    def test_each_has_a_severity_and_a_runbook_entry(self):
        entries = re.findall(r"^## (Winadmit\w+)$", (OBSERVABILITY / "runbook.md").read_text(), re.M)
        self.assertEqual(len(entries), len(set(entries)))
        self.assertEqual(set(entries), {alert["alert"] for alert in alerts()})
        for alert in alerts():
            self.assertIn(alert["labels"]["severity"], {"warning", "critical"})
            # deploy/helm and kustomization.yaml make it absolute.
            self.assertEqual(f"runbook.md#{alert['alert'].lower()}", alert["annotations"]["runbook_url"])

    def test_none_depends_on_the_name_of_a_scrape_job(self):
        for rule in rules():
            self.assertNotRegex(rule["expr"], r"\bjob *[=!]", rule.get("alert"))


class Chart(unittest.TestCase):
    values = {"enabled": True, "runbookUrl": "."}

    def test_the_label_of_the_cluster_can_have_another_name(self):
        values = {"prometheusRule": self.values | {"clusterLabel": "k8s_cluster"}, "grafanaDashboard": {"enabled": True}}
        found = manifests.helm(values=values)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(manifests.one(found, "PrometheusRule")["spec"], file)
            file.flush()
            test = json.dumps(two_clusters()).replace("cluster=", "k8s_cluster=").replace('"cluster":', '"k8s_cluster":')
            run_test(file.name, test.replace("runbook.md#", "./runbook.md#"))
        dashboard = manifests.one(found, "ConfigMap", "winadmit-dashboard")["data"]["winadmit.json"]
        self.assertNotRegex(dashboard, r"\bcluster=|\(cluster, |, cluster\)")

    def test_alerts_can_be_changed_by_their_names(self):
        changes = {"WinadmitDown": {"enabled": False}, "WinadmitSlow": {"for": "1h", "labels": {"severity": "critical", "team": "a"}}}
        rule = manifests.one(manifests.helm(values={"engine": "both", "prometheusRule": self.values | {"alerts": changes}}), "PrometheusRule")
        found = {each["alert"]: each for group in rule["spec"]["groups"] for each in group["rules"] if "alert" in each}
        self.assertEqual({"WinadmitDown"}, {alert["alert"] for alert in alerts()} - set(found))
        self.assertEqual(("1h", {"severity": "critical", "team": "a"}), (found["WinadmitSlow"]["for"], found["WinadmitSlow"]["labels"]))
        with self.assertRaisesRegex(manifests.Refused, "WinadmitSlwo"):
            manifests.helm(values={"prometheusRule": self.values | {"alerts": {"WinadmitSlwo": {}}}})

    def test_each_object_can_be_in_another_namespace(self):
        kinds = {"ServiceMonitor": "serviceMonitor", "PrometheusRule": "prometheusRule", "ConfigMap": "grafanaDashboard"}
        found = manifests.helm(values={value: {"enabled": True, "namespace": "monitoring"} for value in kinds.values()}
                               | {"prometheusRule": self.values | {"namespace": "monitoring"}})
        moved = [o for o in found if o["metadata"].get("namespace") == "monitoring"]
        self.assertEqual(set(kinds), {o["kind"] for o in moved})
        self.assertEqual([manifests.NAMESPACE], manifests.one(moved, "ServiceMonitor")["spec"]["namespaceSelector"]["matchNames"])


class FirstAid(unittest.TestCase):
    def test_it_names_exactly_the_webhooks_that_refuse(self):
        validating = manifests.exported()[1]
        expected = [{"op": "replace", "path": f"/webhooks/{number}/failurePolicy", "value": "Ignore"}
                    for number, webhook in enumerate(validating["webhooks"]) if webhook["failurePolicy"] == "Fail"]
        self.assertTrue(expected)
        for page in ("docs/operations.md", "deploy/observability/runbook.md"):
            patch = re.search(r"kubectl patch validatingwebhookconfiguration winadmit --type=json -p '(.*?)'",
                              (manifests.ROOT / page).read_text(), re.DOTALL)
            self.assertEqual(expected, json.loads(patch.group(1)), page)


class Dashboard(unittest.TestCase):
    dashboard = json.loads((OBSERVABILITY / "dashboard.json").read_text())

    def panels(self):
        for panel in self.dashboard["panels"]:
            yield panel
            yield from panel.get("panels", [])

    def queries(self, source):
        for panel in self.panels():
            for target in panel.get("targets", []):
                if panel["datasource"]["type"] == source:
                    yield target["expr"].replace("$__rate_interval", "5m").replace("$job", "winadmit")

    def test_each_query_is_filtered_by_cluster_and_namespace_if_they_exist(self):
        variables = {variable["name"]: variable for variable in self.dashboard["templating"]["list"]}
        for name in ("cluster", "namespace"):
            # .* also matches series without the label.
            self.assertEqual((True, True, ".*"), tuple(variables[name][key] for key in ("multi", "includeAll", "allValue")))
        for source in ("prometheus", "loki"):
            for query in self.queries(source):
                for selector in re.findall(r"(\w*){([^}]*)}", query):
                    self.assertIn('cluster=~"$cluster"', selector[1])
                    # The API server does not know the namespace of winadmit.
                    self.assertEqual('namespace=~"$namespace"' in selector[1], not selector[0].startswith("apiserver") and ":" not in query, query)

    def test_prometheus_accepts_each_query(self):
        rules = [{"record": "query", "expr": query} for query in self.queries("prometheus")]
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            promtool("check", "rules", "--lint=none", file.name)

    def test_each_panel_has_a_query_and_a_data_source_that_can_be_chosen(self):
        variables = {variable["name"]: variable["query"] for variable in self.dashboard["templating"]["list"]
                     if variable["type"] == "datasource"}
        self.assertEqual({"datasource": "prometheus", "logs": "loki"}, variables)
        for panel in self.panels():
            with self.subTest(panel["title"]):
                if panel["type"] == "row":
                    self.assertEqual(panel["collapsed"], bool(panel["panels"]))
                    continue
                self.assertIn(panel["type"], {"stat", "timeseries", "logs"})
                self.assertTrue(panel["targets"])
                name = re.fullmatch(r"\$\{(\w+)\}", panel["datasource"]["uid"]).group(1)
                self.assertEqual(panel["datasource"]["type"], variables[name])
                references = [target["refId"] for target in panel["targets"]]
                self.assertEqual(len(references), len(set(references)))

    def test_only_a_collapsed_row_needs_loki(self):
        for panel in self.dashboard["panels"]:
            if panel["type"] != "row":
                self.assertEqual("prometheus", panel["datasource"]["type"], panel["title"])

    def test_queries_of_logs_name_keys_of_the_log(self):
        queries = list(self.queries("loki"))
        self.assertTrue(queries)
        keys = set(json.loads(log_line()))
        for query in queries:
            self.assertLessEqual(set(re.findall(r'\w+="(msg|namespace|decision|path)"', query)), keys)
            self.assertEqual(query.count("{"), query.count("}"))
            self.assertEqual(query.count("("), query.count(")"))

    def test_panels_do_not_overlap_and_have_unique_ids(self):
        taken = set()
        for panel in self.panels():
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells
        numbers = [panel["id"] for panel in self.panels()]
        self.assertEqual(len(numbers), len(set(numbers)))


class Names(unittest.TestCase):
    def test_every_metric_in_a_query_exists(self):
        used = set()
        for file in (*RULES, *TESTS, "dashboard.json", "runbook.md"):
            # Not the value of a label.
            used |= set(re.findall(r'(?<![\w:])(?<!=")(?<!=\\")(?:winadmit|process|apiserver|kube|name:|policy:)[a-z0-9_]*_[a-z0-9_:]+\b', (OBSERVABILITY / file).read_text()))
        used = {name.removesuffix("_bucket") if name.startswith("winadmit_") else name for name in used}
        documented = set(re.findall(r"^\| `(\w+)` \| (?:counter|gauge|histogram) \|", (manifests.ROOT / "docs/reference.md").read_text(), re.M))
        recorded = {rule["record"] for rule in rules() if "record" in rule}
        self.assertEqual(set(), used - documented - recorded - OTHERS)
        self.assertEqual(set(), (OTHERS | recorded) - used)
        self.assertEqual(set(), {name for name in used if name.startswith("winadmit_") and name not in metrics()})

    def test_every_label_value_in_a_query_exists(self):
        texts = "".join((OBSERVABILITY / file).read_text().replace('\\"', '"') for file in ("alerts.yaml", "dashboard.json"))
        found = set(re.findall(r'\b(decision|action|mode|result|operation|reason)="([a-z]+)"', texts))
        self.assertIn(("reason", "untrusted"), found)
        for label, value in found - {("decision", "decision")}:  # a key of the log
            self.assertTrue(f'{label}="{value}"' in metrics(), f'{label}="{value}"')


@functools.cache
def metrics():
    """The metrics of a server that has just started."""
    with Winadmit(manifests.WINADMIT) as server:
        return read_metrics(server.admin_port)


def log_line():
    """The log line of a review."""
    review = manifests.ROOT / "samples/unsupported-windows-pod.json"
    with tempfile.TemporaryFile() as log:
        with Winadmit(manifests.WINADMIT, log=log, log_format="json") as server:
            connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=ssl._create_unverified_context())
            connection.request("POST", "/validate", review.read_bytes(), {"Content-Type": "application/json"})
            connection.getresponse().read()
        log.seek(0)
        return next(line for line in log if b'"msg":"review"' in line)


def run_test(rules, test):
    """Runs promtool with a file of rules and a test as JSON."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(f'{{"rule_files": ["{rules}"], "evaluation_interval": "1m", "tests": [{test}]}}')
        file.flush()
        promtool("test", "rules", file.name)


def promtool(*arguments):
    result = subprocess.run(["promtool", *arguments], cwd=OBSERVABILITY, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
