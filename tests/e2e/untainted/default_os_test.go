// Package untainted tests the default OS on a cluster whose Windows nodes have no taint, with the real scheduler.
package untainted

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/suite"
)

type Object = cluster.Object
type Reply = cluster.Reply

var (
	shared  *cluster.Cluster
	servers = map[string]*cluster.Winadmit{}
)

// Each serves the namespaces with the label of its instance.
var configs = map[string]string{
	"none":    "platform: aks\n",
	"enforce": "platform: aks\ndefaultOs: linux\n",
	"down":    "platform: aks\ndefaultOs: linux\n",
	"audit":   "platform: aks\ndefaultOs: linux\ndefaultOsMode: audit\n",
}

func TestMain(m *testing.M) {
	suite.Run(m, "e2e-untainted", func(c *cluster.Cluster) (func(), error) {
		shared = c
		for _, node := range []string{"untainted-a", "untainted-b"} {
			if err := c.CreateNode(node, "windows", "a", Object{"node.kubernetes.io/windows-build": "10.0.20348"}, nil); err != nil {
				return nil, err
			}
		}
		for instance, config := range configs {
			server, err := c.StartWinadmit("winadmit-"+instance, config)
			if err != nil {
				return nil, err
			}
			servers[instance] = server
			if err := server.Intercept(instance); err != nil {
				return nil, err
			}
		}
		return nil, waitForUntaintedNodes()
	})
}

// waitForUntaintedNodes waits until the new nodes have lost the taint not-ready.
func waitForUntaintedNodes() error {
	for deadline := time.Now().Add(suite.Patience); ; time.Sleep(100 * time.Millisecond) {
		reply, err := shared.API.Do("GET", "/api/v1/nodes", nil)
		untainted := 0
		for _, node := range cluster.List(reply.Body, "items") {
			if strings.HasPrefix(cluster.Text(node, "metadata", "name"), "untainted-") && len(cluster.List(node, "spec", "taints")) == 0 {
				untainted++
			}
		}
		if untainted == 2 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d Windows nodes without a taint, %v", untainted, err)
		}
	}
}

// newNamespace creates a namespace that an instance serves, and waits until it does: a Windows pod gets its selector.
func newNamespace(t *testing.T, name, instance, defaultOS string) string {
	t.Helper()
	labels := Object{cluster.InstanceLabel: instance}
	if defaultOS != "" {
		labels["winadmit.dev/default-os"] = defaultOS
	}
	must(t, "POST", "/api/v1/namespaces", Object{"apiVersion": "v1", "kind": "Namespace", "metadata": Object{"name": name, "labels": labels}})
	probe := pod("probe", Object{"os": Object{"name": "windows"}, "serviceAccountName": "default"})
	suite.Eventually(t, "winadmit is in effect in "+name, func() error {
		reply, err := shared.API.Do("POST", "/api/v1/namespaces/"+name+"/pods?dryRun=All", probe)
		if err == nil && selectedOS(reply) != "windows" {
			err = fmt.Errorf("%d %s", reply.Code, reply.Message())
		}
		return err
	})
	return name
}

func must(t *testing.T, method, path string, body any) Reply {
	t.Helper()
	reply, err := shared.API.Do(method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	if !reply.Created() {
		t.Fatalf("%s: %d %s", path, reply.Code, reply.Message())
	}
	return reply
}

func pod(name string, spec Object) Object {
	whole := Object{"containers": []any{Object{"name": "main", "image": "registry.example/app:1"}}}
	for key, value := range spec {
		whole[key] = value
	}
	return Object{"apiVersion": "v1", "kind": "Pod", "metadata": Object{"name": name}, "spec": whole}
}

func createPod(t *testing.T, namespace, name string, spec Object) Reply {
	t.Helper()
	return must(t, "POST", "/api/v1/namespaces/"+namespace+"/pods", pod(name, spec))
}

func selectedOS(reply Reply) string {
	return cluster.Text(reply.Body, "spec", "nodeSelector", "kubernetes.io/os")
}

// nodesOf returns how many pods of a namespace each node has, after all of them were scheduled.
func nodesOf(t *testing.T, namespace string, count int) map[string]int {
	t.Helper()
	var nodes map[string]int
	suite.Eventually(t, "every pod is scheduled", func() error {
		nodes = map[string]int{}
		pods := cluster.List(must(t, "GET", "/api/v1/namespaces/"+namespace+"/pods", nil).Body, "items")
		for _, each := range pods {
			nodes[cluster.Text(each, "spec", "nodeName")]++
		}
		if len(pods) != count || nodes[""] > 0 {
			return fmt.Errorf("%d pods, %d without a node", len(pods), nodes[""])
		}
		return nil
	})
	return nodes
}

func onWindows(nodes map[string]int) (count int) {
	for node, pods := range nodes {
		if !strings.HasPrefix(node, "linux-") {
			count += pods
		}
	}
	return count
}

func TestWithoutADefaultOsALinuxPodMayRunOnAWindowsNode(t *testing.T) {
	n := newNamespace(t, "without", "none", "")
	for i := range 20 {
		if _, _, err := shared.API.Kubectl("", "--namespace", n, "run", fmt.Sprint("nginx-", i), "--image=nginx"); err != nil {
			t.Fatal(err)
		}
	}
	if nodes := nodesOf(t, n, 20); onWindows(nodes) == 0 {
		t.Errorf("no pod runs on a Windows node, so these tests show nothing: %v", nodes)
	}
}

func TestWithDefaultOsLinuxNoLinuxPodOf500RunsOnAWindowsNode(t *testing.T) {
	n := newNamespace(t, "enforced", "enforce", "")
	const bare, replicas = 480, 20
	for i := range bare {
		spec := Object{}
		if i%10 == 0 { // spec.os does not schedule
			spec["os"] = Object{"name": "linux"}
		}
		createPod(t, n, fmt.Sprint("pod-", i), spec)
	}
	labels := Object{"app": "web"}
	must(t, "POST", "/apis/apps/v1/namespaces/"+n+"/deployments", Object{"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": Object{"name": "web"}, "spec": Object{"replicas": replicas, "selector": Object{"matchLabels": labels},
			"template": Object{"metadata": Object{"labels": labels}, "spec": pod("", nil)["spec"]}}})
	if nodes := nodesOf(t, n, bare+replicas); onWindows(nodes) > 0 {
		t.Errorf("%d pods run on Windows nodes: %v", onWindows(nodes), nodes)
	}
}

func TestTheLabelOfTheNamespaceWins(t *testing.T) {
	for label, wants := range map[string]string{"windows": "windows", "linux": "linux", "none": "", "LINUX": "linux", "darwin": "linux"} {
		n := newNamespace(t, fmt.Sprintf("label-%x", label), "enforce", label)
		if got := selectedOS(createPod(t, n, "plain", nil)); got != wants {
			t.Errorf("default-os=%s: the pod selects %q", label, got)
		}
	}
}

// While winadmit is down, a Linux pod is created without the selector, at most a second later.
func TestNoLinuxPodIsLostWhileWinadmitIsDown(t *testing.T) {
	n := newNamespace(t, "down", "down", "")
	server := servers["down"]
	slowest := func(what string, spec Object) (longest time.Duration) {
		for i := range 10 {
			started := time.Now()
			reply := createPod(t, n, fmt.Sprint(what, "-", i), spec)
			longest = max(longest, time.Since(started))
			if spec == nil && selectedOS(reply) != "" {
				t.Errorf("%s: winadmit was called", what)
			}
		}
		t.Logf("%s: a pod takes at most %s", what, longest.Round(time.Millisecond))
		return longest
	}
	selectsLinux := Object{"nodeSelector": Object{"kubernetes.io/os": "linux"}}
	server.Freeze()
	if took := slowest("no-answer", nil); took > 2*time.Second {
		t.Errorf("a pod that does not select an OS takes %s", took)
	}
	if took := slowest("no-answer-selects-linux", selectsLinux); took > time.Second {
		t.Errorf("a pod that selects Linux takes %s", took)
	}
	server.Thaw()
	if code := server.Stop(10 * time.Second); code != 0 {
		t.Errorf("winadmit exited with %d", code)
	}
	if took := slowest("refused", nil); took > time.Second {
		t.Errorf("with the connection refused, a pod takes %s", took)
	}
	nodesOf(t, n, 30)
}

func TestAnAuditChangesNothingAndTells(t *testing.T) {
	n := newNamespace(t, "audited", "audit", "")
	for i := range 3 {
		if got := selectedOS(createPod(t, n, fmt.Sprint("pod-", i), nil)); got != "" {
			t.Errorf("the pod selects %q", got)
		}
	}
	createPod(t, n, "linux", Object{"nodeSelector": Object{"kubernetes.io/os": "linux"}})
	labels := Object{"app": "agent"}
	template := Object{"metadata": Object{"labels": labels}, "spec": pod("", Object{"tolerations": []any{Object{"operator": "Exists"}}})["spec"]}
	reply := must(t, "POST", "/apis/apps/v1/namespaces/"+n+"/daemonsets", Object{"apiVersion": "apps/v1", "kind": "DaemonSet",
		"metadata": Object{"name": "agent"}, "spec": Object{"selector": Object{"matchLabels": labels}, "template": template}})
	if cluster.At(reply.Body, "spec", "template", "spec", "nodeSelector") != nil {
		t.Error("the DaemonSet was changed")
	}
	suite.Eventually(t, "three pods and a DaemonSet are counted", func() error {
		metrics, err := cluster.Metrics(servers["audit"].AdminURL)
		if err != nil {
			return err
		}
		if got := metrics[`winadmit_default_os_changes_total{object_namespace="audited"}`]; got != 4 {
			return fmt.Errorf("%v", got)
		}
		return nil
	})
	// The audit log of these tests has pods alone.
	for file, text := range map[string]string{
		shared.API.AuditLog:      `"place-audit-default-linux.winadmit.dev/default-os":"add /spec/nodeSelector {\"kubernetes.io/os\":\"linux\"}"`,
		servers["audit"].LogFile: `"default_os_change":"tolerates every taint; add /spec/template/spec/nodeSelector`} {
		suite.Eventually(t, file+" says what would change", func() error {
			log, err := os.ReadFile(file)
			if err == nil && !strings.Contains(string(log), text) {
				err = errors.New("no " + text)
			}
			return err
		})
	}
	opted := newNamespace(t, "audited-linux", "audit", "linux")
	if got := selectedOS(createPod(t, opted, "plain", nil)); got != "linux" {
		t.Errorf("a namespace with the label is enforced, and the pod selects %q", got)
	}
}
