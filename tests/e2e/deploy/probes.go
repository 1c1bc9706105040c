package deploy

import (
	"net/http"
	"time"

	"winadmit/tests/e2e/cluster"
)

// ready reports whether the readiness probe has not failed as often in a row as the pod allows. A Job has no probes.
func (c *container) ready() bool {
	if c.isJob() {
		return true
	}
	if cluster.IsReady(c.adminURL()) {
		c.readyAt = time.Now()
		return true
	}
	return time.Since(c.readyAt) < c.tolerated("readinessProbe")
}

// alive reports whether the liveness probe has not failed as often in a row as the pod allows.
func (c *container) alive() bool {
	if c.isJob() || at(c.spec(), "livenessProbe") == nil {
		return true
	}
	client := http.Client{Timeout: time.Second}
	response, err := client.Get(c.adminURL() + text(c.spec(), "livenessProbe", "httpGet", "path"))
	if err == nil {
		response.Body.Close()
		c.aliveAt = time.Now()
	}
	return time.Since(c.aliveAt) < c.tolerated("livenessProbe")
}

// tolerated returns how long a probe may fail.
func (c *container) tolerated(probe string) time.Duration {
	number := func(name string, otherwise float64) float64 {
		if n, ok := at(c.spec(), probe, name).(float64); ok {
			return n
		}
		return otherwise
	}
	return time.Duration(number("periodSeconds", 10)*number("failureThreshold", 3)) * time.Second
}

func (c *container) adminURL() string { return "http://" + c.address() + ":8080" }
