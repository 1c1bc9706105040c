package main

import (
	"fmt"
	"os"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

type request struct {
	name   string
	bytes  []byte
	answer string
}

func newRequest(path, file string, timeout time.Duration) (request, error) {
	body, err := os.ReadFile(file)
	head := fmt.Sprintf("POST %s?timeout=%s HTTP/1.1\r\nHost: winadmit.test\r\nUser-Agent: torture\r\n"+
		"Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, timeout, len(body))
	return request{name: file, bytes: append([]byte(head), body...)}, err
}

// phase counts the requests that were due in it, even if the responses arrive later.
type phase struct {
	name     string
	asked    atomic.Int64
	answered atomic.Int64 // or failed

	mutex       sync.Mutex
	took        []time.Duration // from when a request was due, which includes a wait for a connection
	waited      []time.Duration // from when it was sent, also of those that got 503
	busyCount   int
	wrongCount  int
	retryCount  int
	failures    map[string]int
	freshAsked  int // on new connections
	freshBusy   int
	freshFailed int
}

func newPhase(name string) *phase { return &phase{name: name, failures: map[string]int{}} }

func (p *phase) right(took, waited time.Duration) {
	p.answered.Add(1)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.took = append(p.took, took)
	p.waited = append(p.waited, waited)
}

func (p *phase) busy(waited time.Duration, fresh bool) {
	p.answered.Add(1)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.busyCount++
	if fresh {
		p.freshBusy++
	}
	p.waited = append(p.waited, waited)
}

func (p *phase) wrong() {
	p.answered.Add(1)
	p.count(&p.wrongCount)
}

func (p *phase) retry() { p.count(&p.retryCount) }

func (p *phase) count(counter *int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	*counter++
}

func (p *phase) fail(why string, fresh bool) {
	p.answered.Add(1)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.failures[why]++
	if fresh {
		p.freshFailed++
	}
}

func (p *phase) report() map[string]any {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, each := range [][]time.Duration{p.took, p.waited} {
		sort.Slice(each, func(a, b int) bool { return each[a] < each[b] })
	}
	failed := int(p.asked.Load() - p.answered.Load())
	if failed > 0 {
		p.failures["no answer"] += failed
		failed = 0
	}
	for _, count := range p.failures {
		failed += count
	}
	return map[string]any{
		"asked": p.asked.Load(), "right": len(p.took), "busy": p.busyCount, "wrong": p.wrongCount, "retried": p.retryCount,
		"failed": failed, "fresh_asked": p.freshAsked, "fresh_busy": p.freshBusy, "fresh_failed": p.freshFailed,
		"failures": p.failures,
		"p50_ms": quantile(p.took, 0.5), "p99_ms": quantile(p.took, 0.99), "max_ms": quantile(p.took, 1),
		"sent_p99_ms": quantile(p.waited, 0.99),
	}
}

func quantile(sorted []time.Duration, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	index := int(share * float64(len(sorted)))
	if index == len(sorted) {
		index--
	}
	return float64(sorted[index]) / float64(time.Millisecond)
}
