package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
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
		{name: "policies", namespace: "policies", places: true, refuses: true, warns: true},
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
		case "policies":
			err = addPolicies(t.api, s.namespace)
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

// addPolicies adds what winadmit exports as admission policies, which the API server evaluates itself.
func addPolicies(api *cluster.API, namespace string) error {
	exported, err := cluster.ExportPolicies()
	if err != nil {
		return err
	}
	cluster.ScopePolicies(exported, namespace)
	return api.ApplyPolicies(exported)
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
