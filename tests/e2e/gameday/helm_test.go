package gameday

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

func TestAGameDayOfAnInstallationByHelm(t *testing.T) {
	installed := play(t, "install with Helm, and create pods as soon as the page says that it works", installsByHelm)
	if !installed {
		t.Fatal("not installed")
	}
	mend = `helm upgrade winadmit deploy/helm/winadmit --namespace winadmit-system --reset-then-reuse-values --wait --wait-for-jobs`
	defer func() { mend = "" }()
	play(t, "the configurations are deleted, later helm upgrade", configurationsDeletedThenUpgrade)
	play(t, "the Secret is lost, with Helm", func(s *step) {
		secretIsLost(s, func() { s.paste(operations, blocked, "helm upgrade") })
	})
	play(t, "helm uninstall is interrupted", uninstallInterrupted)
}

func installsByHelm(s *step) {
	s.mayLose("nothing is installed at first", windowsPods, unsupportedPods)
	s.sh(s.helmInstall())
	s.verify()
	if err := s.calls(); err != nil {
		s.Errorf("the commands of Verify have returned, and %v", err)
	}
}

// helmInstall returns the first block of the page that installs with Helm.
func (s *step) helmInstall() string {
	s.Helper()
	for _, block := range s.page(install).Blocks {
		if strings.Contains(block.Text, "helm install winadmit") || strings.Contains(block.Text, "helm upgrade --install winadmit") {
			s.Logf("%s", block)
			return block.Text
		}
	}
	s.Fatal("the page does not install with Helm")
	return ""
}

func configurationsDeletedThenUpgrade(s *step) {
	s.mayLose("nothing calls winadmit", windowsPods, unsupportedPods)
	s.paste(operations, blocked, "kubectl delete validatingwebhookconfiguration")
	time.Sleep(2 * time.Second)
	s.paste(operations, blocked, "helm upgrade")
	s.recovered()
}

// uninstallInterrupted kills helm uninstall at several moments. At none of them may the API server refuse Windows pods for
// longer than it takes to notice. The page says how to remove the rest.
func uninstallInterrupted(s *step) {
	s.mayLose("winadmit is removed and installed again", windowsPods, unsupportedPods)
	gone := func(path string) func() bool {
		return func() bool {
			reply, err := shared.API.Do("GET", path, nil)
			return err == nil && reply.Code == http.StatusNotFound
		}
	}
	moments := []struct {
		name string
		come func() bool
	}{
		{"the Service is gone", gone("/api/v1/namespaces/" + system + "/services/winadmit")},
		{"the Deployment is gone", gone("/apis/apps/v1/namespaces/" + system + "/deployments/winadmit")},
		{"its hook has begun", func() bool {
			reply, err := shared.API.Do("GET", cluster.Webhooks+"/validatingwebhookconfigurations/winadmit", nil)
			return err == nil && (reply.Code == http.StatusNotFound || len(list(reply.Body, "webhooks")) == 0)
		}},
	}
	if testing.Short() {
		moments = moments[:1]
	}
	for i, moment := range moments {
		if i > 0 {
			s.sh(s.helmInstall())
			s.verify()
		}
		s.killedWhen(moment.come, shared.Programs["helm"], "uninstall", "winadmit", "--namespace", system)
		left := strings.Fields(s.sh("kubectl get mutatingwebhookconfiguration,validatingwebhookconfiguration," +
			"service,deployment -A -l app.kubernetes.io/name=winadmit -o name --ignore-not-found"))
		time.Sleep(3 * time.Second) // until the API server has noticed
		before := s.streams[windowsPods].Counts()
		time.Sleep(3 * time.Second)
		after := s.streams[windowsPods].Counts()
		if after.Failed > before.Failed {
			s.Errorf("killed when %s: Windows pods are refused: %s; left: %v", moment.name, after.Last, left)
		}
		s.sawf("killed when %s: left are %v, %d Windows pods refused later", moment.name, left, after.Failed-before.Failed)
		for _, block := range s.page(rollout).Blocks {
			if block.Section == "Remove" && !strings.Contains(block.Text, "delete -k") {
				if out, err := shell.Run(block.Text, 2*time.Minute); err != nil {
					s.Logf("%s: %v\n%s", block, err, out) // helm may have removed its release already
				}
			}
		}
		s.eventually("no configuration is left", func() error {
			if out := s.sh("kubectl get mutatingwebhookconfiguration,validatingwebhookconfiguration -l app.kubernetes.io/name=winadmit -o name"); out != "" {
				return fmt.Errorf("%s", out)
			}
			return nil
		})
	}
	s.sh("kubectl delete namespace " + system + " --ignore-not-found")
	s.nothingIsLeft()
}

// killedWhen runs a program and kills it when a moment has come.
func (s *step) killedWhen(come func() bool, program string, arguments ...string) {
	s.Helper()
	command := exec.Command(program, arguments...)
	command.Env = append(command.Environ(), "KUBECONFIG="+shared.Kubeconfig)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		s.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for !come() {
		select {
		case err := <-ended:
			s.Errorf("it ended before the moment came: %v", err)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	command.Process.Kill()
	<-ended
}
