package gameday

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/stream"
)

// Other webhooks, admission plugins, nodes and versions.

// otherWebhooks adds a sidecar to every pod, by a webhook that is called before winadmit and by one that is called after it.
func otherWebhooks(s *step) {
	for _, order := range []string{"0-before", "z-after"} {
		defer s.injectContainer(order)()
	}
	s.eventually("both add their container", func() error {
		reply, err := stream.DryRun(shared.API, "default")(stream.Windows)
		if n := len(list(reply.Body, "spec", "containers")); err != nil || n != 3 {
			return fmt.Errorf("%d containers, %v", n, err)
		}
		return nil
	})
	time.Sleep(2 * time.Second)
	s.sawf("both sidecars are in the placed pods")
}

// injectContainer starts a webhook of that name that adds a container of that name to each pod, once.
func (s *step) injectContainer(name string) (remove func()) {
	s.Helper()
	injector, err := cluster.StartInjector(s.TempDir(), func(pod Object) []Object {
		for _, container := range list(pod, "spec", "containers") {
			if text(container, "name") == name {
				return nil
			}
		}
		return []Object{{"op": "add", "path": "/spec/containers/-", "value": Object{"name": name, "image": "registry.example/sidecar:1"}}}
	})
	if err != nil {
		s.Fatal(err)
	}
	configuration, err := injector.Configuration(name)
	if err != nil {
		s.Fatal(err)
	}
	// Not the pods of winadmit, which would wait for an image that does not exist.
	configuration["webhooks"].([]any)[0].(Object)["namespaceSelector"] = Object{"matchLabels": Object{"kubernetes.io/metadata.name": "default"}}
	if err := shared.API.Apply(configuration); err != nil {
		s.Fatal(err)
	}
	return func() {
		shared.API.Do("DELETE", cluster.Webhooks+"/mutatingwebhookconfigurations/"+name, nil)
		time.Sleep(2 * time.Second) // until the API server does not call it any more
		injector.Close()
	}
}

// podTolerationRestriction is a plugin that runs after webhooks. docs/compatibility.md says what to do.
func podTolerationRestriction(s *step) {
	if testing.Short() {
		s.Skip("starts another API server")
	}
	api, err := shared.StartAPIServer("kube-apiserver-tolerations", "--enable-admission-plugins=PodTolerationRestriction")
	if err != nil {
		s.Fatal(err)
	}
	whitelist := func(keys ...string) {
		var all []string
		for _, key := range append(keys, "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable") {
			all = append(all, fmt.Sprintf(`{\"operator\": \"Exists\", \"key\": \"%s\"}`, key))
		}
		s.sh(fmt.Sprintf(`kubectl annotate namespace whitelisted --overwrite "scheduler.alpha.kubernetes.io/tolerationsWhitelist=[%s]"`,
			strings.Join(all, ", ")))
	}
	s.sh("kubectl create namespace whitelisted")
	create := stream.DryRun(api, "whitelisted")
	whitelist()
	var message string
	s.eventually("the placed pod is refused by the plugin", func() error {
		reply, err := create(stream.Windows)
		if message = reply.Message(); err != nil || !strings.Contains(message, "whitelist") {
			return fmt.Errorf("%d %s %v", reply.Code, message, err)
		}
		return nil
	})
	s.sawf("%s", message)
	whitelist("os")
	s.eventually("with the toleration on the list it is accepted", func() error {
		reply, err := create(stream.Windows)
		if err != nil {
			return err
		}
		return stream.Placed(reply)
	})
	s.sh("kubectl delete namespace whitelisted --wait=false")
}

// taints adds the taint to a Windows node that had none, and removes it again. Placed pods run all the time, whichever node
// they are on; a pod that was stored without a toleration is evicted by NoExecute.
func taints(s *step) {
	s.sh("kubectl create namespace taints")
	if err := shared.CreateNode("win-flow", "windows", "a", Object{"flow": "yes"}, nil); err != nil {
		s.Fatal(err)
	}
	workload := func(name, more string) {
		s.sh(fmt.Sprintf(`kubectl -n taints create -f - <<'EOF'
{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "%[1]s"}, "spec": {"replicas": 3,
 "selector": {"matchLabels": {"app": "%[1]s"}}, "template": {"metadata": {"labels": {"app": "%[1]s"}}, "spec": {
 "nodeSelector": {"kubernetes.io/os": "windows", "flow": "yes"}, %[2]s
 "containers": [{"name": "main", "image": "registry.example/app:1"}]}}}}
EOF`, name, more))
	}
	running := func(name string, want int) {
		s.Helper()
		s.eventually(fmt.Sprintf("%d pods of %s run", want, name), func() error {
			out := strings.Fields(s.sh("kubectl -n taints get pods -l app=" + name + " --field-selector=status.phase=Running -o name"))
			if len(out) != want {
				return fmt.Errorf("%d", len(out))
			}
			return nil
		})
	}
	// One that winadmit places, and one that was created while the namespace was excluded.
	s.sh("kubectl label namespace taints winadmit.dev/mode=off")
	s.eventually("the label is in effect", func() error {
		reply, err := stream.DryRun(shared.API, "taints")(stream.Windows)
		if err != nil || stream.Placed(reply) == nil {
			return fmt.Errorf("still placed, %v", err)
		}
		return nil
	})
	workload("unplaced", "")
	running("unplaced", 3)
	s.sh("kubectl label namespace taints winadmit.dev/mode-")
	s.eventually("the label is gone", func() error {
		reply, err := stream.DryRun(shared.API, "taints")(stream.Windows)
		if err != nil {
			return err
		}
		return stream.Placed(reply)
	})
	workload("placed", "")
	running("placed", 3)

	s.sh("kubectl taint node win-flow os=Win1809:NoSchedule")
	running("placed", 3)
	running("unplaced", 3) // NoSchedule evicts nothing
	s.sh("kubectl -n taints rollout restart deployment/placed && kubectl -n taints rollout status deployment/placed --timeout=60s")
	// Pods that are created now are placed, those of the older Deployment too.
	s.sh("kubectl -n taints delete pod -l app=unplaced --wait=false")
	running("unplaced", 3)
	s.sh("kubectl taint node win-flow os=Win1809:NoSchedule-")
	running("placed", 3)
	s.sawf("pods that were stored without the toleration got it when they were created again")
	s.sh("kubectl delete namespace taints --wait=false; kubectl delete node win-flow")
}

// versionSkew creates pods through an API server and by a kubectl of another minor, if they have been built before.
func versionSkew(s *step) {
	const minor = "1.34"
	programs, why := cached(minor)
	if why != "" {
		s.Skip(why)
	}
	if testing.Short() {
		s.Skip("starts another API server")
	}
	api, err := shared.StartAPIServerOf(programs, "kube-apiserver-"+minor)
	if err != nil {
		s.Fatal(err)
	}
	create := stream.DryRun(api, "default")
	s.eventually("it calls winadmit", func() error {
		reply, err := create(stream.Windows)
		if err != nil {
			return err
		}
		return stream.Placed(reply)
	})
	old := stream.StartAll(create)
	time.Sleep(3 * time.Second)
	for i, counts := range old.Stop() {
		if counts.Lost() > 0 || counts.Sent < 10 {
			s.Errorf("through %s, %s: %s; the first: %s", minor, old[i].Name, counts, counts.First)
		}
	}
	page := s.page(install)
	for _, block := range page.Blocks {
		if block.Section == "Verify" { // by the older kubectl, through the older API server
			out, err := shell.Run("(export PATH="+filepath.Dir(programs["kubectl"])+":$PATH KUBECONFIG="+api.Kubeconfig+"\n"+block.Text+"\n)", time.Minute)
			if err != nil {
				s.Errorf("%s: %v\n%s", block, err, out)
			}
		}
	}
	s.sawf("kube-apiserver and kubectl %s", minor)
}

// cached returns the programs of a Kubernetes minor if they are in the cache of build-tools.sh. They take half an hour to
// build, which is too long for a step.
func cached(minor string) (programs cluster.Programs, why string) {
	folder := filepath.Dir(shared.Programs["kube-apiserver"])
	programs = cluster.Programs{}
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(folder), "kubernetes-v"+minor+".*"))
	for _, name := range []string{"kube-apiserver", "kubectl"} {
		for _, other := range others {
			if info, err := os.Stat(filepath.Join(other, name)); err == nil && info.Mode()&0o111 != 0 {
				programs[name] = filepath.Join(other, name)
			}
		}
		if programs[name] == "" {
			return nil, fmt.Sprintf("no %s %s in the cache; K8S_VERSION=%s tests/e2e/build-tools.sh builds it", name, minor, minor)
		}
	}
	return programs, ""
}
