// Command objects writes mutated folders of manifests and compares the objects that `winadmit check` judges with those that
// kubectl creates (the resource builder of k8s.io/cli-runtime). `check` may read more, or end with 2; an object of kubectl
// must never be missing otherwise. The other differences that are meant are listed in differences.go. The last line is
// "N passed, N failed".
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

type options struct {
	program string
	root    string
	class   string
	seed    uint64
	cases   int
	show    int
	save    string
}

func main() {
	var o options
	flag.StringVar(&o.program, "winadmit", "", "the built `program` winadmit")
	flag.StringVar(&o.root, "root", "../../..", "the `folder` of the repository")
	flag.StringVar(&o.class, "class", "", "only this class of mutations")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the mutations")
	flag.IntVar(&o.cases, "cases", 4000, "number of mutated folders")
	flag.IntVar(&o.show, "show", 10, "number of failures to print")
	flag.StringVar(&o.save, "save", "", "a `folder` for folders that fail")
	flag.Parse()
	failed, err := run(o)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "differential:", err)
		os.Exit(2)
	case failed:
		os.Exit(1)
	}
}

func run(o options) (failed bool, err error) {
	began := time.Now()
	corpus, err := readCorpus(o.root)
	if err != nil {
		return false, err
	}
	folder, err := os.MkdirTemp("", "objects")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	r := newReport(o.show, o.save)
	if err := compareAll(o, corpus, folder, r); err != nil {
		return false, err
	}
	fmt.Printf("%d folders in %.1f s\n", o.cases, time.Since(began).Seconds())
	return r.print(), nil
}

// compareAll works on batches: what kubectl reads in all folders of a batch is judged by one run of winadmit.
func compareAll(o options, corpus []string, folder string, r *report) error {
	const batch = 100
	mutations := mutationsOf(o.class)
	if len(mutations) == 0 {
		return fmt.Errorf("no class %s", o.class)
	}
	starts := make(chan int)
	errs := make(chan error, runtime.NumCPU())
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for start := range starts {
				var cases []*folderCase
				for n := start; n < min(start+batch, o.cases); n++ {
					cases = append(cases, makeCase(corpus, mutations, o.seed, n))
				}
				if err := compareBatch(o.program, folder, cases, r); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	defer workers.Wait()
	defer close(starts)
	for start := 0; start < o.cases; start += batch {
		select {
		case starts <- start:
		case err := <-errs:
			return err
		}
	}
	return nil
}
