package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// Public charts with a Deployment, and with a DaemonSet that has hostPath volumes and a privileged container. Their
// modules are pinned under tools/manifests.
var charts = map[string]string{
	"external-dns":             "sigs.k8s.io/external-dns",
	"secrets-store-csi-driver": "sigs.k8s.io/secrets-store-csi-driver",
}

func TestPublicLinuxChartsAreStoredUnchanged(t *testing.T) {
	t.Parallel()
	with, without := newNamespace(t, "with"), newNamespace(t, "without", off)
	for name, path := range charts {
		workloads := 0
		for _, o := range rendered(t, name, path) {
			kind := text(o, "kind")
			if collections[kind] == "" {
				continue // winadmit gets no reviews of roles and similar objects
			}
			delete(o["metadata"].(Object), "namespace")
			one, other := with.create(o), without.create(o)
			compareStored(t, name+"'s "+kind, one, other)
			if kind == "Deployment" || kind == "DaemonSet" {
				workloads++
			}
		}
		if workloads == 0 {
			t.Errorf("%s has no workload", name)
		}
	}
	// The controllers create one pod for the Deployment, and one for each Linux node for the DaemonSet.
	var pods [2][]string
	for i, n := range []namespace{with, without} {
		n.eventually("its pods run", func() bool {
			items := list(n.get("Pod", "").Body, "items")
			pods[i] = nil
			for _, item := range items {
				if text(item, "status", "phase") != "Running" {
					return false
				}
				pods[i] = append(pods[i], comparable(item.(Object)))
			}
			return len(items) == 3
		})
		slices.Sort(pods[i])
	}
	if !equal(pods[0], pods[1]) {
		t.Errorf("the pods differ:\n%s\n%s", strings.Join(pods[0], "\n"), strings.Join(pods[1], "\n"))
	}
}

// rendered returns the objects of the chart in a Go module, as `helm template` renders it.
func rendered(t *testing.T, name, path string) []Object {
	t.Helper()
	module, err := cluster.Module("manifests", path)
	if err != nil {
		t.Fatal(err)
	}
	manifests, err := exec.Command(shared.Programs["helm"], "template", "chart",
		filepath.Join(module, "charts", name), "--no-hooks").CombinedOutput()
	if err != nil {
		t.Fatalf("helm template %s: %v: %s", name, err, manifests)
	}
	// kubectl converts YAML to JSON.
	stdout, _, err := shared.API.Kubectl(string(manifests), "create", "--dry-run=client", "--validate=false", "-o", "json", "-f", "-")
	if err != nil {
		t.Fatal(err)
	}
	var objects []Object
	for decoder := json.NewDecoder(strings.NewReader(stdout)); ; {
		var o Object
		if err := decoder.Decode(&o); errors.Is(err, io.EOF) {
			return objects
		} else if err != nil {
			t.Fatal(err)
		}
		if o["kind"] != "List" {
			objects = append(objects, o)
		}
		for _, item := range list(o, "items") {
			objects = append(objects, item.(Object))
		}
	}
}
