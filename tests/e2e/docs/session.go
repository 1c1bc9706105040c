package docs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"winadmit/tests/e2e/cluster"
)

// Session is a bash into which blocks are pasted one after the other: they share the folder and the environment.
type Session struct {
	dir      string // for the blocks and their output
	process  *exec.Cmd
	input    io.WriteCloser
	finished *bufio.Reader
	count    int
}

// Failure is a command that exited with another code than 0, the last of a list or pipeline.
type Failure struct{ Code, Command string }

func (f Failure) Error() string { return fmt.Sprintf("exit code %s: %s", f.Code, f.Command) }

// paste runs a file in the current shell, like pasted text: after a failure it goes on. Failures are noted.
const paste = `set -E -o pipefail
paste() {
  trap 'printf "%s\t%s\0" "$?" "$BASH_COMMAND" >>"$1.failed"' ERR
  . "$1" >"$1.out" 2>&1 </dev/null
  trap - ERR
  echo "done" >&3
}
`

// How bash names the command of paste that runs the file.
const sourcing = `. "$1" >`

// NewSession starts bash in a folder, by a wrapper if there is one: a program that runs its arguments. Blocks and output are
// kept in the folder logs.
func NewSession(work, logs string, environment []string, wrapper ...string) (*Session, error) {
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(logs, "session-")
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()
	s := &Session{dir: dir, finished: bufio.NewReader(read)}
	command := append(wrapper, "bash", "--noprofile", "--norc")
	s.process = exec.Command(command[0], command[1:]...)
	s.process.Dir, s.process.Env = work, append(os.Environ(), environment...)
	s.process.ExtraFiles = []*os.File{write} // descriptor 3
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var errs bytes.Buffer
	s.process.Stderr = &errs
	if s.input, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	_, err = io.WriteString(s.input, paste)
	return s, err
}

// Close ends the shell and what it has started.
func (s *Session) Close() {
	s.input.Close()
	syscall.Kill(-s.process.Process.Pid, syscall.SIGKILL)
	s.process.Wait()
}

// Run pastes commands and returns their output and errors as a terminal would show them. The error joins each Failure.
func (s *Session) Run(commands string, timeout time.Duration) (string, error) {
	s.count++
	file := filepath.Join(s.dir, fmt.Sprintf("%03d", s.count))
	if err := os.WriteFile(file, []byte(commands+"\n"), 0o644); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(s.input, "paste %s\n", file); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := s.finished.ReadString('\n')
		ended <- err
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = fmt.Errorf("not finished after %s", timeout)
		syscall.Kill(-s.process.Process.Pid, syscall.SIGKILL)
	}
	output, _ := os.ReadFile(file + ".out")
	failed, _ := os.ReadFile(file + ".failed")
	all := []error{err}
	last := ""
	for _, record := range strings.Split(strings.TrimSuffix(string(failed), "\x00"), "\x00") {
		code, command, found := strings.Cut(record, "\t")
		// A file has the code of its last command, which is noted already. Alone it is a syntax error.
		if !found || strings.HasPrefix(command, sourcing) && code == last {
			continue
		}
		all = append(all, Failure{code, command})
		last = code
	}
	return string(output), errors.Join(all...)
}

// Environment returns the variables with which commands reach the cluster: kubectl and helm first on the PATH.
func Environment(c *cluster.Cluster, dir string) ([]string, error) {
	bin, home := filepath.Join(dir, "bin"), filepath.Join(dir, "home")
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.MkdirAll(home, 0o755)); err != nil {
		return nil, err
	}
	for _, name := range []string{"kubectl", "helm"} {
		link := filepath.Join(bin, name)
		if err := os.Symlink(c.Programs[name], link); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	caches, err := os.UserCacheDir() // what make builds once for a machine
	if err != nil {
		return nil, err
	}
	return []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "KUBECONFIG=" + c.Kubeconfig, "HOME=" + home,
		"XDG_CACHE_HOME=" + caches, "HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home,
		"KUBECACHEDIR=" + filepath.Join(dir, "cache"), "KUBECTL_EXTERNAL_DIFF=diff -u"}, nil
}

// Clone copies the working tree of the checkout, with changes that are not committed, into a new git clone, with the tested
// binary as its release build.
func Clone(to string) error {
	root := cluster.Root()
	script := `set -eu
git clone -q --no-hardlinks "$1" "$2"
cd "$1"
git diff --name-only -z --diff-filter=d HEAD >"$2.changed"
git ls-files -z --others --exclude-standard >>"$2.changed"
git diff --name-only -z --diff-filter=D HEAD | (cd "$2" && xargs -0 -r rm -f)
[ ! -s "$2.changed" ] || tar --null -T "$2.changed" -c | tar -x -C "$2"
rm "$2.changed"
mkdir -p "$2/build/release"
cp "$3" "$2/build/release/winadmit"
# The image is built from what they say about the binary.
cd "$(dirname "$3")"
[ ! -f build.ninja ] || cp --parents build.ninja CMakeFiles/rules.ninja .ninja_deps .ninja_log "$2/build/release"`
	if out, err := exec.Command("bash", "-c", script, "clone", root, to, cluster.WinadmitBinary()).CombinedOutput(); err != nil {
		return fmt.Errorf("clone of %s: %w\n%s", root, err, out)
	}
	return nil
}
