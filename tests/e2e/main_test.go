// Package e2e tests winadmit with a real kube-apiserver. All tests share one control plane and one winadmit; each has its
// own namespaces.
//
//	make e2e                                       all tests, with those of package deploy
//	tests/e2e/run.sh . -run TestModeWarn           one test
//
// The first run builds the control plane (build-tools.sh), which takes 20 to 40 minutes.
package e2e

import (
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/suite"
)

var (
	shared   *cluster.Cluster
	winadmit *cluster.Winadmit // serves every namespace without an instance label
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
		return nil, waitUntilInEffect()
	})
}

// testConfig is the configuration of every winadmit in these tests.
func testConfig() string { return cluster.TwoBuilds }
