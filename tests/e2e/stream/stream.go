// Package stream creates pods again and again, as dry runs, and counts how the API server responded, so that a test can say
// how many creates an outage or an upgrade cost.
package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"winadmit/tests/e2e/cluster"
)

// SlowAfter is the time from which a response counts as slow.
const SlowAfter = time.Second

// clients is the number of clients of a stream, and pause is how long each waits between two requests.
const (
	clients = 2
	pause   = 10 * time.Millisecond
)

// Create sends one request to create a pod.
type Create func(body []byte) (cluster.Reply, error)

// DryRun returns a Create that stores nothing. Dry runs are admitted like other requests.
func DryRun(api *cluster.API, namespace string) Create {
	return func(body []byte) (cluster.Reply, error) {
		return api.Do("POST", "/api/v1/namespaces/"+namespace+"/pods?dryRun=All", body)
	}
}

// Counts is what the API server did with the requests of a stream. A request is OK, Failed or Unplaced.
type Counts struct {
	Sent     int
	OK       int
	Failed   int // refused, not refused, or not answered, where Want demands otherwise
	Unplaced int // a Windows pod was admitted without its toleration
	Slow     int // of those sent: the response took longer than SlowAfter

	P50, P99, Max time.Duration
	First, Last   string // the first and the last response that was not OK, with its time
}

// Lost returns how many requests had another result than the stream wants.
func (c Counts) Lost() int { return c.Failed + c.Unplaced }

// String returns the counts in one line.
func (c Counts) String() string {
	return fmt.Sprintf("%d ok, %d failed, %d unplaced, %d slow, p50 %s, p99 %s, max %s", c.OK, c.Failed, c.Unplaced, c.Slow,
		c.P50.Round(100*time.Microsecond), c.P99.Round(100*time.Microsecond), c.Max.Round(time.Millisecond))
}

// Stream sends the same request repeatedly, from two clients, until it is stopped.
type Stream struct {
	Name string

	cancel context.CancelFunc
	group  sync.WaitGroup
	mutex  sync.Mutex
	counts Counts
	took   []time.Duration
}

// Start starts a stream of a pod. Each response must satisfy want.
func Start(create Create, name string, body []byte, want Want) *Stream {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Stream{Name: name, cancel: cancel}
	for range clients {
		s.group.Add(1)
		go func() {
			defer s.group.Done()
			for ctx.Err() == nil {
				start := time.Now()
				reply, err := create(body)
				if err == nil {
					err = want(reply)
				}
				s.count(time.Since(start), err)
				time.Sleep(pause)
			}
		}()
	}
	return s
}

func (s *Stream) count(took time.Duration, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.took = append(s.took, took)
	c := &s.counts
	c.Sent++
	if took > SlowAfter {
		c.Slow++
	}
	if err == nil {
		c.OK++
		return
	}
	if errors.Is(err, ErrUnplaced) {
		c.Unplaced++
	} else {
		c.Failed++
	}
	c.Last = time.Now().Format("15:04:05.000 ") + err.Error()
	if c.First == "" {
		c.First = c.Last
	}
}

// Counts returns the counts so far.
func (s *Stream) Counts() Counts {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.counts
	if sorted := slices.Sorted(slices.Values(s.took)); len(sorted) > 0 {
		c.P50, c.P99, c.Max = sorted[len(sorted)/2], sorted[len(sorted)*99/100], sorted[len(sorted)-1]
	}
	return c
}

// Stop ends the stream and returns its counts. It may be called again.
func (s *Stream) Stop() Counts {
	s.cancel()
	s.group.Wait()
	return s.Counts()
}
