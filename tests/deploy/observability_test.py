"""Alerts, runbook and dashboard: what Prometheus says of them, and what they say of each other."""

import pathlib
import re
import subprocess
import unittest

import yaml

OBSERVABILITY = pathlib.Path(__file__).resolve().parents[2] / "deploy/observability"


def alerts():
    groups = yaml.safe_load((OBSERVABILITY / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


class Alerts(unittest.TestCase):
    def test_prometheus_accepts_the_rules(self):
        promtool("check", "rules", "alerts.yaml")

    def test_each_fires_on_its_condition_alone(self):
        promtool("test", "rules", "alerts_test.yaml")

    def test_each_is_tested_firing_and_silent(self):
        expectations = [expectation for test in yaml.safe_load((OBSERVABILITY / "alerts_test.yaml").read_text())["tests"]
                        for expectation in test["alert_rule_test"]]
        for alert in alerts():
            seen = {bool(expectation.get("exp_alerts")) for expectation in expectations
                    if expectation["alertname"] == alert["alert"]}
            self.assertEqual({True, False}, seen, alert["alert"])

    def test_each_has_a_severity_and_a_runbook_entry_and_no_entry_is_left_over(self):
        entries = set(re.findall(r"^## (Winadmit\w+)$", (OBSERVABILITY / "runbook.md").read_text(), re.M))
        self.assertEqual(entries, {alert["alert"] for alert in alerts()})
        for alert in alerts():
            self.assertIn(alert["labels"]["severity"], {"warning", "critical"})
            self.assertEqual(f"runbook.md#{alert['alert'].lower()}", alert["annotations"]["runbook_url"])


def promtool(*arguments):
    result = subprocess.run(["promtool", *arguments], cwd=OBSERVABILITY, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
