package cluster

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// API is a client of one kube-apiserver, by kubectl or by REST.
type API struct {
	Kubeconfig string
	AuditLog   string

	dir     string // certificates and kubectl's cache
	url     string
	kubectl string
	http    *http.Client
}

// Reply is a response of the API server: the status code, the object or Status, and the warnings.
type Reply struct {
	Code     int
	Body     Object
	Warnings []string
	AuditID  string // of the request's event in the audit log
}

// Created reports whether the request was accepted.
func (r Reply) Created() bool { return r.Code == http.StatusCreated || r.Code == http.StatusOK }

// Message returns the message of a Status, "" for any other object.
func (r Reply) Message() string {
	message, _ := r.Body["message"].(string)
	return message
}

func newAPI(dir string, port int, kubectl string) (*API, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	api := &API{
		Kubeconfig: filepath.Join(dir, "kubeconfig"),
		AuditLog:   filepath.Join(dir, "audit.log"),
		dir:        dir,
		url:        fmt.Sprintf("https://127.0.0.1:%d", port),
		kubectl:    kubectl,
		// kube-apiserver issues its own certificate at start. kubectl verifies it.
		http: &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: 16}},
	}
	kubeconfig := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: winadmit
contexts: [{name: winadmit, context: {cluster: winadmit, user: admin}}]
clusters: [{name: winadmit, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: admin, user: {token: %s}}]
`, api.url, api.CAFile(), adminToken)
	return api, os.WriteFile(api.Kubeconfig, []byte(kubeconfig), 0o600)
}

// Address returns the host and port, for clients that are configured by environment variables.
func (a *API) Address() (host, port string) {
	at, _ := url.Parse(a.url)
	return at.Hostname(), at.Port()
}

// CAFile returns the certificate that clients must trust.
func (a *API) CAFile() string { return filepath.Join(a.dir, "apiserver.crt") }

func (a *API) ready() bool {
	request, _ := http.NewRequest("GET", a.url+"/readyz", nil)
	request.Header.Set("Authorization", "Bearer "+adminToken)
	response, err := a.http.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// Do sends a request. A body of bytes is sent unchanged, any other as JSON. A PATCH is a strategic merge patch.
func (a *API) Do(method, path string, body any) (Reply, error) {
	return a.DoAs("", method, path, body)
}

// DoAs is Do as an impersonated user; "" is the administrator.
func (a *API) DoAs(user, method, path string, body any) (Reply, error) {
	var content []byte
	switch b := body.(type) {
	case nil:
	case []byte:
		content = b
	default:
		var err error
		if content, err = json.Marshal(body); err != nil {
			return Reply{}, err
		}
	}
	request, err := http.NewRequest(method, a.url+path, bytes.NewReader(content))
	if err != nil {
		return Reply{}, err
	}
	request.Header.Set("Authorization", "Bearer "+adminToken)
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/strategic-merge-patch+json")
	}
	if user != "" {
		request.Header.Set("Impersonate-User", user)
	}
	response, err := a.http.Do(request)
	if err != nil {
		return Reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Code: response.StatusCode, AuditID: response.Header.Get("Audit-Id")}
	for _, header := range response.Header.Values("Warning") {
		// 299 - "text", with an HTTP quoted string
		if _, quoted, found := strings.Cut(header, `"`); found {
			text := strings.TrimSuffix(quoted, `"`)
			reply.Warnings = append(reply.Warnings, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text))
		}
	}
	return reply, json.Unmarshal(text, &reply.Body)
}

// Kubectl runs kubectl with stdin. An error contains the stderr of kubectl.
func (a *API) Kubectl(stdin string, args ...string) (stdout, stderr string, err error) {
	command := exec.Command(a.kubectl, args...)
	command.Env = append(os.Environ(),
		"KUBECONFIG="+a.Kubeconfig, "KUBECACHEDIR="+filepath.Join(a.dir, "cache"), "KUBECTL_EXTERNAL_DIFF=diff -u")
	command.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	if err = command.Run(); err != nil {
		err = fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), errs.String(), err
}
