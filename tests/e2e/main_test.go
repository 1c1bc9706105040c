// Package e2e proves winadmit where it lives: behind a real kube-apiserver. Each test is named by
// its claim and has namespaces of its own; all share one control plane and one winadmit.
package e2e

import (
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/suite"
)

var (
	shared   *cluster.Cluster
	winadmit *cluster.Winadmit // judges every namespace that has no other instance of its own
)

func TestMain(m *testing.M) {
	suite.Run(m, "e2e", func(c *cluster.Cluster) (func(), error) {
		shared = c
		var err error
		if winadmit, err = c.StartWinadmit("winadmit", testConfig()); err != nil {
			return nil, err
		}
		if err := winadmit.Intercept(""); err != nil {
			return nil, err
		}
		return nil, waitUntilJudged()
	})
}

// testConfig is what every winadmit here serves with.
func testConfig() string { return cluster.TwoBuilds }
