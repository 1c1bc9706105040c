package policies

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winadmit/tests/e2e/cluster"
)

// sample is an object to create.
type sample struct {
	name   string
	path   string // of its collection, with %s for the namespace
	object Object
}

// capturedSamples returns the objects of the captured reviews that create one.
func capturedSamples() ([]sample, error) {
	files, err := filepath.Glob(filepath.Join(cluster.Root(), "tests/data/reviews/*/*.json"))
	if err != nil {
		return nil, err
	}
	var all []sample
	for _, file := range files {
		review, err := readObject(file)
		if err != nil {
			return nil, err
		}
		request := review["request"].(Object)
		o, isObject := request["object"].(Object)
		if !isObject || request["subResource"] != nil && request["subResource"] != "" {
			continue
		}
		path := "/api/v1"
		if group := cluster.Text(request, "resource", "group"); group != "" {
			path = "/apis/" + group + "/" + cluster.Text(request, "resource", "version")
		}
		path += "/namespaces/%s/" + cluster.Text(request, "resource", "resource")
		name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
		all = append(all, sample{name, path, asNew(o)})
		if old, isObject := request["oldObject"].(Object); isObject {
			all = append(all, sample{name + ", old", path, asNew(old)})
		}
	}
	return all, nil
}

const pods = "/api/v1/namespaces/%s/pods"

// ruleSamples returns the pods of the rule cases for the newest release and the default configuration, in a pod and in
// the template of a Deployment.
func ruleSamples() ([]sample, error) {
	cases, err := cluster.RuleCases()
	if err != nil {
		return nil, err
	}
	var all []sample
	for _, c := range cases {
		all = append(all, sample{c.Name, pods, asNew(c.Pod)}, deployment(c.Name, asNew(c.Pod)))
	}
	return all, nil
}

func deployment(name string, pod Object) sample {
	pod = cluster.Clone(pod)
	metadata := pod["metadata"].(Object)
	delete(metadata, "name")
	delete(metadata, "generateName")
	delete(metadata, "ownerReferences")
	metadata["labels"] = Object{"app": "sample"}
	return sample{name + " in a Deployment", "/apis/apps/v1/namespaces/%s/deployments", Object{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": Object{"name": "sample"},
		"spec": Object{"replicas": 0, "selector": Object{"matchLabels": Object{"app": "sample"}},
			"template": Object{"metadata": metadata, "spec": pod["spec"]}}}}
}

func daemonSet(name string, pod Object) sample {
	s := deployment(name, pod)
	s.name = name + " in a DaemonSet"
	s.path = "/apis/apps/v1/namespaces/%s/daemonsets"
	s.object["kind"] = "DaemonSet"
	delete(s.object["spec"].(Object), "replicas")
	return s
}

func readObject(file string) (Object, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var o Object
	if err := json.Unmarshal(content, &o); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return o, nil
}

// asNew returns an object as a user creates it.
func asNew(o Object) Object {
	o = cluster.Clone(o)
	metadata, _ := o["metadata"].(Object)
	if metadata == nil {
		metadata = Object{}
		o["metadata"] = metadata
	}
	for _, key := range []string{"namespace", "uid", "creationTimestamp", "managedFields", "resourceVersion", "generation"} {
		delete(metadata, key)
	}
	if metadata["name"] == nil && metadata["generateName"] == nil {
		metadata["name"] = "sample"
	}
	delete(o, "status")
	return o
}

// generator makes pods from parts of the rule cases, with signals of each kind.
type generator struct {
	random *rand.Rand
	parts  []Object // pods of one field each
}

func newGenerator(seed int64) (*generator, error) {
	samples, err := ruleSamples()
	if err != nil {
		return nil, err
	}
	g := &generator{random: rand.New(rand.NewSource(seed))}
	for _, s := range samples {
		if s.path == pods {
			g.parts = append(g.parts, s.object)
		}
	}
	return g, nil
}

// signals are parts of a pod spec that say or hint which OS it is for.
var signals = []string{
	`{"nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"nodeSelector": {"kubernetes.io/os": "linux"}}`,
	`{"nodeSelector": {"beta.kubernetes.io/os": "windows"}}`,
	`{"nodeSelector": {"kubernetes.io/os": "windows", "kubernetes.io/arch": "arm64"}}`,
	`{"nodeSelector": {"node.kubernetes.io/windows-build": "10.0.20348"}}`,
	`{"nodeSelector": {"node.kubernetes.io/windows-build": "10.0.99999"}}`,
	`{"os": {"name": "windows"}}`,
	`{"os": {"name": "windows"}, "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"os": {"name": "linux"}, "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"os": {"name": "linux"}}`,
	`{"runtimeClassName": "windows"}`,
	`{"runtimeClassName": "other", "tolerations": [{"key": "os", "value": "Win1809"}]}`,
	`{"runtimeClassName": "other", "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"tolerations": [{"key": "os", "value": "Win1809", "effect": "NoSchedule"}]}`,
	`{"tolerations": [{"key": "os", "operator": "Exists"}], "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"tolerations": [{"operator": "Exists"}], "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"tolerations": [{"key": "os", "value": "Win2022", "effect": "NoSchedule"}], "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"tolerations": [{"key": "os", "value": "Win1809", "effect": "NoSchedule"}, {"key": "os", "value": "Win2022"}], "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"tolerations": [{"key": "os", "value": "Win1909"}, {"key": "pool", "operator": "Exists"}], "nodeSelector": {"kubernetes.io/os": "windows"}}`,
	`{"securityContext": {"windowsOptions": {"runAsUserName": "ContainerUser"}}}`,
	`{"securityContext": {"windowsOptions": {"runAsUserName": "ContainerUser"}}, "nodeSelector": {"kubernetes.io/os": "linux"}}`,
	`{"securityContext": {"windowsOptions": {}}}`,
	`{"nodeSelector": {"kubernetes.azure.com/os-sku": "Windows2022"}}`,
	`{"nodeSelector": {"kubernetes.azure.com/os-sku": "Linux", "pool": "win"}}`,
	`{"nodeSelector": {"cloud.google.com/gke-os-distribution": "windows_ltsc", "cloud.google.com/gke-windows-os-version": "2022"}}`,
	`{"nodeSelector": {"pool": "win2022", "kubernetes.azure.com/os-sku": "Windows2019"}}`,
	`{"nodeName": "a", "tolerations": [{"key": "os", "value": "Win1809", "effect": "NoSchedule"}]}`,
	`{"nodeName": "a"}`,
	`{"nodeSelector": {"kubernetes.io/hostname": "a"}, "tolerations": [{"key": "os", "value": "Win1809", "effect": "NoSchedule"}]}`,
	`{}`, `{}`,
}

// terms of a required node affinity; one to three make a pod's.
var terms = []string{
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows", "linux"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "NotIn", "values": ["linux"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "NotIn", "values": ["windows"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "Exists"}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "DoesNotExist"}]}`,
	`{"matchExpressions": [{"key": "beta.kubernetes.io/os", "operator": "In", "values": ["windows"]}, {"key": "a", "operator": "Exists"}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}, {"key": "a", "operator": "Exists"}, {"key": "a", "operator": "DoesNotExist"}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]}, {"key": "a", "operator": "In", "values": ["x", "y"]}, {"key": "a", "operator": "NotIn", "values": ["y", "x"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]}, {"key": "n", "operator": "Gt", "values": ["5"]}, {"key": "n", "operator": "Lt", "values": ["6"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}, {"key": "n", "operator": "Gt", "values": ["5"]}, {"key": "n", "operator": "Lt", "values": ["7"]}]}`,
	`{"matchExpressions": [{"key": "node.kubernetes.io/windows-build", "operator": "Gt", "values": ["10"]}]}`,
	`{"matchExpressions": [{"key": "n", "operator": "In", "values": ["3", "9", "x"]}, {"key": "n", "operator": "Gt", "values": ["+8"]}, {"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}]}`,
	`{"matchExpressions": [{"key": "n", "operator": "Lt", "values": ["many"]}, {"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}]}`,
	`{"matchExpressions": [{"key": "node.kubernetes.io/windows-build", "operator": "In", "values": ["10.0.17763", "10.0.20348"]}]}`,
	`{"matchExpressions": [{"key": "node.kubernetes.io/windows-build", "operator": "In", "values": ["10.0.20348", "10.0.17763"]}, {"key": "node.kubernetes.io/windows-build", "operator": "NotIn", "values": ["10.0.17763"]}]}`,
	`{"matchExpressions": [{"key": "node.kubernetes.io/windows-build", "operator": "Exists"}]}`,
	`{"matchExpressions": [{"key": "node.kubernetes.io/windows-build", "operator": "DoesNotExist"}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}, {"key": "kubernetes.io/arch", "operator": "NotIn", "values": ["amd64"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}, {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.azure.com/os-sku", "operator": "In", "values": ["Windows2019", "Windows2022"]}]}`,
	`{"matchExpressions": [{"key": "kubernetes.azure.com/os-sku", "operator": "In", "values": ["Windows2019", "Ubuntu"]}]}`,
	`{"matchExpressions": [{"key": "pool", "operator": "In", "values": ["win", "linux"]}, {"key": "pool", "operator": "NotIn", "values": ["linux"]}]}`,
	`{"matchExpressions": [{"key": "pool", "operator": "In", "values": ["win2022"]}]}`,
	`{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}`,
	`{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}, {"key": "metadata.name", "operator": "NotIn", "values": ["a"]}], "matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]}]}`,
}

var images = []string{
	"registry.example/app:1", "registry.example/app:1", "mcr.microsoft.com/windows/servercore:ltsc2019", "mcr.microsoft.com/windows/nanoserver:ltsc2022",
	"mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022", "nginx", "docker.io/library/busybox:1.36", "registry.example:5000/app",
	"mcr.microsoft.com/dotnet/aspnet:8.0-jammy-chiseled", "golang:alpine3.20", "registry.example:5000/app:noble-fox", "registry.example/app:1-alpine-windows",
	"registry.example/app:2004", "registry.example/windows-app:1809", "registry.example/app:10.0.17763.1040", "docker.io/istio/proxyv2:1.20",
	"registry.example/app:1@sha256:0123456789012345678901234567890123456789012345678901234567890123",
	"registry.example/app:ltsc2022-ltsc2019", "mcr.microsoft.com/windows/servercore:ltsc2022-10.0.17763",
	"microsoft/iis:windowsservercore_1803", "mcr.microsoft.com/windows/nanoserver:1909", "golang:1.22-windowsservercore-20H2", "library/redis", "library/postgres:16-windows",
	"jetbrains/teamcity-agent:2025.03.2-windowsservercore-2022", "octopusdeploy/worker-tools:6.4.0-windows.ltsc2022",
	"newrelic/newrelic-fluentbit-output:2.0.0-windows-ltsc-2022", "gitlab-runner-helper:x86_64-v17.8.3-servercore21H2",
	"registry.example/app:1-ltsc-2022", "registry.example/app:1-nanoserver-2019", "registry.example/app:servercore__2022",
	"registry.example/app:nanoserver--2022", "registry.example/app:windows-2022-05-17", "registry.example/app:windows-2025-5.17",
	"registry.example/app:windows-2022-nanoserver-2019-05", "registry.example/app:windows-1809-10-servercore-2022",
}

var names = []string{"main", "web", "istio-proxy", "envoy", "log"}

// pod returns a random pod. Many are valid.
func (g *generator) pod(name string) Object {
	spec, annotations := Object{}, Object{}
	containers, volumes := []any{}, []any{}
	for range g.random.Intn(4) {
		part := cluster.Clone(g.parts[g.random.Intn(len(g.parts))])
		of, _ := part["spec"].(Object)
		if of == nil {
			continue
		}
		if more, isMap := cluster.At(part, "metadata", "annotations").(Object); isMap {
			maps.Copy(annotations, more)
		}
		for _, list := range []string{"nodeSelector", "tolerations", "os", "ephemeralContainers"} {
			delete(of, list)
		}
		containers = g.append(containers, of, "containers")
		volumes = g.append(volumes, of, "volumes")
		merge(spec, of)
	}
	if len(containers) == 0 || g.random.Intn(2) == 0 {
		containers = g.append(containers, Object{"containers": []any{Object{}}}, "containers")
	}
	for i, each := range containers {
		c := each.(Object)
		c["name"] = fmt.Sprint(names[g.random.Intn(len(names))], "-", i)
		if g.random.Intn(8) == 0 {
			c["name"] = names[i%len(names)]
		}
		c["image"] = images[g.random.Intn(len(images))]
		if g.random.Intn(12) == 0 {
			merge(c, parse(`{"securityContext": {"windowsOptions": {"runAsUserName": "ContainerAdministrator"}, "runAsNonRoot": true}}`))
		}
	}
	spec["containers"] = containers
	if len(volumes) > 0 {
		spec["volumes"] = volumes
	}
	merge(spec, parse(signals[g.random.Intn(len(signals))]))
	if g.random.Intn(4) == 0 {
		var chosen []any
		for range 1 + g.random.Intn(3) {
			chosen = append(chosen, parse(terms[g.random.Intn(len(terms))]))
		}
		merge(spec, Object{"affinity": Object{"nodeAffinity": Object{
			"requiredDuringSchedulingIgnoredDuringExecution": Object{"nodeSelectorTerms": chosen}}}})
	}
	if g.random.Intn(10) == 0 {
		merge(spec, parse(`{"hostNetwork": true, "securityContext": {"windowsOptions": {"hostProcess": true, "runAsUserName": "NT AUTHORITY\\SYSTEM"}}}`))
	}
	return Object{"apiVersion": "v1", "kind": "Pod", "metadata": Object{"name": name, "annotations": annotations}, "spec": spec}
}

// append moves the entries of a list.
func (g *generator) append(to []any, spec Object, list string) []any {
	entries, _ := spec[list].([]any)
	delete(spec, list)
	for _, entry := range entries {
		name := cluster.Text(entry, "name")
		if slices.ContainsFunc(to, func(other any) bool { return name != "" && cluster.Text(other, "name") == name }) && list == "volumes" {
			continue
		}
		to = append(to, entry)
	}
	return to
}

func parse(text string) Object {
	var o Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(text)
	}
	return o
}

// merge puts the members of an object into another, at every depth.
func merge(to, from Object) {
	for key, value := range from {
		inner, isObject := value.(Object)
		there, isThere := to[key].(Object)
		if isObject && isThere {
			merge(there, inner)
		} else {
			to[key] = value
		}
	}
}

// kindOf is the last part of a collection, for messages.
func kindOf(path string) string { return path[strings.LastIndex(path, "/")+1:] }
