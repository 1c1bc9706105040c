package deploy

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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

// Pods that a stream asks for. Nothing is stored: each is a dry run, which is admitted like any other.
var (
	linux   = pod(`{"kubernetes.io/os": "linux"}`, "")
	windows = pod(`{"kubernetes.io/os": "windows"}`, "")
	refused = pod(`{"kubernetes.io/os": "windows"}`, `"hostPID": true,`)
)

func pod(nodeSelector, more string) []byte {
	return fmt.Appendf(nil, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {%s
		"nodeSelector": %s, "containers": [{"name": "main", "image": "registry.example/app:1"}]}}`, more, nodeSelector)
}

func ask(body []byte) (cluster.Reply, error) {
	return shared.API.Do("POST", "/api/v1/namespaces/default/pods?dryRun=All", body)
}

// A verdict is what is wrong with an answer, or nothing.
type verdict func(cluster.Reply) error

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
	for _, toleration := range list(reply.Body, "spec", "tolerations") {
		if text(toleration, "key") == "os" {
			return nil
		}
	}
	return fmt.Errorf("not placed: %v", at(reply.Body, "spec", "tolerations"))
}

func isRefused(reply cluster.Reply) error {
	if reply.Code == http.StatusForbidden && strings.Contains(reply.Message(), "(host-pid)") {
		return nil
	}
	return fmt.Errorf("not refused: %d %s", reply.Code, reply.Message())
}

// works says whether the API server asks winadmit on both sides.
func works() error {
	for _, question := range []struct {
		body []byte
		want verdict
	}{{windows, isPlaced}, {refused, isRefused}} {
		reply, err := ask(question.body)
		if err != nil {
			return err
		}
		if err := question.want(reply); err != nil {
			return err
		}
	}
	return nil
}

// stream asks the same question again and again, from several clients, until it is stopped.
type stream struct {
	t      *testing.T
	name   string
	cancel context.CancelFunc
	group  sync.WaitGroup
	mutex  sync.Mutex
	asked  int
	failed []string
}

func startStream(t *testing.T, name string, body []byte, want verdict) *stream {
	ctx, cancel := context.WithCancel(context.Background())
	s := &stream{t: t, name: name, cancel: cancel}
	t.Cleanup(func() { cancel(); s.group.Wait() })
	for range 2 {
		s.group.Add(1)
		go func() {
			defer s.group.Done()
			for ctx.Err() == nil {
				reply, err := ask(body)
				if err == nil {
					err = want(reply)
				}
				s.mutex.Lock()
				s.asked++
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

// stop ends the stream; every question must have had its answer.
func (s *stream) stop() {
	s.t.Helper()
	s.cancel()
	s.group.Wait()
	s.t.Logf("%s: %d requests, %d failed", s.name, s.asked, len(s.failed))
	if s.asked < 50 {
		s.t.Errorf("%s: %d requests are too few to show anything", s.name, s.asked)
	}
	if len(s.failed) > 0 {
		s.t.Errorf("%s: %d of %d failed, the first: %s, the last: %s", s.name, len(s.failed), s.asked, s.failed[0],
			s.failed[len(s.failed)-1])
	}
}

// failures is how many questions have had another answer, so far.
func (s *stream) failures() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.failed)
}

// kubectl must succeed, and without a warning.
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

// noDrift is what a GitOps tool asks after each sync: would applying the same once more change anything?
func noDrift(t *testing.T, stdin string, args ...string) {
	t.Helper()
	if diff, _, err := shared.API.Kubectl(stdin, append([]string{"diff"}, args...)...); err != nil {
		t.Errorf("a sync would see drift: %v\n%s", err, diff)
	}
}

// helm must succeed, and without a warning.
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

// secret is the text of one key of the Secret that holds the pair.
func secret(t *testing.T, name, key string) string {
	t.Helper()
	encoded := text(get(t, "/api/v1/namespaces/"+system+"/secrets/"+name), "data", key)
	plain, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// bundles are the different caBundles of both configurations, decoded.
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

// servers are the pods of the Deployment.
func servers(t *testing.T) []any {
	t.Helper()
	return list(get(t, "/api/v1/namespaces/"+system+"/pods?labelSelector=app.kubernetes.io%2Fcomponent%3Dwebhook"), "items")
}

// metric is the value of one metric of one server, named with its labels as the server prints it.
func metric(pod any, name string) (float64, error) {
	response, err := http.Get("http://" + text(pod, "status", "podIP") + ":8080/metrics")
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), name+" "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("no metric %s", name)
}

// nothingIsLeft looks for anything of winadmit, whatever its kind.
func nothingIsLeft(t *testing.T) {
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

// runJob makes a Job of the CronJob's, with more arguments, and returns when it has succeeded.
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
	jobSucceeds(t, name)
	kubectl(t, "", "-n", system, "delete", "job", name)
}

func jobSucceeds(t *testing.T, name string) {
	t.Helper()
	eventually(t, "Job "+name+" succeeds", func() error {
		job := get(t, "/apis/batch/v1/namespaces/"+system+"/jobs/"+name)
		if succeeded, _ := at(job, "status", "succeeded").(float64); succeeded == 1 {
			return nil
		}
		return fmt.Errorf("%v", job["status"])
	})
}
