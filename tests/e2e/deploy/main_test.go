package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"winadmit/tests/e2e/cluster"
)

var shared *cluster.Cluster

func TestMain(m *testing.M) {
	dir := cluster.RunDir() + "-deploy"
	code, err := run(m, dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e/deploy:", err)
		code = 2
	}
	if code == 0 {
		os.RemoveAll(dir)
	} else {
		fmt.Fprintln(os.Stderr, "e2e/deploy: the logs of every component are in", dir+"/logs")
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
	image, err := BuildImage(filepath.Join(c.Dir, "image"))
	if err != nil {
		return 2, err
	}
	host, err := NewHost(c, image)
	if err != nil {
		return 2, err
	}
	defer host.Close()
	finished := make(chan struct{})
	defer close(finished)
	go func() {
		select {
		case <-finished:
			return
		case <-ctx.Done(): // Ctrl-C, or whoever started the tests is gone
		}
		host.Close()
		c.Stop()
		os.Exit(130)
	}()
	shared = c
	return m.Run(), nil
}
