// The webhook of k8s.io/pod-security-admission at level baseline. It reads namespaces from an API server at start, so this
// process serves a small replacement.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"k8s.io/pod-security-admission/cmd/webhook/server"
)

const policy = `apiVersion: pod-security.admission.config.k8s.io/v1
kind: PodSecurityConfiguration
defaults: {enforce: baseline, enforce-version: latest}
`

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: local, cluster: {server: "http://%s"}}]
users: [{name: local}]
contexts: [{name: local, context: {cluster: local, user: local}}]
current-context: local
`

func main() {
	port := flag.String("port", "8443", "where to listen on loopback")
	cert := flag.String("cert", "tls.crt", "certificate")
	key := flag.String("key", "tls.key", "its key")
	flag.Parse()
	if err := run(*port, *cert, *key); err != nil {
		log.Fatal(err)
	}
}

func run(port, cert, key string) error {
	api, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { log.Fatal(http.Serve(api, http.HandlerFunc(serveNamespaces))) }()

	folder, err := os.MkdirTemp("", "pod-security")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	files := map[string]string{"policy": policy, "kubeconfig": fmt.Sprintf(kubeconfig, api.Addr())}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	command := server.NewServerCommand()
	command.SetArgs([]string{
		"--bind-address", "127.0.0.1", "--secure-port", port,
		"--tls-cert-file", cert, "--tls-private-key-file", key,
		"--config", filepath.Join(folder, "policy"), "--kubeconfig", filepath.Join(folder, "kubeconfig"),
	})
	return command.Execute()
}

// serveNamespaces lists the namespace of the reviews, and keeps watches open without events.
func serveNamespaces(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Query().Get("watch") != "" {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return
	}
	fmt.Fprint(w, `{"kind":"NamespaceList","apiVersion":"v1","metadata":{"resourceVersion":"1"},
		"items":[{"metadata":{"name":"default","resourceVersion":"1"}}]}`)
}
