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

// Process is a child process in its own process group, with its output in a file. It ends with this process.
type Process struct {
	Name    string
	LogFile string
	cmd     *exec.Cmd
	done    chan struct{}
}

// launches starts processes on one OS thread that never ends: the kernel sends Pdeathsig when the thread that forked ends,
// and the Go runtime may end threads.
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

// Launch starts a program with its output in LOGS/NAME.log. It is killed when this process ends, even by SIGKILL.
func Launch(name, logs, bin string, args ...string) (*Process, error) {
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

// Pid returns the process id, which is also the id of the process group.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Running reports whether the process has not exited.
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

// Stop sends SIGTERM, and SIGKILL after the grace period. It returns the exit code.
func (p *Process) Stop(grace time.Duration) int {
	if grace > 0 {
		p.Signal(syscall.SIGCONT) // a suspended process would not get SIGTERM
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

// Await polls until ready returns true. The error contains the end of the log if the process exits or the time is over.
func (p *Process) Await(timeout time.Duration, ready func() bool) error {
	deadline := time.Now().Add(timeout)
	for !ready() {
		switch {
		case !p.Running():
			return fmt.Errorf("%s exited:\n%s", p.Name, p.LogTail())
		case time.Now().After(deadline):
			return fmt.Errorf("%s is not ready after %s:\n%s", p.Name, timeout, p.LogTail())
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// LogTail returns the last lines of the log.
func (p *Process) LogTail() string {
	text, err := os.ReadFile(p.LogFile)
	if errors.Is(err, os.ErrNotExist) {
		return "(no log)"
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-15):], []byte("\n")))
}
