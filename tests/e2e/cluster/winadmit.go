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

// Webhooks is the API group in which webhook configurations live.
const Webhooks = "/apis/admissionregistration.k8s.io/v1"

// InstanceLabel on a namespace says which winadmit of a test judges it; without it, the shared one.
const InstanceLabel = "e2e.winadmit.dev/instance"

// Winadmit is one running `winadmit serve` of the tested build, outside the cluster, on loopback.
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

// StartWinadmit serves with the given YAML configuration ("" for the defaults) until the cluster stops.
func (c *Cluster) StartWinadmit(name, config string, flags ...string) (*Winadmit, error) {
	dir := c.path(name)
	if err := IssuePair(dir, "localhost"); err != nil {
		return nil, err
	}
	ports, err := freePorts(2)
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
	if minor := os.Getenv("K8S_VERSION"); minor != "" { // of build-tools.sh: the rules follow the cluster
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

// Restart starts the server again on its ports, the old process having ended or been stopped here.
func (w *Winadmit) Restart() error {
	if w.Process != nil {
		w.Process.Stop(5 * time.Second)
	}
	p, err := w.cluster.Run(w.Name, WinadmitBinary(), w.serve...)
	if err != nil {
		return err
	}
	w.Process = p
	return p.await(10*time.Second, func() bool {
		response, err := http.Get(w.AdminURL + "/readyz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}

// Freeze stops the process where it stands: connections stay open and nothing answers.
func (w *Winadmit) Freeze() { w.Signal(syscall.SIGSTOP) }

// Thaw lets a frozen process go on.
func (w *Winadmit) Thaw() { w.Signal(syscall.SIGCONT) }

// Export is what `winadmit export webhook` prints for this server and its configuration.
func (w *Winadmit) Export(flags ...string) ([]Object, error) {
	args := append([]string{"export", "webhook", "-o", "json", "--url", w.URL, "--ca-bundle", w.CAFile}, flags...)
	if w.config != "" {
		args = append(args, "--config", w.config)
	}
	return exported(args)
}

// Check is what `winadmit check` says of a file of manifests by this server's configuration, a finding each.
func (w *Winadmit) Check(file string, flags ...string) (findings []Object, err error) {
	out, err := w.onManifests("check", append(flags, "-o", "json", "-f", file))
	if err != nil {
		return nil, err
	}
	return findings, json.Unmarshal(out, &findings)
}

// Fix is what `winadmit fix` prints of a file of manifests.
func (w *Winadmit) Fix(file string, flags ...string) (manifests []byte, err error) {
	return w.onManifests("fix", append(flags, "-f", file))
}

func (w *Winadmit) onManifests(subcommand string, flags []string) ([]byte, error) {
	args := append([]string{subcommand}, flags...)
	if w.config != "" {
		args = append(args, "--config", w.config)
	}
	command := exec.Command(WinadmitBinary(), args...)
	out, err := command.Output()
	if err != nil && command.ProcessState.ExitCode() != 1 { // 1: there are refusals
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

// Intercept applies the exported configurations. Several instances share the cluster, so each is
// scoped by one further requirement of the namespaceSelector, and named; all else is as exported.
func (w *Winadmit) Intercept(scope string, flags ...string) error {
	configurations, err := w.Export(flags...)
	if err != nil {
		return err
	}
	for _, configuration := range configurations {
		Scope(configuration, scope)
		if err := w.cluster.API.Apply(configuration); err != nil {
			return err
		}
	}
	return nil
}

// Scope narrows a webhook configuration to the namespaces whose InstanceLabel is scope, "" meaning
// those without the label.
func Scope(configuration Object, scope string) {
	requirement := Object{"key": InstanceLabel, "operator": "DoesNotExist"}
	if scope != "" {
		requirement = Object{"key": InstanceLabel, "operator": "In", "values": []any{scope}}
		metadata := configuration["metadata"].(Object)
		metadata["name"] = metadata["name"].(string) + "-" + scope
	}
	for _, webhook := range configuration["webhooks"].([]any) {
		selector, _ := webhook.(Object)["namespaceSelector"].(Object)
		if selector == nil {
			selector = Object{}
			webhook.(Object)["namespaceSelector"] = selector
		}
		expressions, _ := selector["matchExpressions"].([]any)
		selector["matchExpressions"] = append(expressions, requirement)
	}
}

// Apply creates a webhook configuration, or replaces the one of that name.
func (a *API) Apply(configuration Object) error {
	collection := Webhooks + "/mutatingwebhookconfigurations"
	if configuration["kind"] == "ValidatingWebhookConfiguration" {
		collection = Webhooks + "/validatingwebhookconfigurations"
	}
	name := configuration["metadata"].(Object)["name"].(string)
	reply, err := a.Do("POST", collection, configuration)
	if err == nil && reply.Code == http.StatusConflict {
		reply, err = a.Do("PUT", collection+"/"+name, configuration)
	}
	if err == nil && (!reply.Created() || len(reply.Warnings) > 0) {
		err = fmt.Errorf("%s: %d %s %q", name, reply.Code, reply.Message(), reply.Warnings)
	}
	return err
}

// TwoBuilds is a configuration for the nodes of this cluster: each Windows build has its taint. The
// rest is there for tests to find: a RuntimeClass that says nothing of nodes, an exempt namespace.
const TwoBuilds = `
tolerationsByBuild:
  10.0.17763: [{key: os, value: Win1809, effect: NoSchedule}]
  10.0.20348: [{key: os, value: Win2022, effect: NoSchedule}]
windowsRuntimeClasses: [windows]
exempt: {namespaces: [exempt-by-config]}
`
