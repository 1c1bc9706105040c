package stream

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

// The responses of an API server with winadmit, by state.
const (
	serving  = iota
	failOpen // winadmit does not answer: failurePolicy Ignore
	failClosed
	unreachable
	slow
)

// fake is an API server in one of these states.
type fake struct{ state atomic.Int32 }

func (f *fake) create(body []byte) (cluster.Reply, error) {
	time.Sleep(time.Millisecond)
	state := f.state.Load()
	switch {
	case state == unreachable:
		return cluster.Reply{}, errors.New("connection refused")
	case state == failClosed && string(body) != string(Linux):
		return cluster.Reply{Code: 500, Body: cluster.Object{"message": "failed calling webhook"}}, nil
	case state == slow:
		time.Sleep(SlowAfter + 10*time.Millisecond)
	}
	spec := cluster.Object{}
	switch {
	case state == failOpen || string(body) == string(Linux):
	case string(body) == string(Unsupported):
		return cluster.Reply{Code: 403, Body: cluster.Object{"message": "spec.hostPID: ... (host-pid)"}}, nil
	default:
		spec["tolerations"] = []any{cluster.Object{"key": "os", "value": "Win1809"}}
	}
	return cluster.Reply{Code: 201, Body: cluster.Object{"spec": spec}}, nil
}

func TestAStreamCountsWhatAnOutageCosts(t *testing.T) {
	type lost struct{ failed, unplaced bool }
	for _, each := range []struct {
		name                        string
		state                       int32
		linux, windows, unsupported lost
	}{
		{"no outage", serving, lost{}, lost{}, lost{}},
		{"winadmit does not answer, failurePolicy Ignore", failOpen, lost{}, lost{unplaced: true}, lost{failed: true}},
		{"winadmit does not answer, failurePolicy Fail", failClosed, lost{}, lost{failed: true}, lost{failed: true}},
		{"the API server does not answer", unreachable, lost{failed: true}, lost{failed: true}, lost{failed: true}},
	} {
		t.Run(each.name, func(t *testing.T) {
			var server fake
			all := StartAll(server.create)
			time.Sleep(100 * time.Millisecond)
			server.state.Store(each.state)
			time.Sleep(100 * time.Millisecond)
			counts := all.Stop()
			for i, want := range []lost{each.linux, each.windows, each.unsupported} {
				c := counts[i]
				if (c.Failed > 0) != want.failed || (c.Unplaced > 0) != want.unplaced || c.OK == 0 || c.Sent != c.OK+c.Lost() {
					t.Errorf("%s: %s; wanted %+v", all[i].Name, c, want)
				}
				if (c.First == "") != (c.Lost() == 0) {
					t.Errorf("%s: the first of %d: %q", all[i].Name, c.Lost(), c.First)
				}
			}
		})
	}
}

func TestAStreamCountsSlowResponses(t *testing.T) {
	var server fake
	server.state.Store(slow)
	s := Start(server.create, "Windows", Windows, Placed)
	time.Sleep(50 * time.Millisecond)
	if c := s.Stop(); c.Slow != c.Sent || c.Sent == 0 || c.P50 < SlowAfter || c.Lost() > 0 {
		t.Errorf("%s", c)
	}
}
