package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"winadmit/tests/e2e/cluster"
)

// scenario is a way to admit pods, in its own namespace.
type scenario struct {
	name      string
	namespace string
	webhook   int // process id of the webhook, 0 for none
	body      []byte
	places    bool
	refuses   bool
	warns     bool
}

// placement is the patch of winadmit for this pod.
const placement = `[{"op":"add","path":"/spec/tolerations/-","value":` +
	`{"key":"os","operator":"Equal","value":"Win1809","effect":"NoSchedule"}}]`

func setUp(c *cluster.Cluster, t *target, options Options, pod cluster.Object) ([]scenario, error) {
	body, err := json.Marshal(pod)
	if err != nil {
		return nil, err
	}
	unpatched := func(port, cert, key string) []string {
		return []string{filepath.Join(options.Tools, "bench_floor"), port, cert, key}
	}
	constant := func(port, cert, key string) []string {
		return append(unpatched(port, cert, key), base64.StdEncoding.EncodeToString([]byte(placement)))
	}
	winadmit := func(port, cert, key string) []string {
		return []string{cluster.WinadmitBinary(), "serve", "--listen", "127.0.0.1:" + port, "--admin-listen", "127.0.0.1:0",
			"--tls-cert", cert, "--tls-key", key}
	}
	controllerRuntime := func(port, cert, key string) []string {
		return []string{filepath.Join(options.Tools, "controller-runtime"), "--port", port, "--cert", cert, "--key", key}
	}
	scenarios := []scenario{
		{name: "no admission", namespace: "none"},
		{name: "constant answer", namespace: "constant", places: true},
		{name: "constant answer, no patch", namespace: "unpatched"},
		{name: "CEL", namespace: "cel", places: true, refuses: true, warns: true},
		{name: "winadmit", namespace: "winadmit", places: true, refuses: true, warns: true},
		{name: "controller-runtime", namespace: "go", places: true, refuses: true},
	}
	for i := range scenarios {
		s := &scenarios[i]
		s.body = body
		if err := createNamespace(t.api, s.namespace); err != nil {
			return nil, err
		}
		switch s.namespace {
		case "constant":
			s.webhook, err = addWebhook(c, s.namespace, constant)
		case "unpatched":
			s.webhook, err = addWebhook(c, s.namespace, unpatched)
		case "go":
			s.webhook, err = addWebhook(c, s.namespace, controllerRuntime)
		case "cel":
			err = addCEL(t.api, s.namespace, filepath.Join(options.Tools, "cel.json"))
		case "winadmit":
			s.webhook, err = addWebhook(c, s.namespace, winadmit)
		}
		if err == nil {
			err = waitUntilInEffect(t, s, pod)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return scenarios, nil
}

func createNamespace(api *cluster.API, name string) error {
	reply, err := api.Do("POST", "/api/v1/namespaces", cluster.Object{"apiVersion": "v1", "kind": "Namespace",
		"metadata": cluster.Object{"name": name, "labels": cluster.Object{cluster.InstanceLabel: name}}})
	if err == nil && !reply.Created() {
		err = fmt.Errorf("namespace: %s", reply.Message())
	}
	return err
}

// addWebhook starts a program and registers it as mutating and validating webhook for the pods of the namespace.
func addWebhook(c *cluster.Cluster, namespace string,
	command func(port, cert, key string) []string) (int, error) {
	dir := filepath.Join(c.Dir, "webhook-"+namespace)
	if err := cluster.IssuePair(dir, "localhost"); err != nil {
		return 0, err
	}
	ports, err := cluster.FreePorts(1)
	if err != nil {
		return 0, err
	}
	port := fmt.Sprint(ports[0])
	words := command(port, filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
	process, err := c.Run("webhook-"+namespace, words[0], words[1:]...)
	if err != nil {
		return 0, err
	}
	for kind, path := range map[string]string{"Mutating": "/mutate", "Validating": "/validate"} {
		configuration, err := cluster.PodWebhook(kind, "bench", "https://localhost:"+port+path, dir)
		if err != nil {
			return 0, err
		}
		cluster.Scope(configuration, namespace)
		if err := c.API.Apply(configuration); err != nil {
			return 0, err
		}
	}
	return process.Pid(), nil
}

// addCEL adds the rules as admission policies in CEL, which the API server evaluates itself.
func addCEL(api *cluster.API, namespace, rules string) error {
	var source struct {
		Windows, Unplaced, Place   string
		Variables, Rules, Warnings []any
	}
	content, err := os.ReadFile(rules)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &source); err != nil {
		return err
	}
	matches := cluster.Object{
		"namespaceSelector": cluster.Object{"matchLabels": cluster.Object{cluster.InstanceLabel: namespace}},
		"resourceRules": []any{cluster.Object{"apiGroups": []any{""}, "apiVersions": []any{"v1"},
			"resources": []any{"pods"}, "operations": []any{"CREATE"}}},
	}
	condition := func(name, expression string) cluster.Object {
		return cluster.Object{"name": name, "expression": expression}
	}
	windows := condition("windows", source.Windows)
	validating := func(name string, validations []any, action string) policy {
		return policy{kind: "Validating", name: name, spec: cluster.Object{"failurePolicy": "Fail", "matchConstraints": matches,
			"matchConditions": []any{windows}, "variables": source.Variables, "validations": validations},
			binding: cluster.Object{"validationActions": []any{action}}}
	}
	return applyPolicies(api, []policy{
		validating("bench-warn", source.Warnings, "Warn"),
		validating("bench", source.Rules, "Deny"),
		{kind: "Mutating", name: "bench", spec: cluster.Object{"failurePolicy": "Fail", "matchConstraints": matches, "reinvocationPolicy": "IfNeeded",
			"matchConditions": []any{windows, condition("unplaced", source.Unplaced)},
			"mutations":       []any{cluster.Object{"patchType": "JSONPatch", "jsonPatch": cluster.Object{"expression": source.Place}}}},
			binding: cluster.Object{}},
	})
}

type policy struct {
	kind, name    string
	spec, binding cluster.Object
}

func applyPolicies(api *cluster.API, policies []policy) error {
	for _, p := range policies {
		p.binding["policyName"] = p.name
		for kind, spec := range map[string]cluster.Object{"AdmissionPolicy": p.spec, "AdmissionPolicyBinding": p.binding} {
			if err := createPolicy(api, p.kind+kind, p.name, spec); err != nil {
				return err
			}
		}
	}
	return nil
}

// createPolicy creates a policy in version v1, or v1beta1 if v1 does not have the kind.
func createPolicy(api *cluster.API, kind, name string, spec cluster.Object) error {
	plural := map[string]string{
		"ValidatingAdmissionPolicy": "validatingadmissionpolicies", "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
		"MutatingAdmissionPolicy": "mutatingadmissionpolicies", "MutatingAdmissionPolicyBinding": "mutatingadmissionpolicybindings",
	}[kind]
	var reply cluster.Reply
	for _, version := range []string{"v1", "v1beta1"} {
		var err error
		reply, err = api.Do("POST", "/apis/admissionregistration.k8s.io/"+version+"/"+plural, cluster.Object{
			"apiVersion": "admissionregistration.k8s.io/" + version, "kind": kind,
			"metadata": cluster.Object{"name": name}, "spec": spec})
		// For an unknown path the response is plain text, which is a decoding error here.
		if err == nil && reply.Created() {
			return nil
		}
		if err == nil && reply.Code != http.StatusNotFound {
			break
		}
	}
	return fmt.Errorf("%s: %d %s", kind, reply.Code, reply.Message())
}

// waitUntilInEffect polls until the scenario admits, refuses and warns as expected.
func waitUntilInEffect(t *target, s *scenario, pod cluster.Object) error {
	refused := cluster.Clone(pod)
	refused["spec"].(cluster.Object)["hostPID"] = true
	warned := cluster.Clone(pod)
	warned["metadata"].(cluster.Object)["annotations"] = cluster.Object{
		"experimental.windows.kubernetes.io/isolation-type": "hyperv"} // the API server itself does not warn about it
	var last string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		good, err := t.api.Do("POST", createPath(s.namespace), pod)
		if err != nil {
			return err
		}
		bad, err := t.api.Do("POST", createPath(s.namespace), refused)
		if err != nil {
			return err
		}
		odd, err := t.api.Do("POST", createPath(s.namespace), warned)
		if err != nil {
			return err
		}
		last = fmt.Sprintf("%d %q, refused %d, warned %q", good.Code, good.Message(), bad.Code, odd.Warnings)
		if good.Created() && cluster.Tolerates(good.Body, "") == s.places && bad.Created() != s.refuses && (len(odd.Warnings) > 0) == s.warns {
			return nil
		}
	}
	return fmt.Errorf("not in effect: %s", last)
}

func createPath(namespace string) string {
	return "/api/v1/namespaces/" + namespace + "/pods?dryRun=All"
}
