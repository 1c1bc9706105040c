package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

func TestLinuxPodsAreStoredUnchanged(t *testing.T) {
	t.Parallel()
	with, without := newNamespace(t, "with"), newNamespace(t, "without", off)
	files := reviews(t, "linux")
	for i, file := range files {
		manifest := request(t, file)["object"].(Object)
		removeDefaults(manifest)
		manifest["metadata"].(Object)["name"] = fmt.Sprintf("pod-%d", i)
		one, other := with.post(manifest), without.post(manifest)
		if one.Code != other.Code || !one.Created() {
			t.Errorf("%s: %d %s with winadmit, %d %s without", file, one.Code, one.Message(), other.Code, other.Message())
			continue
		}
		compareStored(t, file, one, other)
	}
	if len(files) < 50 {
		t.Errorf("only %d reviews", len(files))
	}
}

// compareStored fails the test if two objects that were created from one manifest are stored differently.
func compareStored(t *testing.T, what string, one, other Reply) {
	t.Helper()
	if warned := append(slices.Clone(one.Warnings), other.Warnings...); len(warned) > 0 && !equal(one.Warnings, other.Warnings) {
		t.Errorf("%s: warnings %q and %q", what, one.Warnings, other.Warnings)
	}
	for _, warning := range one.Warnings {
		if strings.Contains(warning, "winadmit") || strings.Contains(strings.ToLower(warning), "windows") {
			t.Errorf("%s: warning %q", what, warning)
		}
	}
	a, b := comparable(one.Body), comparable(other.Body)
	if a != b {
		t.Errorf("%s: stored differently:\n%s\n%s", what, a, b)
	}
}

// Generated parts, which differ between two objects that are created from one manifest.
var (
	tokenVolume = regexp.MustCompile(`kube-api-access-[a-z0-9]{5}`)
	uids        = regexp.MustCompile(`[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}`)
)

// comparable returns an object as text, without what differs between two objects that are created from one manifest.
func comparable(o Object) string {
	o = clone(o)
	removeIdentity(o)
	delete(o, "status")
	spec, _ := o["spec"].(Object)
	delete(spec, "nodeName") // the scheduler may pick either Linux node
	delete(spec, "affinity") // the pod of a DaemonSet has an affinity to its node
	// Since 1.35 the API server copies the zone of the node to the pod when it is bound.
	labels, _ := at(o, "metadata", "labels").(Object)
	delete(labels, "topology.kubernetes.io/region")
	delete(labels, "topology.kubernetes.io/zone")
	text, _ := json.MarshalIndent(o, "", " ")
	text = tokenVolume.ReplaceAll(text, []byte("kube-api-access"))
	text = uids.ReplaceAll(text, []byte("uid"))
	return string(text)
}

// removeDefaults removes what the API server and its admission plugins had added to a captured pod.
func removeDefaults(pod Object) {
	removeIdentity(pod)
	spec := pod["spec"].(Object)
	for _, field := range []string{"serviceAccountName", "serviceAccount", "priority", "preemptionPolicy", "nodeName"} {
		delete(spec, field)
	}
	spec["volumes"] = slices.DeleteFunc(list(spec, "volumes"), func(v any) bool {
		return tokenVolume.MatchString(text(v, "name"))
	})
	for _, containers := range []string{"containers", "initContainers"} {
		for _, c := range list(spec, containers) {
			c.(Object)["volumeMounts"] = slices.DeleteFunc(list(c, "volumeMounts"), func(m any) bool {
				return tokenVolume.MatchString(text(m, "name"))
			})
		}
	}
}

// removeIdentity removes the metadata that the API server generates.
func removeIdentity(o Object) {
	metadata := o["metadata"].(Object)
	kept := Object{"name": metadata["name"]}
	if metadata["generateName"] != nil {
		kept["name"] = metadata["generateName"]
	}
	for _, field := range []string{"labels", "annotations", "finalizers"} {
		if metadata[field] != nil {
			kept[field] = metadata[field]
		}
	}
	o["metadata"] = kept
}

// reviews returns the files of captured AdmissionReviews in a folder of tests/data/reviews.
func reviews(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cluster.Root(), "tests/data/reviews", folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no reviews in %s: %v", folder, err)
	}
	return files
}

// request returns the request of a captured AdmissionReview.
func request(t *testing.T, file string) Object {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return object(string(content))["request"].(Object)
}
