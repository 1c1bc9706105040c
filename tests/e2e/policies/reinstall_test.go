package policies

import (
	"fmt"
	"testing"
	"time"
)

// An API server stops reading the parameters of policies when the last binding with parameters of their kind is deleted
// (kubernetes/kubernetes#130887). So the policies have none.
func TestPoliciesAreInForceAgainAfterTheyWereDeleted(t *testing.T) {
	bad := parse(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "again"}, "spec": {"hostPID": true,
		"nodeSelector": {"kubernetes.io/os": "windows"}, "containers": [{"name": "main", "image": "registry.example/app:1"}]}}`)
	isRefused := func() bool {
		reply, err := shared.API.Do("POST", fmt.Sprintf(pods, namespaceOf(policies, "enforce"))+"?dryRun=All", bad)
		if err != nil {
			t.Fatal(err)
		}
		return len(idsOf(reply)) > 0
	}
	await := func(what string, refused bool) {
		for deadline := time.Now().Add(90 * time.Second); isRefused() != refused; time.Sleep(100 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	if err := shared.API.DeletePolicies(installed); err != nil {
		t.Fatal(err)
	}
	await("the policies refuse a pod after they were deleted", false)
	time.Sleep(4 * time.Second) // the API server forgets them in its next rounds of a second
	if err := shared.API.ApplyPolicies(installed); err != nil {
		t.Fatal(err)
	}
	await("the policies refuse nothing after they were installed again", true)
}
