package deploy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/docs"
	"winadmit/tests/e2e/stream"
)

// The tests of docs/gitops.md. There is no Argo CD and no Flux here: their tests do what these do with the values of the page.

// valuesOfPage writes the mapping below a key of docs/gitops.md, such as "valuesObject", to a file.
func valuesOfPage(t *testing.T, key string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(cluster.Root(), "docs/gitops.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^( +)` + key + `:\n((?: .*\n)+)`).FindSubmatch(page)
	if found == nil {
		t.Fatalf("docs/gitops.md has no mapping %s", key)
	}
	var values strings.Builder
	for _, line := range strings.SplitAfter(string(found[2]), "\n") {
		if !strings.HasPrefix(line, string(found[1])+" ") {
			break
		}
		values.WriteString(line)
	}
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(values.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Argo CD applies what `helm template` prints, and runs the hook as its annotations say.
type application struct {
	t               *testing.T
	manifests, hook string
}

var (
	hookOf = regexp.MustCompile(`argocd\.argoproj\.io/hook: "?Sync`)
	nameOf = regexp.MustCompile(`(?m)^  name: "?([a-z0-9-]+)`)
)

func render(t *testing.T, flags ...string) application {
	t.Helper()
	a := application{t: t}
	text := helm(t, append([]string{"template", "winadmit", chart, "--namespace", system, "--kube-version", cluster.NewestRelease() + ".0",
		"--values", valuesOfPage(t, "valuesObject")}, flags...)...)
	for _, document := range regexp.MustCompile(`(?m)^---.*$`).Split(text, -1) {
		switch {
		case !strings.Contains(document, "\nkind: "), strings.Contains(document, "helm.sh/hook: test"): // Argo CD ignores it
		case hookOf.MatchString(document):
			a.hook = document
		default:
			a.manifests += "---\n" + document
		}
	}
	if a.hook == "" {
		t.Fatalf("no hook:\n%s", text)
	}
	return a
}

var argo = []string{"--server-side", "--field-manager=argocd-controller"}

func (a application) sync() {
	a.t.Helper()
	apply := append([]string{"apply", "--validate=strict", "-f", "-"}, argo...)
	job := nameOf.FindStringSubmatch(a.hook)[1]
	kubectl(a.t, "", "-n", system, "delete", "job", job, "--ignore-not-found") // BeforeHookCreation
	kubectl(a.t, a.manifests, apply...)
	kubectl(a.t, a.hook, apply...)
	waitForJob(a.t, job)
	kubectl(a.t, "", "-n", system, "delete", "job", job) // HookSucceeded
	rolledOut(a.t)
}

func TestApplicationOfThePageSyncsAndIsDeletedWithoutARefusedPod(t *testing.T) {
	createNamespace(t)
	linuxPods := startStream(t, "Linux pods, from before the first sync until after the deletion", linux, admitted)
	first := render(t)
	first.sync()
	ca := secret(t, "winadmit-tls", "ca.crt")
	t.Run("NothingDrifts", func(t *testing.T) {
		expectNoDrift(t, first.manifests, append([]string{"-f", "-"}, argo...)...)
	})
	t.Run("AnotherSyncFailsNoRequestAndKeepsTheCA", func(t *testing.T) {
		streams := startStreams(t)
		render(t, "--set", "podAnnotations.sync=another").sync()
		streams.stop()
		if all := bundles(t); len(all) != 1 || all[0] != ca {
			t.Error("the CA has changed")
		}
	})
	t.Run("AJobThatCannotStartFails", func(t *testing.T) {
		failing := regexp.MustCompile(`activeDeadlineSeconds: \d+`).ReplaceAllString(first.hook, "activeDeadlineSeconds: 3")
		failing = strings.Replace(failing, "image: registry.example/winadmit", "image: "+previousRepository, 1) // there is none
		job := nameOf.FindStringSubmatch(failing)[1]
		kubectl(t, failing, "apply", "--validate=strict", "-f", "-")
		kubectl(t, "", "-n", system, "wait", "--for=condition=Failed", "job/"+job, "--timeout=60s")
		kubectl(t, "", "-n", system, "delete", "job", job)
	})
	anyPods := startStream(t, "Windows pods, placed or not", windows, stream.Accepted)
	deleteConfigurations(t)
	kubectl(t, first.manifests, "delete", "--ignore-not-found", "-f", "-")
	anyPods.stop()
	linuxPods.stop()
	expectNothingLeft(t)
}

// Kubernetes deletes the Job a day after its end. Helm and Flux must not need it.
func TestReleaseIsUpgradedAndRolledBackWithoutTheJobOfTheLastRevision(t *testing.T) {
	createNamespace(t)
	values := []string{"--values", valuesOfPage(t, "values"), "--timeout=90s"}
	wait := []string{"--wait", "--wait-for-jobs"}
	release(t, "install", append(values, wait...)...)
	rolledOut(t)
	ca := secret(t, "winadmit-tls", "ca.crt")
	forget := func() {
		kubectl(t, "", "-n", system, "delete", "job", "-l", "app.kubernetes.io/component=certs")
	}
	rollback := []string{"rollback", "winadmit", "1", "--namespace", system, "--timeout=90s"}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"UpgradeThatWaits", func() { release(t, "upgrade", append(values, wait...)...) }},
		{"UpgradeThatDoesNotWait", func() { release(t, "upgrade", values...) }},
		{"RollbackThatWaits", func() { helm(t, append(rollback, wait...)...) }},
		{"RollbackThatDoesNotWait", func() { helm(t, rollback...) }},
	} {
		t.Run(step.name, func(t *testing.T) {
			forget()
			streams := startStreams(t)
			step.do()
			kubectl(t, "", "-n", system, "wait", "--for=condition=Complete", "job", "-l", "app.kubernetes.io/component=certs", "--timeout=90s")
			streams.stop()
			if all := bundles(t); len(all) != 1 || all[0] != ca {
				t.Error("the CA has changed")
			}
		})
	}
	uninstallRelease(t)
}

func TestPermissionsOfThePageAreEnoughForAPipeline(t *testing.T) {
	createNamespace(t)
	page, err := docs.Read(cluster.Root(), "docs/gitops.md")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(page.Files, func(b docs.Block) bool { return b.File == "installer.yaml" })
	if at < 0 {
		t.Fatal("docs/gitops.md has no installer.yaml")
	}
	kubectl(t, page.Files[at].Text, "apply", "--validate=strict", "-f", "-")
	t.Cleanup(func() { kubectl(t, page.Files[at].Text, "delete", "--ignore-not-found", "-f", "-") })
	as := []string{"--kube-as-user", "system:serviceaccount:" + system + ":installer", "--wait", "--timeout=90s"}
	release(t, "install", append(as, "--wait-for-jobs")...)
	rolledOut(t)
	release(t, "upgrade", append(as, "--set", "podAnnotations.upgrade=yes")...)
	helm(t, append([]string{"rollback", "winadmit", "1", "--namespace", system}, as...)...)
	pods := startStream(t, "Windows pods, placed or not", windows, stream.Accepted)
	helm(t, append([]string{"uninstall", "winadmit", "--namespace", system}, as...)...)
	pods.stop()
	expectNothingLeft(t)
}
