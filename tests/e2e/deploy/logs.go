package deploy

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"winadmit/tests/e2e/cluster"
)

// serveLogs is the part of a kubelet's API that `kubectl logs` needs: GET /containerLogs/NAMESPACE/POD/CONTAINER.
func (k *Kubelet) serveLogs() error {
	pair := filepath.Join(k.cluster.Dir, "kubelet")
	if err := cluster.IssuePair(pair, "localhost"); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", k.cluster.KubeletPort))
	if err != nil {
		return err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", k.logs)
	k.server = &http.Server{Handler: routes, ReadHeaderTimeout: 10 * time.Second}
	go k.server.ServeTLS(listener, filepath.Join(pair, "tls.crt"), filepath.Join(pair, "tls.key"))
	return nil
}

func (k *Kubelet) logs(w http.ResponseWriter, request *http.Request) {
	path := "/api/v1/namespaces/" + request.PathValue("namespace") + "/pods/" + request.PathValue("pod")
	name := ""
	k.mutex.Lock()
	for _, c := range k.pods {
		if c.path == path {
			name = c.name
		}
	}
	k.mutex.Unlock()
	content, err := os.ReadFile(filepath.Join(k.cluster.Logs, name+".log"))
	if err != nil {
		http.Error(w, "no container of "+path, http.StatusNotFound)
		return
	}
	lines := strings.SplitAfter(string(content), "\n")
	if tail, err := strconv.Atoi(request.URL.Query().Get("tailLines")); err == nil {
		lines = lines[max(0, len(lines)-1-tail):]
	}
	fmt.Fprint(w, strings.Join(lines, ""))
}
