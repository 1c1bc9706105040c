package e2e

import (
	"fmt"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// A running Windows pod that would be refused now. It tolerates the taint, so it was scheduled.
const existingSpec = `{
	"nodeSelector": {"kubernetes.io/os": "windows"},
	"tolerations": [{"key": "os", "value": "Win1809", "effect": "NoSchedule"}],
	"hostPID": true,
	"containers": [{"name": "main", "image": "registry.example/app:1", "securityContext": {"privileged": true}}]}`

// beforeWinadmit calls create with a namespace in mode off, and then switches winadmit on for it.
func beforeWinadmit(t *testing.T, create func(namespace)) namespace {
	t.Helper()
	n := newNamespace(t, "", off)
	create(n)
	n.label("winadmit.dev/mode-")
	n.eventually("winadmit is in effect", n.inEffect)
	if reply := n.dryRun(pod("now", existingSpec)); reply.Code != 403 {
		t.Fatalf("such a pod is not refused now: %d", reply.Code)
	}
	return n
}

func TestPodsAdmittedBeforeWinadmitKeepWorking(t *testing.T) {
	t.Parallel()
	names := []string{"debugged", "labelled", "updated", "evicted", "deleted"}
	n := beforeWinadmit(t, func(n namespace) {
		for _, name := range names {
			n.create(pod(name, existingSpec))
		}
		// It is not scheduled, because KWOK removes the finalizers of deleted pods on its nodes.
		finalized := pod("finalized", existingSpec)
		finalized["metadata"].(Object)["finalizers"] = []any{"e2e.winadmit.dev/hold"}
		finalized["spec"].(Object)["schedulerName"] = "nobody"
		n.create(finalized)
		for _, name := range names {
			n.eventually(name+" runs", func() bool { return allRunOn(n.pods(name), "win1809") })
		}
	})
	step := func(name string, works func(n namespace)) {
		t.Run(name, func(t *testing.T) { works(namespace{t, n.name, n.api}) })
	}
	step("kubectl debug", func(n namespace) {
		n.kubectl("", "debug", "debugged", "--image=registry.example/debug:1", "--container=debugger")
		if name := text(n.get("Pod", "debugged").Body, "spec", "ephemeralContainers", 0, "name"); name != "debugger" {
			n.t.Errorf("the ephemeral container is %q", name)
		}
	})
	step("kubectl label", func(n namespace) {
		_, stderr := n.kubectl("", "label", "pod", "labelled", "seen=yes")
		if stderr != "" {
			n.t.Errorf("kubectl prints: %s", stderr)
		}
	})
	step("kubectl set image", func(n namespace) {
		n.kubectl("", "set", "image", "pod/updated", "main=registry.example/app:2")
		if image := text(n.get("Pod", "updated").Body, "spec", "containers", 0, "image"); image != "registry.example/app:2" {
			n.t.Errorf("the image is %q", image)
		}
	})
	step("status update", func(n namespace) {
		n.must(n.patch("Pod", "updated/status", object(`{"status": {"message": "well"}}`)), nil)
	})
	step("eviction", func(n namespace) {
		n.must(n.do("POST", n.path("Pod", "evicted/eviction"), object(
			`{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "evicted"}}`)), nil)
		n.eventually("it is gone", func() bool { return n.get("Pod", "evicted").Code == 404 })
	})
	step("deletion", func(n namespace) {
		n.kubectl("", "delete", "pod", "deleted", "--timeout=60s")
	})
	step("finalizer removal", func(n namespace) {
		n.kubectl("", "delete", "pod", "finalized", "--wait=false")
		n.must(n.patch("Pod", "finalized", object(`{"metadata": {"finalizers": null}}`)), nil)
		n.eventually("it is gone", func() bool { return n.get("Pod", "finalized").Code == 404 })
	})
}

func TestADeploymentAdmittedBeforeWinadmitCanBeScaledAndChanged(t *testing.T) {
	t.Parallel()
	n := beforeWinadmit(t, func(n namespace) {
		deployment := workload("Deployment", "web", existingSpec)
		deployment["spec"].(Object)["replicas"] = 2
		n.create(deployment)
		n.eventually("two pods run", func() bool { return len(n.pods("web")) == 2 && allRunOn(n.pods("web"), "win1809") })
	})
	n.kubectl("", "scale", "deployment", "web", "--replicas=1")
	n.eventually("one pod is left", func() bool { return len(n.pods("web")) == 1 })

	// The Deployment may be scaled up, but new pods are refused.
	n.kubectl("", "scale", "deployment", "web", "--replicas=2")
	n.eventually("the new pod is refused", func() bool {
		return strings.Contains(fmt.Sprint(n.get("Event", "").Body), "(host-pid)")
	})
	_, stderr := n.kubectl("", "set", "image", "deployment/web", "main=registry.example/app:2")
	if !strings.Contains(stderr, "(host-pid)") {
		t.Errorf("set image on the template warns: %q", stderr)
	}
	image := text(n.get("Deployment", "web").Body, "spec", "template", "spec", "containers", 0, "image")
	if image != "registry.example/app:2" {
		t.Errorf("the image is %q", image)
	}
}

// An operator replaces its DaemonSet repeatedly, without the placement that winadmit adds.
func TestReplacesByAnOperatorKeepADaemonSetPlaced(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	n.create(workload("DaemonSet", "agent", windows))
	for i := range 10 {
		o := workload("DaemonSet", "agent", windows)
		image := fmt.Sprintf("registry.example/app:%d", i/2) // every other replace changes nothing
		at(o, "spec", "template", "spec", "containers", 0).(Object)["image"] = image
		n.must(n.do("PUT", n.path("DaemonSet", "agent"), o), nil)
		stored := n.get("DaemonSet", "agent").Body
		if !placed(at(stored, "spec", "template").(Object), "Win1809") {
			t.Fatalf("replace %d lost the placement", i)
		}
		if got := text(stored, "spec", "template", "spec", "containers", 0, "image"); got != image {
			t.Fatalf("replace %d stored image %s", i, got)
		}
	}
	// The create, and five of the replaces changed the image (replaces 0, 2, 4, 6, 8): six generations.
	if generation := n.get("DaemonSet", "agent").Body["metadata"].(Object)["generation"]; fmt.Sprint(generation) != "6" {
		t.Errorf("generation %v: a replace that changed nothing rolled the pods", generation)
	}
	n.eventually("its pod runs on the Windows node", func() bool { return allRunOn(n.pods("agent"), "win1809") })
}

func TestALabelChangeDoesNotRollOutADaemonSet(t *testing.T) {
	t.Parallel()
	n := beforeWinadmit(t, func(n namespace) { n.create(workload("DaemonSet", "old", windows)) })
	n.create(workload("DaemonSet", "new", windows))
	for _, name := range []string{"old", "new"} {
		before := n.get("DaemonSet", name).Body
		n.kubectl("", "label", "daemonset", name, "seen=yes")
		after := n.get("DaemonSet", name).Body
		if !equal(before["spec"], after["spec"]) || !equal(at(before, "metadata", "generation"), at(after, "metadata", "generation")) {
			t.Errorf("a label changed the spec of %s:\n%v\n%v", name, before["spec"], after["spec"])
		}
	}
}

func TestAGatedPodIsJudgedWhenItGetsAWindowsSelector(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	gated := `{"schedulingGates": [{"name": "e2e.winadmit.dev/wait"}], "hostPID": %v}`
	n.create(pod("good", fmt.Sprintf(gated, false)))
	n.create(pod("bad", fmt.Sprintf(gated, true)))
	gain := object(`{"spec": {"nodeSelector": {"kubernetes.io/os": "windows"}}}`)

	n.must(n.patch("Pod", "good", gain), nil)
	if stored := n.get("Pod", "good").Body; !placed(stored, "Win1809") {
		t.Errorf("the good pod is not placed: %v", at(stored, "spec", "tolerations"))
	}
	if reply := n.patch("Pod", "bad", gain); reply.Code != 403 || causes(reply)["spec.hostPID"] != "host-pid" {
		t.Errorf("the bad pod: %d %s", reply.Code, reply.Message())
	}
	n.must(n.patch("Pod", "good", object(`{"spec": {"schedulingGates": [{"$patch": "delete", "name": "e2e.winadmit.dev/wait"}]}}`)), nil)
	n.eventually("the good pod runs after its gate is removed", func() bool { return allRunOn(n.pods("good"), "win1809") })
}

// A client that sends its own manifest again leaves out what winadmit has added, and the API server lets nobody remove that.
func TestAPlacedPodCanBeAppliedAgain(t *testing.T) {
	t.Parallel()
	for name, manifest := range map[string]Object{
		"windows": pod("web", `{"nodeSelector": {"kubernetes.io/os": "windows"}, "schedulerName": "nobody",
			"tolerations": [{"key": "dedicated", "operator": "Exists"}]}`),
		"windows-os": pod("web", `{"os": {"name": "windows"}, "nodeSelector": {"pool": "w"}, "schedulerName": "nobody", "tolerations": []}`),
		"linux":      pod("web", `{"nodeSelector": {"pool": "x"}, "schedulerName": "nobody"}`),
	} {
		for _, flags := range [][]string{nil, {"--server-side"}} {
			labels, suffix := []string{}, name+fmt.Sprint(len(flags))
			if name == "linux" {
				labels = append(labels, defaultLinux)
			}
			n := newNamespace(t, suffix, labels...)
			// kubectl diff ends with 1, and so fails the test, if there is a difference.
			send := func(command string, o Object) Object {
				n.kubectl(asJSON(o), append([]string{command, "-f", "-"}, flags...)...)
				return n.get("Pod", "web").Body
			}
			first := send("apply", manifest)
			send("diff", manifest)
			if again := send("apply", manifest); !equal(first["spec"], again["spec"]) {
				t.Errorf("%s %v: the second apply changed the spec: %v, %v", name, flags, first["spec"], again["spec"])
			}
			changed := cluster.Clone(manifest)
			at(changed, "spec", "containers", 0).(Object)["image"] = "registry.example/app:2"
			if image := text(send("apply", changed), "spec", "containers", 0, "image"); image != "registry.example/app:2" {
				t.Errorf("%s %v: the image is %q", name, flags, image)
			}
		}
	}
}
