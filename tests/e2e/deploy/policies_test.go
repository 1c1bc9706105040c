package deploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// windowsPod returns a pod with the label `pool` in its nodeSelector, or with that of the OS, and with more in its spec.
func windowsPod(pool string, more Object) []byte {
	selected := Object{"kubernetes.io/os": "windows"}
	if pool != "" {
		selected = Object{"pool": pool}
	}
	spec := Object{"nodeSelector": selected, "containers": []any{Object{"name": "main", "image": "registry.example/app:1"}}}
	maps.Copy(spec, more)
	body, _ := json.Marshal(Object{"apiVersion": "v1", "kind": "Pod", "metadata": Object{"name": "sample"}, "spec": spec})
	return body
}

// policyCases are values of the chart, each with what follows for pods in the namespace default: the rule that refuses one, and
// the taint that one tolerates.
var policyCases = []struct {
	name    string
	values  Object
	pod     []byte
	refused bool
	taint   string // KEY=VALUE that the pod tolerates; "" if it is not placed
}{
	{"defaults", Object{}, windowsPod("", nil), false, "os=Win1809"},
	{"defaultMode", Object{"defaultMode": "audit"}, windowsPod("", Object{"hostPID": true}), false, ""},
	{"optIn", Object{"optIn": true}, windowsPod("", Object{"hostPID": true}), false, ""},
	{"exemptNamespaces", Object{"exemptNamespaces": []any{"default"}}, windowsPod("", Object{"hostPID": true}), false, ""},
	{"config.exempt.namespaces", Object{"config": Object{"exempt": Object{"namespaces": []any{"default"}}}},
		windowsPod("", Object{"hostPID": true}), false, ""},
	{"platform", Object{"platform": "gke"}, windowsPod("", nil), false, "node.kubernetes.io/os=windows"},
	{"config.windowsLabels refuses", Object{"config": Object{"windowsLabels": Object{"pool": []any{"w"}}}},
		windowsPod("w", Object{"hostPID": true}), true, ""},
	{"config.windowsLabels places", Object{"config": Object{"windowsLabels": Object{"pool": []any{Object{"w22": "10.0.20348"}}}}},
		windowsPod("w22", nil), false, "os=Win2022"},
	{"config.windowsRuntimeClasses", Object{"config": Object{"windowsRuntimeClasses": []any{"win"}}},
		windowsPod("other", Object{"runtimeClassName": "win"}), false, "os=Win1809"},
}

// install upgrades to these values, and waits until the pod is refused or tolerates the taint.
func install(t *testing.T, engine string, values Object, pod []byte, isRefused bool, taint string) {
	t.Helper()
	body, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.json")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	release(t, "upgrade", "--install", "--wait", "--wait-for-jobs", "--timeout=90s", "--values", file, "--set", "engine="+engine)
	eventually(t, string(body)+" is in effect", func() error {
		reply, err := dryRun(pod)
		if err != nil {
			return err
		}
		tolerated := ""
		for _, each := range list(reply.Body, "spec", "tolerations") {
			if key := text(each, "key"); key == "os" || key == "node.kubernetes.io/os" {
				tolerated = key + "=" + text(each, "value")
			}
		}
		if (reply.Code == 403) != isRefused || tolerated != taint {
			return fmt.Errorf("%d, tolerates %q: %s", reply.Code, tolerated, reply.Message())
		}
		return nil
	})
}

// Each value of the chart holds for the policies as for the webhooks.
func TestChartWithPoliciesHoldsItsValues(t *testing.T) {
	createNamespace(t)
	kubectl(t, `{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "win"}, "handler": "win"}`, "apply", "-f", "-")
	t.Cleanup(func() { kubectl(t, "", "delete", "runtimeclass", "win") })
	unsupported := windowsPod("", Object{"hostPID": true})
	for _, engine := range []string{"policies", "both"} {
		install(t, engine, Object{}, unsupported, true, "")
		helm(t, "test", "winadmit", "--namespace", system, "--timeout=90s")
		for _, c := range policyCases {
			t.Run(engine+" "+c.name, func(t *testing.T) {
				if !c.refused && c.taint == "" { // so that its effect shows
					install(t, engine, Object{}, unsupported, true, "")
				}
				install(t, engine, c.values, c.pod, c.refused, c.taint)
			})
		}
	}
	uninstallRelease(t)
}
