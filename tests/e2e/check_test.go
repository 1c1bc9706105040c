package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// The same files without a cluster and with one: refused by both or by none, for the same reasons.
func TestCheckSaysWhatTheAPIServerSays(t *testing.T) {
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
			file := filepath.Join(cluster.Root(), "tests/data/check", each.file)
			findings, err := winadmit.Check(file, each.flags...)
			if err != nil {
				t.Fatal(err)
			}
			created, said, createErr := n.try("", "create", "--dry-run=server", "-o", "name", "-f", file)
			if createErr != nil {
				said = createErr.Error()
			}
			var refused []string
			for _, finding := range findings {
				if finding["action"] != "deny" {
					continue
				}
				if object := text(finding, "object"); !slices.Contains(refused, object) {
					refused = append(refused, object)
				}
				if rule := text(finding, "rule"); rule != "" && // else it is no Pod at all, which the API server has its own words for
					!strings.Contains(said, text(finding, "field")+": "+text(finding, "message")+" ("+rule+")") {
					t.Errorf("kubectl does not say of %s: %s", finding["object"], finding["message"])
				}
			}
			if got, want := len(strings.Fields(created)), each.objects-len(refused); got != want {
				t.Errorf("check refuses %v of %d objects; kubectl creates\n%sand says\n%s", refused, each.objects, created, said)
			}
		})
	}
}
