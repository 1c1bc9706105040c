package policies

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// attempt is a request to both engines.
type attempt struct {
	name    string
	setting string
	do      func(namespace string) (Reply, error)
}

func create(s sample, setting string) attempt {
	return attempt{s.name, setting, func(namespace string) (Reply, error) {
		return shared.API.Do("POST", fmt.Sprintf(s.path, namespace)+"?dryRun=All", s.object)
	}}
}

// compare sends every attempt to both engines, prints a table, and fails for each difference.
func compare(t *testing.T, attempts []attempt) {
	t.Helper()
	replies := make([][2]Reply, len(attempts))
	work := make(chan int)
	var workers sync.WaitGroup
	for range 8 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range work {
				for e, engine := range []string{webhook, policies} {
					reply, err := attempts[i].do(namespaceOf(engine, attempts[i].setting))
					if err != nil {
						t.Errorf("%s: %v", attempts[i].name, err)
					}
					replies[i][e] = reply
				}
			}
		}()
	}
	for i := range attempts {
		work <- i
	}
	close(work)
	workers.Wait()
	audited := auditedIDs(t)
	var counts table
	differences, unlike := 0, map[string]int{}
	for i, a := range attempts {
		var of [2]outcome
		for e, reply := range replies[i] {
			of[e] = outcomeOf(reply, audited[reply.AuditID])
		}
		counts.add(a.setting, of[0], cluster.Tolerates(replies[i][0].Body, ""))
		if what := difference(of[0], of[1]); what != "" {
			if why := excused(a.name, of[0], of[1]); why != "" {
				unlike[why]++
				continue
			}
			if differences++; differences <= 40 {
				t.Errorf("%s in %s: the webhook and the policies differ: %s\n  webhook:  %v %.300s\n  policies: %v %.600s",
					a.name, a.setting, what, of[0], replies[i][0].Message(), of[1], replies[i][1].Message())
			}
		}
	}
	if differences > 40 {
		t.Errorf("%d differences in all", differences)
	}
	t.Logf("%d requests to each engine, %d differ:\n%s", len(attempts), differences, &counts)
	for _, why := range slices.Sorted(maps.Keys(unlike)) {
		t.Logf("%d differ because %s", unlike[why], why)
	}
}

// auditedIDs returns the rule ids in the audit log, by the id of the request.
func auditedIDs(t *testing.T) map[string][]string {
	t.Helper()
	log, err := os.Open(shared.API.AuditLog)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	ids := map[string][]string{}
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if !strings.Contains(lines.Text(), "winadmit") {
			continue
		}
		var event struct {
			AuditID     string
			Annotations map[string]string
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		if found := idsOfAudit(event.Annotations); len(found) > 0 {
			ids[event.AuditID] = found
		}
	}
	return ids
}

func settingNames() []string { return slices.Sorted(maps.Keys(settings)) }

func inEverySetting(samples []sample) []attempt {
	var all []attempt
	for _, setting := range settingNames() {
		for _, s := range samples {
			all = append(all, create(s, setting))
		}
	}
	return all
}

func TestBothEnginesJudgeEveryCapturedObjectAlike(t *testing.T) {
	samples, err := capturedSamples()
	if err != nil || len(samples) < 150 {
		t.Fatalf("%d captured objects: %v", len(samples), err)
	}
	compare(t, inEverySetting(samples))
}

func TestBothEnginesJudgeEveryRuleCaseAlike(t *testing.T) {
	samples, err := ruleSamples()
	if err != nil || len(samples) < 600 {
		t.Fatalf("%d rule cases: %v", len(samples), err)
	}
	// Templates are judged by the same expressions as pods: two settings show their bindings.
	compare(t, slices.DeleteFunc(inEverySetting(samples), func(a attempt) bool {
		return strings.HasSuffix(a.name, "in a Deployment") && a.setting != "enforce" && a.setting != "warn-default-windows"
	}))
}

func TestBothEnginesJudgeGeneratedPodsAlike(t *testing.T) {
	g, err := newGenerator(1)
	if err != nil {
		t.Fatal(err)
	}
	var attempts []attempt
	for i := range 2000 {
		setting := settingNames()[i%len(settings)]
		name := fmt.Sprint("generated ", i)
		pod := g.pod(fmt.Sprint("generated-", i))
		attempts = append(attempts, create(sample{name, pods, pod}, setting))
		if i%4 == 0 {
			attempts = append(attempts, create(daemonSet(name, pod), setting), create(deployment(name, pod), setting))
		}
	}
	compare(t, attempts)
}
