// Command scale creates many pods as fast as the API server of this machine goes, with and without winadmit, and writes what
// that cost, and what follows for a cluster at the limits of Kubernetes. It needs root.
//
//	make scale               20,000 pods in each run: docs/lab/scale.md
//	make scale PODS=2000     prints the page instead of writing it
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/deploy"
)

func main() {
	var o options
	flag.IntVar(&o.pods, "pods", 20000, "pods of each run, half of them for Windows")
	flag.IntVar(&o.clients, "clients", 16, "creates at the same time")
	flag.IntVar(&o.rounds, "rounds", 2, "runs with and without winadmit")
	flag.BoolVar(&o.autoscaler, "autoscaler", true, "try the HorizontalPodAutoscaler")
	flag.StringVar(&o.output, "output", "", "the page; standard output without it")
	flag.Parse()
	ctx, cancel := cluster.Lifetime()
	defer cancel()
	dir := cluster.RunDir("scale")
	if err := run(ctx, dir, o); err != nil {
		fmt.Fprintf(os.Stderr, "scale: %v\nlogs: %s\n", err, dir)
		os.Exit(2)
	}
	os.RemoveAll(dir)
}

type options struct {
	pods, clients, rounds int
	autoscaler            bool
	output                string
}

func run(ctx context.Context, dir string, o options) error {
	began := time.Now()
	load := loadAverage()
	image, err := deploy.BuildImage(filepath.Join(dir, "image"))
	if err != nil {
		return err
	}
	p := page{options: o, cores: runtime.NumCPU(), load: load, version: version(), kubernetes: kubernetes(), at: began.UTC()}
	// Without and with, with and without: a machine that becomes slower or faster in between counts for both.
	for round := range o.rounds {
		order := []bool{false, true}
		if round%2 == 1 {
			order = []bool{true, false}
		}
		for _, with := range order {
			r, err := measure(ctx, filepath.Join(dir, fmt.Sprintf("run-%d-%v", round, with)), image, with, o)
			if err != nil {
				return err
			}
			fmt.Fprintln(os.Stderr, r)
			if with {
				p.with = append(p.with, r)
			} else {
				p.without = append(p.without, r)
			}
		}
	}
	if o.autoscaler {
		if p.autoscaler, err = tryAutoscaler(ctx, filepath.Join(dir, "autoscaler"), image); err != nil {
			p.autoscaler = "It could not be tried: " + err.Error() + "."
		}
		fmt.Fprintln(os.Stderr, p.autoscaler)
	}
	p.took = time.Since(began)
	if o.output == "" {
		fmt.Print(p)
		return nil
	}
	return os.WriteFile(o.output, []byte(p.String()), 0o644)
}
