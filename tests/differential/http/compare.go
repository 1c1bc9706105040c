package main

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// verdict is the result of a comparison. Both difference and group are "" if the servers agree.
type verdict struct {
	difference string // name of an intended difference
	group      string // kind of failure
	details    string
}

// large is the size from which a case is compared alone: a server may refuse several large requests at once.
const large = 1 << 20

// compareAll compares the cases on several connections at a time.
func compareAll(s *servers, r *report, all []testCase, workers int) {
	work := make(chan testCase)
	var done sync.WaitGroup
	var alone sync.RWMutex
	compareOne := func(c testCase) verdict {
		if len(c.bytes) < large {
			alone.RLock()
			defer alone.RUnlock()
		} else {
			alone.Lock()
			defer alone.Unlock()
		}
		return compare(s, c)
	}
	for range workers {
		done.Add(1)
		go func() {
			defer done.Done()
			for c := range work {
				switch v := compareOne(c); {
				case v.group != "":
					r.fail(c.name, v.group, v.details)
				case v.difference != "":
					r.excuse(v.difference)
				default:
					r.pass()
				}
			}
		}()
	}
	for i, c := range all {
		if r.hasEnough() {
			fmt.Printf("not tried after so many failures: %d cases\n", len(all)-i)
			break
		}
		if !s.winadmit.Running() {
			r.fail(c.name, "winadmit has exited: not tried", "")
			continue
		}
		work <- c
	}
	close(work)
	done.Wait()
}

// compare sends a case to both servers, followed by a marker request. The marker shows where each server sees the end of
// the case, and whether it keeps the connection open.
func compare(s *servers, c testCase) verdict {
	segments := append(c.segments(), []byte(marker))
	theirs, err := send(s.reference.address, segments)
	if err != nil {
		return verdict{group: "no connection to the reference", details: err.Error() + "\n"}
	}
	served := s.reference.take(theirs.client)
	ours, err := send(s.winadmit.address, segments)
	if err != nil {
		return verdict{group: "no connection to winadmit", details: err.Error() + "\n"}
	}
	v := judge(s, bytes.Join(segments, nil), served, theirs, ours)
	if v.group != "" {
		v.details = fmt.Sprintf("    sent     %s\n    Go       %s; ran %s\n    winadmit %s\n    %s\n",
			quoted(segments), short(theirs.bytes), describe(served), short(ours.bytes), v.details)
	}
	return v
}

func judge(s *servers, sent []byte, served []seen, theirs, ours reply) verdict {
	if ours.hung || theirs.hung {
		return verdict{group: fmt.Sprintf("no end of the connection within %s", patience),
			details: fmt.Sprintf("Go: %v, winadmit: %v", theirs.hung, ours.hung)}
	}
	var methods []string
	for _, one := range served {
		methods = append(methods, one.method)
	}
	answers, err := parse(ours.bytes, methods)
	if err != nil {
		return verdict{group: "winadmit: " + brief(err, methods), details: err.Error()}
	}
	expected, _ := parse(theirs.bytes, methods)
	whole := 0
	for whole < len(served) && served[whole].whole {
		whole++
	}
	for i := range whole {
		v, more := judgeServed(s, sent, i, served[i], answers)
		if !more {
			return v
		}
		if i < len(expected) && answers[i].interim > expected[i].interim {
			return verdict{group: "100 Continue where Go sends none", details: fmt.Sprintf("request %d", i+1)}
		}
	}
	return judgeRefused(sent, whole, refusalOf(theirs, methods, whole), answers)
}

// judgeServed checks response i, to a request that Go has served. more is false if there is nothing further to check.
func judgeServed(s *servers, sent []byte, i int, one seen, answers []response) (v verdict, more bool) {
	stricter := func(what string) (verdict, bool) {
		if len(answers) > i+1 {
			return verdict{group: "an answer after a refusal", details: what}, false
		}
		name := stricterBy(requestAt(sent, i))
		if name == "" && len(answers) == i && i > 0 { // closed because of the request before
			name = stricterBy(requestAt(sent, i-1))
		}
		if name != "" {
			return verdict{difference: name}, false
		}
		return verdict{group: "Go serves, winadmit " + what, details: fmt.Sprintf("request %d", i+1)}, false
	}
	if len(answers) <= i {
		return stricter("closes the connection")
	}
	got := answers[i]
	want, err := s.canonical.ask(one, got)
	if err != nil {
		return verdict{group: "no answer to the plain form", details: err.Error()}, false
	}
	same := got.status == want.status && got.body == want.body
	refused := got.close && got.status >= 400
	switch {
	case same && want.close && one.method != http.MethodHead:
		return stricter(fmt.Sprintf("refuses the plain form too: %d %s", got.status, strings.TrimSpace(got.body)))
	case same && refused && len(answers) == i+1: // an error may end a connection
		return verdict{}, false
	case same:
		return verdict{}, true
	case refused:
		return stricter(fmt.Sprintf("refuses: %d %s", got.status, strings.TrimSpace(got.body)))
	}
	return verdict{group: "another answer than to the plain form",
		details: fmt.Sprintf("request %d: want %d %s", i+1, want.status, want.body)}, false
}

// judgeRefused checks what follows the requests that Go has served: nothing, or a refusal that closes the connection.
func judgeRefused(sent []byte, i int, refusal string, answers []response) verdict {
	if len(answers) <= i {
		return verdict{}
	}
	got := answers[i]
	if got.status >= 400 && got.close && len(answers) == i+1 {
		return verdict{}
	}
	name := laxerBy(requestAt(sent, i))
	if name == "" && refusal == closes && i > 0 { // closed because of the request before
		name = laxerBy(requestAt(sent, i-1))
	}
	if name != "" {
		return verdict{difference: name}
	}
	what := fmt.Sprintf("answers %d and goes on", got.status)
	if got.status < 400 {
		what = fmt.Sprintf("runs it: %d", got.status)
	}
	return verdict{group: refusal + ", winadmit " + what,
		details: fmt.Sprintf("request %d; %d answers", i+1, len(answers))}
}

// closes is the description of a refusal without a response.
const closes = "Go closes"

// refusalOf describes how Go closed a connection after i requests.
func refusalOf(theirs reply, methods []string, i int) string {
	answers, err := parse(theirs.bytes, methods)
	if err != nil || len(answers) <= i {
		return closes
	}
	text := strings.TrimSpace(answers[i].body)
	if text == "" {
		text = fmt.Sprint(answers[i].status, " (body)")
	}
	return "Go refuses: " + text
}

// brief returns an error message without the parts that differ between cases.
func brief(err error, methods []string) string {
	if len(methods) > 0 && methods[0] == http.MethodHead {
		return "bytes behind the answer to HEAD"
	}
	text, _, _ := strings.Cut(err.Error(), ": ")
	return text
}

func quoted(segments [][]byte) string {
	var parts []string
	for _, segment := range segments[:len(segments)-1] {
		parts = append(parts, abbreviated(segment))
	}
	return strings.Join(parts, " + ") + " + the marker"
}

// abbreviated quotes bytes, without the middle of long ones.
func abbreviated(text []byte) string {
	if len(text) <= 3000 {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("%q ...%d bytes... %q", text[:1000], len(text)-2000, text[len(text)-1000:])
}

func short(text []byte) string {
	return fmt.Sprintf("%.600q", text)
}

func describe(served []seen) string {
	var parts []string
	for _, one := range served {
		parts = append(parts, fmt.Sprintf("%s %s with %d bytes (whole: %v)", one.method, one.target, len(one.body), one.whole))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
