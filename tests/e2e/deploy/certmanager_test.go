package deploy

import (
	"fmt"
	"testing"
)

func TestCertManagerIssuesInjectsAndRenews(t *testing.T) {
	startCertManager(t)
	t.Run("Overlay", func(t *testing.T) {
		linuxPods := startStream(t, "Linux pods, from before the installation until after the removal", linux, admitted)
		kubectl(t, "", "apply", "-k", overlay("cert-manager"), "--validate=strict")
		rolledOut(t)
		before, ca := secret(t, "winadmit-serving", "tls.crt"), secret(t, "winadmit-serving", "ca.crt")
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
			if secret(t, "winadmit-serving", "tls.crt") == before {
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

func TestChangesOfTheCertificateSourceFailNoRequest(t *testing.T) {
	startCertManager(t)
	t.Run("ChartAndBack", checkChangesOfTheSource)
	t.Run("Kustomization", checkChangeOfTheOverlay)
}

func startCertManager(t *testing.T) {
	t.Helper()
	stop, err := StartCertManager(shared)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
}
