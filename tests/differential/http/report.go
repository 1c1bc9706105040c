package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// report counts passed and failed cases. Failures are grouped, because one fault causes many.
type report struct {
	mutex  sync.Mutex
	passed int
	failed int
	// excused counts the cases with each intended difference.
	excused map[string]int
	groups  map[string][]failure
	show    int
}

type failure struct{ name, details string }

func newReport(show int) *report {
	return &report{excused: map[string]int{}, groups: map[string][]failure{}, show: show}
}

func (r *report) pass() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.passed++
}

func (r *report) excuse(difference string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.passed++
	r.excused[difference]++
}

func (r *report) fail(name, group, details string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.failed++
	r.groups[group] = append(r.groups[group], failure{name, details})
}

// hasEnough tells whether there are so many failures that more say nothing new. Each may take patience.
func (r *report) hasEnough() bool {
	const enough = 100
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.failed >= enough
}

func (r *report) counted() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.passed + r.failed
}

// print writes all groups, the totals last, and returns the exit code.
func (r *report) print() int {
	for _, name := range slices.Sorted(maps.Keys(r.excused)) {
		fmt.Printf("deliberate: %s: %d\n", name, r.excused[name])
	}
	for _, group := range slices.Sorted(maps.Keys(r.groups)) {
		failures := r.groups[group]
		// Print the shortest first.
		slices.SortStableFunc(failures, func(a, b failure) int { return cmp.Compare(len(a.details), len(b.details)) })
		fmt.Printf("\nFAILED %d: %s\n", len(failures), group)
		for _, f := range failures[:min(r.show, len(failures))] {
			fmt.Printf("  %s\n%s", f.name, f.details)
		}
	}
	fmt.Printf("%d passed, %d failed\n", r.passed, r.failed)
	if r.failed > 0 || r.passed == 0 {
		return 1
	}
	return 0
}
