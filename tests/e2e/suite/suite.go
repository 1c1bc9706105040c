// Package suite runs the tests of a package with one cluster for all of them.
package suite

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// Run is TestMain for a package whose tests share one cluster. It starts the cluster, calls prepare, runs the tests, and
// stops the cluster. The function that prepare returns, if any, runs before the cluster stops. The name is part of the
// folder of the run.
func Run(m *testing.M, name string, prepare func(*cluster.Cluster) (func(), error)) {
	dir := cluster.RunDir(name)
	code, err := run(m, dir, prepare)
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		code = 2
	}
	if code == 0 {
		os.RemoveAll(dir)
	} else {
		fmt.Fprintln(os.Stderr, name+": the logs of every component are in", dir+"/logs")
	}
	os.Exit(code)
}

func run(m *testing.M, dir string, prepare func(*cluster.Cluster) (func(), error)) (int, error) {
	ctx, cancel := cluster.Lifetime()
	defer cancel()
	c, err := cluster.Start(dir)
	if err != nil {
		return 2, err
	}
	defer c.Stop()
	cleanUp, err := prepare(c)
	if cleanUp == nil {
		cleanUp = func() {}
	}
	cleanUp = sync.OnceFunc(cleanUp)
	defer cleanUp()
	if err != nil {
		return 2, err
	}
	finished := make(chan struct{})
	defer close(finished) // runs before the deferred cancel, which would look like Ctrl-C
	go func() {
		select {
		case <-finished:
			return
		case <-ctx.Done(): // Ctrl-C, or the parent process has ended
		}
		cleanUp()
		c.Stop()
		os.Exit(130)
	}()
	return m.Run(), nil
}
