package deploy

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/stream"
	"winadmit/tests/e2e/suite"
)

const system = "winadmit-system"

var eventually = suite.Eventually

// Pods that the streams create, and the responses that they want.
var (
	linux, windows, refused       = stream.Linux, stream.Windows, stream.Unsupported
	admitted, isPlaced, isRefused = stream.Admitted, stream.Placed, stream.Refused
)

// dryRun creates a pod as a dry run.
func dryRun(body []byte) (cluster.Reply, error) { return stream.DryRun(shared.API, "default")(body) }

// works returns an error unless the API server calls both webhooks.
func works() error { return stream.Works(dryRun, 1) }

// testStream is a stream that belongs to a test: a wrong response fails it.
type testStream struct {
	*stream.Stream
	t *testing.T
}

func startStream(t *testing.T, name string, body []byte, want stream.Want) *testStream {
	s := &testStream{stream.Start(dryRun, name, body, want), t}
	t.Cleanup(func() { s.Stop() })
	return s
}

// stop ends the stream, and fails the test if a response was wrong.
func (s *testStream) stop() {
	s.t.Helper()
	eventually(s.t, s.Name+" has sent enough to show a fault", func() error {
		if sent := s.Counts().Sent; sent < 50 {
			return fmt.Errorf("only %d requests", sent)
		}
		return nil
	})
	counts := s.Stop()
	s.t.Logf("%s: %s", s.Name, counts)
	if counts.Lost() > 0 {
		s.t.Errorf("%s: %d of %d failed, the first: %s, the last: %s", s.Name, counts.Lost(), counts.Sent, counts.First, counts.Last)
	}
}

// failures returns the number of wrong responses so far.
func (s *testStream) failures() int { return s.Counts().Lost() }

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
	out, err := tryHelm(args...)
	if err != nil {
		t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	if strings.Contains(out, "arning:") {
		t.Errorf("helm %s: %s", strings.Join(args, " "), out)
	}
	return out
}

// tryHelm runs helm, which may fail.
func tryHelm(args ...string) (string, error) {
	command := exec.Command(shared.Programs["helm"], args...)
	home := filepath.Join(shared.Dir, "helm")
	command.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig,
		"HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	out, err := command.CombinedOutput()
	return string(out), err
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
	for _, name := range cluster.Configurations {
		configuration := get(t, cluster.Webhooks+"/"+name)
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
