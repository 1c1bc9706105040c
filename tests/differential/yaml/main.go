// Command yaml gives the same bytes to winadmit's reader and to the one of kubectl (sigs.k8s.io/yaml, and the decoder of
// k8s.io/apimachinery that splits files), and compares: the same objects, or both refuse. The differences that are meant are
// listed in differences.go. The last line is "N passed, N failed".
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

type options struct {
	driver    string
	root      string
	seed      uint64
	mutations int
	show      int
	save      string
}

func main() {
	var o options
	flag.StringVar(&o.driver, "driver", "", "the built `program` yaml_driver")
	flag.StringVar(&o.root, "root", ".", "the `folder` of the repository")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the mutations")
	flag.IntVar(&o.mutations, "mutations", 100000, "number of mutated texts")
	flag.IntVar(&o.show, "show", 20, "number of failures to print")
	flag.StringVar(&o.save, "save", "", "a `folder` for texts that fail")
	flag.Parse()
	os.Exit(run(o))
}

func run(o options) int {
	driver, err := startDriver(o.driver)
	if err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		return 2
	}
	r := report{show: o.show, save: o.save, meant: map[string]int{}}
	var seeds [][]byte
	for _, source := range sources(o.root) {
		began := time.Now()
		texts, err := source.read()
		if err == nil && len(texts) == 0 {
			err = fmt.Errorf("no texts")
		}
		if err == nil {
			err = compareAll(driver, texts, &r)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "differential: %s: %v\n", source.name, err)
			return 2
		}
		seeds = append(seeds, texts...)
		fmt.Printf("%-16s %6d in %.1f s\n", source.name, len(texts), time.Since(began).Seconds())
	}
	began := time.Now()
	if err := compareAll(driver, mutate(seeds, o.mutations, o.seed), &r); err != nil {
		fmt.Fprintln(os.Stderr, "differential: mutations:", err)
		return 2
	}
	fmt.Printf("%-16s %6d in %.1f s\n", "mutations", o.mutations, time.Since(began).Seconds())
	return r.print()
}

func compareAll(d *driver, texts [][]byte, r *report) error {
	for _, text := range texts {
		ours, err := d.read(text)
		if err != nil {
			return fmt.Errorf("%w, reading %q", err, clip(text))
		}
		r.add(text, ours, reference(text))
	}
	return nil
}
