// Command endtoend measures the cost of admission with a real kube-apiserver: CPU time and latency of dry-run creates of a
// Windows pod without admission, with the exported admission policies, and with webhooks. It prints JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sort"
	"time"

	"winadmit/tests/e2e/cluster"
)

// Options of a run.
type Options struct {
	Tools       string // folder of bench_floor and controller-runtime
	Pod         string // file of an AdmissionReview with the pod to create
	Connections int
	Seconds     float64
	Repetitions int
}

// Result is read by report.py.
type Result struct {
	Version     string `json:"version"`
	Connections int    `json:"connections"`
	Note        string `json:"note"`
	Rows        []Row  `json:"rows"`
}

// Row has the medians of one scenario.
type Row struct {
	Name         string  `json:"name"`
	APIServerCPU float64 `json:"api_server_cpu_us"`
	WebhookCPU   float64 `json:"webhook_cpu_us"`
	CPU          float64 `json:"cpu_us"`
	P50          float64 `json:"p50_us"`
	P99          float64 `json:"p99_us"`
}

func main() {
	var options Options
	flag.StringVar(&options.Tools, "tools", "build/bench", "where the webhooks' programs are")
	flag.StringVar(&options.Pod, "pod", "", "an AdmissionReview with the pod to create")
	flag.IntVar(&options.Connections, "connections", 4, "creates in flight")
	flag.Float64Var(&options.Seconds, "seconds", 3, "of each measurement")
	flag.IntVar(&options.Repetitions, "repetitions", 5, "of each scenario, interleaved")
	flag.Parse()

	ctx, cancel := cluster.Lifetime()
	defer cancel()
	dir := cluster.RunDir("bench")
	done := make(chan error, 1)
	go func() { done <- run(dir, options) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "endtoend: %v\nlogs: %s\n", err, dir)
		os.Exit(2)
	}
	os.RemoveAll(dir)
}

func run(dir string, options Options) error {
	c, err := cluster.Start(dir)
	if err != nil {
		return err
	}
	defer c.Stop()
	target, err := startTarget(c)
	if err != nil {
		return err
	}
	pod, err := readPod(options.Pod)
	if err != nil {
		return err
	}
	scenarios, err := setUp(c, target, options, pod)
	if err != nil {
		return err
	}
	samples := make([][]sample, len(scenarios))
	for range options.Repetitions {
		for i, s := range scenarios {
			taken, err := measure(target, s, options)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			samples[i] = append(samples[i], taken)
		}
	}
	result := Result{Version: target.version, Connections: options.Connections,
		Note: fmt.Sprintf("Median of %d repetitions of %.0f s, interleaved.", options.Repetitions, options.Seconds)}
	for i, s := range scenarios {
		result.Rows = append(result.Rows, summarize(s.name, samples[i]))
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

func summarize(name string, samples []sample) Row {
	median := func(of func(sample) float64) float64 {
		values := make([]float64, len(samples))
		for i, s := range samples {
			values[i] = of(s)
		}
		sort.Float64s(values)
		return values[len(values)/2]
	}
	micros := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
	return Row{
		Name:         name,
		APIServerCPU: median(func(s sample) float64 { return s.apiServerCPU }),
		WebhookCPU:   median(func(s sample) float64 { return s.webhookCPU }),
		CPU:          median(func(s sample) float64 { return s.apiServerCPU + s.webhookCPU }),
		P50:          median(func(s sample) float64 { return micros(s.p50) }),
		P99:          median(func(s sample) float64 { return micros(s.p99) }),
	}
}
