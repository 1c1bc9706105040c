package verbatim

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/deploy"
	"winadmit/tests/e2e/docs"
	"winadmit/tests/e2e/stream"
)

// What must be installed before a block, by its commands. A page shows several ways one below the other; a reader follows one.
const (
	anything       = "anything"
	nothing        = "nothing"
	byHelm         = "a release of the chart"
	bySelfSigned   = "the overlay self-signed"
	anInstallation = "an installation"
)

var (
	installsChart   = regexp.MustCompile(`helm (install|upgrade --install|upgrade -i) `)
	usesRelease     = regexp.MustCompile(`helm (upgrade|rollback|uninstall|test|get|status|history) `)
	writesOverlay   = regexp.MustCompile(`mkdir -p my-cluster`)
	appliesOverlay  = regexp.MustCompile(`kubectl apply .*-k `)
	usesOverlay     = regexp.MustCompile(`kubectl (delete|diff) .*-k |rollout undo`)
	usesObjects     = regexp.MustCompile(`(webhookconfiguration|winadmit-system|deployment/winadmit|deploy/winadmit)`)
	createsIt       = regexp.MustCompile(`kubectl create namespace winadmit-system`)
	needsMonitoring = regexp.MustCompile(`serviceMonitor|prometheusRule|observability`)
)

// needs returns the state in which a reader would run the block.
func needs(b docs.Block) string {
	switch {
	case installsChart.MatchString(b.Text), createsIt.MatchString(b.Text):
		return nothing
	case usesRelease.MatchString(b.Text):
		return byHelm
	case appliesOverlay.MatchString(b.Text) && (writesOverlay.MatchString(b.Text) || strings.Contains(b.Text, "deploy/kustomize/")):
		return nothing
	case appliesOverlay.MatchString(b.Text), usesOverlay.MatchString(b.Text):
		return bySelfSigned
	case usesObjects.MatchString(b.Text):
		return anInstallation
	}
	return anything
}

func TestTheStateThatABlockNeedsFollowsFromItsCommands(t *testing.T) {
	for _, each := range []struct{ page, text, want string }{
		{"docs/install.md", "mkdir -p my-cluster\nkubectl apply -k my-cluster", nothing},
		{"docs/rollout.md", "kubectl apply -k my-cluster", bySelfSigned},
		{"docs/install.md", "helm install winadmit deploy/helm/winadmit", nothing},
		{"docs/install.md", "helm install winadmit x\nhelm upgrade winadmit x", nothing},
		{"docs/rollout.md", "helm rollback winadmit", byHelm},
		{"docs/rollout.md", "kubectl label namespace --all winadmit.dev/mode=audit", anything},
		{"docs/operations.md", "kubectl delete mutatingwebhookconfiguration 00-winadmit", anInstallation},
	} {
		if got := needs(docs.Block{Page: each.page, Text: each.text}); got != each.want {
			t.Errorf("%s: %s needs %s, not %s", each.page, each.text, each.want, got)
		}
	}
}

// prepare brings the cluster into the state that a block needs.
func (r *run) prepare(t *testing.T, b docs.Block) {
	t.Helper()
	if strings.Contains(b.Text, "cert-manager") || strings.Contains(b.Text, "certManager") {
		r.startCertManager(t)
	}
	if needsMonitoring.MatchString(b.Text) {
		r.applyMonitoringCRDs(t)
	}
	switch want := needs(b); want {
	case nothing:
		r.uninstall(t)
	case bySelfSigned, byHelm, anInstallation:
		have := r.installed(t)
		if have == byHelm && strings.Contains(b.Text, "certManager.transition") && r.hasOwnSecret(t) {
			have = anInstallation // the page changes from winadmit's own certificates, or to them
		}
		if have != want && (have == nothing || want != anInstallation) {
			r.uninstall(t)
			r.install(t, want)
		}
	}
	if strings.Contains(b.Text, "/validate/audit") {
		r.findInAudit(t)
	}
	if strings.Contains(b.Text, "rollout undo") { // there must be an earlier revision
		if _, _, err := shared.API.Kubectl("", "-n", system, "rollout", "restart", "deployment/winadmit"); err != nil {
			t.Fatal(err)
		}
	}
}

// installed returns what is installed now.
func (r *run) installed(t *testing.T) string {
	t.Helper()
	if r.releases(t) != "" {
		return byHelm
	}
	out, _, err := shared.API.Kubectl("", "get", "mutatingwebhookconfiguration,validatingwebhookconfiguration", "-o", "name")
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(out) != "" && r.running() {
		return bySelfSigned
	}
	return nothing
}

// hasOwnSecret reports whether the reader has brought the certificate of the release.
func (r *run) hasOwnSecret(t *testing.T) bool {
	t.Helper()
	values, err := r.helm("get", "values", "winadmit", "--namespace", system)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(values, "existingSecret")
}

func (r *run) running() bool {
	_, _, err := shared.API.Kubectl("", "-n", system, "get", "deployment", "winadmit")
	return err == nil
}

// install runs the first block of the page that installs in this way.
func (r *run) install(t *testing.T, want string) {
	t.Helper()
	page, err := docs.Read(r.checkout, "docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range page.Blocks {
		if want == byHelm && installsChart.MatchString(block.Text) ||
			want != byHelm && appliesOverlay.MatchString(block.Text) {
			t.Logf("first %s", block)
			if out, err := r.session.Run(block.Text, limit); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			r.awaitCalls(t)
			return
		}
	}
	t.Fatalf("docs/install.md does not install %s", want)
}

// uninstall removes every installation, whatever is left of it.
func (r *run) uninstall(t *testing.T) {
	t.Helper()
	labelled := []string{"-l", "app.kubernetes.io/name=winadmit", "--ignore-not-found"}
	shared.API.Kubectl("", append([]string{"delete", "mutatingwebhookconfiguration,validatingwebhookconfiguration"}, labelled...)...)
	for _, release := range strings.Fields(r.releases(t)) {
		name, namespace, _ := strings.Cut(release, "/")
		r.helm("uninstall", name, "--namespace", namespace, "--no-hooks")
		shared.API.Kubectl("", "delete", "namespace", namespace, "--ignore-not-found", "--timeout=90s")
	}
	kinds := "clusterrole,clusterrolebinding,validatingadmissionpolicy,validatingadmissionpolicybinding"
	shared.API.Kubectl("", append([]string{"delete", kinds}, labelled...)...)
	if _, _, err := shared.API.Kubectl("", "delete", "namespace", system, "--ignore-not-found", "--timeout=90s"); err != nil {
		t.Fatal(err)
	}
	shared.API.Kubectl("", "label", "namespace", "--all", "winadmit.dev/mode-", "winadmit.dev/default-os-")
	shared.API.Kubectl("", "label", "namespace", "calls", "winadmit.dev/mode=enforce") // whatever the default mode is
	os.RemoveAll(filepath.Join(r.checkout, "my-cluster"))
}

// releases returns NAME/NAMESPACE of each release of Helm.
func (r *run) releases(t *testing.T) string {
	t.Helper()
	out, err := r.helm("list", "-A", "-a", "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct{ Name, Namespace string }
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, each := range all {
		names += each.Name + "/" + each.Namespace + " "
	}
	return names
}

// awaitCalls waits until the API server calls both webhooks, and fails the test if it does not.
func (r *run) awaitCalls(t *testing.T) {
	t.Helper()
	var err error
	create := stream.DryRun(shared.API, "calls")
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		var reply cluster.Reply
		if reply, err = create(stream.Unsupported); err == nil {
			if err = stream.Refused(reply); err == nil {
				return
			}
		}
	}
	t.Fatalf("the API server does not call winadmit: %v", err)
}

// findInAudit waits until the log of a replica has a finding in mode audit.
func (r *run) findInAudit(t *testing.T) {
	t.Helper()
	create := stream.DryRun(shared.API, "team-a")
	log := ""
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(time.Second) {
		if _, err := create(stream.Unsupported); err != nil {
			t.Fatal(err)
		}
		log, _, _ = shared.API.Kubectl("", "-n", system, "logs", "-l", "app.kubernetes.io/component=webhook", "--tail=-1")
		if strings.Contains(log, "/validate/audit") {
			return
		}
	}
	t.Fatalf("no request in mode audit is logged:\n%s", log)
}

func (r *run) startCertManager(t *testing.T) {
	t.Helper()
	if r.certManager {
		return
	}
	if _, err := deploy.StartCertManager(shared); err != nil { // it stops with the cluster
		t.Fatal(err)
	}
	r.certManager = true
}

// applyMonitoringCRDs applies the custom resource definitions of the Prometheus operator.
func (r *run) applyMonitoringCRDs(t *testing.T) {
	t.Helper()
	module, err := cluster.Module("manifests", "github.com/prometheus-operator/prometheus-operator")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"servicemonitors", "prometheusrules"} {
		file := filepath.Join(module, "example/prometheus-operator-crd/monitoring.coreos.com_"+kind+".yaml")
		if _, _, err := shared.API.Kubectl("", "apply", "--server-side", "-f", file); err != nil {
			t.Fatal(err)
		}
	}
}

func (r *run) helm(arguments ...string) (string, error) {
	command := exec.Command(shared.Programs["helm"], arguments...)
	command.Env = append(os.Environ(), r.environment...)
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("helm %s: %w\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out), err
}
