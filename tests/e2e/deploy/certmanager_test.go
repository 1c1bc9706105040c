package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// startCertManager starts the controller and the cainjector of cert-manager, and applies its custom resource definitions.
func startCertManager(t *testing.T) {
	t.Helper()
	programs, err := cluster.FindPrograms("cert-manager-controller", "cert-manager-cainjector")
	if err != nil {
		t.Fatal(err)
	}
	module, err := cluster.Module("cert-manager", "github.com/cert-manager/cert-manager")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(module + "/deploy/crds/crd-*.yaml")
	if len(files) == 0 {
		t.Fatalf("no custom resource definitions in %s", module)
	}
	labels := regexp.MustCompile(`(?m)^.*\{\{.*\n`) // templates of the chart of cert-manager
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kubectl(t, string(labels.ReplaceAll(text, nil)), "apply", "--server-side", "-f", "-")
	}
	kubectl(t, "", "wait", "--for=condition=Established", "crd/certificates.cert-manager.io", "crd/issuers.cert-manager.io")
	for name, flags := range map[string][]string{
		"cert-manager-controller": {"--metrics-listen-address=127.0.0.1:0", "--leader-elect=false"}, "cert-manager-cainjector": nil} {
		process, err := shared.Run(name, programs[name], append(flags, "--kubeconfig", shared.Kubeconfig)...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { process.Stop(0) })
	}
}

func TestCertManagerIssuesInjectsAndRenews(t *testing.T) {
	startCertManager(t)
	t.Run("Overlay", func(t *testing.T) {
		linuxPods := startStream(t, "Linux pods, from before the installation until after the removal", linux, admitted)
		kubectl(t, "", "apply", "-k", overlay("cert-manager"), "--validate=strict")
		rolledOut(t)
		before, ca := secret(t, "winadmit-tls", "tls.crt"), secret(t, "winadmit-tls", "ca.crt")
		if all := bundles(t); len(all) != 1 || all[0] != ca {
			t.Errorf("injected: %q, issued by %q", all, ca)
		}
		expectNoDrift(t, "", "-k", overlay("cert-manager"))
		// This is what `cmctl renew` does.
		streams := startStreams(t)
		kubectl(t, "", "-n", system, "patch", "certificate", "winadmit-serving", "--subresource=status", "--type=merge", "-p",
			`{"status": {"conditions": [{"type": "Issuing", "status": "True", "reason": "ManuallyTriggered", "message": "test",
			"lastTransitionTime": "2026-01-01T00:00:00Z"}]}}`)
		eventually(t, "cert-manager issues a new pair", func() error {
			if secret(t, "winadmit-tls", "tls.crt") == before {
				return fmt.Errorf("the pair has not changed")
			}
			return nil
		})
		eventually(t, "both replicas have loaded it", bothReloaded(t, 1))
		streams.stop()
		uninstallOverlay(t, "cert-manager")
		linuxPods.stop()
		expectNothingLeft(t)
	})
	t.Run("Chart", func(t *testing.T) {
		createNamespace(t)
		release(t, "install", "--wait", "--timeout=90s", "--set", "certManager.enabled=true")
		rolledOut(t)
		helm(t, "test", "winadmit", "--namespace", system, "--timeout=90s")
		uninstallRelease(t)
	})
}
