package cluster

import (
	"fmt"
	"maps"
	"strings"
)

// The nodes that KWOK simulates: two Windows builds with a taint each, and a Linux node in each of two zones.
var nodes = []struct{ name, os, zone, build, taint string }{
	{"win1809", "windows", "a", "10.0.17763", "Win1809"},
	{"win2022", "windows", "b", "10.0.20348", "Win2022"},
	{"linux-a", "linux", "a", "", ""},
	{"linux-b", "linux", "b", "", ""},
}

func (c *Cluster) createNodes() error {
	for _, n := range nodes {
		labels := Object{}
		var taints []any
		if n.build != "" {
			labels["node.kubernetes.io/windows-build"] = n.build
			taints = []any{Object{"key": "os", "value": n.taint, "effect": "NoSchedule"}}
		}
		if err := c.CreateNode(n.name, n.os, n.zone, labels, taints); err != nil {
			return err
		}
	}
	return nil
}

// CreateNode creates a node that KWOK simulates, with the labels that every kubelet sets and with these.
func (c *Cluster) CreateNode(name, os, zone string, labels Object, taints []any) error {
	all := Object{
		"kubernetes.io/hostname": name, "kubernetes.io/arch": "amd64",
		"kubernetes.io/os": os, "beta.kubernetes.io/os": os,
		"topology.kubernetes.io/region": "e2e", "topology.kubernetes.io/zone": "e2e-" + zone,
	}
	maps.Copy(all, labels)
	capacity := Object{"cpu": "1000", "memory": "4Ti", "pods": "10000", "ephemeral-storage": "4Ti"}
	reply, err := c.API.Do("POST", "/api/v1/nodes", Object{
		"apiVersion": "v1", "kind": "Node",
		"metadata": Object{"name": name, "labels": all,
			"annotations": Object{"kwok.x-k8s.io/node": "fake"}},
		"spec":   Object{"taints": taints},
		"status": Object{"allocatable": capacity, "capacity": capacity},
	})
	if err != nil {
		return err
	}
	if !reply.Created() {
		return fmt.Errorf("node %s: %s", name, reply.Message())
	}
	return nil
}

// nodesReady reports whether no node has the taint not-ready, which it has until its first heartbeat.
func (c *Cluster) nodesReady() bool {
	reply, err := c.API.Do("GET", "/api/v1/nodes", nil)
	return err == nil && !strings.Contains(fmt.Sprint(reply.Body["items"]), "node.kubernetes.io/not-ready")
}
