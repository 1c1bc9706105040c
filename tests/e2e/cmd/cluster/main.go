// Command cluster starts a control plane with winadmit, to try it out (make cluster).
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"winadmit/tests/e2e/cluster"
)

func main() {
	ctx, cancel := cluster.Lifetime()
	defer cancel()
	dir := cluster.RunDir("cluster")
	if err := run(ctx, dir); err != nil {
		fmt.Fprintf(os.Stderr, "cluster: %v\nlogs: %s\n", err, dir)
		os.Exit(2)
	}
	os.RemoveAll(dir)
}

func run(ctx context.Context, dir string) error {
	fmt.Println("Starting etcd, kube-apiserver, its controllers and scheduler, KWOK and winadmit ...")
	c, err := cluster.Start(dir)
	if err != nil {
		return err
	}
	defer c.Stop()
	winadmit, err := c.StartWinadmit("winadmit", cluster.TwoBuilds)
	if err != nil {
		return err
	}
	if err := winadmit.Intercept(""); err != nil {
		return err
	}
	if _, _, err := c.API.Kubectl(without, "apply", "-f", "-"); err != nil {
		return err
	}
	examples, err := filepath.Rel(workingDir(), filepath.Join(cluster.Root(), "tests", "e2e", "examples"))
	if err != nil {
		return err
	}
	fmt.Printf(guide, c.Kubeconfig, filepath.Dir(c.Programs["kubectl"]), examples, dir)
	<-ctx.Done()
	fmt.Println("\nStopping everything.")
	return nil
}

// A namespace with mode off, which shows the cluster without winadmit.
const without = `
apiVersion: v1
kind: Namespace
metadata: {name: without, labels: {winadmit.dev/mode: "off"}}
`

const guide = `
The cluster is up: nodes win1809 and win2022 (tainted), linux-a and linux-b. In another terminal:

  export KUBECONFIG=%[1]s PATH=%[2]s:$PATH

1. A Windows Deployment stays Pending without winadmit, and runs with it:
     kubectl -n without apply -f %[3]s/iis.yaml; kubectl -n without get pods -o wide
     kubectl apply -f %[3]s/iis.yaml; kubectl get pods -o wide
2. A Windows pod with unsupported fields is refused, with all the reasons:
     kubectl apply -f %[3]s/refused.yaml
3. What winadmit adds to a pod:
     kubectl run web --image=mcr.microsoft.com/windows/nanoserver:ltsc2022 --dry-run=server -o yaml \
       --overrides='{"spec": {"nodeSelector": {"node.kubernetes.io/windows-build": "10.0.20348"}}}'

Logs: %[4]s/logs. Ctrl-C stops everything.
`

func workingDir() string {
	dir, _ := os.Getwd()
	return dir
}
