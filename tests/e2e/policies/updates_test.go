package policies

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

// existing creates objects in a namespace of each engine that neither serves yet, and switches the engines on.
func existing(t *testing.T, setting string, labels Object, samples []sample) {
	t.Helper()
	hidden := Object{"winadmit.dev/mode": "off"}
	for _, engine := range []string{webhook, policies} {
		if err := createNamespace(shared.API, engine, setting, hidden); err != nil {
			t.Fatal(err)
		}
		name := namespaceOf(engine, setting)
		for _, s := range samples {
			reply, err := shared.API.Do("POST", fmt.Sprintf(s.path, name), s.object)
			if err != nil || !reply.Created() && reply.Code != 422 && reply.Code != 403 {
				t.Fatalf("%s: %d %s: %v", s.name, reply.Code, reply.Message(), err)
			}
		}
		patch := Object{"metadata": Object{"labels": Object{"winadmit.dev/mode": nil}}}
		for key, value := range labels {
			patch["metadata"].(Object)["labels"].(Object)[key] = value
		}
		if reply, err := shared.API.Do("PATCH", "/api/v1/namespaces/"+name, patch); err != nil || !reply.Created() {
			t.Fatalf("%s: %d %v", name, reply.Code, err)
		}
		bad := parse(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "probe"}, "spec": {"hostPID": true,
			"nodeSelector": {"kubernetes.io/os": "windows"}, "containers": [{"name": "main", "image": "registry.example/app:1"}]}}`)
		for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(100 * time.Millisecond) {
			reply, err := shared.API.Do("POST", fmt.Sprintf(pods, name)+"?dryRun=All", bad)
			if err != nil || time.Now().After(deadline) {
				t.Fatalf("%s is not in effect: %v", name, err)
			}
			if len(idsOf(reply)) > 0 {
				break
			}
		}
	}
}

// change is an update of an existing object.
func change(name, setting, path, object, subresource string, edit func(Object)) attempt {
	return attempt{name, setting, func(namespace string) (Reply, error) {
		at := fmt.Sprintf(path, namespace) + "/" + object
		for {
			present, err := shared.API.Do("GET", at, nil)
			if err != nil || present.Code != 200 {
				return present, err
			}
			edit(present.Body)
			reply, err := shared.API.Do("PUT", strings.TrimSuffix(at+"/"+subresource, "/")+"?dryRun=All", present.Body)
			if err != nil || reply.Code != 409 { // its controller has changed it meanwhile
				return reply, err
			}
		}
	}}
}

// An UPDATE is judged by what it adds. Old findings are warnings, in pods and in templates.
func TestBothEnginesJudgeUpdatesAlike(t *testing.T) {
	g, err := newGenerator(2)
	if err != nil {
		t.Fatal(err)
	}
	const count = 60
	deployments, daemonSets := "/apis/apps/v1/namespaces/%s/deployments", "/apis/apps/v1/namespaces/%s/daemonsets"
	var samples []sample
	var specs []Object
	for i := range count {
		pod := g.pod(fmt.Sprint("pod-", i))
		spec := pod["spec"].(Object)
		spec["schedulerName"] = "nobody"
		spec["terminationGracePeriodSeconds"] = 0
		delete(spec, "nodeName") // the garbage collector deletes pods of nodes that do not exist
		if i%3 == 0 {            // its selectors may still change
			spec["schedulingGates"] = []any{Object{"name": "e2e.winadmit.dev/gate"}}
		}
		specs = append(specs, spec)
		d, ds := deployment("", pod), daemonSet("", pod)
		d.object["metadata"], ds.object["metadata"] = Object{"name": fmt.Sprint("d-", i)}, Object{"name": fmt.Sprint("s-", i)}
		samples = append(samples, sample{fmt.Sprint("pod ", i), pods, pod}, d, ds)
	}
	for setting, labels := range map[string]Object{
		"updates": {}, "updates-warn": {"winadmit.dev/mode": "warn"}, "updates-default-windows": {"winadmit.dev/default-os": "windows"}} {
		existing(t, setting, labels, samples)
		var attempts []attempt
		for i := range count {
			add := func(what, path, object, subresource string, edit func(Object)) {
				attempts = append(attempts, change(fmt.Sprintf("%s, %s", what, object), setting, path, object, subresource, edit))
			}
			pod, d, ds := fmt.Sprint("pod-", i), fmt.Sprint("d-", i), fmt.Sprint("s-", i)
			other := specs[(i+1)%count]
			add("no change", pods, pod, "", func(Object) {})
			add("another label", pods, pod, "", func(o Object) { o["metadata"].(Object)["labels"] = Object{"seen": "yes"} })
			add("a label of an OS", pods, pod, "", func(o Object) { o["metadata"].(Object)["labels"] = Object{"kubernetes.io/os": "linux"} })
			add("another annotation", pods, pod, "", func(o Object) {
				o["metadata"].(Object)["annotations"] = Object{"seccomp.security.alpha.kubernetes.io/pod": "runtime/default"}
			})
			add("an annotation that no rule reads", pods, pod, "", func(o Object) {
				o["metadata"].(Object)["annotations"] = Object{"cni.example.com/address": "10.0.0.9"}
			})
			add("another image", pods, pod, "", func(o Object) {
				cluster.At(o, "spec", "containers", 0).(Object)["image"] = images[i%len(images)]
			})
			add("another toleration", pods, pod, "", func(o Object) {
				o["spec"].(Object)["tolerations"] = append(cluster.List(o, "spec", "tolerations"),
					Object{"key": "os", "value": "Win2022", "effect": "NoSchedule"})
			})
			add("a selector", pods, pod, "", func(o Object) {
				merge(o["spec"].(Object), parse(`{"nodeSelector": {"kubernetes.io/os": "windows"}}`))
			})
			add("without the tolerations of Windows nodes", pods, pod, "", func(o Object) {
				o["spec"].(Object)["tolerations"] = slices.DeleteFunc(cluster.List(o, "spec", "tolerations"),
					func(each any) bool { return each.(Object)["key"] == "os" })
			})
			add("without a selector", pods, pod, "", func(o Object) { delete(o["spec"].(Object), "nodeSelector") })
			for _, context := range []string{`{}`, `{"privileged": true}`, `{"privileged": false}`, `{"capabilities": {"add": ["SYS_PTRACE"]}}`,
				`{"runAsUser": 1}`, `{"windowsOptions": {"hostProcess": true}}`, `{"windowsOptions": {"runAsUserName": "ContainerUser"}}`} {
				add("an ephemeral container with "+context, pods, pod, "ephemeralcontainers", func(o Object) {
					o["spec"].(Object)["ephemeralContainers"] = append(cluster.List(o, "spec", "ephemeralContainers"),
						Object{"name": "debugger", "image": "nginx", "securityContext": parse(context)})
				})
			}
			add("an ephemeral container with another image", pods, pod, "ephemeralcontainers", func(o Object) {
				o["spec"].(Object)["ephemeralContainers"] = append(cluster.List(o, "spec", "ephemeralContainers"),
					Object{"name": "debugger", "image": images[(i+1)%len(images)]})
			})
			add("a resize", pods, pod, "resize", func(o Object) {
				cluster.At(o, "spec", "containers", 0).(Object)["resources"] = parse(`{"requests": {"cpu": "7m"}}`)
			})
			for path, name := range map[string]string{deployments: d, daemonSets: ds} {
				add("another template", path, name, "", func(o Object) {
					spec := cluster.Clone(other)
					delete(spec, "schedulingGates")
					cluster.At(o, "spec", "template").(Object)["spec"] = spec
				})
				add("a label", path, name, "", func(o Object) { o["metadata"].(Object)["labels"] = Object{"seen": "yes"} })
				add("a label of the template", path, name, "", func(o Object) {
					merge(o, parse(`{"spec": {"template": {"metadata": {"labels": {"seen": "yes"}}}}}`))
				})
				add("a restart", path, name, "", func(o Object) {
					merge(o, parse(`{"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "now"}}}}}`))
				})
				add("a field of each container", path, name, "", func(o Object) {
					random := rand.New(rand.NewSource(int64(i)))
					for _, c := range cluster.List(o, "spec", "template", "spec", "containers") {
						merge(c.(Object), cluster.Clone(parse([]string{`{"securityContext": {"runAsUser": 5}}`, `{"command": ["/bin/sh"]}`,
							`{"securityContext": {"procMount": "Unmasked"}}`, `{"resources": {"limits": {"cpu": "9", "hugepages-2Mi": "4Mi", "memory": "1Gi"}}}`,
						}[random.Intn(4)])))
					}
				})
				add("containers in another order", path, name, "", func(o Object) {
					list := cluster.List(o, "spec", "template", "spec", "containers")
					for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
						list[a], list[b] = list[b], list[a]
					}
				})
			}
		}
		t.Run(strings.TrimPrefix(setting, "updates-"), func(t *testing.T) { compare(t, attempts) })
	}
}
