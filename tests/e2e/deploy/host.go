package deploy

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"winadmit/tests/e2e/cluster"
)

type Object = cluster.Object

var at, list, text = cluster.At, cluster.List, cluster.Text

// Host plays the kubelet for the pods that carry winadmit's label: it runs the image with their
// arguments, mounts what they mount, reports what their probes say, and ends them as asked.
type Host struct {
	cluster *cluster.Cluster
	image   *Image
	network *Network
	dir     string

	mutex   sync.Mutex
	pods    map[string]*container // by uid
	started int
	stop    chan struct{}
	done    sync.WaitGroup
}

// container is the one container of a pod, which is all that winadmit's pods have.
type container struct {
	host    *Host
	pod     Object
	path    string // of the pod in the API
	root    string // its file system
	name    string // of its log
	network int    // 0: the machine's own
	process *cluster.Process
	shown   string // the status reported last
	shownAt time.Time
	since   string
	doomed  chan struct{}
}

// The period of everything that a kubelet does now and then; a real one takes its time.
const period = 200 * time.Millisecond

// NewHost starts to watch for pods.
func NewHost(c *cluster.Cluster, image *Image) (*Host, error) {
	network, err := NewNetwork()
	if err != nil {
		return nil, err
	}
	h := &Host{cluster: c, image: image, network: network, dir: filepath.Join(c.Dir, "pods"),
		pods: map[string]*container{}, stop: make(chan struct{})}
	h.done.Add(1)
	go h.watch()
	return h, nil
}

// Close ends every container, without asking.
func (h *Host) Close() {
	close(h.stop)
	h.done.Wait()
	h.network.Close()
}

func (h *Host) watch() {
	defer h.done.Done()
	for {
		select {
		case <-h.stop:
			return
		case <-time.After(period):
		}
		reply, err := h.cluster.API.Do("GET", "/api/v1/pods?labelSelector=app.kubernetes.io%2Fname%3Dwinadmit", nil)
		if err != nil || reply.Code != http.StatusOK {
			continue
		}
		items, _ := reply.Body["items"].([]any)
		seen := map[string]bool{}
		for _, item := range items {
			pod := item.(Object)
			uid := text(pod, "metadata", "uid")
			seen[uid] = true
			h.see(uid, pod)
		}
		h.mutex.Lock()
		for uid, c := range h.pods {
			if !seen[uid] { // deleted by force
				c.doom()
				delete(h.pods, uid)
			}
		}
		h.mutex.Unlock()
	}
}

func (h *Host) see(uid string, pod Object) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c := h.pods[uid]
	if c == nil {
		if text(pod, "spec", "nodeName") == "" {
			return
		}
		h.started++
		namespace, name := text(pod, "metadata", "namespace"), text(pod, "metadata", "name")
		c = &container{host: h, pod: pod, name: fmt.Sprintf("pod-%d-%s", h.started, name),
			path:   "/api/v1/namespaces/" + namespace + "/pods/" + name,
			root:   filepath.Join(h.dir, fmt.Sprint(h.started)),
			doomed: make(chan struct{})}
		h.pods[uid] = c
		h.done.Add(1)
		go func() {
			defer h.done.Done()
			c.live()
		}()
	}
	if at(pod, "metadata", "deletionTimestamp") != nil {
		c.doom()
	}
}

func (c *container) doom() {
	select {
	case <-c.doomed:
	default:
		close(c.doomed)
	}
}

// live is the pod's life: from its volumes to its end.
func (c *container) live() {
	defer c.clean()
	if err := os.MkdirAll(filepath.Dir(c.root), 0o755); err != nil {
		c.log(err)
		return
	}
	if err := exec.Command("cp", "-a", c.host.image.Root, c.root).Run(); err != nil {
		c.log(err)
		return
	}
	for c.mount() != nil { // ContainerCreating until what it mounts is there
		if c.pause() {
			return
		}
	}
	if err := c.start(); err != nil {
		c.log(err)
		return
	}
	for !c.pause() {
		c.mount()
		if c.process.Running() {
			c.report("Running", c.ready())
			continue
		}
		code := c.process.Stop(0)
		switch {
		case code == 0 && c.isJob():
			c.report("Succeeded", false)
		case text(c.pod, "spec", "restartPolicy") == "Never":
			c.report("Failed", false)
		default:
			c.log(fmt.Errorf("exit code %d; starting it again", code))
			c.report("Running", false)
			if err := c.start(); err != nil {
				c.log(err)
				return
			}
		}
	}
	grace := 30 * time.Second
	if seconds, ok := at(c.pod, "spec", "terminationGracePeriodSeconds").(float64); ok {
		grace = time.Duration(seconds) * time.Second
	}
	select {
	case <-c.host.stop:
		grace = 0
	default:
	}
	c.process.Stop(grace)
}

// pause waits for a period; true means that the pod is to end.
func (c *container) pause() bool {
	select {
	case <-c.host.stop:
		return true
	case <-c.doomed:
		return true
	case <-time.After(period):
		return false
	}
}

func (c *container) clean() {
	if c.network != 0 {
		c.host.network.Remove(c.network)
	}
	os.RemoveAll(c.root)
	c.host.cluster.API.Do("DELETE", c.path+"?gracePeriodSeconds=0", nil)
}

// enter keeps what winadmit runs in from the machine: no write to the image's tree, no process of
// ours in sight. The shell is the first process of its own world, and the world ends with it.
const enter = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 125
root=$1 user=$2; shift 2; chroot --userspec="$user" "$root" "$@" & wait $!`

func (c *container) start() error {
	command := []string{"unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, "enter",
		c.root, c.host.image.User}
	command = append(command, c.host.image.Entrypoint...)
	for _, argument := range list(c.spec(), "args") {
		command = append(command, argument.(string))
	}
	if c.isJob() {
		// The API server listens on the machine's loopback, so its clients live there.
		host, port := c.host.cluster.API.Address()
		command = append([]string{"env", "KUBERNETES_SERVICE_HOST=" + host, "KUBERNETES_SERVICE_PORT=" + port}, command...)
	} else {
		if c.network == 0 {
			number, err := c.host.network.Add()
			if err != nil {
				return err
			}
			c.network = number
		}
		command = append([]string{"ip", "netns", "exec", c.host.network.Namespace(c.network)}, command...)
	}
	var err error
	c.process, err = c.host.cluster.Run(c.name, command[0], command[1:]...)
	return err
}

func (c *container) spec() any { return at(c.pod, "spec", "containers", 0) }

func (c *container) isJob() bool { return text(c.pod, "spec", "restartPolicy") != "Always" }

func (c *container) ready() bool {
	if c.isJob() {
		return true
	}
	client := http.Client{Timeout: time.Second}
	response, err := client.Get("http://" + c.address() + ":8080/readyz")
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (c *container) address() string { return c.host.network.address(max(c.network, 1)) }

// report writes the pod's status when it changes, and every few seconds: a controller that misses a
// node's heartbeat on a busy machine takes the readiness of its pods away, and the kubelet gives it back.
func (c *container) report(phase string, ready bool) {
	if verdict := fmt.Sprint(phase, ready); verdict != c.shown {
		c.shown, c.since = verdict, time.Now().UTC().Format(time.RFC3339)
	} else if time.Since(c.shownAt) < 3*time.Second {
		return
	}
	c.shownAt = time.Now()
	condition := func(kind string, holds bool) Object {
		status := "False"
		if holds {
			status = "True"
		}
		return Object{"type": kind, "status": status, "lastTransitionTime": c.since}
	}
	state := Object{"running": Object{"startedAt": c.since}}
	if phase == "Succeeded" {
		state = Object{"terminated": Object{"exitCode": 0, "reason": "Completed"}}
	}
	c.host.cluster.API.Do("PATCH", c.path+"/status", Object{"status": Object{
		"phase": phase, "podIP": c.address(), "podIPs": []any{Object{"ip": c.address()}},
		"hostIP": c.host.network.address(1), "startTime": c.since,
		"conditions": []any{condition("Initialized", true), condition("Ready", ready), condition("ContainersReady", ready)},
		"containerStatuses": []any{Object{"name": text(c.spec(), "name"), "ready": ready, "started": ready,
			"image": text(c.spec(), "image"), "imageID": "", "restartCount": 0, "state": state}},
	}})
}

// mount makes every volume hold what the API server says, by the kubelet's swap of a link.
func (c *container) mount() error {
	for _, item := range list(c.pod, "spec", "volumes") {
		files, err := c.content(item.(Object))
		if err != nil {
			return err
		}
		for _, mount := range list(c.spec(), "volumeMounts") {
			if text(mount, "name") == text(item, "name") {
				if err := c.write(filepath.Join(c.root, text(mount, "mountPath")), files); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

var errNotThere = errors.New("not there yet")

// content is what a volume holds: file names and their text.
func (c *container) content(volume Object) (map[string]string, error) {
	namespace := "/api/v1/namespaces/" + text(c.pod, "metadata", "namespace")
	source, collection, name := Object{}, "", ""
	switch {
	case volume["secret"] != nil:
		source, collection = volume["secret"].(Object), "/secrets/"
		name = text(source, "secretName")
	case volume["configMap"] != nil:
		source, collection = volume["configMap"].(Object), "/configmaps/"
		name = text(source, "name")
	case volume["projected"] != nil:
		return c.token(namespace)
	}
	reply, err := c.host.cluster.API.Do("GET", namespace+collection+name, nil)
	if err != nil {
		return nil, err
	}
	if reply.Code != http.StatusOK {
		return nil, errNotThere
	}
	data, _ := reply.Body["data"].(Object)
	keys := map[string]string{}
	for key := range data {
		keys[key] = key
	}
	if items := list(source, "items"); items != nil {
		keys = map[string]string{}
		for _, item := range items {
			keys[text(item, "key")] = text(item, "path")
		}
	}
	files := map[string]string{}
	for key, path := range keys {
		value, there := data[key].(string)
		if !there {
			return nil, errNotThere
		}
		if collection == "/secrets/" {
			plain, err := base64.StdEncoding.DecodeString(value)
			if err != nil {
				return nil, err
			}
			value = string(plain)
		}
		files[path] = value
	}
	return files, nil
}

// token is what the kubelet mounts for a pod that may talk to the API server.
func (c *container) token(namespace string) (map[string]string, error) {
	api := c.host.cluster.API
	reply, err := api.Do("POST", namespace+"/serviceaccounts/"+text(c.pod, "spec", "serviceAccountName")+"/token",
		Object{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": Object{"expirationSeconds": 3600}})
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(api.CAFile())
	return map[string]string{"token": text(reply.Body, "status", "token"), "ca.crt": string(ca),
		"namespace": path.Base(namespace)}, err
}

// write puts files into a folder that is swapped in whole, if they differ from what is there.
func (c *container) write(folder string, files map[string]string) error {
	same := true
	for name, content := range files {
		there, err := os.ReadFile(filepath.Join(folder, name))
		same = same && err == nil && (string(there) == content || name == "token")
	}
	if same {
		return nil
	}
	version := fmt.Sprintf("..%d", time.Now().UnixNano())
	if err := os.MkdirAll(filepath.Join(folder, version), 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(folder, version, name), []byte(files[name]), 0o644); err != nil {
			return err
		}
		os.Symlink(filepath.Join("..data", name), filepath.Join(folder, name)) // there already but for the first time
	}
	next := filepath.Join(folder, "..data_tmp")
	return errors.Join(os.Symlink(version, next), os.Rename(next, filepath.Join(folder, "..data")))
}

func (c *container) log(err error) {
	file, openErr := os.OpenFile(filepath.Join(c.host.cluster.Logs, c.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if openErr == nil {
		fmt.Fprintln(file, "host:", err)
		file.Close()
	}
}
