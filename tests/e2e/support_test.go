package e2e

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"winadmit/tests/e2e/cluster"
)

type Object = cluster.Object
type Reply = cluster.Reply

var at, list, text, clone, tolerates = cluster.At, cluster.List, cluster.Text, cluster.Clone, cluster.Tolerates

// patience is how long a test waits for a controller, a cache or the scheduler on a busy machine.
const patience = 90 * time.Second

// Labels of a namespace.
const (
	off            = "winadmit.dev/mode=off"
	warn           = "winadmit.dev/mode=warn"
	audit          = "winadmit.dev/mode=audit"
	defaultWindows = "winadmit.dev/default-os=windows"
	defaultLinux   = "winadmit.dev/default-os=linux"
)

func instance(name string) string { return cluster.InstanceLabel + "=" + name }

// namespace is a namespace of a test, accessed through one API server.
type namespace struct {
	t    *testing.T
	name string
	api  *cluster.API
}

// newNamespace creates a namespace with a name derived from the test, and with labels like "key=value".
func newNamespace(t *testing.T, suffix string, labels ...string) namespace {
	t.Helper()
	name := kebab(t.Name())
	if len(name) > 45 { // the hash keeps long names different
		hash := fnv.New32a()
		hash.Write([]byte(name))
		name = fmt.Sprintf("%s-%08x", strings.TrimRight(name[:36], "-"), hash.Sum32())
	}
	if suffix != "" {
		name += "-" + suffix
	}
	set := Object{}
	for _, label := range labels {
		key, value, _ := strings.Cut(label, "=")
		set[key] = value
	}
	n := namespace{t, name, shared.API}
	n.must(n.api.Do("POST", "/api/v1/namespaces", Object{
		"apiVersion": "v1", "kind": "Namespace", "metadata": Object{"name": name, "labels": set}}))
	n.eventually("its default service account", func() bool {
		return n.get("ServiceAccount", "default").Code == 200
	})
	return n
}

// through returns the same namespace, accessed through another API server.
func (n namespace) through(api *cluster.API) namespace { return namespace{n.t, n.name, api} }

// API paths by kind.
var collections = map[string]string{
	"Pod": "/api/v1/%s/pods", "ServiceAccount": "/api/v1/%s/serviceaccounts",
	"ReplicationController": "/api/v1/%s/replicationcontrollers", "PodTemplate": "/api/v1/%s/podtemplates",
	"LimitRange": "/api/v1/%s/limitranges", "Event": "/api/v1/%s/events",
	"Deployment": "/apis/apps/v1/%s/deployments", "ReplicaSet": "/apis/apps/v1/%s/replicasets",
	"StatefulSet": "/apis/apps/v1/%s/statefulsets", "DaemonSet": "/apis/apps/v1/%s/daemonsets",
	"Job": "/apis/batch/v1/%s/jobs", "CronJob": "/apis/batch/v1/%s/cronjobs",
}

func (n namespace) path(kind, name string) string {
	collection, known := collections[kind]
	if !known {
		n.t.Fatalf("no collection for kind %q", kind)
	}
	return strings.TrimSuffix(fmt.Sprintf(collection, "namespaces/"+n.name)+"/"+name, "/")
}

func (n namespace) do(method, path string, body any) Reply {
	n.t.Helper()
	reply, err := n.api.Do(method, path, body)
	if err != nil {
		n.t.Fatal(err)
	}
	return reply
}

// post sends a create request and returns the response, whatever it is.
func (n namespace) post(object Object) Reply {
	n.t.Helper()
	return n.do("POST", n.path(object["kind"].(string), ""), object)
}

// dryRun is post with dryRun=All.
func (n namespace) dryRun(object Object) Reply {
	n.t.Helper()
	return n.do("POST", n.path(object["kind"].(string), "")+"?dryRun=All", object)
}

// create is post for an object that must be accepted.
func (n namespace) create(object Object) Reply {
	n.t.Helper()
	return n.must(n.post(object), nil)
}

func (n namespace) get(kind, name string) Reply {
	n.t.Helper()
	return n.do("GET", n.path(kind, name), nil)
}

func (n namespace) patch(kind, name string, patch Object) Reply {
	n.t.Helper()
	return n.do("PATCH", n.path(kind, name), patch)
}

func (n namespace) must(reply Reply, err error) Reply {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
	if !reply.Created() {
		n.t.Fatalf("%s: %d %s", n.name, reply.Code, reply.Message())
	}
	return reply
}

// kubectl runs kubectl in the namespace and fails the test if kubectl fails.
func (n namespace) kubectl(stdin string, args ...string) (stdout, stderr string) {
	n.t.Helper()
	stdout, stderr, err := n.tryKubectl(stdin, args...)
	if err != nil {
		n.t.Fatal(err)
	}
	return stdout, stderr
}

// tryKubectl runs kubectl in the namespace.
func (n namespace) tryKubectl(stdin string, args ...string) (stdout, stderr string, err error) {
	return n.api.Kubectl(stdin, append([]string{"--namespace", n.name}, args...)...)
}

// label sets labels of the namespace, or removes them ("key-").
func (n namespace) label(labels ...string) {
	n.t.Helper()
	n.kubectl("", append([]string{"label", "--overwrite", "namespace", n.name}, labels...)...)
}

// pods lists the pods of the namespace whose label app is app.
func (n namespace) pods(app string) []Object {
	n.t.Helper()
	reply := n.do("GET", n.path("Pod", "")+"?labelSelector=app%3D"+app, nil)
	var pods []Object
	for _, item := range list(reply.Body, "items") {
		pods = append(pods, item.(Object))
	}
	return pods
}

// eventually polls until the claim holds, and fails the test after patience.
func (n namespace) eventually(claim string, holds func() bool) {
	n.t.Helper()
	if !within(patience, holds) {
		n.t.Fatalf("%s: not within %s: %s", n.name, patience, claim)
	}
}

func within(limit time.Duration, holds func() bool) bool {
	for deadline := time.Now().Add(limit); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// object parses the JSON of an object.
func object(text string) Object {
	var o Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(fmt.Sprintf("%v in %s", err, text))
	}
	return o
}

// pod returns a pod with one container. The members of spec are added or replace others.
func pod(name, spec string) Object {
	whole := object(`{"containers": [{"name": "main", "image": "registry.example/app:1"}]}`)
	maps.Copy(whole, object(spec))
	return Object{"apiVersion": "v1", "kind": "Pod",
		"metadata": Object{"name": name, "labels": Object{"app": name}}, "spec": whole}
}

// workload returns an object of the kind whose pods have this spec and the label app=NAME.
func workload(kind, name, spec string) Object {
	podSpec := pod(name, spec)["spec"].(Object)
	labels := Object{"app": name}
	template := Object{"metadata": Object{"labels": labels}, "spec": podSpec}
	selected := Object{"selector": Object{"matchLabels": labels}, "template": template}
	o := Object{"metadata": Object{"name": name}, "kind": kind, "apiVersion": "apps/v1", "spec": selected}
	switch kind {
	case "Pod":
		return pod(name, spec)
	case "StatefulSet":
		selected["serviceName"] = name
	case "ReplicationController":
		o["apiVersion"] = "v1"
		selected["selector"] = labels
	case "PodTemplate":
		o["apiVersion"] = "v1"
		delete(o, "spec")
		o["template"] = template
	case "Job", "CronJob":
		podSpec["restartPolicy"] = "Never"
		o["apiVersion"] = "batch/v1"
		o["spec"] = Object{"template": template}
		if kind == "CronJob" {
			o["spec"] = Object{"schedule": "* * * * *",
				"jobTemplate": Object{"spec": Object{"template": template}}}
		}
	}
	return o
}

// placed reports whether a pod has the Windows node selector and tolerates the taint os=VALUE.
func placed(pod Object, taint string) bool {
	return text(pod, "spec", "nodeSelector", "kubernetes.io/os") == "windows" && tolerates(pod, taint)
}

// causes returns the rule ids of a refusal, by field.
func causes(reply Reply) map[string]string {
	found := map[string]string{}
	for _, cause := range list(reply.Body, "details", "causes") {
		found[text(cause, "field")] = text(cause, "reason")
	}
	return found
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// kebab turns TestLinuxPodsAreUntouched into linux-pods-are-untouched.
func kebab(name string) string {
	var out strings.Builder
	for i, r := range strings.TrimPrefix(name, "Test") {
		switch {
		case unicode.IsUpper(r) && i > 0:
			out.WriteByte('-')
			fallthrough
		case unicode.IsUpper(r):
			out.WriteRune(unicode.ToLower(r))
		case unicode.IsLower(r), unicode.IsDigit(r):
			out.WriteRune(r)
		default:
			out.WriteByte('-')
		}
	}
	return strings.ReplaceAll(out.String(), "--", "-")
}

// windows is the spec of a Windows pod without unsupported fields.
const windows = `{"nodeSelector": {"kubernetes.io/os": "windows"}}`

// unsupported is the spec of a Windows pod with one unsupported field.
const unsupported = `{"nodeSelector": {"kubernetes.io/os": "windows"}, "hostPID": true}`

// inEffect reports whether the API server calls both webhooks for the namespace. It takes a second or two to notice a new
// configuration or label.
func (n namespace) inEffect() bool {
	good, bad := n.dryRun(pod("probe", windows)), n.dryRun(pod("probe", unsupported))
	return good.Created() && placed(good.Body, "Win1809") && bad.Code == 403
}

func waitUntilInEffect() error {
	n := namespace{&testing.T{}, "default", shared.API}
	if !within(patience, n.inEffect) {
		reply, _ := shared.API.Do("POST", "/api/v1/namespaces/default/pods?dryRun=All", pod("probe", unsupported))
		return fmt.Errorf("the API server does not call winadmit; a pod that must be refused: %d %s", reply.Code, reply.Message())
	}
	return nil
}

// intercept applies the webhook configurations that a server exports, for the namespaces of an instance. `change` may
// change each before.
func intercept(t *testing.T, server *cluster.Winadmit, instance string, change func(Object), flags ...string) {
	t.Helper()
	configurations, err := server.Export(flags...)
	if err != nil {
		t.Fatal(err)
	}
	for _, configuration := range configurations {
		cluster.Scope(configuration, instance)
		if change != nil {
			change(configuration)
		}
		if err := shared.API.Apply(configuration); err != nil {
			t.Fatal(err)
		}
	}
}
