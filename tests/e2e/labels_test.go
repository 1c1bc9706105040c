package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// The policy of the kustomize component, which is that of the chart. The administrator of the tests is in system:masters.
func TestOnlyTheAllowedGroupsSetTheLabelsOfANamespace(t *testing.T) {
	t.Parallel()
	const tenant, argocd = "tenant", "system:serviceaccount:argocd:argocd-application-controller"
	n := newNamespace(t, "", warn, "team=a")
	n.kubectl("", "create", "clusterrole", "label-namespaces", "--verb=create,get,update,patch,delete",
		"--resource=namespaces,namespaces/status,namespaces/finalize")
	n.kubectl("", "create", "clusterrolebinding", "label-namespaces", "--clusterrole=label-namespaces", "--user="+tenant, "--user="+argocd)
	policy := filepath.Join(cluster.Root(), "deploy/kustomize/components/restrict-labels/policy.yaml")
	n.kubectl("", "apply", "-f", policy)
	t.Cleanup(func() {
		n.tryKubectl("", "delete", "-f", policy)
		n.tryKubectl("", "delete", "clusterrole,clusterrolebinding", "label-namespaces")
	})
	// As the kustomization of a user does, and the chart.
	n.kubectl("", "patch", "validatingadmissionpolicy", "winadmit-restrict-labels", "--type=json", "-p",
		`[{"op": "replace", "path": "/spec/variables/0/expression", "value": "[\"system:masters\",\"system:serviceaccounts:argocd\"]"}]`)

	const namespaces, dryRun = "/api/v1/namespaces", "?dryRun=All"
	own := namespaces + "/" + n.name
	labelled := func(labels string) Object { return object(`{"metadata": {"labels": ` + labels + `}}`) }
	created := func(labels string) Object {
		return object(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "created-by-a-tenant", "labels": ` + labels + `}}`)
	}
	whole := func(labels string) Object { // for a PUT
		reply := n.must(n.api.Do("GET", own, nil))
		at(reply.Body, "metadata").(Object)["labels"] = object(labels)
		return reply.Body
	}
	type request struct {
		name, method, path string
		body               Object
	}
	send := func(user string, r request) Reply {
		reply, err := n.api.DoAs(user, r.method, r.path+dryRun, r.body)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	restricted := []request{
		{"create", "POST", namespaces, created(`{"winadmit.dev/mode": "off"}`)},
		{"add", "PATCH", own, labelled(`{"winadmit.dev/default-os": "windows"}`)},
		{"change", "PATCH", own, labelled(`{"winadmit.dev/mode": "off"}`)},
		{"remove", "PATCH", own, labelled(`{"winadmit.dev/mode": null}`)},
		{"replace", "PUT", own, whole(`{"team": "a"}`)},
		{"status", "PATCH", own + "/status", labelled(`{"winadmit.dev/mode": "off"}`)},
		{"finalize", "PUT", own + "/finalize", whole(`{"winadmit.dev/mode": "off"}`)},
	}
	n.eventually("the policy is in effect, with the groups", func() bool {
		return send(tenant, restricted[0]).Code == 403 && send(argocd, restricted[0]).Created()
	})
	for _, r := range restricted {
		if reply := send(tenant, r); reply.Code != 403 || !strings.Contains(reply.Message(), "only members of system:masters") {
			t.Errorf("%s by a tenant: %d %s", r.name, reply.Code, reply.Message())
		}
		for _, user := range []string{"", argocd} {
			if reply := send(user, r); !reply.Created() {
				t.Errorf("%s by %q: %d %s", r.name, user, reply.Code, reply.Message())
			}
		}
	}
	for _, r := range []request{
		{"create", "POST", namespaces, created(`{"team": "a"}`)},
		{"change another label", "PATCH", own, labelled(`{"team": "b"}`)},
		{"the same label", "PATCH", own, labelled(`{"winadmit.dev/mode": "warn", "team": "b"}`)},
		{"remove another label", "PATCH", own, labelled(`{"team": null}`)},
		{"status", "PATCH", own + "/status", labelled(`{"team": "b"}`)},
		{"delete", "DELETE", own, Object{}},
	} {
		if reply := send(tenant, r); !reply.Created() {
			t.Errorf("%s by a tenant: %d %s", r.name, reply.Code, reply.Message())
		}
	}
}
