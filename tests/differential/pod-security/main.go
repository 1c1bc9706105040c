// Command pod-security applies `winadmit fix` to Windows pods and asks the evaluator of Pod Security before and after: a
// pod that a level allows must still be allowed. The pods are those of captured reviews, as they are and with the
// settings that level restricted asks for. The last line is "N passed, N failed".
//
//	tests/differential/run.sh
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

const root = "../../.."

// counts of verdicts. restricted are the pods that level restricted allowed before.
type counts struct{ passed, failed, restricted int }

func main() {
	var all counts
	folder, err := os.MkdirTemp("", "pod-security")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(folder)
	pods, err := readPods()
	if err != nil {
		fail(err)
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		fail(err)
	}
	for _, flags := range [][]string{nil, {"--set-os"}} {
		fixed, err := fix(folder, pods, flags)
		if err != nil {
			fail(err)
		}
		changed := 0
		for name, pod := range pods {
			if !equal(pod, fixed[name]) {
				changed++
			}
			all.compare(evaluator, name+" "+strings.Join(flags, " "), pod, fixed[name])
		}
		fmt.Printf("fix %s: %d of %d pods changed\n", strings.Join(flags, " "), changed, len(pods))
		if changed == 0 {
			fail(fmt.Errorf("fix changed nothing"))
		}
	}
	if all.restricted == 0 {
		fail(fmt.Errorf("level restricted allowed no pod before"))
	}
	fmt.Printf("level restricted allowed %d before\n", all.restricted)
	fmt.Printf("%d passed, %d failed\n", all.passed, all.failed)
	if all.failed > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "pod-security:", err)
	os.Exit(2)
}

func equal(a, b *corev1.Pod) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return string(left) == string(right)
}

func (c *counts) compare(evaluator policy.Evaluator, name string, before, after *corev1.Pod) {
	for _, level := range []api.Level{api.LevelBaseline, api.LevelRestricted} {
		// Before 1.25 the evaluator ignored spec.os, beside which the API server refuses what it asks for.
		for _, version := range []api.Version{api.MajorMinorVersion(1, 25), api.LatestVersion()} {
			was := evaluate(evaluator, level, version, before)
			is := evaluate(evaluator, level, version, after)
			if was.Allowed && level == api.LevelRestricted {
				c.restricted++
			}
			if was.Allowed && !is.Allowed {
				c.failed++
				fmt.Printf("FAILED %s: %s %s allowed it before, and refuses it after: %s\n", name, level, version, is.ForbiddenDetail())
				continue
			}
			c.passed++
		}
	}
}

func evaluate(evaluator policy.Evaluator, level api.Level, version api.Version, pod *corev1.Pod) policy.AggregateCheckResult {
	results := evaluator.EvaluatePod(api.LevelVersion{Level: level, Version: version}, &pod.ObjectMeta, &pod.Spec)
	return policy.AggregateCheckResults(results)
}

// fix writes the pods to a folder, applies winadmit fix to it, and reads them back.
func fix(folder string, pods map[string]*corev1.Pod, flags []string) (map[string]*corev1.Pod, error) {
	for name, pod := range pods {
		text, err := json.MarshalIndent(pod, "", "  ")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	arguments := append([]string{"fix", "--in-place", "--default-os", "windows", "-f", folder}, flags...)
	output, err := exec.Command(winadmit(), arguments...).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) { // 1: findings are left
		return nil, fmt.Errorf("winadmit fix: %w\n%s", err, output)
	}
	fixed := map[string]*corev1.Pod{}
	for name := range pods {
		pod, err := readPod(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		fixed[name] = pod
	}
	return fixed, nil
}

func winadmit() string {
	if binary := os.Getenv("WINADMIT"); binary != "" {
		return binary
	}
	return root + "/build/release/winadmit"
}

func readPod(file string) (*corev1.Pod, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pod := &corev1.Pod{}
	if err := json.Unmarshal(text, pod); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return pod, nil
}
