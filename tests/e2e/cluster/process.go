package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// Process is one component: its own process group, its output in a file, never outliving us.
type Process struct {
	Name    string
	LogFile string
	cmd     *exec.Cmd
	done    chan struct{}
}

// launches runs on one OS thread that lives as long as we do: the kernel sends Pdeathsig when the
// *thread* that forked ends, and the Go runtime ends threads as it likes.
var launches = func() chan func() {
	queue := make(chan func())
	go func() {
		runtime.LockOSThread()
		for launch := range queue {
			launch()
		}
	}()
	return queue
}()

// launch starts bin with its output in logs/NAME.log. Whatever ends us - a panic, SIGKILL - ends it.
func launch(name, logs, bin string, args ...string) (*Process, error) {
	logFile := filepath.Join(logs, name+".log")
	out, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := exec.Command(bin, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}

	started := make(chan error)
	launches <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &Process{Name: name, LogFile: logFile, cmd: cmd, done: make(chan struct{})}
	go func() {
		cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Pid is the process id, which is its group's id too.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Running says whether the process has not ended yet.
func (p *Process) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Signal sends a signal to the whole process group.
func (p *Process) Signal(signal syscall.Signal) {
	if p.Running() {
		syscall.Kill(-p.Pid(), signal)
	}
}

// Stop asks the process to end, insists after the grace period, and returns its exit code.
func (p *Process) Stop(grace time.Duration) int {
	if grace > 0 {
		p.Signal(syscall.SIGCONT) // a stopped process would never see the next one
		p.Signal(syscall.SIGTERM)
		select {
		case <-p.done:
		case <-time.After(grace):
		}
	}
	p.Signal(syscall.SIGKILL)
	<-p.done
	return p.cmd.ProcessState.ExitCode()
}

// await polls ready until it holds; a process that ends meanwhile is an error that quotes its log.
func (p *Process) await(timeout time.Duration, ready func() bool) error {
	deadline := time.Now().Add(timeout)
	for !ready() {
		switch {
		case !p.Running():
			return fmt.Errorf("%s ended:\n%s", p.Name, tail(p.LogFile))
		case time.Now().After(deadline):
			return fmt.Errorf("%s is not ready after %s:\n%s", p.Name, timeout, tail(p.LogFile))
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

func tail(file string) string {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return "(no log)"
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-15):], []byte("\n")))
}
