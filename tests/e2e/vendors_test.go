package e2e

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// Stand-ins for the webhooks of vendors: each has the condition and the patch of the original, and the name of its
// configuration. docs/compatibility.md has the sources. None is called a second time, as the originals.

// reader is a webhook that looks for Windows in a pod once, and takes every other pod for one of Linux.
type reader struct {
	configuration string
	isWindows     func(pod Object) bool
	mutate        func(pod Object, isWindows bool) []Object
	right         string // what only Windows pods get, in JSON
}

var readers = []reader{
	{"vpc-resource-mutating-webhook", selectsWindows("kubernetes.io/os", "beta.kubernetes.io/os"),
		func(_ Object, isWindows bool) []Object {
			if !isWindows { // only those of a SecurityGroupPolicy get something
				return nil
			}
			one := Object{"vpc.amazonaws.com/PrivateIPv4Address": "1"}
			return []Object{{"op": "add", "path": "/spec/containers/0/resources", "value": Object{"limits": one, "requests": one}}}
		}, `"vpc.amazonaws.com/PrivateIPv4Address":"1"`},
	{"pod-identity-webhook", selectsWindows("kubernetes.io/os", "beta.kubernetes.io/os"),
		func(pod Object, isWindows bool) []Object {
			file := "/var/run/secrets/eks.amazonaws.com/serviceaccount/token"
			if isWindows {
				file = "C:" + strings.ReplaceAll(file, "/", `\`)
			}
			return appended(pod, Object{"name": "AWS_WEB_IDENTITY_TOKEN_FILE", "value": file}, "/spec/containers/0/env")
		}, `"C:\\var\\run\\secrets\\`},
	{"amazon-cloudwatch-observability-mutating-webhook-configuration", selectsWindows("kubernetes.io/os"),
		initContainer("opentelemetry-auto-instrumentation-dotnet", "CMD", "cp"), `"command":["CMD"]`},
	{"windows.config.common-webhooks.networking.gke.io", selectsWindows("kubernetes.io/os", "beta.kubernetes.io/os"),
		gkeToleration, `"key":"node.kubernetes.io/os"`},
	{"infisical-agent-injector-cfg", func(pod Object) bool {
		terms, _ := json.Marshal(at(pod, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"))
		return text(pod, "spec", "os", "name") == "windows" || strings.Contains(string(terms), `"windows"`) ||
			selectsWindows("kubernetes.io/os", "beta.kubernetes.io/os")(pod)
	}, initContainer("infisical-agent-init", "pwsh.exe", "/bin/sh"), `"command":["pwsh.exe"]`},
}

// selectsWindows is the condition that a nodeSelector has one of the labels with the value windows.
func selectsWindows(labels ...string) func(Object) bool {
	return func(pod Object) bool {
		return slices.ContainsFunc(labels, func(label string) bool { return text(pod, "spec", "nodeSelector", label) == "windows" })
	}
}

func initContainer(name, windowsCommand, linuxCommand string) func(Object, bool) []Object {
	return func(pod Object, isWindows bool) []Object {
		command := linuxCommand
		if isWindows {
			command = windowsCommand
		}
		return appended(pod, Object{"name": name, "image": "registry.example/agent:1", "command": []any{command}}, "/spec/initContainers")
	}
}

func gkeToleration(pod Object, isWindows bool) []Object {
	toleration := Object{"key": "node.kubernetes.io/os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"}
	isThere := func(each any) bool { return text(each, "key") == "node.kubernetes.io/os" }
	if !isWindows || slices.ContainsFunc(list(pod, "spec", "tolerations"), isThere) {
		return nil
	}
	return appended(pod, toleration, "/spec/tolerations")
}

// azurePolicy is what the policies "Mutate K8s ..." of Azure add to every pod, by Gatekeeper.
func azurePolicy(Object) []Object {
	return []Object{
		{"op": "add", "path": "/spec/securityContext", "value": Object{"seccompProfile": Object{"type": "RuntimeDefault"}}},
		{"op": "add", "path": "/spec/containers/0/securityContext", "value": Object{
			"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true, "capabilities": Object{"drop": []any{"ALL"}}}}}
}

// scc is what restricted-v2 of OpenShift adds, unless spec.os says Windows. It is a plugin that runs before webhooks.
func scc(pod Object) []Object {
	if text(pod, "spec", "os", "name") == "windows" {
		return nil
	}
	return []Object{
		{"op": "add", "path": "/spec/securityContext", "value": Object{"fsGroup": 1000650000, "seLinuxOptions": Object{"level": "s0:c26,c5"}}},
		{"op": "add", "path": "/spec/containers/0/securityContext", "value": Object{"runAsUser": 1000650000}}}
}

// gate holds pods back until a controller updates them, as Kueue and the multiarch-tuning-operator do.
func gate(pod Object) []Object {
	return appended(pod, Object{"name": "example.com/admission"}, "/spec/schedulingGates")
}

// appended is the patch that appends a value to a list that may be missing.
func appended(pod Object, value any, pointer string) []Object {
	steps := []any{}
	for _, step := range strings.Split(pointer, "/")[1:] {
		if step == "0" {
			steps = append(steps, 0)
		} else {
			steps = append(steps, step)
		}
	}
	if list(pod, steps...) == nil {
		return []Object{{"op": "add", "path": pointer, "value": []any{value}}}
	}
	return []Object{{"op": "add", "path": pointer + "/-", "value": value}}
}

// once are the settings of a webhook that is not called again. failurePolicy is Fail, so that a stand-in that fails is noticed.
var once = Object{"reinvocationPolicy": "Never"}

// inject starts a mutating webhook in this process for the namespaces of an instance. The API server calls configurations in the
// order of their names. settings replace members of the webhook.
func inject(t *testing.T, instance, configuration string, settings Object, mutate func(pod Object) (patch []Object)) {
	t.Helper()
	injector, err := cluster.StartInjector(t.TempDir(), mutate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(injector.Close)
	o, err := injector.Configuration(configuration)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(o["webhooks"].([]any)[0].(Object), settings)
	cluster.Scope(o, instance)
	if err := shared.API.Apply(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		shared.API.Do("DELETE", cluster.Webhooks+"/mutatingwebhookconfigurations/"+configuration+"-"+instance, nil)
	})
}
