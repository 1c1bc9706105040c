package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// windowsNode is a node as a platform sets it up.
type windowsNode struct {
	name, build string
	labels      Object
	taint       string // KEY=VALUE:NoSchedule; "": none
}

// windowsPod is a pod and the node that it must run on.
type windowsPod struct{ spec, node string }

// platform has its nodes, and pods with the selectors that its documentation teaches: with and without a Windows build.
type platform struct {
	nodes []windowsNode
	pods  map[string]windowsPod
}

var platforms = map[string]platform{
	"kep": {
		[]windowsNode{{"kep-2019", build2019, nil, "os=Win1809:NoSchedule"}, {"kep-2022", build2022, nil, "os=Win2022:NoSchedule"}},
		map[string]windowsPod{
			"os":    {windows, "kep-2019"},
			"build": {selector("node.kubernetes.io/windows-build", build2022), "kep-2022"},
			"image": {`{"nodeSelector": {"kubernetes.io/os": "windows"}, "containers": [{"name": "main", "image": "mcr.microsoft.com/windows/servercore:ltsc2022"}]}`, "kep-2022"},
		},
	},
	"kubernetes": oneTaint("kubernetes", "os=windows:NoSchedule", ""),
	"eks":        oneTaint("eks", "os=windows:NoSchedule", ""),
	"gke":        oneTaint("gke", "node.kubernetes.io/os=windows:NoSchedule", "cloud.google.com/gke-os-distribution=windows_ltsc"),
	"openshift":  oneTaint("openshift", "os=Windows:NoSchedule", "node.openshift.io/os_id=Windows"),
	"aks":        oneTaint("aks", "", "kubernetes.azure.com/os-sku=Windows2022"),
	"rke2":       oneTaint("rke2", "", ""),
	"any": {
		[]windowsNode{
			{"any-kep", build2022, nil, "os=Win2022:NoSchedule"},
			{"any-gke", build2022, Object{"cloud.google.com/gke-os-distribution": "windows_ltsc"}, "node.kubernetes.io/os=windows:NoSchedule"},
			{"any-openshift", build2022, Object{"node.openshift.io/os_id": "Windows"}, "os=Windows:NoSchedule"},
		},
		map[string]windowsPod{
			"gke":       {selector("cloud.google.com/gke-os-distribution", "windows_ltsc"), "any-gke"},
			"openshift": {selector("node.openshift.io/os_id", "Windows"), "any-openshift"},
			"kep":       {selector("kubernetes.io/hostname", "any-kep", "node.kubernetes.io/windows-build", build2022), "any-kep"},
		},
	},
}

const (
	build2019 = "10.0.17763"
	build2022 = "10.0.20348"
)

// oneTaint is a platform whose nodes have the same taint whatever their build, and a label "KEY=VALUE" or "".
func oneTaint(id, taint, label string) platform {
	name := id + "-2022"
	pods := map[string]windowsPod{
		"os":       {windows, name},
		"build":    {selector("node.kubernetes.io/windows-build", build2022), name},
		"os-build": {selector("kubernetes.io/os", "windows", "node.kubernetes.io/windows-build", build2022), name},
	}
	labels := Object{}
	if key, value, found := strings.Cut(label, "="); found {
		labels[key] = value
		pods["label"] = windowsPod{selector(key, value), name}
		pods["affinity"] = windowsPod{fmt.Sprintf(`{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
			"nodeSelectorTerms": [{"matchExpressions": [{"key": %q, "operator": "In", "values": [%q]}]}]}}}}`, key, value), name}
	}
	return platform{[]windowsNode{{name, build2022, labels, taint}}, pods}
}

// selector returns a pod spec with a nodeSelector of pairs of key and value.
func selector(pairs ...string) string {
	var members []string
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, fmt.Sprintf("%q: %q", pairs[i], pairs[i+1]))
	}
	return `{"nodeSelector": {` + strings.Join(members, ", ") + `}}`
}

// The nodes of a platform carry a label and a taint of this test, so that only its pods run there, and nowhere else.
const platformKey = "winadmit.dev/e2e-platform"

func TestPodsOfEachPlatformRunOnItsNodes(t *testing.T) {
	for id, is := range platforms {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			name := "platform-" + id
			server, err := shared.StartWinadmit(name, "platform: "+id+"\n")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { server.Stop(0) })
			intercept(t, server, name, nil)
			n := newNamespace(t, "", instance(name))
			without := newNamespace(t, "without", off)
			for _, each := range is.nodes {
				createPlatformNode(t, id, each)
			}
			tainted := is.nodes[0].taint != ""
			n.eventually("the API server calls its winadmit", func() bool {
				reply := n.dryRun(pod("probe", `{"os": {"name": "windows"}}`))
				return text(reply.Body, "spec", "nodeSelector", "kubernetes.io/os") == "windows" && n.dryRun(pod("probe", unsupported)).Code == 403
			})
			for name, each := range is.pods {
				reply := n.create(podOn(id, name, each.spec))
				if len(reply.Warnings) > 0 {
					t.Errorf("%s: warnings %q", name, reply.Warnings)
				}
				without.create(podOn(id, name, each.spec))
			}
			for name, each := range is.pods {
				n.eventually(name+" runs on "+each.node, func() bool { return allRunOn(n.pods(name), each.node) })
				without.eventually("the scheduler has decided", func() bool { return isDecided(without, "Pod", name) })
				bound := text(without.pods(name)[0], "spec", "nodeName")
				if tainted == (bound != "") {
					t.Errorf("%s without winadmit: bound to %q", name, bound)
				}
			}
		})
	}
}

// podOn returns a pod for the nodes of a platform.
func podOn(id, name, spec string) Object {
	o := pod(name, spec)
	podSpec := o["spec"].(Object)
	if podSpec["nodeSelector"] == nil {
		podSpec["nodeSelector"] = Object{}
	}
	podSpec["nodeSelector"].(Object)[platformKey] = id
	podSpec["tolerations"] = []any{Object{"key": platformKey, "operator": "Exists"}}
	return o
}

func createPlatformNode(t *testing.T, id string, node windowsNode) {
	labels := Object{platformKey: id, "node.kubernetes.io/windows-build": node.build}
	for key, value := range node.labels {
		labels[key] = value
	}
	taints := []any{Object{"key": platformKey, "value": id, "effect": "NoSchedule"}}
	if pair, effect, found := strings.Cut(node.taint, ":"); found {
		key, value, _ := strings.Cut(pair, "=")
		taints = append(taints, Object{"key": key, "value": value, "effect": effect})
	}
	if err := shared.CreateNode(node.name, "windows", "a", labels, taints); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := shared.API.Do("DELETE", "/api/v1/nodes/"+node.name, nil); err != nil {
			t.Error(err)
		}
	})
}
