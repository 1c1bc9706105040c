// Package cluster starts a Kubernetes control plane on this machine (etcd, kube-apiserver, kube-controller-manager,
// kube-scheduler) with nodes that KWOK simulates, and winadmit. There are no containers and no kubelet.
package cluster

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Cluster is a running control plane.
type Cluster struct {
	Dir        string // data, certificates, kubeconfig; removed by Stop
	Logs       string // one file for each component; kept
	Kubeconfig string
	API        *API
	Programs   Programs
	// KubeletPort is the port of loopback on which the API server expects the kubelet of every node. Nothing listens there,
	// unless package deploy runs pods.
	KubeletPort int

	etcdURL string
	mutex   sync.Mutex
	running []*Process // in the order of their start
}

// Start starts a control plane with four nodes. Data and logs are in subfolders of dir.
func Start(dir string) (*Cluster, error) {
	programs, err := FindPrograms()
	if err != nil {
		return nil, err
	}
	// A free port may be taken before the program listens on it: try again with other ports.
	for attempt := 1; ; attempt++ {
		c := &Cluster{
			Dir: filepath.Join(dir, "data"), Logs: filepath.Join(dir, "logs"), Programs: programs}
		err := c.start()
		if err == nil {
			return c, nil
		}
		c.Stop()
		if attempt == 3 || !strings.Contains(err.Error(), "address already in use") {
			return nil, err
		}
	}
}

// Stop kills every process and removes the data.
func (c *Cluster) Stop() {
	c.mutex.Lock()
	running := c.running
	c.running = nil
	c.mutex.Unlock()
	for i := len(running) - 1; i >= 0; i-- {
		running[i].Stop(0)
	}
	os.RemoveAll(c.Dir)
}

// Run starts a program that is stopped with the cluster.
func (c *Cluster) Run(name, bin string, args ...string) (*Process, error) {
	p, err := Launch(name, c.Logs, bin, args...)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.running = append(c.running, p)
	return p, nil
}

// Process returns the process that was started last with this name, or nil.
func (c *Cluster) Process(name string) *Process {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for i := len(c.running) - 1; i >= 0; i-- {
		if c.running[i].Name == name {
			return c.running[i]
		}
	}
	return nil
}

func (c *Cluster) start() error {
	for _, dir := range []string{c.Dir, c.Logs} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := c.writeKeys(); err != nil {
		return err
	}
	if err := c.startEtcd(); err != nil {
		return err
	}
	api, err := c.StartAPIServer("kube-apiserver")
	if err != nil {
		return err
	}
	c.API = api
	c.Kubeconfig = api.Kubeconfig
	if err := errors.Join(c.startControllers(), c.createNodes()); err != nil {
		return err
	}
	return c.settle()
}

// settle waits until pods can be created and scheduled: the default namespace has its service account, and the nodes are
// ready.
func (c *Cluster) settle() error {
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		account, err := c.API.Do("GET", "/api/v1/namespaces/default/serviceaccounts/default", nil)
		if err == nil && account.Code == http.StatusOK && c.nodesReady() {
			return nil
		}
		for _, p := range c.running {
			if !p.Running() {
				return fmt.Errorf("%s exited:\n%s", p.Name, p.LogTail())
			}
		}
		if time.Now().After(deadline) {
			return errors.New("the controllers did not make the nodes ready")
		}
	}
}

func (c *Cluster) startEtcd() error {
	ports, err := FreePorts(2)
	if err != nil {
		return err
	}
	c.etcdURL = fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	peerURL := fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	_, err = c.Run("etcd", c.Programs["etcd"],
		"--data-dir", c.path("etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls", c.etcdURL, "--advertise-client-urls", c.etcdURL,
		"--listen-peer-urls", peerURL, "--initial-advertise-peer-urls", peerURL,
		"--initial-cluster", "default="+peerURL)
	return err // kube-apiserver waits until etcd is ready
}

// StartAPIServer starts another kube-apiserver on the same etcd, with additional flags, and waits until it is ready. All
// API servers share the same objects.
func (c *Cluster) StartAPIServer(name string, flags ...string) (*API, error) {
	return c.StartAPIServerOf(c.Programs, name, flags...)
}

// StartAPIServerOf is StartAPIServer with the kube-apiserver and the kubectl of another version.
func (c *Cluster) StartAPIServerOf(programs Programs, name string, flags ...string) (*API, error) {
	ports, err := FreePorts(1)
	if err != nil {
		return nil, err
	}
	api, err := newAPI(c.path(name), ports[0], programs["kubectl"])
	if err != nil {
		return nil, err
	}
	server, err := c.Run(name, programs["kube-apiserver"], append([]string{
		"--etcd-servers", c.etcdURL,
		"--bind-address=127.0.0.1", "--secure-port", fmt.Sprint(ports[0]), "--cert-dir", api.dir,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file", c.path("sa.pub"),
		"--service-account-signing-key-file", c.path("sa.key"),
		"--token-auth-file", c.path("tokens.csv"), "--authorization-mode=Node,RBAC",
		"--service-cluster-ip-range=10.96.0.0/16", "--allow-privileged=true",
		// There is no kube-proxy: the API server connects to the endpoints of a webhook's Service.
		"--enable-aggregator-routing=true",
		"--audit-policy-file", c.path("audit-policy.yaml"), "--audit-log-mode=blocking",
		"--audit-log-path", api.AuditLog,
		"--shutdown-delay-duration=0s", "--kubelet-preferred-address-types=InternalIP",
	}, flags...)...)
	if err != nil {
		return nil, err
	}
	return api, server.Await(2*time.Minute, api.ready) // on a busy machine
}

func (c *Cluster) startControllers() error {
	ports, err := FreePorts(3)
	if err != nil {
		return err
	}
	c.KubeletPort = ports[2]
	kubeconfigs := []string{"--kubeconfig", c.Kubeconfig,
		"--authentication-kubeconfig", c.Kubeconfig, "--authorization-kubeconfig", c.Kubeconfig}
	_, err = c.Run("kube-controller-manager", c.Programs["kube-controller-manager"],
		append(kubeconfigs, "--leader-elect=false", "--secure-port=0",
			"--service-account-private-key-file", c.path("sa.key"),
			// On a busy machine the heartbeats of KWOK are late.
			"--node-monitor-grace-period=1h",
			// It checks the types of the policies for minutes, and only writes their status.
			"--controllers=*,-validatingadmissionpolicy-status-controller",
			// Each controller has its own service account, as in real clusters.
			"--use-service-account-credentials=true")...)
	if err != nil {
		return err
	}
	_, err = c.Run("kube-scheduler", c.Programs["kube-scheduler"],
		append(kubeconfigs, "--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port", fmt.Sprint(ports[0]))...)
	if err != nil {
		return err
	}
	_, err = c.Run("kwok", c.Programs["kwok"],
		"--kubeconfig", c.Kubeconfig, "--manage-all-nodes=true",
		// Pods of winadmit are not simulated: package deploy runs the image.
		"--disregard-status-with-label-selector=app.kubernetes.io/name=winadmit",
		"--server-address", fmt.Sprintf("127.0.0.1:%d", ports[1]),
		"--node-ip=127.0.0.1", "--node-port", fmt.Sprint(c.KubeletPort))
	return err
}

func (c *Cluster) path(name string) string { return filepath.Join(c.Dir, name) }
