package deploy

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

var chart = filepath.Join(cluster.Root(), "deploy/helm/winadmit")

// release is `helm VERB winadmit` of our chart with its defaults but for the flags.
func release(t *testing.T, verb string, flags ...string) string {
	t.Helper()
	return helm(t, append([]string{verb, "winadmit", chart, "--namespace", system}, flags...)...)
}

// restricted makes the namespace that a chart does not make, and holds it to the strictest level.
func restricted(t *testing.T) {
	t.Helper()
	kubectl(t, `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "`+system+`", "labels": {
		"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/warn": "restricted"}}}`,
		"apply", "-f", "-")
	t.Cleanup(func() { kubectl(t, "", "delete", "namespace", system, "--ignore-not-found") })
}

func uninstalled(t *testing.T) {
	t.Helper()
	helm(t, "uninstall", "winadmit", "--namespace", system, "--wait")
	nothingIsLeft(t)
}

func TestChartInstallsUpgradesRollsBackAndUninstalls(t *testing.T) {
	restricted(t)
	linuxPods := startStream(t, "Linux pods, from before the installation until after the removal", linux, admitted)
	notes := release(t, "install", "--wait", "--wait-for-jobs", "--timeout=90s")
	if !strings.Contains(notes, "nodeSelector") {
		t.Errorf("the notes give nothing to try:\n%s", notes)
	}
	rolledOut(t)
	helm(t, "test", "winadmit", "--namespace", system, "--timeout=90s")

	ca := secret(t, "winadmit-tls", "ca.crt")
	t.Run("UpgradeKeepsTheCAAndFailsNoRequest", func(t *testing.T) {
		streams := startStreams(t)
		release(t, "upgrade", "--wait", "--timeout=90s", "--set", "config.kubernetesVersion=1.35,podAnnotations.upgrade=yes")
		rolledOut(t)
		streams.stop()
		if all := bundles(t); secret(t, "winadmit-tls", "ca.crt") != ca || len(all) != 1 || all[0] != ca {
			t.Error("the CA is another one")
		}
	})
	t.Run("RollBackToAnOldReleaseKeepsTheNewCA", func(t *testing.T) {
		runJob(t, "turn-ca", "--force-ca")
		after := secret(t, "winadmit-tls", "ca.crt")
		streams := startStreams(t)
		helm(t, "rollback", "winadmit", "1", "--namespace", system, "--wait", "--timeout=90s")
		rolledOut(t)
		streams.stop()
		if all := bundles(t); after == ca || len(all) != 1 || all[0] != after {
			t.Error("the roll back brought an old CA back")
		}
	})
	t.Run("ASyncWouldSeeNoDrift", func(t *testing.T) {
		manifest := helm(t, "get", "manifest", "winadmit", "--namespace", system)
		noDrift(t, manifest, "--server-side", "--force-conflicts", "-f", "-")
	})
	uninstalled(t)
	linuxPods.stop()
}

// With a Secret that is there beforehand, and the order that docs/install.md gives for a cluster that
// must not miss a single pod: the validating side ignores until the replicas are ready.
func TestChartWithAnExistingSecretInstallsWithoutARefusal(t *testing.T) {
	restricted(t)
	dir := t.TempDir()
	issue := exec.Command(cluster.WinadmitBinary(), "certs", "issue", "--service", system+"/winadmit", "--out", dir)
	if out, err := issue.CombinedOutput(); err != nil {
		t.Fatalf("certs issue: %v\n%s", err, out)
	}
	kubectl(t, "", "-n", system, "create", "secret", "tls", "mine",
		"--cert", filepath.Join(dir, "tls.crt"), "--key", filepath.Join(dir, "tls.key"))
	anyPods := startStream(t, "Windows pods, placed or not, from before the installation", windows, admitted)
	release(t, "install", "--wait", "--timeout=90s", "--set", "existingSecret=mine,validating.failurePolicy=Ignore",
		"--set-file", "caBundle="+filepath.Join(dir, "ca.crt"))
	rolledOut(t)
	streams := startStreams(t)
	release(t, "upgrade", "--wait", "--timeout=90s", "--reuse-values", "--set", "validating.failurePolicy=Fail")
	policies := kubectl(t, "", "get", "validatingwebhookconfiguration", "winadmit", "-o", "jsonpath={.webhooks[*].failurePolicy}")
	if !strings.Contains(policies, "Fail") {
		t.Errorf("the validating side's policies are %s", policies)
	}
	streams.stop()
	anyPods.stop()
	uninstalled(t)
}

// With every value that brings further objects, accepted by the API server as they are, those of the
// Prometheus operator by its own definitions.
func TestChartWithEveryOptionIsAccepted(t *testing.T) {
	restricted(t)
	defineMonitoring(t)
	for _, file := range []string{"service-monitor.yaml", "prometheus-rule.yaml"} {
		kubectl(t, "", "-n", system, "apply", "--dry-run=server", "--validate=strict", "-f", filepath.Join(cluster.Root(), "deploy/observability", file))
	}
	values, err := json.Marshal(Object{
		"autoscaling": Object{"enabled": true}, "grafanaDashboard": Object{"enabled": true},
		"serviceMonitor": Object{"enabled": true}, "prometheusRule": Object{"enabled": true},
		"validating": Object{"failurePolicy": "Ignore", "timeoutSeconds": 2}, "exemptNamespaces": []any{"kube-system", "other"},
		"podLabels": Object{"a": "b"}, "commonAnnotations": Object{"c": "d"},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.json")
	if err := os.WriteFile(file, values, 0o600); err != nil {
		t.Fatal(err)
	}
	manifest := helm(t, "template", "winadmit", chart, "--namespace", system, "--kube-version", "1.36.0", "--api-versions", "monitoring.coreos.com/v1", "--skip-tests", "--values", file)
	out := kubectl(t, manifest, "apply", "--dry-run=server", "--validate=strict", "-f", "-")
	if n := strings.Count(out, "(server dry run)"); n < 15 {
		t.Error(fmt.Sprint(n, " objects only:\n", out))
	}
}

// defineMonitoring brings the kinds of the Prometheus operator into the cluster.
func defineMonitoring(t *testing.T) {
	t.Helper()
	module, err := cluster.Module("manifests", "github.com/prometheus-operator/prometheus-operator")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"servicemonitors", "prometheusrules"} {
		kubectl(t, "", "apply", "--server-side", "-f", filepath.Join(module, "example/prometheus-operator-crd/monitoring.coreos.com_"+kind+".yaml"))
		kubectl(t, "", "wait", "--for=condition=Established", "crd/"+kind+".monitoring.coreos.com")
	}
}
