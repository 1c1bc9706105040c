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

// Lifetime returns a context that is cancelled by Ctrl-C, by SIGTERM, and when the parent process ends, so that no cluster
// is left running.
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

// RunDir returns a folder in build/e2e for this run of a program, and removes the folders of finished runs.
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
