package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

func TestThePageDerivesTheLoadFromTheMeasurements(t *testing.T) {
	r := result{pods: 1000, took: 2 * time.Second, podsPerSecond: 500, p50: 20 * time.Millisecond, p99: 40 * time.Millisecond,
		alone50: time.Millisecond, alone99: 2 * time.Millisecond, apiServer: 2 * time.Second, etcd: time.Second, stillBusy: time.Second}
	with := r
	with.with, with.winadmit, with.reviews, with.memory, with.p50 = true, 100*time.Millisecond, 1000, 20e6, 25*time.Millisecond
	p := page{options: options{pods: 1000, clients: 4, rounds: 1}, with: []result{with}, without: []result{r}, cores: 2, autoscaler: "It was tried."}
	text := p.String()
	for _, want := range []string{
		"| a create, p50, ms | 20.0 | 25.0 | 1.25 |",
		"a review costs 100 microseconds", // 100 ms for 1000 reviews
		"With the 200 microseconds for a Windows pod",
		"20 a second | 40 | 0.0040 |", // 20 * 200 us
		"500 a second | 1000 | 0.100 |",
		"is 30 s of CPU in total", // 150000 * 200 us
		"enough for 500 Windows pods a second",
		"It was tried.",
	} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestThePageSaysWhatMakesItsFiguresWorthLess(t *testing.T) {
	for _, each := range []struct {
		p    page
		want string
	}{
		{page{options: options{pods: 20000}, cores: 2, load: "0.50"}, ""},
		{page{options: options{pods: 2000}, cores: 2, load: "0.50"}, "short run"},
		{page{options: options{pods: 20000}, cores: 2, load: "7.10"}, "Other programs"},
	} {
		if got := each.p.caveat(); !strings.Contains(got, each.want) || each.want == "" && got != "" {
			t.Errorf("%+v: %q", each.p, got)
		}
	}
}

func TestQuantitiesOfCPUAreRead(t *testing.T) {
	for quantity, want := range map[string]int{"250m": 250, "2": 2000, "0": 0} {
		if got := milli(quantity); got != want {
			t.Errorf("%s: %d", quantity, got)
		}
	}
}

func TestTheCPUTimeOfAGroupCountsItsChildren(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	p, err := cluster.Launch("busy", t.TempDir(), "sh", "-c", "sh -c 'while :; do :; done'; true")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(0)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if cpuOf(p) >= 50*time.Millisecond && peakMemory(p) > 1e5 {
			return
		}
	}
	t.Errorf("%s, %.0f bytes", cpuOf(p), peakMemory(p))
}
