package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"winadmit/tests/e2e/cluster"
)

// created is what a load of creates cost.
type created struct {
	took         []time.Duration
	failed       int
	firstFailure string
}

func (c created) percentiles() (p50, p99 time.Duration) {
	slices.Sort(c.took)
	round := func(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
	return round(c.took[len(c.took)/2]), round(c.took[len(c.took)*99/100])
}

// create creates pods in turn for Linux and for Windows, with a number of clients. Without winadmit a Windows pod has the
// toleration that winadmit adds, as users write it then, so that the scheduler does the same work in both cases.
func create(ctx context.Context, api *cluster.API, name string, pods, clients int, written bool) (created, error) {
	toleration := ""
	if written {
		toleration = `"tolerations": [{"key": "os", "operator": "Equal", "value": "Win1809", "effect": "NoSchedule"}],`
	}
	var next atomic.Int64
	var mutex sync.Mutex
	var all created
	var workers sync.WaitGroup
	for range clients {
		workers.Add(1)
		go func() {
			defer workers.Done()
			var mine created
			for i := int(next.Add(1)) - 1; i < pods && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				os, tolerations := "linux", ""
				if i%2 == 1 {
					os, tolerations = "windows", toleration
				}
				start := time.Now()
				reply, err := api.Do("POST", "/api/v1/namespaces/default/pods", []byte(fmt.Sprintf(body, name, i, os, tolerations)))
				mine.took = append(mine.took, time.Since(start))
				if err == nil && !reply.Created() {
					err = fmt.Errorf("%d %s", reply.Code, reply.Message())
				}
				if err == nil && cluster.Tolerates(reply.Body, "Win1809") != (os == "windows") {
					err = fmt.Errorf("a %s pod has the tolerations %v", os, cluster.List(reply.Body, "spec", "tolerations"))
				}
				if err != nil {
					mine.failed++
					mine.firstFailure = err.Error()
				}
			}
			mutex.Lock()
			defer mutex.Unlock()
			all.took = append(all.took, mine.took...)
			all.failed += mine.failed
			if all.firstFailure == "" {
				all.firstFailure = mine.firstFailure
			}
		}()
	}
	workers.Wait()
	if ctx.Err() != nil || len(all.took) == 0 {
		return all, fmt.Errorf("stopped")
	}
	return all, nil
}

// A pod as Deployments have them: labels, probes, resources, a volume, environment variables.
const body = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s-%d", "labels": {
  "app.kubernetes.io/name": "shop", "app.kubernetes.io/component": "frontend", "pod-template-hash": "6d4cf56db6"}},
 "spec": {"nodeSelector": {"kubernetes.io/os": "%s"}, %s "terminationGracePeriodSeconds": 30,
  "containers": [{"name": "main", "image": "registry.example/shop/frontend:1.4.2",
   "args": ["--listen", ":8080", "--config", "/etc/shop/config.yaml"], "ports": [{"name": "http", "containerPort": 8080}],
   "env": [{"name": "LOG_LEVEL", "value": "info"}, {"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
   "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
   "readinessProbe": {"httpGet": {"path": "/readyz", "port": "http"}, "periodSeconds": 5},
   "volumeMounts": [{"name": "config", "mountPath": "/etc/shop"}]}],
  "volumes": [{"name": "config", "emptyDir": {}}]}}`
