package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"winadmit/tests/e2e/cluster"
)

// StartCertManager starts the controller and the cainjector of cert-manager, and applies its custom resource definitions.
func StartCertManager(c *cluster.Cluster) (stop func(), err error) {
	programs, err := cluster.FindPrograms("cert-manager-controller", "cert-manager-cainjector")
	if err != nil {
		return nil, err
	}
	module, err := cluster.Module("cert-manager", "github.com/cert-manager/cert-manager")
	if err != nil {
		return nil, err
	}
	files, _ := filepath.Glob(module + "/deploy/crds/crd-*.yaml")
	if len(files) == 0 {
		return nil, fmt.Errorf("no custom resource definitions in %s", module)
	}
	labels := regexp.MustCompile(`(?m)^.*\{\{.*\n`) // templates of the chart of cert-manager
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if _, _, err := c.API.Kubectl(string(labels.ReplaceAll(text, nil)), "apply", "--server-side", "-f", "-"); err != nil {
			return nil, err
		}
	}
	if _, _, err := c.API.Kubectl("", "wait", "--for=condition=Established", "crd/certificates.cert-manager.io", "crd/issuers.cert-manager.io"); err != nil {
		return nil, err
	}
	var running []*cluster.Process
	stop = func() {
		for _, process := range running {
			process.Stop(0)
		}
	}
	for name, flags := range map[string][]string{
		"cert-manager-controller": {"--metrics-listen-address=127.0.0.1:0", "--leader-elect=false"}, "cert-manager-cainjector": nil} {
		process, err := c.Run(name, programs[name], append(flags, "--kubeconfig", c.Kubeconfig)...)
		if err != nil {
			stop()
			return nil, err
		}
		running = append(running, process)
	}
	return stop, nil
}
