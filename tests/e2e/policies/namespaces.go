package policies

import (
	"fmt"
	"maps"
	"time"

	"winadmit/tests/e2e/cluster"
)

// settings are the labels of a namespace, by name.
var settings = map[string]Object{
	"enforce":               {},
	"warn":                  {"winadmit.dev/mode": "warn"},
	"audit":                 {"winadmit.dev/mode": "audit"},
	"off":                   {"winadmit.dev/mode": "off"},
	"default-windows":       {"winadmit.dev/default-os": "windows"},
	"default-linux":         {"winadmit.dev/default-os": "linux"},
	"warn-default-windows":  {"winadmit.dev/mode": "warn", "winadmit.dev/default-os": "windows"},
	"audit-default-windows": {"winadmit.dev/mode": "audit", "winadmit.dev/default-os": "windows"},
}

func namespaceOf(engine, setting string) string { return engine + "-" + setting }

// createNamespaces creates a namespace for each engine and setting, and waits until both engines refuse.
func createNamespaces(api *cluster.API) error {
	for _, engine := range []string{webhook, policies} {
		for setting, labels := range settings {
			if err := createNamespace(api, engine, setting, labels); err != nil {
				return err
			}
		}
	}
	bad := Object{"apiVersion": "v1", "kind": "Pod", "metadata": Object{"name": "probe"},
		"spec": Object{"hostPID": true, "securityContext": Object{"fsGroupChangePolicy": "OnRootMismatch"},
			"containers": []any{Object{"name": "main", "image": "registry.example/app:1"}}}}
	for _, engine := range []string{webhook, policies} {
		for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(100 * time.Millisecond) {
			reply, err := api.Do("POST", "/api/v1/namespaces/"+namespaceOf(engine, "default-windows")+"/pods?dryRun=All", bad)
			if err != nil {
				return err
			}
			if len(idsOf(reply)) > 1 { // of the policies that are applied last, a refusal and a warning
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("%s is not in effect: %d %s", engine, reply.Code, reply.Message())
			}
		}
	}
	return nil
}

func createNamespace(api *cluster.API, engine, setting string, labels Object) error {
	all := Object{cluster.InstanceLabel: engine}
	maps.Copy(all, labels)
	name := namespaceOf(engine, setting)
	reply, err := api.Do("POST", "/api/v1/namespaces", Object{
		"apiVersion": "v1", "kind": "Namespace", "metadata": Object{"name": name, "labels": all}})
	if err == nil && !reply.Created() {
		err = fmt.Errorf("%s: %s", name, reply.Message())
	}
	for err == nil {
		if reply, err = api.Do("GET", "/api/v1/namespaces/"+name+"/serviceaccounts/default", nil); reply.Code == 200 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// createRuntimeClass creates the RuntimeClass that the configuration lists as one of Windows.
func createRuntimeClass(api *cluster.API) error {
	for _, name := range []string{"windows", "other"} {
		reply, err := api.Do("POST", "/apis/node.k8s.io/v1/runtimeclasses", Object{
			"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": Object{"name": name}, "handler": "runc"})
		if err == nil && !reply.Created() {
			err = fmt.Errorf("RuntimeClass: %s", reply.Message())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
