// Package e2e proves winadmit where it lives: behind a real kube-apiserver. Each test is named by
// its claim and has namespaces of its own; all share one control plane and one winadmit.
package e2e

import (
	"fmt"
	"os"
	"testing"

	"winadmit/tests/e2e/cluster"
)

var (
	shared   *cluster.Cluster
	winadmit *cluster.Winadmit // judges every namespace that has no other instance of its own
)

func TestMain(m *testing.M) {
	dir := cluster.RunDir()
	code, err := run(m, dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 2
	}
	if code == 0 {
		os.RemoveAll(dir)
	} else {
		fmt.Fprintln(os.Stderr, "e2e: the logs of every component are in", dir+"/logs")
	}
	os.Exit(code)
}

func run(m *testing.M, dir string) (int, error) {
	ctx, cancel := cluster.Lifetime()
	defer cancel()
	c, err := cluster.Start(dir)
	if err != nil {
		return 2, err
	}
	defer c.Stop()
	finished := make(chan struct{})
	defer close(finished) // before the deferred cancel, which would look like Ctrl-C
	go func() {
		select {
		case <-finished:
			return
		case <-ctx.Done(): // Ctrl-C, or whoever started the tests is gone
		}
		c.Stop()
		os.Exit(130)
	}()
	shared = c
	if winadmit, err = c.StartWinadmit("winadmit", cluster.TwoBuilds); err != nil {
		return 2, err
	}
	if err := winadmit.Intercept(""); err != nil {
		return 2, err
	}
	if err := waitUntilJudged(); err != nil {
		return 2, err
	}
	return m.Run(), nil
}

// testConfig is what every winadmit here serves with.
func testConfig() string { return cluster.TwoBuilds }
