package deploy

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

func overlay(name string) string {
	return filepath.Join(cluster.Root(), "deploy/kustomize/overlays", name)
}

// uninstallOverlay deletes an overlay in the order that docs/rollout.md gives: the webhook configurations first.
func uninstallOverlay(t *testing.T, name string) {
	t.Helper()
	deleteConfigurations(t)
	kubectl(t, "", "delete", "-k", overlay(name), "--ignore-not-found")
}

// rolledOut waits until every replica is ready and the API server calls them.
func rolledOut(t *testing.T) {
	t.Helper()
	kubectl(t, "", "-n", system, "rollout", "status", "deployment/winadmit", "--timeout=90s")
	eventually(t, "the API server calls winadmit", works)
}

func TestSelfSignedOverlayInstallsRotatesAndUninstalls(t *testing.T) {
	linuxPods := startStream(t, "Linux pods, from before the installation until after the removal", linux, admitted)
	out := kubectl(t, "", "apply", "-k", overlay("self-signed"), "--validate=strict")
	if strings.Contains(out, "unchanged") {
		t.Errorf("objects existed before:\n%s", out)
	}
	waitForJob(t, "winadmit-certs")
	rolledOut(t)
	if n := len(servers(t)); n != 2 {
		t.Errorf("%d replicas", n)
	}

	t.Run("AnotherApplyChangesNothing", checkAnotherApply)
	t.Run("TheServerHasNoTokenAndNoCAKey", checkServerVolumes)
	t.Run("ServingPairRotatesWithoutAFailedRequest", checkPairRotation)
	t.Run("CARotatesWithoutAFailedRequest", checkCARotation)
	t.Run("ABrokenPairIsRefusedAndCounted", checkBrokenPair)
	t.Run("RollingUpgradeWithoutAFailedRequest", checkRollingUpgrade)
	// The tests above rely on this: a stream notices an outage.
	t.Run("AStreamNoticesAnOutage", checkOutage)
	uninstallOverlay(t, "self-signed")
	linuxPods.stop()
	expectNothingLeft(t)
}

func checkAnotherApply(t *testing.T) {
	before, ca := secret(t, "winadmit-tls", "tls.crt"), bundles(t)
	kubectl(t, "", "apply", "-k", overlay("self-signed"), "--validate=strict")
	expectNoDrift(t, "", "-k", overlay("self-signed"))
	if secret(t, "winadmit-tls", "tls.crt") != before || fmt.Sprint(bundles(t)) != fmt.Sprint(ca) {
		t.Error("the certificates changed")
	}
}

func checkServerVolumes(t *testing.T) {
	for _, pod := range servers(t) {
		for _, volume := range list(pod, "spec", "volumes") {
			if at(volume, "projected") != nil {
				t.Errorf("mounts %v", volume)
			}
		}
	}
}

func checkPairRotation(t *testing.T) {
	before := secret(t, "winadmit-tls", "tls.crt")
	streams := startStreams(t)
	runJob(t, "rotate-pair", "--force-pair")
	eventually(t, "both replicas have loaded the new pair", bothReloaded(t, 1))
	streams.stop()
	if secret(t, "winadmit-tls", "tls.crt") == before {
		t.Error("the pair has not changed")
	}
}

func checkCARotation(t *testing.T) {
	before := secret(t, "winadmit-tls", "ca.crt")
	streams := startStreams(t)
	runJob(t, "rotate-ca", "--force-ca")
	eventually(t, "both replicas have loaded the new pair", bothReloaded(t, 2))
	streams.stop()
	after := secret(t, "winadmit-tls", "ca.crt")
	if after == before || strings.Contains(after, before) || strings.Count(after, "BEGIN") != 1 {
		t.Errorf("trusted afterwards:\n%s", after)
	}
	if all := bundles(t); len(all) != 1 || all[0] != after {
		t.Errorf("the configurations trust %q, the Secret contains %q", all, after)
	}
}

func checkBrokenPair(t *testing.T) {
	good := get(t, "/api/v1/namespaces/"+system+"/secrets/winadmit-tls")["data"].(Object)
	streams := startStreams(t)
	patchSecret(t, Object{"tls.crt": good["ca.crt"]}) // a certificate that does not match the key
	eventually(t, "both replicas count a failure", func() error {
		for _, pod := range servers(t) {
			failures, err := metric(pod, `winadmit_certificate_reloads_total{result="failure"}`)
			if err != nil || failures < 2 { // it keeps rising, as the alert requires
				return fmt.Errorf("%s: %v failures, %v", text(pod, "metadata", "name"), failures, err)
			}
		}
		return nil
	})
	streams.stop()
	patchSecret(t, Object{"tls.crt": good["tls.crt"]})
}

func checkRollingUpgrade(t *testing.T) {
	before := names(servers(t))
	streams := startStreams(t)
	kubectl(t, "", "-n", system, "rollout", "restart", "deployment/winadmit")
	rolledOut(t)
	eventually(t, "the old replicas are gone", func() error {
		for _, name := range names(servers(t)) {
			if slices.Contains(before, name) {
				return fmt.Errorf("%s is still there", name)
			}
		}
		return nil
	})
	streams.stop()
}

func checkOutage(t *testing.T) {
	outage := startStream(t, "unsupported pods", refused, isRefused)
	kubectl(t, "", "-n", system, "scale", "deployment/winadmit", "--replicas=0")
	eventually(t, "requests fail", func() error {
		if outage.failures() == 0 {
			return fmt.Errorf("no request has failed")
		}
		return nil
	})
	outage.Stop()
}

func TestDevOverlayInstallsAndUninstalls(t *testing.T) {
	kubectl(t, "", "apply", "-k", overlay("dev"), "--validate=strict")
	rolledOut(t)
	if n := len(servers(t)); n != 1 {
		t.Errorf("%d replicas", n)
	}
	uninstallOverlay(t, "dev")
	expectNothingLeft(t)
}

// streams run at the same time.
type streams []*testStream

func startStreams(t *testing.T) streams {
	return streams{startStream(t, "Linux pods", linux, admitted), startStream(t, "Windows pods", windows, isPlaced),
		startStream(t, "unsupported pods", refused, isRefused)}
}

func (all streams) stop() {
	for _, s := range all {
		s.stop()
	}
}

// bothReloaded returns a condition: each replica has reloaded its certificate that often.
func bothReloaded(t *testing.T, times float64) func() error {
	return func() error {
		for _, pod := range servers(t) {
			reloads, err := metric(pod, `winadmit_certificate_reloads_total{result="success"}`)
			if err != nil || reloads < times {
				return fmt.Errorf("%s: %v reloads, %v", text(pod, "metadata", "name"), reloads, err)
			}
		}
		return nil
	}
}

func patchSecret(t *testing.T, data Object) {
	t.Helper()
	reply, err := shared.API.Do("PATCH", "/api/v1/namespaces/"+system+"/secrets/winadmit-tls", Object{"data": data})
	if err != nil || !reply.Created() {
		t.Fatal(err, reply.Message())
	}
}

func names(pods []any) []string {
	var all []string
	for _, pod := range pods {
		all = append(all, text(pod, "metadata", "name"))
	}
	return all
}
