package policies

import (
	"fmt"
	"strings"
	"testing"
)

// large are pods of one long list each. The API server bounds the cost of an expression and of a policy; a pod beyond it
// would be refused because of that, whatever it asks for.
var large = map[string]func(n int) Object{
	"containers": func(n int) Object {
		return Object{"containers": many(n, `{"name": "c%d", "image": "registry.example/app:%[1]d"}`)}
	},
	"volumes":     func(n int) Object { return Object{"volumes": many(n, `{"name": "v%d"}`)} },
	"tolerations": func(n int) Object { return Object{"tolerations": many(n, `{"key": "k%d", "operator": "Exists"}`)} },
	"mounts": func(n int) Object {
		return Object{"volumes": many(1, `{"name": "v%d"}`), "containers": []any{Object{"name": "main", "image": "registry.example/app:1",
			"volumeMounts": many(n, `{"name": "v0", "mountPath": "D:/%d"}`)}}}
	},
	"variables": func(n int) Object {
		return Object{"containers": []any{Object{"name": "main", "image": "registry.example/app:1",
			"env": many(n, `{"name": "E%d"}`)}}}
	},
}

func many(n int, text string) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = parse(fmt.Sprintf(text, i))
	}
	return list
}

// largePod is a pod of an OS, "" for one that names none.
func largePod(os string, spec Object) sample {
	whole := parse(`{"containers": [{"name": "main", "image": "registry.example/app:1"}]}`)
	merge(whole, spec)
	if os != "" {
		whole["nodeSelector"] = Object{"kubernetes.io/os": os}
	}
	return sample{os, pods, Object{"apiVersion": "v1", "kind": "Pod", "metadata": Object{"name": "large"}, "spec": whole}}
}

func mustBeCreated(t *testing.T, what string, s sample) {
	t.Helper()
	reply, err := create(s, "enforce").do(namespaceOf(policies, "enforce"))
	if err != nil || !reply.Created() {
		t.Errorf("%s: %d %.300s: %v", what, reply.Code, reply.Message(), err)
	}
	for _, warning := range reply.Warnings {
		if strings.Contains(warning, "winadmit-") && !lastID.MatchString(warning) {
			t.Errorf("%s: %s", what, warning)
		}
	}
}

func TestThePoliciesAreWithinTheCostLimitsForLargeWindowsPods(t *testing.T) {
	for name, spec := range large {
		mustBeCreated(t, name, largePod("windows", spec(3000)))
	}
	terms := Object{"affinity": Object{"nodeAffinity": Object{"requiredDuringSchedulingIgnoredDuringExecution": Object{
		"nodeSelectorTerms": many(1000, `{"matchExpressions": [{"key": "k%d", "operator": "In", "values": ["a"]}]}`)}}}}
	mustBeCreated(t, "terms", largePod("windows", terms))
}

// About as many entries as etcd stores in one object. A Linux pod must not be refused because of what a condition costs.
func TestThePoliciesAdmitTheLargestLinuxPods(t *testing.T) {
	for name, spec := range large {
		mustBeCreated(t, name, largePod("linux", spec(15000)))
		mustBeCreated(t, name+", no OS", largePod("", spec(15000)))
	}
}
