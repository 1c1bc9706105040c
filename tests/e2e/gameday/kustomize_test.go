package gameday

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

const (
	install    = "docs/install.md"
	rollout    = "docs/rollout.md"
	operations = "docs/operations.md"
	runbook    = "deploy/observability/runbook.md"
	blocked    = "When the webhook blocks the cluster" // a section of operations
)

func TestAGameDayOfAnInstallationByKustomize(t *testing.T) {
	installed := play(t, "install, and create pods as soon as the page says that it works", installsByKustomize)
	if !installed {
		t.Fatal("not installed")
	}
	mend = `kubectl apply -k my-cluster
kubectl -n winadmit-system delete job mend --ignore-not-found
kubectl -n winadmit-system create job --from=cronjob/winadmit-certs mend
kubectl -n winadmit-system wait --for=condition=complete job/mend --timeout=60s
kubectl -n winadmit-system rollout status deployment/winadmit --timeout=60s`
	defer func() { mend = "" }()
	play(t, "nothing happens", nothingHappens)
	play(t, "the sample of the page, and a DaemonSet over two builds", samplesFit)
	play(t, "labels with typos", labelTypos)
	play(t, "a ReplicaSet is refused", refusedReplicaSet)
	play(t, "one replica is killed", oneReplicaIsKilled)
	play(t, "one replica is frozen", oneReplicaIsFrozen)
	play(t, "every replica is gone; first aid, and later an apply", firstAidThenApply)
	play(t, "the configurations are deleted, later an apply", configurationsDeletedThenApply)
	play(t, "the Secret is lost", func(s *step) { secretIsLost(s, func() { s.recipe("Secret is lost") }) })
	play(t, "the caBundle is wrong", wrongBundle)
	play(t, "the serving pair expires", servingPairExpires)
	play(t, "other mutating webhooks before and after winadmit", otherWebhooks)
	play(t, "PodTolerationRestriction without our toleration", podTolerationRestriction)
	play(t, "a node gets the taint, and loses it", taints)
	play(t, "an API server and kubectl of another minor", versionSkew)
	play(t, "delete -k, and apply -k at once", deleteThenApply)
	play(t, "removed as the page says", removesByKustomize)
}

func installsByKustomize(s *step) {
	s.mayLose("nothing is installed at first", windowsPods, unsupportedPods)
	s.applies()
	s.verify()
	if err := works(); err != nil {
		s.Errorf("the commands of Verify have returned, and %v", err)
	}
	if err := s.calls(); err != nil {
		s.Error(err)
	}
}

// applies installs by kustomize, or applies the same again.
func (s *step) applies() { s.paste(install, "Install", "kubectl apply -k") }

// verify runs the commands of the section Verify. When they have returned, the installation works.
func (s *step) verify() {
	s.Helper()
	page := s.page(install)
	var last string
	for _, block := range page.Blocks {
		if block.Section == "Verify" {
			last = s.sh(block.Text)
		}
	}
	if !strings.Contains(last, "tolerations:") {
		s.Errorf("the printed pod has no toleration:\n%s", last)
	}
	if strings.Contains(last, "Warning:") {
		s.Errorf("the sample causes a warning:\n%s", last)
	}
}

// calls creates many pods one after the other: each is placed.
func (s *step) calls() error {
	for i := range 20 {
		if err := works(); err != nil {
			return fmt.Errorf("round %d: %w", i, err)
		}
	}
	return nil
}

func nothingHappens(s *step) { time.Sleep(3 * time.Second) }

func samplesFit(s *step) {
	out := s.sh(`kubectl apply --dry-run=server -f - <<'EOF'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      nodeSelector: {kubernetes.io/os: windows}
      containers: [{name: agent, image: registry.example/agent:1}]
EOF`)
	warning := lineWith(out, "Warning:")
	if !strings.Contains(warning, "build") {
		s.Errorf("a DaemonSet that names no build, with taints for each build, is told nothing:\n%s", out)
	}
	s.sawf("%s", warning)
}

func labelTypos(s *step) {
	s.sh("kubectl create namespace typos")
	for _, label := range []string{"winadmit.dev/mode=enforced", "winadmit.dev/mode=Off", "winadmit.dev/default-os=Windows"} {
		out, err := shell.Run("kubectl label namespace typos --overwrite "+label, time.Minute)
		_, value, _ := strings.Cut(label, "=")
		if !strings.Contains(out, "Warning:") && err == nil || !strings.Contains(out, value) {
			s.Errorf("%s: neither a warning nor a refusal: %s", label, out)
		}
	}
	out := s.sh("kubectl label namespace typos --overwrite winadmit.dev/mode=warn winadmit.dev/default-os=windows")
	if strings.Contains(out, "Warning:") {
		s.Errorf("labels with right values: %s", out)
	}
	s.sh("kubectl delete namespace typos --wait=false")
	out, _ = shell.Run(`build/release/winadmit check -f - <<'EOF'
apiVersion: v1
kind: Namespace
metadata: {name: typos, labels: {winadmit.dev/mode: enforced}}
EOF`, time.Minute)
	if !strings.Contains(out, "enforced") {
		s.Errorf("check says nothing about the label: %q", out)
	}
}

func refusedReplicaSet(s *step) {
	s.sh(`kubectl create namespace refused
kubectl -n refused create -f - <<'EOF'
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {kubernetes.io/os: windows}
      hostPID: true
      hostIPC: true
      containers: [{name: main, image: registry.example/app:1}]
EOF`)
	var line string
	s.eventually("the event of the ReplicaSet", func() error {
		out := s.paste("docs/manifests.md", "When the cluster refuses a pod", "reason=FailedCreate")
		if line = lineWith(out, "replicaset/web"); line == "" {
			return fmt.Errorf("no event:\n%s", out)
		}
		return nil
	})
	for _, want := range []string{"host-pid", "host-ipc", "spec.hostPID", "no host"} {
		if !strings.Contains(line, want) {
			s.Errorf("the line of kubectl get events does not contain %q: %s", want, line)
		}
	}
	_, message, _ := strings.Cut(line, "replicaset/web")
	s.sawf("%q", strings.TrimSpace(message))
	s.sh("kubectl delete namespace refused --wait=false")
}

// While one of two replicas does not answer, a Windows pod may be refused, so that its controller retries, and no Windows pod
// may be stored without a toleration.
func (s *step) oneReplicaFails() {
	s.mayLose("the API server calls a replica that does not answer", windowsPods, unsupportedPods)
	s.Cleanup(func() {
		if c := s.streams[windowsPods].Counts(); c.Unplaced > 0 {
			s.Errorf("%d Windows pods were stored without a toleration, the first: %s", c.Unplaced, c.First)
		}
	})
}

func oneReplicaIsKilled(s *step) {
	s.oneReplicaFails()
	s.signal(s.busiest(), syscall.SIGKILL)
	time.Sleep(time.Second)
	s.recovered()
	s.sawf("%d of the creates in between failed", s.lost(windowsPods))
}

func oneReplicaIsFrozen(s *step) {
	s.oneReplicaFails()
	pod := s.busiest()
	s.signal(pod, syscall.SIGSTOP)
	s.eventually("it does not answer", func() error { // a busy machine needs a moment to stop each of its threads
		if cluster.IsReady("http://" + text(pod, "status", "podIP") + ":8080") {
			return errors.New("it is ready")
		}
		return nil
	})
	if testing.Short() {
		time.Sleep(8 * time.Second) // until its readiness probe has failed twice
		s.signal(pod, syscall.SIGCONT)
	} else {
		time.Sleep(35 * time.Second) // until its liveness probe has failed three times
	}
	s.recovered()
	c := s.streams[windowsPods].Counts()
	s.sawf("%d of the creates in between failed, the slowest took %s", c.Lost(), c.Max.Round(100*time.Millisecond))
	if limit := 2*timeoutOf(s) + 2*time.Second; c.Max > limit {
		s.Errorf("a create took %s, more than both timeouts", c.Max)
	}
}

// timeoutOf returns the longest timeout of the webhooks.
func timeoutOf(s *step) time.Duration {
	longest := 0.0
	for _, webhook := range s.webhooks() {
		if seconds, _ := at(webhook, "timeoutSeconds").(float64); seconds > longest {
			longest = seconds
		}
	}
	return time.Duration(longest) * time.Second
}

func (s *step) signal(pod any, signal syscall.Signal) {
	s.Helper()
	if err := kubelet.Signal(text(pod, "metadata", "uid"), signal); err != nil {
		s.Fatal(err)
	}
}

// busiest returns the replica that answers more of the streams' requests now. The API server keeps connections, so one of
// two replicas may have few.
func (s *step) busiest() any {
	s.Helper()
	pods := s.servers()
	before := make([]float64, len(pods))
	for i, pod := range pods {
		before[i] = -answered(pod)
	}
	time.Sleep(time.Second)
	most := 0
	for i, pod := range pods {
		before[i] += answered(pod)
		if before[i] > before[most] {
			most = i
		}
	}
	s.sawf("the replica had %.0f of %.0f requests", before[most], sum(before))
	return pods[most]
}

// answered returns how many requests a replica has answered.
func answered(pod any) (count float64) {
	values, _ := cluster.Metrics("http://" + text(pod, "status", "podIP") + ":8080")
	for name, value := range values {
		if strings.HasPrefix(name, "winadmit_requests_total{") {
			count += value
		}
	}
	return count
}

func sum(values []float64) (total float64) {
	for _, value := range values {
		total += value
	}
	return total
}

func firstAidThenApply(s *step) {
	s.mayLose("no replica runs", windowsPods, unsupportedPods)
	s.sh("kubectl -n " + system + " scale deployment/winadmit --replicas=0")
	s.eventually("creates fail", func() error {
		if s.streams[windowsPods].Counts().Failed == 0 {
			return fmt.Errorf("none has failed")
		}
		return nil
	})
	s.paste(runbook, "Runbook", "failurePolicy")
	s.eventually("Windows pods are admitted", func() error {
		before := s.streams[windowsPods].Counts()
		time.Sleep(time.Second)
		if after := s.streams[windowsPods].Counts(); after.Failed > before.Failed || after.Sent == before.Sent {
			return fmt.Errorf("still refused: %s", after.Last)
		}
		return nil
	})
	s.applies()
	s.sh("kubectl -n " + system + " rollout status deployment/winadmit --timeout=90s")
	s.recovered()
	s.policiesAreFailAgain()
}

// policiesAreFailAgain fails the step unless the webhooks that enforce have failurePolicy Fail.
func (s *step) policiesAreFailAgain() {
	s.Helper()
	for _, webhook := range s.webhooks() {
		if text(webhook, "name") == "validate.winadmit.dev" && text(webhook, "failurePolicy") != "Fail" {
			s.Errorf("the apply has left failurePolicy %s", text(webhook, "failurePolicy"))
		}
	}
}

func configurationsDeletedThenApply(s *step) {
	s.mayLose("nothing calls winadmit", windowsPods, unsupportedPods)
	s.paste(operations, blocked, "kubectl delete validatingwebhookconfiguration")
	time.Sleep(2 * time.Second)
	if c := s.streams[windowsPods].Counts(); c.Failed > 0 {
		s.Errorf("%d Windows pods were refused without the configurations: %s", c.Failed, c.First)
	}
	s.paste(operations, blocked, "apply -k")
	s.recovered()
}

func secretIsLost(s *step, recover func()) {
	s.mayLose("the new CA is trusted before both replicas have its pair", windowsPods, unsupportedPods)
	s.sh("kubectl -n " + system + " delete secret winadmit-tls")
	time.Sleep(2 * time.Second)
	if lost := s.lost(windowsPods); lost > 0 {
		s.Errorf("%d creates failed as soon as the Secret was lost", lost)
	}
	recover()
	s.eventually("the Secret has a pair", func() error {
		if text(s.get("/api/v1/namespaces/"+system+"/secrets/winadmit-tls"), "data", "tls.crt") == "" {
			return fmt.Errorf("it has none")
		}
		return nil
	})
	s.recovered()
}

// recipe runs the commands of the entry of the runbook whose heading contains these words, in order.
func (s *step) recipe(words string) {
	s.Helper()
	ran := 0
	for _, block := range s.page(runbook).Blocks {
		if strings.Contains(strings.ToLower(block.Section), strings.ToLower(words)) {
			s.Logf("%s", block)
			s.sh(block.Text)
			ran++
		}
	}
	if ran == 0 {
		s.Fatalf("the runbook has no commands in an entry about %q", words)
	}
}

func deleteThenApply(s *step) {
	s.mayLose("winadmit is removed", windowsPods, unsupportedPods)
	s.paste(rollout, "Remove", "delete -k")
	s.applies()
	s.verify()
	s.recovered()
}

func removesByKustomize(s *step) {
	s.mayLose("winadmit is removed", windowsPods, unsupportedPods)
	s.paste(rollout, "Remove", "delete -k")
	time.Sleep(2 * time.Second)
	if c := s.streams[windowsPods].Counts(); c.Failed > 0 {
		s.Errorf("%d Windows pods were refused: %s", c.Failed, c.First)
	}
	s.nothingIsLeft()
}

// lineWith returns the first line that contains a text, or "".
func lineWith(lines, text string) string {
	for _, line := range strings.Split(lines, "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}
