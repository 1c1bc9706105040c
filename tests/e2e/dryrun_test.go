package e2e

import (
	"strings"
	"testing"
)

func TestADryRunShowsThePlacedPodAndStoresNothing(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	manifest := asJSON(pod("web", windows))
	out, _ := n.kubectl(manifest, "apply", "--dry-run=server", "-f", "-", "-o", "json")
	if shown := object(out); !placed(shown, "Win1809") {
		t.Errorf("apply --dry-run=server shows a pod that is not placed: %s", out)
	}
	out, _, err := n.tryKubectl(manifest, "diff", "-f", "-")
	if err == nil || !strings.Contains(out, "+    value: Win1809") {
		t.Errorf("kubectl diff does not show the toleration: %v\n%s", err, out)
	}
	if stored := n.get("Pod", "web"); stored.Code != 404 {
		t.Errorf("the pod is stored: %d", stored.Code)
	}
}

func TestADryRunShowsTheRefusalAndStoresNothing(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	manifest := asJSON(pod("web", unsupported))
	for _, command := range [][]string{{"apply", "--dry-run=server", "-f", "-"}, {"diff", "-f", "-"}} {
		_, _, err := n.tryKubectl(manifest, command...)
		if err == nil || !strings.Contains(err.Error(), "(host-pid)") {
			t.Errorf("kubectl %v: %v", command, err)
		}
	}
	if stored := n.get("Pod", "web"); stored.Code != 404 {
		t.Errorf("the pod is stored: %d", stored.Code)
	}
}

func TestADryRunShowsWhatIsStoredLater(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	manifest := asJSON(pod("web", windows))
	shown, _ := n.kubectl(manifest, "create", "--dry-run=server", "-f", "-", "-o", "json")
	stored, _ := n.kubectl(manifest, "create", "-f", "-", "-o", "json")
	if a, b := comparable(object(shown)), comparable(object(stored)); a != b {
		t.Errorf("shown:\n%s\nstored:\n%s", a, b)
	}
}
