package deploy

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/stream"
)

var chart = filepath.Join(cluster.Root(), "deploy/helm/winadmit")

// release runs `helm VERB winadmit` with our chart, an image, and these flags.
func release(t *testing.T, verb string, flags ...string) string {
	t.Helper()
	return helm(t, append([]string{verb, "winadmit", chart, "--namespace", system,
		"--set", "image.repository=registry.example/winadmit"}, flags...)...)
}

// createNamespace creates the namespace of the release, with the strictest Pod Security level.
func createNamespace(t *testing.T) {
	t.Helper()
	kubectl(t, `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "`+system+`", "labels": {
		"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/warn": "restricted"}}}`,
		"apply", "-f", "-")
	t.Cleanup(func() { kubectl(t, "", "delete", "namespace", system, "--ignore-not-found") })
}

func uninstallRelease(t *testing.T) {
	t.Helper()
	helm(t, "uninstall", "winadmit", "--namespace", system, "--wait")
	kubectl(t, "", "-n", system, "delete", "pods", "-l", "app.kubernetes.io/component in (test, verify)") // until the next helm test
	expectNothingLeft(t)
}

func TestChartInstallsUpgradesRollsBackAndUninstalls(t *testing.T) {
	createNamespace(t)
	linuxPods := startStream(t, "Linux pods, from before the installation until after the removal", linux, admitted)
	notes := release(t, "install", "--wait", "--wait-for-jobs", "--timeout=90s", "--set", "tests.waitSeconds=10")
	if !strings.Contains(notes, "nodeSelector") {
		t.Errorf("the notes have no example:\n%s", notes)
	}
	rolledOut(t)
	if logs := helm(t, "test", "winadmit", "--namespace", system, "--timeout=90s", "--logs"); !strings.Contains(logs, "POD LOGS: winadmit-verify") {
		t.Errorf("no log of the test:\n%s", logs)
	}
	t.Run("ItsTestFailsWhereTheAPIServerDoesNotCallWinadmit", func(t *testing.T) {
		kubectl(t, "", "label", "namespace", "default", "winadmit.dev/mode=off")
		out, err := tryHelm("test", "winadmit", "--namespace", system, "--timeout=90s", "--logs")
		kubectl(t, "", "label", "namespace", "default", "winadmit.dev/mode-")
		if err == nil || !strings.Contains(out, "winadmit-verify") {
			t.Errorf("%v\n%s", err, out)
		}
		if roles := kubectl(t, "", "get", "role,rolebinding,clusterrole,clusterrolebinding,serviceaccount", "-A", "-o", "name", "-l", "app.kubernetes.io/component=verify"); roles != "" {
			t.Errorf("the permission of the test has stayed: %s", roles)
		}
		helm(t, "test", "winadmit", "--namespace", system, "--timeout=90s")
	})
	t.Run("ItKeepsItsReplicasWhenAnAutoscalerTakesOver", func(t *testing.T) {
		release(t, "upgrade", "--wait", "--timeout=90s", "--set", "autoscaling.enabled=true")
		if replicas := kubectl(t, "", "-n", system, "get", "deployment", "winadmit", "-o", "jsonpath={.spec.replicas}"); replicas != "2" {
			t.Errorf("%s replicas", replicas)
		}
		release(t, "upgrade", "--wait", "--timeout=90s")
	})

	ca := secret(t, "winadmit-tls", "ca.crt")
	t.Run("UpgradeKeepsTheCAAndFailsNoRequest", func(t *testing.T) {
		streams := startStreams(t)
		release(t, "upgrade", "--wait", "--timeout=90s", "--set", "config.kubernetesVersion=1.35,podAnnotations.upgrade=yes")
		rolledOut(t)
		streams.stop()
		if all := bundles(t); secret(t, "winadmit-tls", "ca.crt") != ca || len(all) != 1 || all[0] != ca {
			t.Error("the CA has changed")
		}
	})
	t.Run("RollbackToAnOldReleaseKeepsTheNewCA", func(t *testing.T) {
		runJob(t, "rotate-ca", "--force-ca")
		after := secret(t, "winadmit-tls", "ca.crt")
		streams := startStreams(t)
		helm(t, "rollback", "winadmit", "1", "--namespace", system, "--wait", "--timeout=90s")
		rolledOut(t)
		streams.stop()
		if all := bundles(t); after == ca || len(all) != 1 || all[0] != after {
			t.Error("the rollback restored the old CA")
		}
	})
	t.Run("AnotherApplyChangesNothing", func(t *testing.T) {
		manifest := helm(t, "get", "manifest", "winadmit", "--namespace", system)
		expectNoDrift(t, manifest, "--server-side", "--force-conflicts", "-f", "-")
	})
	uninstallRelease(t)
	linuxPods.stop()
}

func TestChartTestNamesTheWindowsNodesThatNoPlacedPodReaches(t *testing.T) {
	createNamespace(t)
	taints := []any{Object{"key": "os", "value": "CustomTaint", "effect": "NoSchedule"}}
	if err := shared.CreateNode("win-custom", "windows", "a", Object{}, taints); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kubectl(t, "", "delete", "node", "win-custom") })
	release(t, "install", "--wait", "--timeout=90s", "--set", "platform=eks")
	out, err := tryHelm("test", "winadmit", "--namespace", system, "--timeout=90s", "--logs")
	line := "3 of 3 Windows nodes have taints that no placed pod tolerates: win-custom (os=CustomTaint:NoSchedule), " +
		"win1809 (os=Win1809:NoSchedule), win2022 (os=Win2022:NoSchedule); set the platform or tolerations of the configuration\n"
	if err == nil || !strings.Contains(out, line) {
		t.Errorf("%v\n%s", err, out)
	}
	uninstallRelease(t)
}

// Installs with an existing Secret, in the order that docs/install.md gives for installing without a refused pod: the
// validating webhook has failurePolicy Ignore until the replicas are ready.
func TestChartWithAnExistingSecretInstallsWithoutARefusal(t *testing.T) {
	createNamespace(t)
	dir := t.TempDir()
	issue := exec.Command(cluster.WinadmitBinary(), "certs", "issue", "--service", system+"/winadmit", "--out", dir)
	if out, err := issue.CombinedOutput(); err != nil {
		t.Fatalf("certs issue: %v\n%s", err, out)
	}
	kubectl(t, "", "-n", system, "create", "secret", "tls", "mine",
		"--cert", filepath.Join(dir, "tls.crt"), "--key", filepath.Join(dir, "tls.key"))
	anyPods := startStream(t, "Windows pods, placed or not, from before the installation", windows, stream.Accepted)
	release(t, "install", "--wait", "--timeout=90s", "--set", "existingSecret=mine,validating.failurePolicy=Ignore",
		"--set-file", "caBundle="+filepath.Join(dir, "ca.crt"))
	rolledOut(t)
	streams := startStreams(t)
	release(t, "upgrade", "--wait", "--timeout=90s", "--reuse-values", "--set", "validating.failurePolicy=Fail")
	policies := kubectl(t, "", "get", "validatingwebhookconfiguration", "winadmit", "-o", "jsonpath={.webhooks[*].failurePolicy}")
	if !strings.Contains(policies, "Fail") {
		t.Errorf("the failure policies of the validating webhooks: %s", policies)
	}
	streams.stop()
	anyPods.stop()
	uninstallRelease(t)
}

// The API server accepts the objects of every optional value, and those of the Prometheus operator by its custom resource
// definitions.
func TestChartWithEveryOptionIsAccepted(t *testing.T) {
	createNamespace(t)
	kubectl(t, "", "label", "namespace", system, "--overwrite", // for hostNetwork
		"pod-security.kubernetes.io/enforce=privileged", "pod-security.kubernetes.io/warn=privileged")
	applyMonitoringCRDs(t)
	for _, file := range []string{"service-monitor.yaml", "prometheus-rule.yaml"} {
		kubectl(t, "", "-n", system, "apply", "--dry-run=server", "--validate=strict", "-f", filepath.Join(cluster.Root(), "deploy/observability", file))
	}
	values, err := json.Marshal(Object{
		"image": Object{"repository": "winadmit", "registry": "registry.example"}, "platform": "openshift",
		"ports":        Object{"webhook": 10260, "admin": 10261},
		"clientAuth":   Object{"secret": "api-server-ca", "names": []any{"kube-apiserver"}},
		"extraEnv":     []any{Object{"name": "WINADMIT_MAX_BODY", "value": "1000000"}},
		"extraVolumes": []any{Object{"name": "more", "emptyDir": Object{}}}, "extraVolumeMounts": []any{Object{"name": "more", "mountPath": "/more"}},
		"extraContainers":           []any{Object{"name": "proxy", "image": "registry.example/proxy:1"}},
		"extraObjects":              []any{Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": Object{"name": "more"}}},
		"nodeSelector":              nil,
		"certs":                     Object{"annotations": Object{"a": "b"}, "podAnnotations": Object{"a": "b"}, "tolerations": []any{Object{"operator": "Exists"}}},
		"service":                   Object{"ipFamilyPolicy": "SingleStack", "ipFamilies": []any{"IPv4"}, "targetPort": 10260},
		"podDisruptionBudget":       Object{"minAvailable": "50%"},
		"networkPolicy":             Object{"webhookFrom": []any{Object{"ipBlock": Object{"cidr": "10.0.0.0/8"}}}},
		"topologySpreadConstraints": []any{Object{"topologyKey": "rack", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}},
		"deploymentAnnotations":     Object{"a": "b"},
		"autoscaling":               Object{"enabled": true}, "grafanaDashboard": Object{"enabled": true},
		"serviceMonitor": Object{"enabled": true, "scrapeTimeout": "10s", "relabelings": []any{Object{"targetLabel": "a", "replacement": "b"}}}, "prometheusRule": Object{"enabled": true, "runbookUrl": "https://wiki.example"},
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
	manifest := helm(t, "template", "winadmit", chart, "--namespace", system, "--kube-version", cluster.NewestRelease()+".0", "--api-versions", "monitoring.coreos.com/v1", "--skip-tests", "--values", file)
	out := kubectl(t, manifest, "apply", "--dry-run=server", "--validate=strict", "-f", "-")
	if n := strings.Count(out, "(server dry run)"); n < 15 {
		t.Errorf("only %d objects:\n%s", n, out)
	}
}

// applyMonitoringCRDs applies the custom resource definitions of the Prometheus operator.
func applyMonitoringCRDs(t *testing.T) {
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
