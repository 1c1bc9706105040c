// Package suite is the life of a test package that has one cluster for all its tests.
package suite

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// Run is TestMain for a package whose tests share one cluster: it starts the cluster, lets
// prepare make what else they share, runs them, and takes all of it down, whatever ends first. The
// function that prepare returns, if any, runs before the cluster stops. name tells the package's runs
// from another's.
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
	defer close(finished) // before the deferred cancel, which would look like Ctrl-C
	go func() {
		select {
		case <-finished:
			return
		case <-ctx.Done(): // Ctrl-C, or whoever started the tests is gone
		}
		cleanUp()
		c.Stop()
		os.Exit(130)
	}()
	return m.Run(), nil
}
