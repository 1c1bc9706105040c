"""Checks alerts, runbook and dashboard with promtool, against each other, and against the metrics of a running server."""

import functools
import json
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

import manifests

sys.path.insert(0, str(manifests.ROOT / "tests/support"))
from winadmit import Winadmit, read_metrics  # noqa: E402 (needs the line above)

OBSERVABILITY = manifests.DEPLOY / "observability"


def alerts():
    groups = yaml.safe_load((OBSERVABILITY / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


class Alerts(unittest.TestCase):
    def test_prometheus_accepts_the_rules(self):
        promtool("check", "rules", "alerts.yaml")

    def test_each_fires_only_on_its_condition(self):
        promtool("test", "rules", "alerts_test.yaml")

    def test_each_has_a_test_that_it_fires_and_one_that_it_does_not(self):
        expectations = [expectation for test in yaml.safe_load((OBSERVABILITY / "alerts_test.yaml").read_text())["tests"]
                        for expectation in test["alert_rule_test"]]
        for alert in alerts():
            seen = {bool(expectation.get("exp_alerts")) for expectation in expectations
                    if expectation["alertname"] == alert["alert"]}
            self.assertEqual({True, False}, seen, alert["alert"])

    def test_each_has_a_severity_and_a_runbook_entry(self):
        entries = set(re.findall(r"^## (Winadmit\w+)$", (OBSERVABILITY / "runbook.md").read_text(), re.M))
        self.assertEqual(entries, {alert["alert"] for alert in alerts()})
        for alert in alerts():
            self.assertIn(alert["labels"]["severity"], {"warning", "critical"})
            self.assertEqual(f"runbook.md#{alert['alert'].lower()}", alert["annotations"]["runbook_url"])


class Dashboard(unittest.TestCase):
    dashboard = json.loads((OBSERVABILITY / "dashboard.json").read_text())

    def queries(self):
        for panel in self.dashboard["panels"]:
            for target in panel.get("targets", []):
                yield target["expr"].replace("$__rate_interval", "5m").replace("$job", "winadmit")

    def test_prometheus_accepts_each_query(self):
        rules = [{"record": "query", "expr": query} for query in self.queries()]
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            promtool("check", "rules", "--lint=none", file.name)

    def test_panels_do_not_overlap_and_have_unique_ids(self):
        taken = set()
        for panel in self.dashboard["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells
        numbers = [panel["id"] for panel in self.dashboard["panels"]]
        self.assertEqual(len(numbers), len(set(numbers)))


class Names(unittest.TestCase):
    def test_every_metric_in_a_query_exists(self):
        used = set()
        for file in ("alerts.yaml", "alerts_test.yaml", "dashboard.json", "runbook.md"):
            used |= set(re.findall(r"\bwinadmit_[a-z_]+", (OBSERVABILITY / file).read_text()))
        existing = set(re.findall(r"winadmit_[a-z_]+", metrics()))
        self.assertTrue(used)
        self.assertEqual(set(), used - existing)

    def test_every_label_value_in_a_query_exists(self):
        texts = "".join((OBSERVABILITY / file).read_text().replace('\\"', '"') for file in ("alerts.yaml", "dashboard.json"))
        for label, value in set(re.findall(r'(decision|action|result|operation)="([a-z]+)"', texts)):
            self.assertIn(f'{label}="{value}"', metrics())


@functools.cache
def metrics():
    """The metrics of a server that has just started."""
    with Winadmit(manifests.WINADMIT) as server:
        return read_metrics(server.admin_port)


def promtool(*arguments):
    result = subprocess.run(["promtool", *arguments], cwd=OBSERVABILITY, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
