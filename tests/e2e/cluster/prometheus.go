package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Speed is how much faster than in a real cluster Prometheus runs here. Every duration of the rules, the scrape interval, the
// evaluation interval and the time after which a series is stale are divided by it, so that the rules behave as in a real
// cluster: what takes 15 minutes there takes 30 seconds here. Thresholds of expressions stay.
const Speed = 30

const (
	scrapeInterval = 30 * time.Second // of the ServiceMonitor
	stalenessDelta = 5 * time.Minute  // the default of Prometheus
)

// Prometheus is a running Prometheus of the Debian package.
type Prometheus struct {
	*Process
	url string
}

// Alert is an alert that is pending or firing.
type Alert struct {
	State       string            `json:"state"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// StartPrometheus starts Prometheus with the alerts of deploy/observability. It scrapes an API server and a winadmit.
func (c *Cluster) StartPrometheus(name string, api *API, winadmit *Winadmit) (*Prometheus, error) {
	program, err := exec.LookPath("prometheus")
	if err != nil {
		return nil, fmt.Errorf("%w: tools/setup.sh deploy installs it", err)
	}
	rules, err := os.ReadFile(filepath.Join(Root(), "deploy/observability/alerts.yaml"))
	if err != nil {
		return nil, err
	}
	ports, err := FreePorts(1)
	if err != nil {
		return nil, err
	}
	dir := c.path(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "alerts.yaml"), []byte(faster(string(rules))), 0o644); err != nil {
		return nil, err
	}
	// The jobs have names of their own: no alert may depend on them.
	config := fmt.Sprintf(`global: {scrape_interval: %[1]s, scrape_timeout: %[1]s, evaluation_interval: %[1]s}
rule_files: [alerts.yaml]
scrape_configs:
- job_name: admission
  static_configs: [{targets: [%[2]q], labels: {namespace: winadmit-system, pod: winadmit-0}}]
- job_name: control-plane
  scheme: https
  authorization: {credentials: %[3]s}
  tls_config: {ca_file: %[4]q}
  static_configs: [{targets: [%[5]q]}]
  metric_relabel_configs: [{source_labels: [__name__], regex: apiserver_admission_.+, action: keep}]
`, short(scrapeInterval/Speed), strings.TrimPrefix(winadmit.AdminURL, "http://"), adminToken, api.CAFile(),
		strings.TrimPrefix(api.url, "https://"))
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yaml"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", ports[0])
	process, err := c.Run(name, program, "--config.file", filepath.Join(dir, "prometheus.yaml"),
		"--storage.tsdb.path", filepath.Join(dir, "data"), "--web.listen-address", address,
		"--query.lookback-delta", short(stalenessDelta/Speed))
	if err != nil {
		return nil, err
	}
	p := &Prometheus{process, "http://" + address}
	return p, process.Await(60*time.Second, func() bool { return p.get("/-/ready", nil) == nil })
}

// A duration of PromQL or of a rule: [15m], offset 1d, for: 2m.
var ruleDuration = regexp.MustCompile(`(\[|\boffset |\bfor: )(\d+)([smhd])\b`)

// faster divides the durations of rules by Speed.
func faster(rules string) string {
	units := map[string]int{"s": 1, "m": 60, "h": 3600, "d": 86400}
	return ruleDuration.ReplaceAllStringFunc(rules, func(found string) string {
		parts := ruleDuration.FindStringSubmatch(found)
		number, _ := strconv.Atoi(parts[2])
		return parts[1] + short(time.Duration(number*units[parts[3]])*time.Second/Speed)
	})
}

func short(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }

// Alerts returns the alerts of the API of Prometheus.
func (p *Prometheus) Alerts() ([]Alert, error) {
	var reply struct{ Data struct{ Alerts []Alert } }
	err := p.getInto("/api/v1/alerts", &reply)
	return reply.Data.Alerts, err
}

// Query returns the number of series of an instant query. Its durations are those of a real cluster.
func (p *Prometheus) Query(query string) (int, error) {
	var reply struct{ Data struct{ Result []any } }
	err := p.getInto("/api/v1/query?query="+url.QueryEscape(faster(query)), &reply)
	return len(reply.Data.Result), err
}

func (p *Prometheus) getInto(path string, into any) error {
	return p.get(path, func(r *http.Response) error { return json.NewDecoder(r.Body).Decode(into) })
}

func (p *Prometheus) get(path string, read func(*http.Response) error) error {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(p.url + path)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, response.Status)
	}
	if read == nil {
		return nil
	}
	return read(response)
}
