// Package policies compares the exported admission policies with the webhook, behind one real kube-apiserver: both must
// admit, refuse, warn and place alike.
//
//	tests/e2e/run.sh ./policies                       with the default Kubernetes
//	K8S_VERSION=1.34 tests/e2e/run.sh ./policies      where only validating policies exist
//	POLICIES_CONFIG=$PWD/c.yaml tests/e2e/run.sh ./policies   with another configuration
package policies

import (
	"os"
	"path/filepath"
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/suite"
)

type Object = cluster.Object
type Reply = cluster.Reply

// The two engines, as instances: each serves the namespaces with its label.
const (
	webhook  = "webhook"
	policies = "policies"
)

var (
	shared    *cluster.Cluster
	places    bool     // whether this release has mutating policies
	installed []Object // the policies and their bindings
)

func TestMain(m *testing.M) {
	suite.Run(m, "e2e-policies", func(c *cluster.Cluster) (func(), error) {
		shared = c
		text := []byte(cluster.TwoBuilds)
		if file := os.Getenv("POLICIES_CONFIG"); file != "" {
			var err error
			if text, err = os.ReadFile(file); err != nil {
				return nil, err
			}
		}
		config := filepath.Join(c.Dir, "policies.yaml")
		if err := os.WriteFile(config, text, 0o644); err != nil {
			return nil, err
		}
		exported, err := cluster.ExportPolicies("--config", config, "--only", "validating")
		if err != nil {
			return nil, err
		}
		if cluster.IsNewest() {
			if exported, err = cluster.ExportPolicies("--config", config); err != nil {
				return nil, err
			}
		}
		places, installed = cluster.HasMutatingPolicies(exported), exported
		cluster.ScopePolicies(exported, policies)
		if err := c.API.ApplyPolicies(exported); err != nil {
			return nil, err
		}
		server, err := c.StartWinadmit("winadmit", string(text))
		if err != nil {
			return nil, err
		}
		configurations, err := server.Export()
		if err != nil {
			return nil, err
		}
		for _, configuration := range configurations {
			cluster.Scope(configuration, webhook)
			if configuration["kind"] == "MutatingWebhookConfiguration" && !places {
				continue
			}
			if err := c.API.Apply(configuration); err != nil {
				return nil, err
			}
		}
		if err := createRuntimeClass(c.API); err != nil {
			return nil, err
		}
		return nil, createNamespaces(c.API)
	})
}
