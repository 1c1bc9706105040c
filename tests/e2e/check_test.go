package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// forEachFile runs a test for some manifests of tests/data/check, with the number of their objects and the flags that
// correspond to the labels of the namespace.
func forEachFile(t *testing.T, test func(n namespace, file string, objects int, flags []string)) {
	t.Parallel()
	for _, each := range []struct {
		file    string
		objects int
		labels  []string
		flags   []string
	}{
		{file: "pods.yaml", objects: 5},
		{file: "anchors.yaml", objects: 1},
		{file: "list.yaml", objects: 3},
		{file: "list.json", objects: 2},
		{file: "contradiction.yaml", objects: 1},
		{file: "malformed.yaml", objects: 1},
		{file: "default-windows.yaml", objects: 1, labels: []string{defaultWindows}, flags: []string{"--default-os", "windows"}},
	} {
		t.Run(each.file, func(t *testing.T) {
			t.Parallel()
			n := newNamespace(t, "", each.labels...)
			test(n, filepath.Join(cluster.Root(), "tests/data/check", each.file), each.objects, each.flags)
		})
	}
}

func TestCheckRefusesWhatTheAPIServerRefuses(t *testing.T) {
	forEachFile(t, func(n namespace, file string, objects int, flags []string) {
		refusedByBoth(n, file, objects, flags)
	})
}

func TestTheAPIServerAcceptsWhatFixHasFixed(t *testing.T) {
	forEachFile(t, func(n namespace, file string, objects int, flags []string) {
		manifests, err := winadmit.Fix(file, flags...)
		if err != nil {
			n.t.Fatal(err)
		}
		fixed := filepath.Join(n.t.TempDir(), "fixed.yaml")
		if err := os.WriteFile(fixed, manifests, 0o644); err != nil {
			n.t.Fatal(err)
		}
		left := refusedByBoth(n, fixed, objects, flags)
		if filepath.Base(file) == "anchors.yaml" && len(left) != 0 { // fix can remove everything that is forbidden in it
			n.t.Errorf("still refused after fix: %v", left)
		}
	})
}

// refusedByBoth returns the objects of a file that check refuses. The test fails if the API server refuses other objects,
// or for other reasons.
func refusedByBoth(n namespace, file string, objects int, flags []string) (refused []string) {
	n.t.Helper()
	findings, err := winadmit.Check(file, flags...)
	if err != nil {
		n.t.Fatal(err)
	}
	created, output, err := n.tryKubectl("", "create", "--dry-run=server", "-o", "name", "-f", file)
	if err != nil {
		output = err.Error()
	}
	for _, finding := range findings {
		if finding["action"] != "deny" {
			continue
		}
		if object := text(finding, "object"); !slices.Contains(refused, object) {
			refused = append(refused, object)
		}
		rule := text(finding, "rule")
		// An object that the API server cannot decode: it has its own message.
		if rule != "malformed-field" && !strings.Contains(output, text(finding, "field")+": "+text(finding, "message")+" ("+rule+")") {
			n.t.Errorf("kubectl does not print for %s: %s", finding["object"], finding["message"])
		}
	}
	if got, want := len(strings.Fields(created)), objects-len(refused); got != want {
		n.t.Errorf("check refuses %v of %d objects; kubectl creates\n%sand prints\n%s", refused, objects, created, output)
	}
	return refused
}
