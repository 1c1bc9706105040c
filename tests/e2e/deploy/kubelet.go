package deploy

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"winadmit/tests/e2e/cluster"
)

type Object = cluster.Object

var at, list, text = cluster.At, cluster.List, cluster.Text

// Kubelet runs the pods with winadmit's label: it mounts their volumes, runs the image with their arguments, reports their
// readiness, and stops them.
type Kubelet struct {
	cluster *cluster.Cluster
	pull    Pull
	network *Network
	server  *http.Server // for kubectl logs
	dir     string

	mutex   sync.Mutex
	pods    map[string]*container // by uid
	started int
	stop    chan struct{}
	done    sync.WaitGroup
}

// Pull returns an image by the name in a pod.
type Pull func(name string) (*Image, error)

// container is a pod. Each pod of winadmit has one container.
type container struct {
	kubelet    *Kubelet
	pod        Object
	path       string // API path of the pod
	root       string // folder of its root file system
	name       string // name of its log
	network    int    // number of its network namespace; 0: that of the machine
	image      *Image
	process    *cluster.Process
	readyAt    time.Time // when the readiness probe succeeded last
	aliveAt    time.Time // when the liveness probe succeeded last, or the container was started
	reported   string    // the last reported status
	reportedAt time.Time
	changedAt  string        // when the reported status changed
	deleted    chan struct{} // closed when the pod is to be stopped
}

// The interval of polling and probes.
const period = 200 * time.Millisecond

// StartKubelet starts to watch for pods. It runs the image in all of them, whatever its name.
func StartKubelet(c *cluster.Cluster, image *Image) (*Kubelet, error) {
	return StartPullingKubelet(c, func(string) (*Image, error) { return image, nil })
}

// StartPullingKubelet starts to watch for pods. It pulls the image of each by its name.
func StartPullingKubelet(c *cluster.Cluster, pull Pull) (*Kubelet, error) {
	network, err := NewNetwork()
	if err != nil {
		return nil, err
	}
	k := &Kubelet{cluster: c, pull: pull, network: network, dir: filepath.Join(c.Dir, "pods"),
		pods: map[string]*container{}, stop: make(chan struct{})}
	if err := k.serveLogs(); err != nil {
		network.Close()
		return nil, err
	}
	k.done.Add(1)
	go k.watch()
	return k, nil
}

// Stop kills all containers.
func (k *Kubelet) Stop() {
	close(k.stop)
	k.server.Close()
	k.done.Wait()
	k.network.Close()
}

// Signal sends a signal to the container of a pod. After SIGKILL it is started again, after SIGSTOP by its liveness probe.
func (k *Kubelet) Signal(uid string, signal syscall.Signal) error {
	if process := k.Process(uid); process != nil {
		process.Signal(signal)
		return nil
	}
	return fmt.Errorf("no container of pod %s", uid)
}

// Process returns the container of a pod, or nil. Its process group is that of the program in the container.
func (k *Kubelet) Process(uid string) *cluster.Process {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if c := k.pods[uid]; c != nil {
		return c.process
	}
	return nil
}

// HostAddress returns the address of the machine in the network of the pods.
func (k *Kubelet) HostAddress() string { return k.network.address(1) }

func (k *Kubelet) watch() {
	defer k.done.Done()
	for {
		select {
		case <-k.stop:
			return
		case <-time.After(period):
		}
		reply, err := k.cluster.API.Do("GET", "/api/v1/pods?labelSelector=app.kubernetes.io%2Fname%3Dwinadmit", nil)
		if err != nil || reply.Code != http.StatusOK {
			continue
		}
		items, _ := reply.Body["items"].([]any)
		seen := map[string]bool{}
		for _, item := range items {
			pod := item.(Object)
			uid := text(pod, "metadata", "uid")
			seen[uid] = true
			k.update(uid, pod)
		}
		k.mutex.Lock()
		for uid, c := range k.pods {
			if !seen[uid] { // deleted by force
				c.delete()
				delete(k.pods, uid)
			}
		}
		k.mutex.Unlock()
	}
}

// update starts the container of a new pod, and stops that of a deleted one.
func (k *Kubelet) update(uid string, pod Object) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	c := k.pods[uid]
	if c == nil {
		if text(pod, "spec", "nodeName") == "" {
			return
		}
		k.started++
		namespace, name := text(pod, "metadata", "namespace"), text(pod, "metadata", "name")
		c = &container{kubelet: k, pod: pod, name: fmt.Sprintf("pod-%d-%s", k.started, name),
			path:    "/api/v1/namespaces/" + namespace + "/pods/" + name,
			root:    filepath.Join(k.dir, fmt.Sprint(k.started)),
			deleted: make(chan struct{})}
		k.pods[uid] = c
		k.done.Add(1)
		go func() {
			defer k.done.Done()
			c.run()
		}()
	}
	if at(pod, "metadata", "deletionTimestamp") != nil {
		c.delete()
	}
}

func (c *container) delete() {
	select {
	case <-c.deleted:
	default:
		close(c.deleted)
	}
}

// run mounts the volumes, and runs the container until the pod is deleted.
func (c *container) run() {
	defer c.clean()
	if err := os.MkdirAll(filepath.Dir(c.root), 0o755); err != nil {
		c.log(err)
		return
	}
	for {
		var err error
		if c.image, err = c.kubelet.pull(text(c.spec(), "image")); err == nil {
			break
		}
		c.reportWaiting("ErrImagePull", err)
		if c.pause() {
			return
		}
	}
	if err := exec.Command("cp", "-a", c.image.Root, c.root).Run(); err != nil {
		c.log(err)
		return
	}
	for c.mount() != nil { // its volumes do not exist yet
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
		if c.process.Running() && c.alive() {
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
	case <-c.kubelet.stop:
		grace = 0
	default:
	}
	c.process.Stop(grace)
}

// pause waits for one period. It returns true if the pod is to be stopped.
func (c *container) pause() bool {
	select {
	case <-c.kubelet.stop:
		return true
	case <-c.deleted:
		return true
	case <-time.After(period):
		return false
	}
}

// clean removes the container and the pod.
func (c *container) clean() {
	if c.network != 0 {
		c.kubelet.network.Remove(c.network)
	}
	os.RemoveAll(c.root)
	c.kubelet.cluster.API.Do("DELETE", c.path+"?gracePeriodSeconds=0", nil)
}

// enter runs a command in a read-only root file system. The shell is process 1 of a PID namespace: all its processes end
// with it.
const enter = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 125
root=$1 user=$2; shift 2; chroot --userspec="$user" "$root" "$@" & wait $!`

func (c *container) start() error {
	command := []string{"unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, "enter",
		c.root, c.image.User}
	command = append(command, c.image.Entrypoint...)
	for _, argument := range list(c.spec(), "args") {
		command = append(command, argument.(string))
	}
	if c.isJob() {
		// Jobs call the API server, which listens on the loopback of the machine.
		host, port := c.kubelet.cluster.API.Address()
		command = append([]string{"env", "KUBERNETES_SERVICE_HOST=" + host, "KUBERNETES_SERVICE_PORT=" + port}, command...)
	} else {
		if c.network == 0 {
			number, err := c.kubelet.network.Add()
			if err != nil {
				return err
			}
			c.network = number
		}
		command = append([]string{"ip", "netns", "exec", c.kubelet.network.Namespace(c.network)}, command...)
	}
	var err error
	c.kubelet.mutex.Lock() // for Signal
	defer c.kubelet.mutex.Unlock()
	c.process, err = c.kubelet.cluster.Run(c.name, command[0], command[1:]...)
	c.readyAt, c.aliveAt = time.Time{}, time.Now()
	return err
}

func (c *container) spec() any { return at(c.pod, "spec", "containers", 0) }

func (c *container) isJob() bool { return text(c.pod, "spec", "restartPolicy") != "Always" }

func (c *container) address() string { return c.kubelet.network.address(max(c.network, 1)) }

// report writes the status of the pod when it changes, and every 3 s: on a busy machine the node controller may miss
// heartbeats and mark the pods of the node as not ready.
func (c *container) report(phase string, ready bool) {
	if status := fmt.Sprint(phase, ready); status != c.reported {
		c.reported, c.changedAt = status, time.Now().UTC().Format(time.RFC3339)
	} else if time.Since(c.reportedAt) < 3*time.Second {
		return
	}
	c.reportedAt = time.Now()
	condition := func(kind string, holds bool) Object {
		status := "False"
		if holds {
			status = "True"
		}
		return Object{"type": kind, "status": status, "lastTransitionTime": c.changedAt}
	}
	state := Object{"running": Object{"startedAt": c.changedAt}}
	if phase == "Succeeded" {
		state = Object{"terminated": Object{"exitCode": 0, "reason": "Completed"}}
	}
	c.kubelet.cluster.API.Do("PATCH", c.path+"/status", Object{"status": Object{
		"phase": phase, "podIP": c.address(), "podIPs": []any{Object{"ip": c.address()}},
		"hostIP": c.kubelet.network.address(1), "startTime": c.changedAt,
		"conditions": []any{condition("Initialized", true), condition("Ready", ready), condition("ContainersReady", ready)},
		"containerStatuses": []any{Object{"name": text(c.spec(), "name"), "ready": ready, "started": ready,
			"image": text(c.spec(), "image"), "imageID": "", "restartCount": 0, "state": state}},
	}})
}

// reportWaiting writes the status of a pod whose container cannot start.
func (c *container) reportWaiting(reason string, err error) {
	if c.reported != reason {
		c.log(err)
	}
	c.reported = reason
	c.kubelet.cluster.API.Do("PATCH", c.path+"/status", Object{"status": Object{"phase": "Pending",
		"containerStatuses": []any{Object{"name": text(c.spec(), "name"), "ready": false, "started": false,
			"image": text(c.spec(), "image"), "imageID": "", "restartCount": 0,
			"state": Object{"waiting": Object{"reason": reason, "message": err.Error()}}}}}})
}

func (c *container) log(err error) {
	file, openErr := os.OpenFile(filepath.Join(c.kubelet.cluster.Logs, c.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if openErr == nil {
		fmt.Fprintln(file, "kubelet:", err)
		file.Close()
	}
}
