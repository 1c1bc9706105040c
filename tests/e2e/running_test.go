package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/docs"
)

// The specs of objects that run. In each namespace there is a pod and there are workloads of each.
var runningSpecs = map[string]string{
	"bad":      unsupported,
	"default":  `{"hostPID": true}`,
	"conflict": `{"nodeSelector": {"kubernetes.io/os": "windows"}, "os": {"name": "linux"}}`,
	"warned":   `{"nodeSelector": {"kubernetes.io/os": "windows"}, "containers": [{"name": "main", "image": "registry.example/app:1", "terminationMessagePath": "/dev/log"}]}`,
	"good":     windows,
}

// existingNamespace returns a namespace that other tests may use, too.
func existingNamespace(t *testing.T, name string) namespace {
	t.Helper()
	n := namespace{t, name, shared.API}
	reply := n.do("POST", "/api/v1/namespaces", Object{"apiVersion": "v1", "kind": "Namespace", "metadata": Object{"name": name}})
	if !reply.Created() && reply.Code != 409 {
		t.Fatalf("%s: %d %s", name, reply.Code, reply.Message())
	}
	n.eventually("its default service account", func() bool { return n.get("ServiceAccount", "default").Code == 200 })
	return n
}

// What runs was created before winadmit: the namespaces are in mode off until their objects are there. The command of
// docs/rollout.md then says of each object what the API server says when it is created again.
func TestTheCommandForWhatRunsAnswersAsTheAPIServer(t *testing.T) {
	t.Parallel()
	namespaces := []namespace{existingNamespace(t, "kube-system"), existingNamespace(t, "exempt-by-config")}
	modes := map[string]string{"none": "winadmit.dev/mode-", "typo": "winadmit.dev/mode=Warn"}
	for _, mode := range []string{"enforce", "warn", "audit", "off"} {
		modes[mode] = "winadmit.dev/mode=" + mode
	}
	oses := map[string][]string{"none": nil, "windows": {defaultWindows}, "linux": {defaultLinux}, "other": {"winadmit.dev/default-os=Windows"}}
	for mode, label := range modes {
		for os, labels := range oses {
			n := newNamespace(t, mode+"-"+os, off)
			createRunning(n)
			n.label(append(labels, label)...)
			if mode != "off" {
				n.eventually("its mode", func() bool { return len(n.answer(unsupported)) > 0 })
			}
			namespaces = append(namespaces, n)
		}
	}
	createRunning(namespaces[0])
	createRunning(namespaces[1])

	found := checkRunning(t)
	for _, n := range namespaces {
		for name, spec := range runningSpecs {
			want := n.answer(spec)
			for _, kind := range []string{"Pod", "Deployment", "Job", "CronJob"} {
				object := kind + " " + n.name + "/running-" + name
				if got := found[object]; !maps.Equal(got, want) {
					t.Errorf("check says of %s: %v; the API server says of a pod like it: %v", object, got, want)
				}
			}
		}
	}
}

// createRunning creates the objects. The workloads create no pods.
func createRunning(n namespace) {
	n.t.Helper()
	for name, spec := range runningSpecs {
		n.create(pod("running-"+name, spec))
		for kind, field := range map[string]string{"Deployment": "replicas", "Job": "suspend", "CronJob": "suspend"} {
			object := workload(kind, "running-"+name, spec)
			object["spec"].(Object)[field] = map[string]any{"replicas": 0, "suspend": true}[field]
			n.create(object)
		}
	}
}

var ruleAtEnd = regexp.MustCompile(`\(([a-z0-9-]+)\)$`)

// answer returns what the API server says of a new pod: rule ids with deny or warn. Findings that are audited are warn.
func (n namespace) answer(spec string) map[string]string {
	n.t.Helper()
	rules := map[string]string{}
	reply := n.dryRun(pod("probe", spec))
	for _, rule := range causes(reply) {
		rules[rule] = "deny"
	}
	if len(rules) == 0 && !reply.Created() {
		n.t.Fatalf("%s: %s is refused by something else: %d %s", n.name, spec, reply.Code, reply.Message())
	}
	if first := ruleAtEnd.FindStringSubmatch(reply.Message()); first != nil && len(rules) == 0 {
		rules[first[1]] = "deny"
	}
	for _, warning := range reply.Warnings {
		if rule := ruleAtEnd.FindStringSubmatch(warning); rule != nil {
			rules[rule[1]] = "warn"
		}
	}
	for key := range annotationsOf(n.t, reply.AuditID) {
		if before, rule, ours := strings.Cut(key, "winadmit.dev/"); ours && strings.HasPrefix(before, "audit") {
			rules[rule] = "warn"
		}
	}
	return rules
}

// annotationsOf returns the annotations in the audit log of one request. Its event may come after its response.
func annotationsOf(t *testing.T, auditID string) (found map[string]string) {
	t.Helper()
	if !within(patience, func() bool { found = loggedAnnotations(t, auditID); return found != nil }) {
		t.Fatalf("the audit log has no request %s", auditID)
	}
	return found
}

// loggedAnnotations returns nil if the audit log does not have the whole request yet.
func loggedAnnotations(t *testing.T, auditID string) map[string]string {
	log, err := os.Open(shared.API.AuditLog)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if !strings.Contains(lines.Text(), auditID) {
			continue
		}
		var event struct {
			Stage       string
			Annotations map[string]string
		}
		if json.Unmarshal(lines.Bytes(), &event) == nil && event.Stage == "ResponseComplete" {
			return event.Annotations
		}
	}
	return nil
}

// checkRunning runs the command of docs/rollout.md and returns the findings: rule ids with deny or warn, by object.
func checkRunning(t *testing.T) map[string]map[string]string {
	t.Helper()
	page, err := docs.Read(cluster.Root(), "docs/rollout.md")
	if err != nil {
		t.Fatal(err)
	}
	block, err := page.Command("", "kubectl get namespaces,")
	if err != nil {
		t.Fatal(err)
	}
	// The configuration is that of a server outside the cluster.
	_, commands, _ := strings.Cut(block.Text, ">config.yaml\n")
	commands = strings.Replace(commands, "winadmit check ", "winadmit check -o json ", 1)
	work := t.TempDir()
	config := testConfig()
	if minor := os.Getenv("K8S_VERSION"); minor != "" {
		config += fmt.Sprintf("kubernetesVersion: %q\n", minor)
	}
	environment, err := docs.Environment(shared, work)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, "config.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(work, "build/release"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(cluster.WinadmitBinary(), filepath.Join(work, "build/release/winadmit")); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("bash", "-e", "-c", commands)
	command.Dir, command.Env = work, slices.Concat(os.Environ(), environment)
	out, err := command.Output()
	if command.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s: the exit code is not 1: %v\n%s", commands, err, out)
	}
	var report struct{ Findings []Object }
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]string{}
	for _, finding := range report.Findings {
		object := text(finding, "object")
		if text(finding, "rule") == "advice-linux-unpinned" { // only check gives it
			continue
		}
		if found[object] == nil {
			found[object] = map[string]string{}
		}
		found[object][text(finding, "rule")] = text(finding, "action")
	}
	return found
}
