package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// The test compares docs/lab/odd-json.md with how the API server and winadmit handle odd JSON. WINADMIT_UPDATE_GOLDEN=1
// rewrites the page.
func TestOddJSONIsJudgedAsItIsStored(t *testing.T) {
	t.Parallel()
	proxy := recordReviews(t, winadmit)
	intercept(t, winadmit, "odd-json", proxy.redirect)
	plain := newNamespace(t, "plain", off)
	n := newNamespace(t, "", instance("odd-json"))
	n.eventually("the API server calls the recorder", n.inEffect)

	page := oddJSONPreamble()
	for _, group := range oddGroups() {
		page += fmt.Sprintf("\n## %s\n\n| Sent | API server | Stored without winadmit | winadmit |\n| --- | --- | --- | --- |\n", group.title)
		for i, odd := range group.pods {
			name := fmt.Sprintf("%s-%d", strings.ReplaceAll(strings.ToLower(group.title), " ", "-"), i)
			page += judgeOddJSON(plain, n, proxy, name, odd)
		}
	}
	if cluster.IsNewest() {
		comparePage(t, filepath.Join(cluster.Root(), "docs/lab/odd-json.md"), page)
	}
}

// judgeOddJSON posts one pod with and without winadmit, checks what is stored, and returns its row of the table.
func judgeOddJSON(plain, n namespace, proxy *reviewRecorder, name string, odd oddPod) string {
	n.t.Helper()
	raw := []byte(strings.ReplaceAll(odd.body, "NAME", name))
	without := plain.do("POST", plain.path("Pod", "")+"?dryRun=All", raw)
	strict := plain.do("POST", plain.path("Pod", "")+"?dryRun=All&fieldValidation=Strict", raw)
	proxy.reset()
	with := n.do("POST", n.path("Pod", ""), raw)
	reviews := proxy.creations(n.name)
	fail := func(format string, arguments ...any) {
		n.t.Helper()
		n.t.Errorf("%s: %s\n%q", odd.shown, fmt.Sprintf(format, arguments...), raw)
	}

	answer := "not asked"
	if len(reviews) > 0 {
		answer = "asked to mutate only"
	}
	forbidden := without.Created() && isWindowsPod(without.Body) && hasForbiddenField(without.Body)
	switch {
	case !without.Created() && with.Created():
		fail("the API server refuses it with %d, but stores it with winadmit", without.Code)
	case !without.Created():
		if slices.ContainsFunc(reviews, func(r recordedReview) bool { return r.path == "/validate" }) {
			fail("a validating webhook was called for a pod that the API server refuses with %d", without.Code)
		}
	case forbidden && (with.Code != 403 || len(causes(with)) == 0):
		fail("a Windows pod with a forbidden field: %d %s", with.Code, with.Message())
	case forbidden:
		answer = "refused: " + strings.Join(sortedRules(with), ", ")
	case !with.Created():
		fail("a pod without a forbidden field: %d %s", with.Code, with.Message())
	case isWindowsPod(without.Body):
		answer = "allowed"
		if !placed(with.Body, "Win1809") {
			fail("the stored Windows pod is not placed")
		}
	case len(reviews) > 0:
		answer = "allowed"
	}
	judged := judgedObject(reviews)
	if judged == nil && without.Created() && isWindowsPod(without.Body) {
		fail("winadmit was not called to validate it")
	}
	if judged != nil && with.Created() {
		if stored := storedSpec(n, name); !equal(judged["spec"], stored) {
			fail("winadmit judged\n%v\nthe API server stored\n%v", judged["spec"], stored)
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", odd.shown, responseOf(without, strict), storedAs(without, judged), answer)
}

// storedSpec returns the stored spec of a pod, with exact numbers and without the node that the scheduler chose.
func storedSpec(n namespace, name string) Object {
	n.t.Helper()
	stdout, _ := n.kubectl("", "get", "pod", name, "-o", "json")
	spec := parseExactly(n.t, []byte(stdout))["spec"].(Object)
	delete(spec, "nodeName")
	return spec
}

// parseExactly parses JSON and keeps numbers as they are written.
func parseExactly(t *testing.T, content []byte) Object {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var o Object
	if err := decoder.Decode(&o); err != nil {
		t.Errorf("%v in %.200q", err, content)
	}
	return o
}

// responseOf returns the code and warnings of the API server, and its code with fieldValidation=Strict if it differs.
func responseOf(reply, strict Reply) string {
	text := fmt.Sprint(reply.Code)
	for _, warning := range reply.Warnings {
		if strings.Contains(warning, "field") {
			text += ", warns: " + inASCII(warning)
		}
	}
	if strict.Code != reply.Code {
		text += fmt.Sprintf("; strict: %d", strict.Code)
	}
	return text
}

func inASCII(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < 0x80 {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// storedAs returns the fields in which the pods of the table differ, with exact numbers if the pod was judged.
func storedAs(reply Reply, judged Object) string {
	if !reply.Created() {
		return "nothing"
	}
	var parts []string
	spec := reply.Body["spec"].(Object)
	if selector, _ := spec["nodeSelector"].(Object); len(selector) > 0 {
		parts = append(parts, "nodeSelector "+compact(selector))
	}
	for _, member := range []string{"hostPID", "hostNetwork"} {
		if spec[member] != nil {
			parts = append(parts, fmt.Sprintf("%s %v", member, spec[member]))
		}
	}
	if seconds := at(judged, "spec", "terminationGracePeriodSeconds"); seconds != nil && seconds != json.Number("30") {
		parts = append(parts, fmt.Sprint("terminationGracePeriodSeconds ", seconds))
	}
	if context, _ := spec["securityContext"].(Object); len(context) > 0 {
		parts = append(parts, "securityContext "+compact(context))
	}
	for _, container := range list(spec, "containers") {
		if context := at(container, "securityContext"); context != nil {
			parts = append(parts, fmt.Sprintf("container %s: %s", text(container, "name"), compact(context)))
		}
	}
	if len(parts) == 0 {
		return "a plain pod"
	}
	return "`" + strings.Join(parts, "; ") + "`"
}

func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// isWindowsPod and hasForbiddenField know only the fields of the pods in this table. They do not use the rules of
// winadmit.
func isWindowsPod(pod Object) bool {
	return text(pod, "spec", "nodeSelector", "kubernetes.io/os") == "windows"
}

func hasForbiddenField(pod Object) bool {
	hostProcess := at(pod, "spec", "securityContext", "windowsOptions", "hostProcess") == true
	if at(pod, "spec", "hostPID") == true || at(pod, "spec", "securityContext", "runAsUser") != nil ||
		at(pod, "spec", "hostNetwork") == true && !hostProcess {
		return true
	}
	return slices.ContainsFunc(list(pod, "spec", "containers"), func(container any) bool {
		return at(container, "securityContext", "privileged") == true
	})
}

func sortedRules(reply Reply) []string {
	var rules []string
	for _, rule := range causes(reply) {
		rules = append(rules, rule)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// comparePage compares a page of the documentation with the expected text, or writes it.
func comparePage(t *testing.T, file, page string) {
	t.Helper()
	if os.Getenv("WINADMIT_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(string(content), "\n"), strings.Split(page, "\n")
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("%s differs from line %d on; WINADMIT_UPDATE_GOLDEN=1 rewrites it\nwant %q\ngot  %q",
				file, i+1, want[min(i, len(want)-1)], got[min(i, len(got)-1)])
		}
	}
}
