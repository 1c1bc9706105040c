package e2e

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// The API server's message for each field that it forbids on a pod with spec.os.name: windows.
const forbiddenOnWindows = "cannot be set for a windows pod"

func TestWinadmitFindsWhatTheAPIServerForbidsOnWindows(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", off) // only the API server validates
	cases, err := cluster.RuleCases()
	if err != nil || len(cases) < 100 {
		t.Fatalf("%d rule cases: %v", len(cases), err)
	}
	agreed, onlyOurs := map[string]bool{}, map[string]bool{}
	for _, each := range cases {
		o, name := each.Pod, each.Name
		o["spec"].(Object)["os"] = Object{"name": "windows"}
		o["metadata"] = Object{"name": "case", "annotations": at(o, "metadata", "annotations")}
		for _, o := range inEveryContainerList(o) {
			theirs := forbiddenFields(n.dryRun(o))
			ours := foundFields(t, winadmit, o)
			for _, field := range theirs {
				if !slices.ContainsFunc(ours, func(f string) bool { return strings.HasPrefix(f, field) }) {
					t.Errorf("%s: the API server forbids %s, winadmit names only %v", name, field, ours)
				}
				agreed[shape(field)] = true
			}
			for _, field := range ours {
				if !slices.ContainsFunc(theirs, func(f string) bool { return strings.HasPrefix(field, f) }) {
					onlyOurs[shape(field)] = true
				}
			}
		}
	}
	// 14 fields of the pod, and ten for each of the three container lists.
	if len(agreed) < 44 {
		t.Errorf("the API server forbids only %d fields: %v", len(agreed), slices.Sorted(maps.Keys(agreed)))
	}
	for field := range agreed {
		delete(onlyOurs, field)
	}
	report := fmt.Sprintf("Both the API server and winadmit, %d fields:\n  %s\nwinadmit alone, %d fields:\n  %s\n",
		len(agreed), strings.Join(slices.Sorted(maps.Keys(agreed)), "\n  "),
		len(onlyOurs), strings.Join(slices.Sorted(maps.Keys(onlyOurs)), "\n  "))
	if err := os.WriteFile(filepath.Join(cluster.Root(), "build/e2e/oracle.txt"), []byte(report), 0o644); err != nil {
		t.Fatal(err)
	}
}

// inEveryContainerList returns the pod, and variants with its first container in initContainers and ephemeralContainers:
// the same fields have other rules there.
func inEveryContainerList(pod Object) []Object {
	all := []Object{pod}
	first, _ := at(pod, "spec", "containers", 0).(Object)
	if first["securityContext"] == nil {
		return all
	}
	for _, list := range []string{"initContainers", "ephemeralContainers"} {
		variant := clone(pod)
		moved := clone(first)
		moved["name"] = "moved"
		variant["spec"].(Object)[list] = []any{moved}
		all = append(all, variant)
	}
	return all
}

// forbiddenFields returns the fields that the API server forbids because of the OS.
func forbiddenFields(reply Reply) []string {
	var fields []string
	for _, cause := range list(reply.Body, "details", "causes") {
		if strings.Contains(text(cause, "message"), forbiddenOnWindows) {
			fields = append(fields, text(cause, "field"))
		}
	}
	return fields
}

// foundFields returns the fields of all findings of winadmit for a pod, denied or warned about.
func foundFields(t *testing.T, server *cluster.Winadmit, pod Object) []string {
	t.Helper()
	response := postReview(t, server, "/validate", Object{"uid": "oracle", "operation": "CREATE", "namespace": "default",
		"kind":     Object{"group": "", "version": "v1", "kind": "Pod"},
		"resource": Object{"group": "", "version": "v1", "resource": "pods"}, "object": pod})
	var fields []string
	for _, cause := range list(response, "status", "details", "causes") {
		fields = append(fields, text(cause, "field"))
	}
	for _, warning := range list(response, "warnings") {
		field, _, _ := strings.Cut(warning.(string), ":")
		fields = append(fields, field)
	}
	return fields
}

// shape returns a field path without indexes and keys: spec.containers[*].env.
func shape(field string) string {
	var out strings.Builder
	for field != "" {
		before, rest, found := strings.Cut(field, "[")
		out.WriteString(before)
		if !found {
			break
		}
		out.WriteString("[*]")
		_, field, _ = strings.Cut(rest, "]")
	}
	return out.String()
}

var direct = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// postReview sends an AdmissionReview directly to winadmit, without the API server.
func postReview(t *testing.T, server *cluster.Winadmit, path string, request Object) Object {
	t.Helper()
	body, err := json.Marshal(Object{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := direct.Post(server.URL+path, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var review Object
	if err := json.NewDecoder(reply.Body).Decode(&review); err != nil {
		t.Fatalf("%s: %d: %v", path, reply.StatusCode, err)
	}
	return review["response"].(Object)
}
