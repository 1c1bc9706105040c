package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"winadmit/tests/e2e/cluster"
)

// The limits of upstream, and the load under which its service level objectives hold.
const (
	upstreamNodes = 5000
	upstreamPods  = 150000
	upstreamChurn = 20 // pod spec creations, updates, deletions and user requests a second
)

// page is docs/lab/scale.md.
type page struct {
	options
	with, without []result
	autoscaler    string
	cores         int
	load          string
	version       string // of winadmit
	kubernetes    string
	at            time.Time
	took          time.Duration
}

// mean returns the mean of a value over runs.
func mean(runs []result, value func(result) float64) float64 {
	sum := 0.0
	for _, r := range runs {
		sum += value(r)
	}
	return sum / float64(len(runs))
}

func milliseconds(value func(result) time.Duration) func(result) float64 {
	return func(r result) float64 { return float64(value(r)) / float64(time.Millisecond) }
}

// caveat says what makes the figures of this run worth less, or is empty.
func (p page) caveat() string {
	var load float64
	fmt.Sscan(p.load, &load)
	switch {
	case load > float64(p.cores)/2:
		return "\n**Other programs used the machine meanwhile: compare the ratios and the CPU times, not the rates and latencies.**\n"
	case p.pods < 20000:
		return "\n**This was a short run.**\n"
	}
	return ""
}

// row is a row of the table: the means without and with, their ratio, and the runs.
func (p page) row(name, format string, value func(result) float64) string {
	without, with := mean(p.without, value), mean(p.with, value)
	var each []string
	for i := range p.with {
		each = append(each, fmt.Sprintf(format+" / "+format, value(p.without[i]), value(p.with[i])))
	}
	return fmt.Sprintf("| %s | "+format+" | "+format+" | %.2f | %s |\n", name, without, with, with/without, strings.Join(each, ", "))
}

func (p page) String() string {
	perPod := mean(p.with, func(r result) float64 { return r.winadmit.Seconds() / float64(r.pods) })
	perWindowsPod := 2 * perPod // half of the pods
	memory := mean(p.with, func(r result) float64 { return r.memory / 1e6 })
	rate := mean(p.with, func(r result) float64 { return r.podsPerSecond })
	reviews := mean(p.with, func(r result) float64 { return r.reviews })
	perReview := mean(p.with, func(r result) float64 { return r.winadmit.Seconds() / r.reviews })

	var out strings.Builder
	fmt.Fprintf(&out, `# What a large cluster asks of winadmit

`+"`make scale`"+` writes this page. Written on %s, winadmit %s, Kubernetes %s, %d cores, load average %s before the start; it took %.0f minutes.
%s
## Measured

A control plane on one machine (etcd, kube-apiserver, scheduler, controllers), with %d nodes that KWOK simulates, half of them Windows, and two replicas
of the image behind the Service. %d clients created %d pods, in turn for Linux and for Windows, as fast as the API server answered. Without winadmit the
Windows pods had the toleration already, so that the scheduler has the same work. Each run had a new cluster. All parts and the clients share
the %d cores, so the table says how much winadmit adds, and not how fast an API server can be.

| | without | with | ratio | each run, without / with |
| --- | --- | --- | --- | --- |
`, p.at.Format("2006-01-02 15:04 UTC"), p.version, p.kubernetes, p.cores, p.load, p.took.Minutes(), p.caveat(), max(2, p.pods/100)+4, p.clients, p.pods, p.cores)
	out.WriteString(p.row("pods created a second", "%.0f", func(r result) float64 { return r.podsPerSecond }))
	out.WriteString(p.row("a create, p50, ms", "%.1f", milliseconds(func(r result) time.Duration { return r.p50 })))
	out.WriteString(p.row("a create, p99, ms", "%.1f", milliseconds(func(r result) time.Duration { return r.p99 })))
	out.WriteString(p.row("a create by one client alone afterwards, p50, ms", "%.2f", milliseconds(func(r result) time.Duration { return r.alone50 })))
	out.WriteString(p.row("the same, p99, ms", "%.2f", milliseconds(func(r result) time.Duration { return r.alone99 })))
	out.WriteString(p.row("CPU of the API server, s", "%.1f", func(r result) float64 { return r.apiServer.Seconds() }))
	out.WriteString(p.row("CPU of etcd, s", "%.1f", func(r result) float64 { return r.etcd.Seconds() }))
	out.WriteString(p.row("CPU of scheduler, controllers and KWOK meanwhile, s", "%.1f", func(r result) float64 { return r.stillBusy.Seconds() }))
	fmt.Fprintf(&out, `
winadmit itself used %.2f s of CPU for both replicas, which is %.1f %% of what the API server used, and answered %.0f reviews: two for each Windows pod, none for a
Linux pod. A review costs %.0f microseconds of one core here, with its share of TLS, HTTP and the log line. The larger of the two replicas had %.1f MB resident at most.

`, mean(p.with, func(r result) float64 { return r.winadmit.Seconds() }), 100*mean(p.with, func(r result) float64 { return r.winadmit.Seconds() / r.apiServer.Seconds() }),
		reviews, perReview*1e6, memory)

	fmt.Fprintf(&out, `## At the limits of Kubernetes

Kubernetes supports up to %d nodes and %d pods in a cluster ([large clusters](https://kubernetes.io/docs/setup/best-practices/cluster-large/),
[thresholds](https://github.com/kubernetes/community/blob/master/sig-scalability/configs-and-limits/thresholds.md)). Its objectives for latency
hold while at most %d pod specs and user requests change a second
([steady state](https://github.com/kubernetes/community/blob/master/sig-scalability/slos/slos.md#steady-state-slos)). winadmit keeps no state: the number of nodes and of running pods costs it
nothing, only creates and updates of Windows pods do. With the %.0f microseconds for a Windows pod from above:

| | reviews a second | cores for all replicas |
| --- | --- | --- |
| the steady state of upstream, every change the create of a Windows pod: %d a second | %d | %.4f |
| as fast as the API server here went, all Windows: %.0f a second | %.0f | %.3f |
| ten times that | %.0f | %.2f |

To create all %d pods again, if all were for Windows, is %.0f s of CPU in total, however long it takes.

`, upstreamNodes, upstreamPods, upstreamChurn, perWindowsPod*1e6, upstreamChurn, 2*upstreamChurn, upstreamChurn*perWindowsPod, rate, 2*rate,
		rate*perWindowsPod, 20*rate, 10*rate*perWindowsPod, upstreamPods, upstreamPods*perWindowsPod)
	fmt.Fprintf(&out, `So the manifests fit such a cluster as they are:

- **two replicas**, for availability: each alone could do the work;
- **request of 50m CPU**: enough for %.0f Windows pods a second with both replicas, and no CPU limit, so that a burst is not throttled;
- **memory limit of 192Mi**: it does not depend on the size of the cluster but on connections and on the bytes that are held at once
  ([sizing](../operations.md#sizing)). The replicas above stayed at %.1f MB. Each API server keeps its own connections to them.
`, 0.1/perWindowsPod, memory)
	if p.autoscaler != "" {
		fmt.Fprintf(&out, `
## The autoscaler

%s The metrics came from a small server of resource metrics (metrics.k8s.io) that reports the CPU time of the real processes; there is no metrics-server
without kubelets.
`, p.autoscaler)
	}
	return out.String()
}

func version() string {
	out, err := exec.Command(cluster.WinadmitBinary(), "version").Output()
	if err != nil {
		return "?"
	}
	var v struct{ Version string }
	json.Unmarshal(out, &v)
	return v.Version
}

// kubernetes returns the version of the control plane.
func kubernetes() string {
	programs, err := cluster.FindPrograms("kube-apiserver")
	if err != nil {
		return "?"
	}
	out, _ := exec.Command(programs["kube-apiserver"], "--version").Output()
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "Kubernetes v")
}
