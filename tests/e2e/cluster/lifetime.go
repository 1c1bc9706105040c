package cluster

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Lifetime is a context that ends on Ctrl-C, on SIGTERM, and when the process that started us is
// gone, so that nobody's cluster runs on unseen.
func Lifetime() (context.Context, context.CancelFunc) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for parent := os.Getppid(); os.Getppid() == parent; {
			time.Sleep(500 * time.Millisecond)
		}
		cancel()
	}()
	return ctx, cancel
}

// RunDir names a folder for this run of the named program below build/e2e, and removes those of runs that are over.
func RunDir(name string) string {
	top := filepath.Join(Root(), "build", "e2e")
	runs, _ := filepath.Glob(filepath.Join(top, "*-run-*"))
	for _, run := range runs {
		_, id, _ := strings.Cut(filepath.Base(run), "-run-")
		if pid, err := strconv.Atoi(id); err == nil && syscall.Kill(pid, 0) != nil {
			os.RemoveAll(run)
		}
	}
	return filepath.Join(top, fmt.Sprintf("%s-run-%d", name, os.Getpid()))
}
