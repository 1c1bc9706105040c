package deploy

import (
	"path/filepath"
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/suite"
)

var shared *cluster.Cluster

func TestMain(m *testing.M) {
	suite.Run(m, "e2e-deploy", func(c *cluster.Cluster) (func(), error) {
		shared = c
		image, err := BuildImage(filepath.Join(c.Dir, "image"))
		if err != nil {
			return nil, err
		}
		kubelet, err := StartPullingKubelet(c, pullPreviousOr(image))
		if err != nil {
			return nil, err
		}
		return kubelet.Stop, nil
	})
}
