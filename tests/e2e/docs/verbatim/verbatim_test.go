package verbatim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/deploy"
	"winadmit/tests/e2e/docs"
	"winadmit/tests/e2e/suite"
)

const (
	system = "winadmit-system"
	limit  = 3 * time.Minute // for a block
)

var (
	shared *cluster.Cluster
	reader *run
)

func TestMain(m *testing.M) {
	suite.Run(m, "docs", func(c *cluster.Cluster) (func(), error) {
		shared = c
		registry, err := startRegistry(c, filepath.Join(c.Dir, "home"))
		if err != nil {
			return nil, err
		}
		kubelet, err := deploy.StartPullingKubelet(c, registry.pull)
		if err != nil {
			return nil, err
		}
		reader, err = newRun(c, registry)
		return kubelet.Stop, err
	})
}

// run is what the blocks share: the clone of the checkout and the environment.
type run struct {
	checkout    string
	registry    *registry
	environment []string
	session     *docs.Session
	certManager bool
}

func newRun(c *cluster.Cluster, registry *registry) (*run, error) {
	r := &run{checkout: filepath.Join(c.Dir, "checkout"), registry: registry}
	if err := docs.Clone(r.checkout); err != nil {
		return nil, err
	}
	var err error
	if r.environment, err = docs.Environment(c, c.Dir); err != nil {
		return nil, err
	}
	// The binary in build/release is the one that is tested. To compile it again is what other stages do.
	if err := os.WriteFile(filepath.Join(c.Dir, "bin", "cmake"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		return nil, err
	}
	// The namespaces of the pages, and one of this test that no page labels.
	for _, name := range []string{"team-a", "calls"} {
		if _, _, err := c.API.Kubectl("", "create", "namespace", name); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func TestEveryBlockOfCommandsRunsAsItStands(t *testing.T) {
	all, err := pages(reader.checkout)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range all {
		if len(page.Blocks) == 0 {
			continue
		}
		t.Run(strings.ReplaceAll(page.Path, "/", "-"), func(t *testing.T) { reader.follow(t, page) })
	}
}

// follow runs the blocks of a page in one shell.
func (r *run) follow(t *testing.T, page *docs.Page) {
	var err error
	if r.session, err = docs.NewSession(r.checkout, shared.Logs, r.environment, r.registry.wrapper()...); err != nil {
		t.Fatal(err)
	}
	defer r.session.Close()
	for _, file := range page.Files {
		if err := os.WriteFile(filepath.Join(r.checkout, file.File), []byte(file.Text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, block := range page.Blocks {
		t.Run(fmt.Sprintf("line %d: %s", block.Line, strings.NewReplacer("/", "_", " ", "_").Replace(block.FirstLine())), func(t *testing.T) {
			if why := reasonNotToRun(block); why != "" {
				t.Skip(why)
			}
			r.prepare(t, block)
			out, err := r.session.Run(block.Text, limit)
			t.Logf("%s\n%s", block.Text, out)
			for _, failure := range failures(err) {
				t.Errorf("%s: %s", block, failure)
			}
			r.keepsItsPromise(t, block, out)
		})
	}
}

// keepsItsPromise checks what a page says that a block does, beyond its exit codes.
func (r *run) keepsItsPromise(t *testing.T, block docs.Block, out string) {
	t.Helper()
	switch {
	case t.Failed():
	case strings.Contains(block.Text, "kubectl run web") && strings.Contains(block.Text, "-o yaml") && !strings.Contains(out, "tolerations:"):
		t.Errorf("%s: the pod has no toleration that one did not write", block)
	case strings.Contains(block.Text, "/validate/audit") && !strings.Contains(out, " team-a "):
		t.Errorf("%s: no finding of team-a is counted", block)
	case installsChart.MatchString(block.Text) || appliesOverlay.MatchString(block.Text):
		r.awaitCalls(t)
	}
}
