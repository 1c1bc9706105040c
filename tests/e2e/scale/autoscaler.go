package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/deploy"
)

// tryAutoscaler applies the component autoscaling and loads the replicas until the HorizontalPodAutoscaler adds one. First by
// creates, which cannot load them enough, then by sending reviews to them directly. It returns sentences for the page.
func tryAutoscaler(ctx context.Context, dir string, image *deploy.Image) (string, error) {
	c, err := start(ctx, dir, 20)
	if err != nil {
		return "", err
	}
	defer c.Stop()
	kubelet, err := deploy.StartKubelet(c, image)
	if err != nil {
		return "", err
	}
	defer kubelet.Stop()
	if err := install(c); err != nil {
		return "", err
	}
	source, err := serveMetrics(c, kubelet)
	if err != nil {
		return "", err
	}
	defer source.close()
	manifest := filepath.Join(cluster.Root(), "deploy/kustomize/components/autoscaling/horizontal-pod-autoscaler.yaml")
	if _, _, err := c.API.Kubectl("", "-n", system, "apply", "-f", manifest); err != nil {
		return "", err
	}
	// Until it has seen the CPU of idle replicas.
	idle, err := source.await(2*time.Minute, func(s scaling) bool { return s.milliCPU >= 0 })
	if err != nil {
		return "", err
	}
	creates, stopCreates := context.WithCancel(ctx)
	go create(creates, c.API, "load", 1<<30, 16, false)
	time.Sleep(45 * time.Second)
	underCreates := source.now()
	stopCreates()

	reviews, stopReviews := context.WithCancel(ctx)
	defer stopReviews()
	if err := source.loadReplicas(reviews); err != nil {
		return "", err
	}
	began := time.Now()
	scaled, err := source.await(3*time.Minute, func(s scaling) bool { return s.replicas > idle.replicas })
	if err != nil {
		return fmt.Sprintf("Under creates its replicas used %dm each, of the %s at which it adds one. Then reviews were sent to the replicas "+
			"directly: %v.", underCreates.milliCPU, idle.target, err), nil
	}
	ready, err := source.await(2*time.Minute, func(s scaling) bool { return s.ready >= scaled.replicas })
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Under creates by 16 clients each of the %d replicas used %dm CPU (%dm when idle), so the autoscaler, which adds a replica "+
		"above %s, had nothing to do. When reviews were sent to the replicas directly, as fast as they were answered, they used %dm each, and the autoscaler "+
		"had %d replicas after %.0f s, %d of them ready.", idle.replicas, underCreates.milliCPU, idle.milliCPU, idle.target, scaled.milliCPU,
		scaled.replicas, time.Since(began).Seconds(), ready.ready), nil
}

// scaling is the state of the autoscaler.
type scaling struct {
	replicas, ready int
	milliCPU        int // average of a replica as the autoscaler sees it; -1 before it has seen any
	target          string
}

// metricsSource is the resource metrics API (metrics.k8s.io) of the replicas. It replaces metrics-server, which reads what
// this machine has no kubelet for: the CPU time of the containers, here of their processes.
type metricsSource struct {
	cluster *cluster.Cluster
	kubelet *deploy.Kubelet
	server  *http.Server
	samples map[string]sample // by uid
}

type sample struct {
	at  time.Time
	cpu time.Duration
}

const metricsGroup = "/apis/metrics.k8s.io/v1beta1"

// serveMetrics registers the API with the API server, which calls it at the address of this machine.
func serveMetrics(c *cluster.Cluster, kubelet *deploy.Kubelet) (*metricsSource, error) {
	m := &metricsSource{cluster: c, kubelet: kubelet, samples: map[string]sample{}}
	pair := filepath.Join(c.Dir, "metrics")
	if err := cluster.IssuePair(pair, "localhost"); err != nil {
		return nil, err
	}
	ports, err := cluster.FreePorts(1)
	if err != nil {
		return nil, err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET "+metricsGroup, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, cluster.Object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "metrics.k8s.io/v1beta1", "resources": []any{
			cluster.Object{"name": "pods", "namespaced": true, "kind": "PodMetrics", "verbs": []any{"get", "list"}}}})
	})
	routes.HandleFunc("GET "+metricsGroup+"/namespaces/"+system+"/pods", func(w http.ResponseWriter, _ *http.Request) { reply(w, m.pods()) })
	m.server = &http.Server{Addr: fmt.Sprintf("%s:%d", kubelet.HostAddress(), ports[0]), Handler: routes, ReadHeaderTimeout: 10 * time.Second}
	go m.server.ListenAndServeTLS(filepath.Join(pair, "tls.crt"), filepath.Join(pair, "tls.key"))
	manifest := fmt.Sprintf(`
{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "metrics", "namespace": "kube-system"},
 "spec": {"ports": [{"name": "https", "port": 443, "targetPort": %[1]d}]}}
---
{"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
 "metadata": {"name": "metrics", "namespace": "kube-system", "labels": {"kubernetes.io/service-name": "metrics"}},
 "endpoints": [{"addresses": ["%[2]s"], "conditions": {"ready": true}}], "ports": [{"name": "https", "port": %[1]d, "protocol": "TCP"}]}
---
{"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "v1beta1.metrics.k8s.io"},
 "spec": {"group": "metrics.k8s.io", "version": "v1beta1", "groupPriorityMinimum": 100, "versionPriority": 100,
  "insecureSkipTLSVerify": true, "service": {"name": "metrics", "namespace": "kube-system"}}}
`, ports[0], kubelet.HostAddress())
	if _, _, err := c.API.Kubectl(manifest, "apply", "-f", "-"); err != nil {
		m.close()
		return nil, err
	}
	if _, _, err := c.API.Kubectl("", "wait", "--for=condition=Available", "apiservice/v1beta1.metrics.k8s.io", "--timeout=60s"); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *metricsSource) close() { m.server.Close() }

func reply(w http.ResponseWriter, object cluster.Object) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(object)
}

// pods returns the CPU use of each replica since the last question, as PodMetricsList.
func (m *metricsSource) pods() cluster.Object {
	list := cluster.Object{"kind": "PodMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": cluster.Object{}, "items": []any{}}
	answer, err := m.cluster.API.Do("GET", "/api/v1/namespaces/"+system+"/pods?labelSelector=app.kubernetes.io%2Fcomponent%3Dwebhook", nil)
	if err != nil {
		return list
	}
	for _, pod := range cluster.List(answer.Body, "items") {
		uid := cluster.Text(pod, "metadata", "uid")
		process := m.kubelet.Process(uid)
		if process == nil {
			continue
		}
		now := sample{time.Now(), cpuOf(process)}
		last, known := m.samples[uid]
		m.samples[uid] = now
		window := now.at.Sub(last.at)
		if !known || window < time.Second {
			continue
		}
		used := float64(now.cpu-last.cpu) / float64(window)
		list["items"] = append(list["items"].([]any), cluster.Object{
			"metadata": cluster.Object{"name": cluster.Text(pod, "metadata", "name"), "namespace": system,
				"labels": cluster.At(pod, "metadata", "labels")},
			"timestamp": now.at.UTC().Format(time.RFC3339), "window": window.Round(time.Second).String(),
			"containers": []any{cluster.Object{"name": "winadmit", "usage": cluster.Object{
				"cpu": fmt.Sprintf("%dm", int(used*1000)), "memory": fmt.Sprintf("%.0f", peakMemory(process))}}},
		})
	}
	return list
}

// now returns the state of the autoscaler.
func (m *metricsSource) now() scaling {
	s := scaling{milliCPU: -1}
	hpa, err := m.cluster.API.Do("GET", "/apis/autoscaling/v2/namespaces/"+system+"/horizontalpodautoscalers/winadmit", nil)
	if err != nil {
		return s
	}
	s.target = cluster.Text(hpa.Body, "spec", "metrics", 0, "resource", "target", "averageValue")
	if value := cluster.Text(hpa.Body, "status", "currentMetrics", 0, "resource", "current", "averageValue"); value != "" {
		s.milliCPU = milli(value)
	}
	deployment, err := m.cluster.API.Do("GET", "/apis/apps/v1/namespaces/"+system+"/deployments/winadmit", nil)
	if err != nil {
		return s
	}
	count := func(path ...any) int { n, _ := cluster.At(deployment.Body, path...).(float64); return int(n) }
	s.replicas, s.ready = count("spec", "replicas"), count("status", "readyReplicas")
	return s
}

// milli returns thousandths of a quantity such as 250m or 2.
func milli(quantity string) int {
	var number int
	var unit string
	fmt.Sscanf(quantity, "%d%s", &number, &unit)
	if unit == "" {
		return number * 1000
	}
	return number
}

func (m *metricsSource) await(limit time.Duration, holds func(scaling) bool) (scaling, error) {
	for deadline := time.Now().Add(limit); ; time.Sleep(time.Second) {
		s := m.now()
		if holds(s) {
			return s, nil
		}
		if time.Now().After(deadline) {
			return s, fmt.Errorf("after %s the autoscaler saw %dm each and had %d replicas, %d ready", limit, s.milliCPU, s.replicas, s.ready)
		}
	}
}

// loadReplicas sends reviews to every replica until the context is cancelled. Each is the largest in samples/.
func (m *metricsSource) loadReplicas(ctx context.Context) error {
	review, err := os.ReadFile(filepath.Join(cluster.Root(), "samples", "unsupported-windows-pod.json"))
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 8,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	_, addresses, err := servers(m.cluster, m.kubelet)
	if err != nil {
		return err
	}
	for _, address := range addresses {
		for range 4 {
			go func() {
				for ctx.Err() == nil {
					response, err := client.Post("https://"+address+":8443/validate", "application/json", bytes.NewReader(review))
					if err == nil {
						io.Copy(io.Discard, response.Body)
						response.Body.Close()
					}
				}
			}()
		}
	}
	return nil
}
