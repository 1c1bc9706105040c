package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/deploy"
	"winadmit/tests/e2e/stream"
)

const system = "winadmit-system"

// result is one run.
type result struct {
	with          bool
	pods          int
	took          time.Duration
	p50, p99      time.Duration // of a create, with all clients
	alone50       time.Duration // of a create, with one client
	alone99       time.Duration
	apiServer     time.Duration // CPU time
	etcd          time.Duration
	winadmit      time.Duration // of all replicas
	memory        float64       // bytes: the largest resident size of a replica
	reviews       float64
	stillBusy     time.Duration // CPU time of scheduler, controllers and KWOK meanwhile
	failed        int
	firstFailure  string
	podsPerSecond float64
}

func (r result) String() string {
	return fmt.Sprintf("winadmit %v: %d pods in %s (%.0f/s), p50 %s, p99 %s, alone %s and %s; CPU: API server %s, etcd %s, winadmit %s; "+
		"%.1f MB; %.0f reviews; %d failed %s", r.with, r.pods, r.took.Round(time.Millisecond), r.podsPerSecond, r.p50, r.p99, r.alone50,
		r.alone99, r.apiServer, r.etcd, r.winadmit, r.memory/1e6, r.reviews, r.failed, r.firstFailure)
}

// measure starts a cluster of its own, with or without winadmit, and creates the pods.
func measure(ctx context.Context, dir string, image *deploy.Image, with bool, o options) (r result, err error) {
	c, err := start(ctx, dir, o.pods/100)
	if err != nil {
		return r, err
	}
	defer c.Stop()
	var replicas []*cluster.Process
	var addresses []string
	if with {
		kubelet, err := deploy.StartKubelet(c, image)
		if err != nil {
			return r, err
		}
		defer kubelet.Stop()
		if err := install(c); err != nil {
			return r, err
		}
		if replicas, addresses, err = servers(c, kubelet); err != nil {
			return r, err
		}
	}
	// A little load before, so that connections and caches are there.
	if _, err := create(ctx, c.API, "warm", 200, o.clients, !with); err != nil {
		return r, err
	}
	cpu := func() (times [4]time.Duration) {
		times[0], times[1] = cpuOf(c.Process("kube-apiserver")), cpuOf(c.Process("etcd"))
		for _, replica := range replicas {
			times[2] += cpuOf(replica)
		}
		for _, name := range []string{"kube-scheduler", "kube-controller-manager", "kwok"} {
			times[3] += cpuOf(c.Process(name))
		}
		return times
	}
	reviewsBefore := reviews(addresses)
	before, began := cpu(), time.Now()
	created, err := create(ctx, c.API, "load", o.pods, o.clients, !with)
	if err != nil {
		return r, err
	}
	r = result{with: with, pods: o.pods, took: time.Since(began), failed: created.failed, firstFailure: created.firstFailure}
	after := cpu()
	r.apiServer, r.etcd, r.winadmit, r.stillBusy = after[0]-before[0], after[1]-before[1], after[2]-before[2], after[3]-before[3]
	r.reviews = reviews(addresses) - reviewsBefore
	r.podsPerSecond = float64(r.pods) / r.took.Seconds()
	r.p50, r.p99 = created.percentiles()
	alone, err := create(ctx, c.API, "alone", min(1000, o.pods/4), 1, !with)
	if err != nil {
		return r, err
	}
	r.alone50, r.alone99 = alone.percentiles()
	for _, replica := range replicas {
		r.memory = math.Max(r.memory, peakMemory(replica))
	}
	if r.failed > 0 {
		return r, fmt.Errorf("%d of %d pods were not created as wanted, the first: %s", r.failed, r.pods, r.firstFailure)
	}
	return r, nil
}

// start starts a cluster with more nodes, half of them for Windows. It stops if the context is cancelled.
func start(ctx context.Context, dir string, nodes int) (*cluster.Cluster, error) {
	c, err := cluster.Start(dir)
	if err != nil {
		return nil, err
	}
	go func() {
		<-ctx.Done()
		c.Stop()
	}()
	for i := range max(2, nodes) {
		var err error
		if i%2 == 0 {
			err = c.CreateNode(fmt.Sprintf("linux-%d", i), "linux", "a", nil, nil)
		} else {
			err = c.CreateNode(fmt.Sprintf("windows-%d", i), "windows", "a", cluster.Object{"node.kubernetes.io/windows-build": "10.0.17763"},
				[]any{cluster.Object{"key": "os", "value": "Win1809", "effect": "NoSchedule"}})
		}
		if err != nil {
			c.Stop()
			return nil, err
		}
	}
	return c, nil
}

// install applies the overlay and waits until the API server calls both webhooks.
func install(c *cluster.Cluster) error {
	if _, _, err := c.API.Kubectl("", "apply", "-k", filepath.Join(cluster.Root(), "deploy/kustomize/overlays/self-signed")); err != nil {
		return err
	}
	if _, _, err := c.API.Kubectl("", "-n", system, "rollout", "status", "deployment/winadmit", "--timeout=120s"); err != nil {
		return err
	}
	dryRun := stream.DryRun(c.API, "default")
	for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		reply, err := dryRun(stream.Unsupported)
		if err == nil {
			err = stream.Refused(reply)
		}
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

// servers returns the processes and admin URLs of the replicas.
func servers(c *cluster.Cluster, kubelet *deploy.Kubelet) (processes []*cluster.Process, addresses []string, err error) {
	reply, err := c.API.Do("GET", "/api/v1/namespaces/"+system+"/pods?labelSelector=app.kubernetes.io%2Fcomponent%3Dwebhook", nil)
	if err != nil {
		return nil, nil, err
	}
	for _, pod := range cluster.List(reply.Body, "items") {
		process := kubelet.Process(cluster.Text(pod, "metadata", "uid"))
		if process == nil {
			return nil, nil, fmt.Errorf("replica %s does not run", cluster.Text(pod, "metadata", "name"))
		}
		processes = append(processes, process)
		addresses = append(addresses, cluster.Text(pod, "status", "podIP"))
	}
	return processes, addresses, nil
}

// reviews returns how many reviews the replicas have answered.
func reviews(addresses []string) float64 {
	sum := 0.0
	for _, address := range addresses {
		values, err := cluster.Metrics("http://" + address + ":8080")
		if err != nil {
			return math.NaN()
		}
		for name, value := range values {
			if strings.HasPrefix(name, "winadmit_requests_total{") {
				sum += value
			}
		}
	}
	return sum
}

func loadAverage() string {
	content, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(content), " ")
	return first
}
