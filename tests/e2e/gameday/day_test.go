// Package gameday plays what operators do to winadmit on a bad day, on a real API server: replicas of the image behind the
// Service, streams of pods at the same time, and every recovery by the commands of the documentation. It ends with a table
// of what each step cost. It needs root and writes nothing into the checkout.
//
//	make gameday            every step
//	make gameday SHORT=1    without the steps that wait for probes and certificates
package gameday

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/deploy"
	"winadmit/tests/e2e/docs"
	"winadmit/tests/e2e/stream"
	"winadmit/tests/e2e/suite"
)

type Object = cluster.Object

var at, list, text = cluster.At, cluster.List, cluster.Text

const system = "winadmit-system"

var (
	shared   *cluster.Cluster
	kubelet  *deploy.Kubelet
	checkout string // a clone of the working tree, in which the commands run
	shell    *docs.Session
	report   table
	mend     string // commands that restore the installation after a step that failed
)

func TestMain(m *testing.M) {
	suite.Run(m, "gameday", func(c *cluster.Cluster) (func(), error) {
		shared, checkout = c, filepath.Join(c.Dir, "checkout")
		image, err := deploy.BuildImage(filepath.Join(c.Dir, "image"))
		if err != nil {
			return nil, err
		}
		if kubelet, err = deploy.StartKubelet(c, image); err != nil {
			return nil, err
		}
		if err := docs.Clone(checkout); err != nil {
			return kubelet.Stop, err
		}
		environment, err := docs.Environment(c, c.Dir)
		if err != nil {
			return kubelet.Stop, err
		}
		if shell, err = docs.NewSession(checkout, c.Logs, environment); err != nil {
			return kubelet.Stop, err
		}
		return func() {
			shell.Close()
			kubelet.Stop()
			fmt.Println(report)
		}, nil
	})
}

// step is one thing that goes wrong, or is done to winadmit, while pods are created. It is a row of the table.
type step struct {
	*testing.T
	name    string
	streams stream.All
	costs   map[int]string // the streams that may lose requests, with the reason
	seen    []string
}

// The streams by their place in stream.All.
const (
	linuxPods = iota
	windowsPods
	unsupportedPods
)

// play runs a step. Its streams must not lose a request, unless the step says so with mayLose. Afterwards winadmit must be
// called again, unless the step has removed it.
func play(t *testing.T, name string, body func(*step)) bool {
	return t.Run(strings.ReplaceAll(name, "/", " or "), func(t *testing.T) {
		s := &step{T: t, name: name, costs: map[int]string{}}
		s.streams = stream.StartAll(stream.DryRun(shared.API, "default"))
		began := time.Now()
		defer func() {
			if s.Skipped() {
				s.streams.Stop()
				report.add(s, nil, time.Since(began))
				return
			}
			time.Sleep(300 * time.Millisecond) // the last requests are about what the step left behind
			counts := s.streams.Stop()
			s.judge(counts)
			report.add(s, counts, time.Since(began))
			if s.Failed() && mend != "" { // for the next step
				out, err := shell.Run(mend, 3*time.Minute)
				s.Logf("to go on: %s: %v\n%s", mend, err, out)
			}
		}()
		body(s)
	})
}

// mayLose says that streams may lose requests in this step, and why.
func (s *step) mayLose(why string, streams ...int) {
	for _, each := range streams {
		s.costs[each] = why
	}
}

// sawf adds a sentence to the row of the step.
func (s *step) sawf(format string, arguments ...any) {
	s.seen = append(s.seen, fmt.Sprintf(format, arguments...))
	s.Log(s.seen[len(s.seen)-1])
}

func (s *step) judge(counts []stream.Counts) {
	for i, c := range counts {
		s.Logf("%s: %s", s.streams[i].Name, c)
		if c.Lost() > 0 && s.costs[i] == "" {
			s.Errorf("%s: %d of %d lost, the first: %s, the last: %s", s.streams[i].Name, c.Lost(), c.Sent, c.First, c.Last)
		}
		if c.Sent < 10 {
			s.Errorf("%s: only %d requests", s.streams[i].Name, c.Sent)
		}
	}
}

// lost returns how many requests a stream of the step has lost so far.
func (s *step) lost(each int) int { return s.streams[each].Counts().Lost() }

// paste runs the commands of a section of a page that contain these texts, as they stand there.
func (s *step) paste(path, section string, containing ...string) string {
	s.Helper()
	page, err := docs.Read(checkout, path)
	if err != nil {
		s.Fatal(err)
	}
	block, err := page.Command(section, containing...)
	if err != nil {
		s.Fatal(err)
	}
	s.Logf("%s", block)
	return s.sh(block.Text)
}

// sh runs commands that no page has: what goes wrong, and not its recovery. They must succeed.
func (s *step) sh(commands string) string {
	s.Helper()
	out, err := shell.Run(commands, 3*time.Minute)
	if err != nil {
		s.Fatalf("%v\n%s", err, out)
	}
	return out
}

func (s *step) eventually(claim string, holds func() error) {
	s.Helper()
	suite.Eventually(s, claim, holds)
}

// recovered waits until the API server calls winadmit again, and adds how long that took.
func (s *step) recovered() {
	s.Helper()
	began := time.Now()
	s.eventually("the API server calls winadmit", works)
	s.sawf("serves again %s after the last command", time.Since(began).Round(100*time.Millisecond))
}

// works returns an error unless the API server calls both webhooks, probably of both replicas.
func works() error { return stream.Works(stream.DryRun(shared.API, "default"), 4) }

func (s *step) get(path string) Object {
	s.Helper()
	reply, err := shared.API.Do("GET", path, nil)
	if err != nil || reply.Code != 200 {
		s.Fatalf("GET %s: %d %s %v", path, reply.Code, reply.Message(), err)
	}
	return reply.Body
}

// servers returns the pods of the Deployment.
func (s *step) servers() []any {
	s.Helper()
	return list(s.get("/api/v1/namespaces/"+system+"/pods?labelSelector=app.kubernetes.io%2Fcomponent%3Dwebhook"), "items")
}

// metrics returns the sum of a metric over the replicas that answer.
func (s *step) metrics(name string) float64 {
	s.Helper()
	sum := 0.0
	for _, pod := range s.servers() {
		if values, err := cluster.Metrics("http://" + text(pod, "status", "podIP") + ":8080"); err == nil {
			sum += values[name]
		}
	}
	return sum
}
