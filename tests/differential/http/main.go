// Command http sends the same bytes over TLS to `winadmit serve` and to Go's net/http server, and compares how they frame
// them. What Go refuses must be refused, what Go serves must be served with the same body, and no byte may belong to two
// requests. The intended differences are listed in differences.go. The last line is "N passed, N failed".
//
//	make differential
//	tests/differential/run.sh -run 'Content-Length' -mutations 0
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"winadmit/tests/e2e/cluster"
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
	flag.StringVar(&o.winadmit, "winadmit", cluster.WinadmitBinary(), "the `binary` to test (environment: WINADMIT)")
	flag.StringVar(&o.serveFlags, "serve-flags", "", "additional `flags` of winadmit serve, separated by spaces")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the mutations")
	flag.IntVar(&o.mutations, "mutations", 15000, "number of mutated requests")
	flag.IntVar(&o.tokens, "token-requests", 500, "number of requests for each length of a bearer token")
	flag.IntVar(&o.workers, "workers", 4, "concurrent connections")
	flag.IntVar(&o.show, "show", 3, "number of failures to print for each group")
	flag.StringVar(&pattern, "run", "", "only cases whose name matches the `regexp`")
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
	if !servers.winadmit.Running() {
		report.fail("winadmit", "the process exited", servers.winadmit.LogTail())
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
