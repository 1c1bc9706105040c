// Command http sends the same bytes to `winadmit serve` and to Go's net/http server, both over TLS,
// and compares what each makes of them. Requests that Go refuses must be refused, requests that Go
// serves must be served with the same body, and no byte may count as part of two requests. The
// deliberate differences are listed in differences.go. It ends with "N passed, N failed".
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

type options struct {
	winadmit   string
	serveFlags string
	seed       uint64
	mutations  int
	tokens     int
	workers    int
	show       int
	run        *regexp.Regexp
}

func main() {
	os.Exit(run(parseFlags()))
}

func parseFlags() options {
	var o options
	var pattern string
	fromEnvironment := os.Getenv("WINADMIT")
	if fromEnvironment == "" {
		fromEnvironment = "build/release/winadmit"
	}
	flag.StringVar(&o.winadmit, "winadmit", fromEnvironment, "the `binary` to test (environment: WINADMIT)")
	flag.StringVar(&o.serveFlags, "serve-flags", "", "further `flags` of winadmit serve, separated by spaces")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the mutations")
	flag.IntVar(&o.mutations, "mutations", 15000, "how many mutated requests are sent")
	flag.IntVar(&o.tokens, "token-requests", 500, "requests for each length of a bearer token")
	flag.IntVar(&o.workers, "workers", 4, "connections at a time")
	flag.IntVar(&o.show, "show", 3, "failures that are printed of each group")
	flag.StringVar(&pattern, "run", "", "only the cases whose name matches the `regexp`")
	flag.Parse()
	o.run = regexp.MustCompile(pattern)
	return o
}

func run(o options) int {
	servers, err := startServers(o.winadmit, strings.Fields(o.serveFlags))
	if err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		return 2
	}
	defer servers.stop()

	report := newReport(o.show)
	stage := func(name string, tests func()) {
		began := time.Now()
		before := report.counted()
		tests()
		fmt.Printf("%-10s %6d in %.1f s\n", name, report.counted()-before, time.Since(began).Seconds())
	}
	table := cases()
	stage("cases", func() { compareAll(servers, report, selected(table, o.run), o.workers) })
	stage("mutations", func() {
		compareAll(servers, report, selected(mutate(table, o.mutations, o.seed), o.run), o.workers)
	})
	stage("splits", func() { checkSplits(servers, report, o) })
	stage("tokens", func() { checkTokens(servers, report, o) })
	if !servers.winadmit.running() {
		report.fail("winadmit", "the process ended", servers.winadmit.lastOutput())
	}
	return report.print()
}

func selected(all []testCase, pattern *regexp.Regexp) []testCase {
	var chosen []testCase
	for _, c := range all {
		if pattern.MatchString(c.name) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}
