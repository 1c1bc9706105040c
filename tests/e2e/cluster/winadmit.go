package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Winadmit is a running `winadmit serve` on loopback, outside the cluster.
type Winadmit struct {
	*Process
	Name     string
	URL      string // https://localhost:PORT
	AdminURL string
	CAFile   string

	cluster *Cluster
	config  string
	serve   []string
}

// StartWinadmit starts a server with a YAML configuration ("": the defaults). It stops with the cluster.
func (c *Cluster) StartWinadmit(name, config string, flags ...string) (*Winadmit, error) {
	dir := c.path(name)
	if err := IssuePair(dir, "localhost"); err != nil {
		return nil, err
	}
	ports, err := FreePorts(2)
	if err != nil {
		return nil, err
	}
	w := &Winadmit{
		Name:     name,
		URL:      fmt.Sprintf("https://localhost:%d", ports[0]),
		AdminURL: fmt.Sprintf("http://127.0.0.1:%d", ports[1]),
		CAFile:   filepath.Join(dir, "ca.crt"),
		cluster:  c,
	}
	if minor := os.Getenv("K8S_VERSION"); minor != "" { // see build-tools.sh
		config += fmt.Sprintf("kubernetesVersion: %q\n", minor)
	}
	if config != "" {
		w.config = filepath.Join(dir, "config.yaml")
		if err := os.WriteFile(w.config, []byte(config), 0o644); err != nil {
			return nil, err
		}
		flags = append(flags, "--config", w.config)
	}
	w.serve = append([]string{"serve",
		"--listen", fmt.Sprintf("127.0.0.1:%d", ports[0]),
		"--admin-listen", fmt.Sprintf("127.0.0.1:%d", ports[1]),
		"--tls-cert", filepath.Join(dir, "tls.crt"), "--tls-key", filepath.Join(dir, "tls.key"),
		"--drain-delay", "0"}, flags...)
	return w, w.Restart()
}

// Restart stops the server if it is running, and starts it again on the same ports.
func (w *Winadmit) Restart() error {
	if w.Process != nil {
		w.Process.Stop(5 * time.Second)
	}
	p, err := w.cluster.Run(w.Name, WinadmitBinary(), w.serve...)
	if err != nil {
		return err
	}
	w.Process = p
	return p.Await(10*time.Second, func() bool { return IsReady(w.AdminURL) })
}

// IsReady reports whether /readyz of an admin URL responds with 200 within a second.
func IsReady(adminURL string) bool {
	client := http.Client{Timeout: time.Second}
	response, err := client.Get(adminURL + "/readyz")
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// Freeze suspends the process: connections stay open, and it does not respond.
func (w *Winadmit) Freeze() { w.Signal(syscall.SIGSTOP) }

// Thaw resumes a suspended process.
func (w *Winadmit) Thaw() { w.Signal(syscall.SIGCONT) }

// Export returns the webhook configurations that `winadmit export webhook` prints for this server.
func (w *Winadmit) Export(flags ...string) ([]Object, error) {
	args := append([]string{"export", "webhook", "-o", "json", "--url", w.URL, "--ca-bundle", w.CAFile}, flags...)
	if w.config != "" {
		args = append(args, "--config", w.config)
	}
	return exported(args)
}

// Check returns the findings of `winadmit check` for manifests, with the configuration of this server.
func (w *Winadmit) Check(file string, flags ...string) (findings []Object, err error) {
	out, err := w.runOnManifests("check", append(flags, "-o", "json", "-f", file))
	if err != nil {
		return nil, err
	}
	var report struct{ Findings []Object }
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, err
	}
	return report.Findings, nil
}

// Fix returns the manifests that `winadmit fix` prints, with the configuration of this server.
func (w *Winadmit) Fix(file string, flags ...string) (manifests []byte, err error) {
	return w.runOnManifests("fix", append(flags, "-f", file))
}

func (w *Winadmit) runOnManifests(subcommand string, flags []string) ([]byte, error) {
	args := append([]string{subcommand}, flags...)
	if w.config != "" {
		args = append(args, "--config", w.config)
	}
	command := exec.Command(WinadmitBinary(), args...)
	out, err := command.Output()
	if err != nil && command.ProcessState.ExitCode() != 1 { // 1: something is refused
		return nil, fmt.Errorf("winadmit %v: %w", args, err)
	}
	return out, nil
}

func exported(args []string) ([]Object, error) {
	command := exec.Command(WinadmitBinary(), args...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("winadmit %v: %w", args, err)
	}
	var list struct{ Items []Object }
	return list.Items, json.Unmarshal(out, &list)
}

// Intercept applies the exported webhook configurations, limited to the namespaces of an instance, see Scope.
func (w *Winadmit) Intercept(instance string, flags ...string) error {
	configurations, err := w.Export(flags...)
	if err != nil {
		return err
	}
	for _, configuration := range configurations {
		Scope(configuration, instance)
		if err := w.cluster.API.Apply(configuration); err != nil {
			return err
		}
	}
	return nil
}

// TwoBuilds is a configuration for the nodes of this cluster: each Windows build has its own taint. Tests also use its
// RuntimeClass and its exempt namespace.
const TwoBuilds = `
tolerationsByBuild:
  10.0.17763: [{key: os, value: Win1809, effect: NoSchedule}]
  10.0.20348: [{key: os, value: Win2022, effect: NoSchedule}]
windowsRuntimeClasses: [windows]
exempt: {namespaces: [exempt-by-config]}
`
