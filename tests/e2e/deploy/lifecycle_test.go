package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

// firstAid is what docs/operations.md says to do if winadmit blocks the cluster.
func firstAid(t *testing.T) {
	t.Helper()
	kubectl(t, "", "patch", "validatingwebhookconfiguration", "winadmit", "--type=json", "-p", `[
		{"op": "replace", "path": "/webhooks/0/failurePolicy", "value": "Ignore"},
		{"op": "replace", "path": "/webhooks/1/failurePolicy", "value": "Ignore"}]`)
	if n := policies(t, "Fail"); n != 0 {
		t.Errorf("after first aid %d webhooks have failurePolicy Fail", n)
	}
}

// expectNoLossByFirstAid gives first aid, restores the installation, and checks that no request is lost meanwhile.
func expectNoLossByFirstAid(t *testing.T, restore func(*testing.T)) {
	t.Helper()
	streams := startStreams(t)
	firstAid(t)
	restore(t)
	streams.stop()
	if n := policies(t, "Fail"); n != 2 {
		t.Errorf("%d webhooks have failurePolicy Fail", n)
	}
}

// policies returns how many webhooks that judge have this failure policy.
func policies(t *testing.T, policy string) int {
	t.Helper()
	return strings.Count(kubectl(t, "", "get", "validatingwebhookconfiguration", "winadmit", "-o", "jsonpath={.webhooks[*].failurePolicy}"), policy)
}

func deleteConfigurations(t *testing.T) {
	t.Helper()
	kubectl(t, "", append([]string{"delete", "--ignore-not-found"}, cluster.Configurations...)...)
}

func expectOneCA(t *testing.T) {
	t.Helper()
	ca := secret(t, "winadmit-tls", "ca.crt")
	if all := bundles(t); len(all) != 1 || all[0] != ca {
		t.Errorf("the configurations trust %q, the Secret contains %q", all, ca)
	}
}

func TestChartIsRepairedByAnUpgrade(t *testing.T) {
	createNamespace(t)
	began := time.Now()
	release(t, "install", "--wait", "--wait-for-jobs", "--timeout=90s")
	rolledOut(t)
	t.Logf("the first refusal %s after the first command", time.Since(began).Round(time.Second/10))
	upgrade := func(t *testing.T, flags ...string) {
		t.Helper()
		release(t, "upgrade", append([]string{"--reset-then-reuse-values", "--wait", "--wait-for-jobs", "--timeout=120s"}, flags...)...)
	}
	t.Run("AfterFirstAid", func(t *testing.T) { expectNoLossByFirstAid(t, func(t *testing.T) { upgrade(t) }) })
	t.Run("AfterTheConfigurationsWereDeleted", func(t *testing.T) {
		linuxPods := startStream(t, "Linux pods", linux, admitted)
		deleteConfigurations(t)
		upgrade(t)
		eventually(t, "the API server calls winadmit", works)
		expectOneCA(t)
		linuxPods.stop()
	})
	t.Run("AfterTheSecretWasLost", func(t *testing.T) {
		before := secret(t, "winadmit-tls", "ca.crt")
		streams := startStreams(t)
		kubectl(t, "", "-n", system, "delete", "secret", "winadmit-tls")
		upgrade(t)
		eventually(t, "both replicas have loaded the new pair", bothReloaded(t, 1))
		streams.stop()
		expectOneCA(t)
		if secret(t, "winadmit-tls", "ca.crt") == before {
			t.Error("the CA is the lost one")
		}
	})
	// A pod of which only the configuration knows that it is a Windows pod reaches the webhook.
	t.Run("TheConfigurationAndTheMatchConditionsAreOne", func(t *testing.T) {
		kubectl(t, `{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "windows-2022"}, "handler": "runhcs"}`,
			"apply", "-f", "-")
		t.Cleanup(func() { kubectl(t, "", "delete", "runtimeclass", "windows-2022") })
		body := []byte(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"hostPID": true,
			"runtimeClassName": "windows-2022", "containers": [{"name": "main", "image": "registry.example/app:1"}]}}`)
		if reply, err := dryRun(body); err != nil || !reply.Created() {
			t.Fatalf("refused before it is configured: %v %s", err, reply.Message())
		}
		streams := startStreams(t)
		upgrade(t, "--set", "config.windowsRuntimeClasses={windows-2022}")
		streams.stop()
		eventually(t, "it is refused", func() error {
			reply, err := dryRun(body)
			if err != nil {
				return err
			}
			return isRefused(reply)
		})
		for _, pod := range servers(t) {
			if mismatch, err := metric(pod, "winadmit_match_conditions_mismatch"); err != nil || mismatch != 0 {
				t.Errorf("%s: mismatch %v, %v", text(pod, "metadata", "name"), mismatch, err)
			}
		}
	})
	t.Run("NoPodIsRefusedWhileItIsUninstalled", func(t *testing.T) {
		pods := streams{startStream(t, "Linux pods", linux, admitted), startStream(t, "Windows pods, placed or not", windows, admitted)}
		uninstallRelease(t)
		pods.stop()
	})
}

func TestOverlayIsRepairedByAnApply(t *testing.T) {
	apply := func(t *testing.T) {
		t.Helper()
		kubectl(t, "", "apply", "-k", overlay("self-signed"), "--validate=strict")
	}
	began := time.Now()
	apply(t)
	rolledOut(t)
	t.Logf("the first refusal %s after the first command", time.Since(began).Round(time.Second/10))
	waitForJob(t, "winadmit-certs")
	t.Run("AfterFirstAid", func(t *testing.T) { expectNoLossByFirstAid(t, apply) })
	t.Run("AfterTheConfigurationsWereDeleted", func(t *testing.T) {
		deleteConfigurations(t)
		apply(t)
		runJob(t, "restore")
		eventually(t, "the API server calls winadmit", works)
		expectOneCA(t)
	})
	t.Run("AfterTheSecretWasLost", func(t *testing.T) {
		streams := startStreams(t)
		kubectl(t, "", "-n", system, "delete", "secret", "winadmit-tls")
		apply(t)
		runJob(t, "restore")
		eventually(t, "both replicas have loaded the new pair", bothReloaded(t, 1))
		streams.stop()
		expectOneCA(t)
	})
	t.Run("MisspelledLabelsAreTold", checkLabels)
	t.Run("AServerSideApplyOfAnotherManagerChangesNothing", func(t *testing.T) {
		apply(t) // the finished Job is deleted after a minute
		expectNoDrift(t, "", "-k", overlay("self-signed"), "--server-side", "--field-manager=argocd-controller")
	})
	t.Run("NoPodIsRefusedWhileItIsRemovedAndItCanBeAppliedAtOnce", func(t *testing.T) {
		pods := streams{startStream(t, "Linux pods", linux, admitted), startStream(t, "Windows pods, placed or not", windows, admitted)}
		uninstallOverlay(t, "self-signed")
		pods.stop()
		apply(t)
		rolledOut(t)
	})
	uninstallOverlay(t, "self-signed")
	expectNothingLeft(t)
}

func checkLabels(t *testing.T) {
	kubectl(t, "", "create", "namespace", "typos")
	t.Cleanup(func() { kubectl(t, "", "delete", "namespace", "typos") })
	label := func(label string) string {
		_, stderr, err := shared.API.Kubectl("", "label", "namespace", "typos", "--overwrite", label)
		if err != nil {
			t.Fatal(err)
		}
		return stderr
	}
	eventually(t, "a misspelled mode is told", func() error {
		if out := label("winadmit.dev/mode=enforced"); !strings.Contains(out, "winadmit.dev/mode=enforced is not a mode") {
			return fmt.Errorf("%q", out)
		}
		label("winadmit.dev/mode-")
		return nil
	})
	for wrong, told := range map[string]string{
		"winadmit.dev/mode=Off":           "is not a mode",
		"winadmit.dev/default-os=Windows": "is not windows, linux or none",
		"winadmit.dev/modus=off":          "does not know the label winadmit.dev/modus"} {
		if out := label(wrong); !strings.Contains(out, told) {
			t.Errorf("%s: %q", wrong, out)
		}
	}
	for _, right := range []string{"winadmit.dev/mode=off", "winadmit.dev/default-os=windows", "team=a"} {
		if out := label(right); strings.Contains(out, "winadmit.dev/") && strings.Contains(out, "Warning") {
			t.Errorf("%s: %q", right, out)
		}
	}
}

// The caBundle trusts both CAs until no replica serves the old pair.
func checkChangesOfTheSource(t *testing.T) {
	createNamespace(t)
	release(t, "install", "--wait", "--wait-for-jobs", "--timeout=90s")
	rolledOut(t)
	own := secret(t, "winadmit-tls", "ca.crt")
	steps := []string{"certManager.enabled=true,certManager.transition=trust", "certManager.transition=serve", "certManager.transition=",
		"certManager.transition=serve", "certManager.transition=trust", "certManager.transition=,certManager.enabled=false"}
	streams := startStreams(t)
	for i, values := range steps {
		release(t, "upgrade", "--reset-then-reuse-values", "--wait", "--wait-for-jobs", "--timeout=180s", "--set", values)
		rolledOut(t)
		if i == 2 {
			eventually(t, "only the CA of cert-manager is trusted", func() error {
				if all := bundles(t); len(all) != 1 || all[0] != secret(t, "winadmit-serving", "ca.crt") {
					return fmt.Errorf("trusted: %q", all)
				}
				return nil
			})
		}
	}
	streams.stop()
	expectOneCA(t)
	if secret(t, "winadmit-tls", "ca.crt") == own {
		t.Error("the CA of winadmit is the first one, although its Secret was deleted")
	}
	uninstallRelease(t)
}

// checkChangeOfTheOverlay follows docs/install.md from the overlay self-signed to cert-manager.
func checkChangeOfTheOverlay(t *testing.T) {
	folder := kustomization(t)
	apply := func(overlay, component string) {
		t.Helper()
		components := "[]"
		if component != "" {
			components = "[../../deploy/kustomize/components/" + component + "]"
		}
		text := "resources: [../../deploy/kustomize/overlays/" + overlay + "]\ncomponents: " + components + "\n"
		if err := os.WriteFile(filepath.Join(folder, "kustomization.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		kubectl(t, "", "-n", system, "delete", "job", "winadmit-certs", "--ignore-not-found")
		kubectl(t, "", "apply", "-k", folder, "--validate=strict")
		if overlay == "self-signed" {
			waitForJob(t, "winadmit-certs")
		}
		rolledOut(t)
	}
	apply("self-signed", "")
	streams := startStreams(t)
	apply("self-signed", "transition-trust")
	apply("self-signed", "transition-serve")
	apply("cert-manager", "")
	kubectl(t, "", "-n", system, "delete", "cronjob,job,role,rolebinding,serviceaccount", "winadmit-certs", "--ignore-not-found")
	kubectl(t, "", "delete", "clusterrole,clusterrolebinding", "winadmit-certs", "--ignore-not-found")
	kubectl(t, "", "-n", system, "delete", "secret", "winadmit-tls", "--ignore-not-found")
	eventually(t, "only the CA of cert-manager is trusted", func() error {
		if all := bundles(t); len(all) != 1 || all[0] != secret(t, "winadmit-serving", "ca.crt") {
			return fmt.Errorf("trusted: %q", all)
		}
		return nil
	})
	streams.stop()
	uninstallOverlay(t, "cert-manager")
	expectNothingLeft(t)
}

// kustomization returns a folder in the checkout for a kustomization: kustomize takes no absolute paths.
func kustomization(t *testing.T) string {
	t.Helper()
	build := filepath.Join(cluster.Root(), "build")
	folder, err := os.MkdirTemp(build, "kustomization-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// The tests of the removal rely on this: without the hook Helm deletes the Service first, and the stream notices.
func TestWithoutTheHookWindowsPodsAreRefusedDuringTheUninstallation(t *testing.T) {
	createNamespace(t)
	release(t, "install", "--wait", "--wait-for-jobs", "--timeout=90s")
	rolledOut(t)
	pods := startStream(t, "Windows pods, placed or not", windows, admitted)
	helm(t, "uninstall", "winadmit", "--namespace", system, "--wait", "--no-hooks")
	counts := pods.Stop()
	t.Logf("%s: %s", pods.Name, counts)
	if counts.Lost() == 0 {
		t.Error("no pod was refused: the hook is not necessary, or the stream cannot fail")
	}
	expectNothingLeft(t)
}
