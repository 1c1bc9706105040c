package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// outcome is what both make of a folder.
type outcome struct {
	theirs      set
	theirErrors []error
	ours        checked
	fixed       fixed
}

// compareBatch lets check judge what kubectl reads in another run, from a file for each folder, so that the same words
// stand for the same object.
func compareBatch(program, folder string, cases []*folderCase, r *report) error {
	root, err := os.MkdirTemp(folder, "batch")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	outcomes := make([]outcome, len(cases))
	var plainFiles []string
	for i, c := range cases {
		plain, err := outcomes[i].read(program, root, c)
		if err != nil {
			return fmt.Errorf("folder %d: %w", c.number, err)
		}
		if plain == "" {
			continue
		}
		name := plainFile(root, c)
		if err := os.WriteFile(name, []byte(plain), 0o644); err != nil {
			return err
		}
		plainFiles = append(plainFiles, name)
	}
	plain := checked{}
	if len(plainFiles) > 0 {
		if plain, err = runCheck(program, []string{"--no-project"}, plainFiles); err != nil {
			return err
		}
	}
	for i, c := range cases {
		outcomes[i].theirs = plain.objects[plainFile(root, c)]
		r.add(c, outcomes[i])
	}
	return nil
}

func plainFile(root string, c *folderCase) string {
	return filepath.Join(root, fmt.Sprintf("%d.yaml", c.number))
}

// read returns what kubectl reads, as a plain text.
func (o *outcome) read(program, root string, c *folderCase) (string, error) {
	root = filepath.Join(root, fmt.Sprint(c.number))
	if err := c.write(root); err != nil {
		return "", err
	}
	objects, theirErrors := kubectlObjects(c.paths(root), c.recursive)
	o.theirErrors = theirErrors
	ours, err := runCheck(program, c.flags(), c.paths(root))
	if err != nil {
		return "", err
	}
	o.ours = ours
	if o.fixed, err = runFix(program, root, c, objects, theirErrors); err != nil {
		return "", err
	}
	return plainText(objects)
}

type classCounts struct{ folders, same, refused, failed int }

type report struct {
	mutex   sync.Mutex
	show    int
	save    string
	passed  int
	failed  int
	meant   map[string]int
	classes map[string]*classCounts
}

func newReport(show int, save string) *report {
	return &report{show: show, save: save, meant: map[string]int{}, classes: map[string]*classCounts{}}
}

func (r *report) add(c *folderCase, o outcome) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	problem := o.problem()
	if names, isMeant := o.isMeant(c, problem); isMeant {
		problem = ""
		for _, each := range names {
			r.meant[each]++
		}
	}
	for _, name := range c.classes {
		r.count(name, problem != "", o.ours.exitCode == 2)
	}
	if problem == "" {
		r.passed++
		return
	}
	r.failed++
	if r.save != "" {
		if err := c.write(filepath.Join(r.save, fmt.Sprint(c.number))); err != nil {
			fmt.Fprintln(os.Stderr, "differential:", err)
		}
	}
	if r.failed <= r.show {
		fmt.Printf("FAIL %s: folder %d, %s, %q %q\n%s", problem, c.number, strings.Join(c.classes, ", "), c.flags(), c.args, c)
		fmt.Printf("  kubectl  %q, errors: %q\n  winadmit %q, exit code %d: %q\n", sorted(o.theirs), o.theirErrors, sorted(o.ours.all()), o.ours.exitCode, clip(o.ours.stderr))
		if o.fixed.problem != "" {
			fmt.Printf("  fix      %s\n", o.fixed.details)
		}
	}
}

func (r *report) count(class string, failed, refused bool) {
	counts := r.classes[class]
	if counts == nil {
		counts = &classCounts{}
		r.classes[class] = counts
	}
	counts.folders++
	switch {
	case failed:
		counts.failed++
	case refused:
		counts.refused++
	default:
		counts.same++
	}
}

func (r *report) print() (failed bool) {
	for _, name := range slices.Sorted(maps.Keys(r.classes)) {
		counts := *r.classes[name]
		fmt.Printf("%-12s %6d folders: %6d same objects, %6d exit code 2, %4d failed\n", name, counts.folders, counts.same, counts.refused, counts.failed)
	}
	for _, name := range slices.Sorted(maps.Keys(r.meant)) {
		fmt.Printf("meant: %-28s %6d\n", name, r.meant[name])
	}
	fmt.Printf("%d passed, %d failed\n", r.passed, r.failed)
	return r.failed > 0
}

const (
	checkCrashes   = "check did not end as it should"
	checkMisses    = "check missed objects"
	checkInvents   = "check judged objects that kubectl does not create"
	kubectlRefuses = "kubectl refuses, check does not"
	fixCrashes     = "fix did not end as it should"
	fixChanges     = "what fix wrote has other objects"
)

// problem returns "" if check judged what kubectl creates, or refused to say anything.
func (o outcome) problem() string {
	switch {
	case o.ours.exitCode == 2:
		return o.fixed.problem
	case o.ours.exitCode != 0 && o.ours.exitCode != 1:
		return checkCrashes
	case len(o.missed()) > 0:
		return checkMisses
	case len(o.theirErrors) > 0:
		return kubectlRefuses
	case len(o.invented()) > 0:
		return checkInvents
	}
	return o.fixed.problem
}

func (o outcome) missed() []string { return without(o.theirs, o.ours.all()) }

func (o outcome) invented() []string { return without(o.ours.all(), o.theirs) }

func without(from, what set) []string {
	return slices.DeleteFunc(sorted(from), func(each string) bool { return what[each] })
}

func sorted(s set) []string { return slices.Sorted(maps.Keys(s)) }
