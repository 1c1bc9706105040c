package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"

	"winadmit/tests/e2e/cluster"
)

// Evaluates the match conditions of every exported webhook for every captured review, with the CEL library of the API
// server. If a condition is false, winadmit must have allowed the review without a patch or a warning.
func TestMatchConditionsSkipOnlyReviewsWithAnEmptyResponse(t *testing.T) {
	t.Parallel()
	configurations, err := winadmit.Export()
	if err != nil {
		t.Fatal(err)
	}
	env := celEnv(t)
	sent, skipped := 0, 0
	for _, configuration := range configurations {
		for _, item := range list(configuration, "webhooks") {
			webhook := item.(Object)
			conditions := compile(t, env, webhook)
			path := strings.TrimPrefix(text(webhook, "clientConfig", "url"), winadmit.URL)
			for _, folder := range []string{"linux", "windows", "kinds"} {
				for _, file := range reviews(t, folder) {
					for variant, request := range variants(request(t, file)) {
						if !reaches(webhook, request) {
							continue
						}
						if !slices.ContainsFunc(conditions, func(c cel.Program) bool { return !holds(t, file, c, request) }) {
							sent++
							continue
						}
						skipped++
						response := postReview(t, winadmit, path, request)
						if strings.HasSuffix(path, "/default-linux") && equal(response, postReview(t, winadmit, "/mutate", request)) {
							continue // the webhook "place" is asked about Windows pods there
						}
						if response["allowed"] != true || response["patch"] != nil || response["warnings"] != nil ||
							response["auditAnnotations"] != nil {
							t.Errorf("%s, %s, %s: skipped, but the server responds %v", text(webhook, "name"), file, variant, response)
						}
					}
				}
			}
		}
	}
	if sent < 100 || skipped < 100 {
		t.Errorf("%d would be sent, %d not: too few to compare", sent, skipped)
	}
	t.Logf("%d reviews would be sent, %d not", sent, skipped)
}

// variants returns a captured request, and updates with its object: without a change, from a bare pod, to a bare pod.
func variants(captured Object) map[string]Object {
	all := map[string]Object{"as captured": captured}
	if captured["operation"] != "CREATE" || text(captured, "kind", "kind") != "Pod" {
		return all
	}
	with := func(object, old any) Object {
		update := clone(captured)
		update["operation"], update["object"], update["oldObject"] = "UPDATE", object, old
		return update
	}
	bare := clone(captured["object"].(Object))
	bare["spec"] = pod("bare", `{}`)["spec"]
	all["update without a change"] = with(captured["object"], captured["object"])
	all["update from a bare pod"] = with(captured["object"], bare)
	all["update to a bare pod"] = with(bare, captured["object"])
	for _, key := range []string{"cni.example.com/address", "seccomp.security.alpha.kubernetes.io/pod"} {
		annotated := clone(captured["object"].(Object))
		metadata := annotated["metadata"].(Object)
		annotations, _ := metadata["annotations"].(Object)
		if annotations == nil {
			annotations = Object{}
		}
		annotations[key] = "localhost/a"
		metadata["annotations"] = annotations
		all["update with the annotation "+key] = with(annotated, captured["object"])
		all["update without the annotation "+key] = with(captured["object"], annotated)
	}
	return all
}

// celEnv has the variables that match conditions may read.
func celEnv(t *testing.T) *cel.Env {
	t.Helper()
	env, err := cel.NewEnv(cel.HomogeneousAggregateLiterals(), cel.EagerlyValidateDeclarations(true),
		cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType), cel.Variable("request", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// The API server ends an evaluation that costs more (k8s.io/apiserver pkg/apis/cel, PerCallLimit). With failurePolicy Ignore it
// then admits the object.
const perCallLimit = 1_000_000

// costlyPod has no signal for Windows in n tolerations, in n containers of each list with the image, and in n terms of a node
// affinity with n requirements on the label of n values each.
func costlyPod(tolerations, containers, terms int, image, label string) Object {
	expression := Object{"key": label, "operator": "In", "values": slices.Repeat([]any{"linux"}, terms)}
	term := Object{"matchExpressions": slices.Repeat([]any{expression}, terms)}
	of := slices.Repeat([]any{Object{"name": "c", "image": image}}, containers)
	return Object{"apiVersion": "v1", "kind": "Pod", "metadata": Object{"name": "costly"}, "spec": Object{
		"tolerations": slices.Repeat([]any{Object{"key": "os", "value": "linux"}}, tolerations),
		"containers":  of, "initContainers": of, "ephemeralContainers": of,
		"affinity": Object{"nodeAffinity": Object{"requiredDuringSchedulingIgnoredDuringExecution": Object{
			"nodeSelectorTerms": slices.Repeat([]any{term}, terms)}}}}}
}

// manyLabelsAndTaints is a configuration with 100 labels of Windows nodes, and as many taints.
func manyLabelsAndTaints() string {
	var values, taints []string
	for i := range 100 {
		values = append(values, fmt.Sprintf("windows-%d", i))
		taints = append(taints, fmt.Sprintf("{key: os, value: windows-%d, effect: NoSchedule}", i))
	}
	return fmt.Sprintf("windowsLabels: {pool: [%s]}\ntolerations: [%s]\n", strings.Join(values, ", "), strings.Join(taints, ", "))
}

// Nobody avoids winadmit by a pod whose match conditions cost too much: a pod is sent before they do.
func TestNoPodMakesMatchConditionsTooCostly(t *testing.T) {
	t.Parallel()
	env := celEnv(t)
	long := "mcr.microsoft.com/" + strings.Repeat("w", 200_000)
	const label = "kubernetes.io/os"
	for name, config := range map[string]string{"any": "platform: any\n", "many": manyLabelsAndTaints()} {
		server, err := shared.StartWinadmit("winadmit-costly-"+name, config)
		if err != nil {
			t.Fatal(err)
		}
		configurations, err := server.Export()
		if err != nil {
			t.Fatal(err)
		}
		for what, pod := range map[string]struct {
			object Object
			isSent bool
		}{
			"as much as is looked at":   {costlyPod(200, 40, 10, long[:255], label), false},
			"as much, of another label": {costlyPod(200, 40, 10, long[:255], "pool"), false},
			"many tolerations":          {costlyPod(60_000, 1, 0, "a", label), true},
			"many containers":           {costlyPod(0, 10_000, 0, "m", label), true},
			"a long image":              {costlyPod(0, 1, 0, long, label), true},
			"a large affinity":          {costlyPod(0, 1, 100, "a", label), true},
		} {
			for _, configuration := range configurations {
				for _, item := range list(configuration, "webhooks") {
					conditions := compile(t, env, item.(Object))
					if len(conditions) < 2 {
						continue // every workload is sent
					}
					update := Object{"operation": "UPDATE", "object": pod.object, "oldObject": clone(pod.object)}
					update["oldObject"].(Object)["spec"].(Object)["nodeName"] = "node-1"
					sent := !slices.ContainsFunc(conditions, func(c cel.Program) bool { return !holds(t, name+", "+what, c, update) })
					// Where there is a default OS, a pod without a signal is sent.
					if sent != (pod.isSent || strings.Contains(text(item.(Object), "name"), "-default-")) {
						t.Errorf("%s, %s, %s: sent is %t", name, what, text(item.(Object), "name"), sent)
					}
				}
			}
		}
	}
}

// compile returns the match conditions of a webhook as CEL programs.
func compile(t *testing.T, env *cel.Env, webhook Object) []cel.Program {
	t.Helper()
	var programs []cel.Program
	for _, condition := range list(webhook, "matchConditions") {
		ast, issues := env.Compile(text(condition, "expression"))
		if issues.Err() != nil {
			t.Fatalf("%s, %s: %v", text(webhook, "name"), text(condition, "name"), issues.Err())
		}
		program, err := env.Program(ast, cel.CostLimit(perCallLimit), cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost))
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, program)
	}
	return programs
}

// holds evaluates a condition. An error fails the test: the API server would deny the request.
func holds(t *testing.T, file string, condition cel.Program, request Object) bool {
	t.Helper()
	result, _, err := condition.Eval(map[string]any{
		"object": request["object"], "oldObject": request["oldObject"], "request": request})
	if err != nil {
		t.Errorf("%s: CEL error: %v", file, err)
		return true
	}
	return result.Value() == true
}

// reaches reports whether the rules of a webhook match the request.
func reaches(webhook, request Object) bool {
	resource := text(request, "resource", "resource")
	if sub := text(request, "subResource"); sub != "" {
		resource += "/" + sub
	}
	for _, rule := range list(webhook, "rules") {
		if slices.Contains(list(rule, "resources"), any(resource)) &&
			slices.Contains(list(rule, "apiGroups"), any(text(request, "resource", "group"))) &&
			slices.Contains(list(rule, "operations"), request["operation"]) {
			return true
		}
	}
	return false
}

// Checks the same in the API server, by the request count of a winadmit that serves only the namespace of this test.
func TestMatchConditionsKeepLinuxPodsFromTheWebhook(t *testing.T) {
	t.Parallel()
	server, err := shared.StartWinadmit("winadmit-counting", testConfig())
	if err != nil {
		t.Fatal(err)
	}
	intercept(t, server, "counting", nil)
	n := newNamespace(t, "", instance("counting"))
	n.eventually("winadmit is in effect", n.inEffect)

	before := requestsTo(t, server)
	for i, file := range reviews(t, "linux") {
		if strings.Contains(file, "none") {
			continue
		}
		manifest := request(t, file)["object"].(Object)
		removeDefaults(manifest)
		manifest["metadata"].(Object)["name"] = fmt.Sprintf("pod-%d", i)
		n.create(manifest)
	}
	for _, kind := range []string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "PodTemplate", "ReplicationController"} {
		n.create(workload(kind, "linux-"+strings.ToLower(kind), `{"nodeSelector": {"kubernetes.io/os": "linux"}}`))
	}
	n.kubectl("", "label", "pods", "--all", "seen=yes")
	if sent := requestsTo(t, server) - before; sent != 0 {
		t.Errorf("%v requests for Linux pods were sent", sent)
	}
	n.create(pod("web", windows))
	if sent := requestsTo(t, server) - before; sent != 2 {
		t.Errorf("a Windows pod was sent %v times, not once to each webhook", sent)
	}
	n.kubectl("", "label", "pod", "web", "seen=yes")
	if sent := requestsTo(t, server) - before; sent != 2 {
		t.Errorf("a change of only a label was sent")
	}
}

// requestsTo returns the sum of winadmit_requests_total.
func requestsTo(t *testing.T, server *cluster.Winadmit) (sum float64) {
	t.Helper()
	metrics, err := cluster.Metrics(server.AdminURL)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range metrics {
		if strings.HasPrefix(name, "winadmit_requests_total") {
			sum += value
		}
	}
	return sum
}

// If a match condition fails to evaluate, failurePolicy Fail denies the request. That must not happen for unusual pods,
// nor for large ones: the API server limits the cost of conditions.
func TestMatchConditionsNeverFailToEvaluate(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	for name, spec := range map[string]string{
		"no containers":   `{"containers": null}`,
		"empty os":        `{"os": {}}`,
		"no terms":        `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": null}}}}`,
		"empty term":      `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{}]}}}}`,
		"no key":          `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"operator": "Exists"}]}]}}}}`,
		"no values":       `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In"}]}]}}}}`,
		"empty affinity":  `{"affinity": {}}`,
		"bare toleration": `{"tolerations": [{"operator": "Exists"}, {"key": "os", "operator": "Exists"}, {"key": "os"}]}`,
		"no image":        `{"containers": [{"name": "main"}]}`,
		"empty context":   `{"securityContext": {}, "containers": [{"name": "main", "image": "x", "securityContext": {}}]}`,
		"empty options":   `{"securityContext": {"windowsOptions": {}}}`,
		"null selector":   `{"nodeSelector": null, "tolerations": null, "initContainers": null}`,
	} {
		if reply := n.dryRun(pod("odd", spec)); strings.Contains(reply.Message(), "webhook") {
			t.Errorf("%s: %d %s", name, reply.Code, reply.Message())
		}
	}
	var containers []any
	for i := range 1500 {
		containers = append(containers, object(fmt.Sprintf(`{"name": "c%d", "image": "registry.example/team/some/long/path/app-%d:1.2.3",
			"env": [{"name": "A", "value": "b"}], "resources": {"limits": {"cpu": "1m"}}}`, i, i)))
	}
	var tolerations []any
	for i := range 500 {
		tolerations = append(tolerations, Object{"key": "os", "value": fmt.Sprint("no-", i), "effect": "NoExecute"})
	}
	large := pod("large", `{}`)
	large["spec"].(Object)["containers"] = containers
	large["spec"].(Object)["tolerations"] = tolerations
	if reply := n.dryRun(large); !reply.Created() {
		t.Errorf("a pod of 1500 containers: %d %s", reply.Code, reply.Message())
	}
	for _, kind := range []string{"Deployment", "CronJob"} {
		o := workload(kind, "large", `{}`)
		spec := at(o, "spec", "template", "spec")
		if kind == "CronJob" {
			spec = at(o, "spec", "jobTemplate", "spec", "template", "spec")
		}
		spec.(Object)["containers"] = containers
		spec.(Object)["tolerations"] = tolerations
		if reply := n.dryRun(o); !reply.Created() {
			t.Errorf("a %s of 1500 containers: %d %s", kind, reply.Code, reply.Message())
		}
	}
}

// An UPDATE may change thousands of annotations.
func TestMatchConditionsAdmitPodsWithManyAnnotations(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	annotations := func(count int, value string) Object {
		all := Object{}
		for i := range count {
			all[fmt.Sprintf("c%d.container.alpha.windows.kubernetes.io/gmsa-credential-specs", i)] = value
		}
		return Object{"metadata": Object{"annotations": all}}
	}
	for name, spec := range map[string]string{"linux": `{}`, "windows": windows} {
		for _, count := range []int{500, 3500} {
			name := fmt.Sprint(name, "-", count)
			n.create(pod(name, spec))
			n.must(n.patch("Pod", name, annotations(count, "a")), nil)
			n.must(n.patch("Pod", name, annotations(count, "b")), nil)
		}
	}
}
