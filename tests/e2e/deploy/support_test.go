package deploy

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

const (
	patience = 90 * time.Second
	system   = "winadmit-system"
)

// Pods that the streams create as dry runs, which are admitted like other requests.
var (
	linux   = pod(`{"kubernetes.io/os": "linux"}`, "")
	windows = pod(`{"kubernetes.io/os": "windows"}`, "")
	refused = pod(`{"kubernetes.io/os": "windows"}`, `"hostPID": true,`)
)

func pod(nodeSelector, more string) []byte {
	return fmt.Appendf(nil, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {%s
		"nodeSelector": %s, "containers": [{"name": "main", "image": "registry.example/app:1"}]}}`, more, nodeSelector)
}

// dryRun creates a pod as a dry run.
func dryRun(body []byte) (cluster.Reply, error) {
	return shared.API.Do("POST", "/api/v1/namespaces/default/pods?dryRun=All", body)
}

// A check returns an error if a response is wrong.
type check func(cluster.Reply) error

func admitted(reply cluster.Reply) error {
	if !reply.Created() || len(reply.Warnings) > 0 {
		return fmt.Errorf("%d %s %q", reply.Code, reply.Message(), reply.Warnings)
	}
	return nil
}

func isPlaced(reply cluster.Reply) error {
	if err := admitted(reply); err != nil {
		return err
	}
	if !cluster.Tolerates(reply.Body, "") {
		return fmt.Errorf("not placed: %v", at(reply.Body, "spec", "tolerations"))
	}
	return nil
}

func isRefused(reply cluster.Reply) error {
	if reply.Code == http.StatusForbidden && strings.Contains(reply.Message(), "(host-pid)") {
		return nil
	}
	return fmt.Errorf("not refused: %d %s", reply.Code, reply.Message())
}

// works returns an error unless the API server calls both webhooks of winadmit.
func works() error {
	for _, each := range []struct {
		body []byte
		want check
	}{{windows, isPlaced}, {refused, isRefused}} {
		reply, err := dryRun(each.body)
		if err != nil {
			return err
		}
		if err := each.want(reply); err != nil {
			return err
		}
	}
	return nil
}

// stream sends the same request repeatedly, from two clients, until it is stopped.
type stream struct {
	t      *testing.T
	name   string
	cancel context.CancelFunc
	group  sync.WaitGroup
	mutex  sync.Mutex
	sent   int
	failed []string
}

func startStream(t *testing.T, name string, body []byte, want check) *stream {
	ctx, cancel := context.WithCancel(context.Background())
	s := &stream{t: t, name: name, cancel: cancel}
	t.Cleanup(func() { cancel(); s.group.Wait() })
	for range 2 {
		s.group.Add(1)
		go func() {
			defer s.group.Done()
			for ctx.Err() == nil {
				reply, err := dryRun(body)
				if err == nil {
					err = want(reply)
				}
				s.mutex.Lock()
				s.sent++
				if err != nil {
					s.failed = append(s.failed, time.Now().Format("15:04:05.000 ")+err.Error())
				}
				s.mutex.Unlock()
				time.Sleep(10 * time.Millisecond)
			}
		}()
	}
	return s
}

// stop ends the stream, and fails the test if a response was wrong.
func (s *stream) stop() {
	s.t.Helper()
	s.cancel()
	s.group.Wait()
	s.t.Logf("%s: %d requests, %d failed", s.name, s.sent, len(s.failed))
	if s.sent < 50 {
		s.t.Errorf("%s: only %d requests", s.name, s.sent)
	}
	if len(s.failed) > 0 {
		s.t.Errorf("%s: %d of %d failed, the first: %s, the last: %s", s.name, len(s.failed), s.sent, s.failed[0],
			s.failed[len(s.failed)-1])
	}
}

// failures returns the number of wrong responses so far.
func (s *stream) failures() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.failed)
}

// kubectl runs kubectl, which must succeed without a warning.
func kubectl(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	stdout, stderr, err := shared.API.Kubectl(stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(stderr, "Warning") {
		t.Errorf("kubectl %s: %s", strings.Join(args, " "), stderr)
	}
	return stdout
}

// expectNoDrift fails the test if applying the same manifests again would change an object. GitOps tools compare like that.
func expectNoDrift(t *testing.T, stdin string, args ...string) {
	t.Helper()
	if diff, _, err := shared.API.Kubectl(stdin, append([]string{"diff"}, args...)...); err != nil {
		t.Errorf("applying again would change objects: %v\n%s", err, diff)
	}
}

// helm runs helm, which must succeed without a warning.
func helm(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command(shared.Programs["helm"], args...)
	home := filepath.Join(shared.Dir, "helm")
	command.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig,
		"HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	if strings.Contains(string(out), "arning:") {
		t.Errorf("helm %s: %s", strings.Join(args, " "), out)
	}
	return string(out)
}

func eventually(t *testing.T, claim string, holds func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if err = holds(); err == nil {
			return
		}
	}
	t.Fatalf("not within %s: %s: %v", patience, claim, err)
}

func get(t *testing.T, path string) Object {
	t.Helper()
	reply, err := shared.API.Do("GET", path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, reply.Code, reply.Message())
	}
	return reply.Body
}

// secret returns the decoded value of a key of a Secret.
func secret(t *testing.T, name, key string) string {
	t.Helper()
	encoded := text(get(t, "/api/v1/namespaces/"+system+"/secrets/"+name), "data", key)
	plain, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// bundles returns the distinct, decoded caBundles of both configurations.
func bundles(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	for _, kind := range []string{"mutating", "validating"} {
		configuration := get(t, cluster.Webhooks+"/"+kind+"webhookconfigurations/winadmit")
		for _, webhook := range list(configuration, "webhooks") {
			plain, err := base64.StdEncoding.DecodeString(text(webhook, "clientConfig", "caBundle"))
			if err != nil {
				t.Fatal(err)
			}
			found[string(plain)] = true
		}
	}
	var all []string
	for bundle := range found {
		all = append(all, bundle)
	}
	return all
}

// servers returns the pods of the Deployment.
func servers(t *testing.T) []any {
	t.Helper()
	return list(get(t, "/api/v1/namespaces/"+system+"/pods?labelSelector=app.kubernetes.io%2Fcomponent%3Dwebhook"), "items")
}

// metric returns the value of a metric of one server, by name and labels.
func metric(pod any, name string) (float64, error) {
	metrics, err := cluster.Metrics("http://" + text(pod, "status", "podIP") + ":8080")
	if err != nil {
		return 0, err
	}
	value, found := metrics[name]
	if !found {
		return 0, fmt.Errorf("no metric %s", name)
	}
	return value, nil
}

// expectNothingLeft waits until no object of any kind has winadmit's label.
func expectNothingLeft(t *testing.T) {
	t.Helper()
	kinds := strings.Fields(kubectl(t, "", "api-resources", "--verbs=list", "-o", "name"))
	eventually(t, "nothing of winadmit is left", func() error {
		out, _, err := shared.API.Kubectl("", "get", strings.Join(kinds, ","), "-A", "-o", "name",
			"-l", "app.kubernetes.io/name=winadmit", "--ignore-not-found")
		if err == nil && strings.TrimSpace(out) != "" {
			err = fmt.Errorf("%s", out)
		}
		return err
	})
}

// runJob creates a Job from the CronJob, with additional arguments, and waits until it has succeeded.
func runJob(t *testing.T, name string, arguments ...string) {
	t.Helper()
	cron := get(t, "/apis/batch/v1/namespaces/"+system+"/cronjobs/winadmit-certs")
	spec := at(cron, "spec", "jobTemplate", "spec").(Object)
	container := at(spec, "template", "spec", "containers", 0).(Object)
	args := container["args"].([]any)
	for _, argument := range arguments {
		args = append(args, argument)
	}
	container["args"] = args
	reply, err := shared.API.Do("POST", "/apis/batch/v1/namespaces/"+system+"/jobs", Object{
		"apiVersion": "batch/v1", "kind": "Job", "metadata": Object{"name": name,
			"labels": Object{"app.kubernetes.io/name": "winadmit"}}, "spec": spec})
	if err != nil || !reply.Created() {
		t.Fatal(err, reply.Message())
	}
	waitForJob(t, name)
	kubectl(t, "", "-n", system, "delete", "job", name)
}

// waitForJob waits until a Job has succeeded.
func waitForJob(t *testing.T, name string) {
	t.Helper()
	eventually(t, "Job "+name+" succeeds", func() error {
		job := get(t, "/apis/batch/v1/namespaces/"+system+"/jobs/"+name)
		if succeeded, _ := at(job, "status", "succeeded").(float64); succeeded == 1 {
			return nil
		}
		return fmt.Errorf("%v", job["status"])
	})
}
