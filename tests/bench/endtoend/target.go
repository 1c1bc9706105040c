package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"winadmit/tests/e2e/cluster"
)

// target is the measured kube-apiserver. It is a second one, so that controllers do not call it.
type target struct {
	api     *cluster.API
	url     string
	token   string
	pid     int
	version string
}

func startTarget(c *cluster.Cluster) (*target, error) {
	// Auditing is off. Mutating policies may need the feature gate and v1beta1.
	api, err := c.StartAPIServer("kube-apiserver-measured", "--audit-log-path=",
		"--feature-gates=MutatingAdmissionPolicy=true", "--runtime-config=admissionregistration.k8s.io/v1beta1=true")
	if err != nil {
		return nil, err
	}
	config, err := os.ReadFile(api.Kubeconfig)
	if err != nil {
		return nil, err
	}
	t := &target{api: api, url: firstGroup(`server: "([^"]*)"`, config), token: firstGroup(`token: ([^}\s]*)`, config)}
	if t.pid, err = pidListening(t.url); err != nil {
		return nil, err
	}
	version, err := api.Do("GET", "/version", nil)
	if err != nil {
		return nil, err
	}
	t.version, _ = version.Body["gitVersion"].(string)
	return t, nil
}

func firstGroup(pattern string, text []byte) string {
	if found := regexp.MustCompile(pattern).FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}

// pidListening finds the kube-apiserver with this port in its command line.
func pidListening(url string) (int, error) {
	port := url[strings.LastIndex(url, ":")+1:]
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		line, err := os.ReadFile("/proc/" + entry.Name() + "/cmdline")
		if err != nil || !strings.Contains(string(line), "--secure-port\x00"+port+"\x00") {
			continue
		}
		var pid int
		if _, err := fmt.Sscan(entry.Name(), &pid); err == nil {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("no process serves on port %s", port)
}

// readPod returns the pod of an AdmissionReview without status and generated metadata.
func readPod(file string) (cluster.Object, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var review struct {
		Request struct{ Object cluster.Object }
	}
	if err := json.Unmarshal(content, &review); err != nil {
		return nil, err
	}
	pod := review.Request.Object
	pod["metadata"] = cluster.Object{"generateName": "bench-", "labels": cluster.Object{"app": "bench"}}
	delete(pod, "status")
	return pod, nil
}
