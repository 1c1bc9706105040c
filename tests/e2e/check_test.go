package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// manifests are files of tests/data, with how many objects they hold.
var manifests = []struct {
	file    string
	objects int
	labels  []string // of the namespace
	flags   []string // that say the same
}{
	{file: "check/pods.yaml", objects: 5},
	{file: "check/anchors.yaml", objects: 1},
	{file: "check/list.yaml", objects: 3},
	{file: "check/list.json", objects: 2},
	{file: "check/contradiction.yaml", objects: 1},
	{file: "check/malformed.yaml", objects: 1},
	{file: "check/default-windows.yaml", objects: 1, labels: []string{defaultWindows}, flags: []string{"--default-os", "windows"}},
}

func TestCheckSaysWhatTheAPIServerSays(t *testing.T) {
	t.Parallel()
	for _, each := range manifests {
		t.Run(filepath.Base(each.file), func(t *testing.T) {
			t.Parallel()
			n := newNamespace(t, "", each.labels...)
			refusedByBoth(n, filepath.Join(cluster.Root(), "tests/data", each.file), each.objects, each.flags)
		})
	}
}

func TestTheAPIServerTakesWhatFixHasMendedAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, each := range manifests {
		t.Run(filepath.Base(each.file), func(t *testing.T) {
			t.Parallel()
			n := newNamespace(t, "", each.labels...)
			fixed, err := winadmit.Fix(filepath.Join(cluster.Root(), "tests/data", each.file), each.flags...)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "fixed.yaml")
			if err := os.WriteFile(file, fixed, 0o644); err != nil {
				t.Fatal(err)
			}
			left := refusedByBoth(n, file, each.objects, each.flags)
			if each.file == "check/anchors.yaml" && len(left) != 0 { // all that it has can be removed
				t.Errorf("fix leaves %v", left)
			}
		})
	}
}

// refusedByBoth are the objects of a file that check refuses. It fails the test where the API server refuses others, or
// for other reasons.
func refusedByBoth(n namespace, file string, objects int, flags []string) (refused []string) {
	n.t.Helper()
	findings, err := winadmit.Check(file, flags...)
	if err != nil {
		n.t.Fatal(err)
	}
	created, said, err := n.try("", "create", "--dry-run=server", "-o", "name", "-f", file)
	if err != nil {
		said = err.Error()
	}
	for _, finding := range findings {
		if finding["action"] != "deny" {
			continue
		}
		if object := text(finding, "object"); !slices.Contains(refused, object) {
			refused = append(refused, object)
		}
		rule := text(finding, "rule") // "" of what is no Pod at all, for which the API server has words of its own
		if rule != "" && !strings.Contains(said, text(finding, "field")+": "+text(finding, "message")+" ("+rule+")") {
			n.t.Errorf("kubectl does not say of %s: %s", finding["object"], finding["message"])
		}
	}
	if got, want := len(strings.Fields(created)), objects-len(refused); got != want {
		n.t.Errorf("check refuses %v of %d objects; kubectl creates\n%sand says\n%s", refused, objects, created, said)
	}
	return refused
}
