// The well-behaved client of the attacks. It sends requests at a fixed rate, over a few kept connections and over a new
// connection each second, and compares every response with the first response to the same request.
//
// It prints "ready" when it has all first responses. "phase NAME" on stdin starts a new count, and "burst N" sends N requests
// at once, each over a new connection. At the end of stdin it prints the counts of all phases as a JSON object and exits.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type options struct {
	server      string
	local       string
	rate        float64
	connections int
	fresh       time.Duration
	timeout     time.Duration
}

type client struct {
	options
	requests []request
	tls      *tls.Config
	phase    atomic.Pointer[phase]
	next     atomic.Uint64 // index of the next request

	mutex sync.Mutex
	ended bool // send no further requests
}

func main() {
	c := client{tls: &tls.Config{InsecureSkipVerify: true}} // certificates are verified in other tests
	flag.StringVar(&c.server, "server", "127.0.0.1:8443", "address of the server")
	flag.StringVar(&c.local, "local", "127.0.0.99", "source address")
	flag.Float64Var(&c.rate, "rate", 200, "requests per second over the kept connections")
	flag.IntVar(&c.connections, "connections", 4, "number of kept connections")
	flag.DurationVar(&c.fresh, "fresh", time.Second, "interval of new connections; 0: none")
	flag.DurationVar(&c.timeout, "timeout", 10*time.Second, "timeout of a response")
	flag.Parse()
	if err := c.run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

// run takes the requests as PATH=FILE.
func (c *client) run(words []string) error {
	for _, word := range words {
		path, file, _ := strings.Cut(word, "=")
		r, err := newRequest(path, file, c.timeout)
		if err != nil {
			return err
		}
		c.requests = append(c.requests, r)
	}
	// Before the count starts, the server may still be busy with earlier requests, so the timeout is longer.
	timeout := c.timeout
	c.timeout = 10 * time.Second
	if err := c.learn(); err != nil {
		return err
	}
	kept := c.openAll()
	c.timeout = timeout
	phases := []*phase{newPhase("start")}
	c.phase.Store(phases[0])

	jobs := make(chan job, 1<<16)
	for _, connection := range kept {
		go c.keep(connection, jobs)
	}
	go c.schedule(jobs)
	if c.fresh > 0 {
		go c.open()
	}
	fmt.Println("ready")

	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		if name, ok := strings.CutPrefix(commands.Text(), "phase "); ok {
			phases = append(phases, newPhase(name))
			c.phase.Store(phases[len(phases)-1])
		} else if count, err := strconv.Atoi(strings.TrimPrefix(commands.Text(), "burst ")); err == nil {
			for ; count > 0; count-- {
				c.askOnNew(time.Now())
			}
		}
	}
	c.mutex.Lock()
	c.ended = true
	c.mutex.Unlock()
	for end := time.Now().Add(c.timeout + time.Second); time.Now().Before(end) && waiting(phases); {
		time.Sleep(10 * time.Millisecond)
	}
	report := map[string]any{}
	for _, p := range phases {
		report[p.name] = p.report()
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

// learn gets the first response to each request. All later ones must be equal.
func (c *client) learn() error {
	connection := connection{client: c}
	defer connection.close()
	for i := range c.requests {
		status, body, err := connection.ask(c.requests[i].bytes)
		if err != nil {
			return err
		}
		if status != 200 {
			return fmt.Errorf("%s: status %d", c.requests[i].name, status)
		}
		c.requests[i].answer = string(body)
	}
	return nil
}

func waiting(phases []*phase) bool {
	for _, p := range phases {
		if p.asked.Load() > p.answered.Load() {
			return true
		}
	}
	return false
}

type job struct {
	request *request
	phase   *phase
	due     time.Time
}

// job returns the next request and counts it. false after the end.
func (c *client) job(due time.Time) (job, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.ended {
		return job{}, false
	}
	index := c.next.Add(1) % uint64(len(c.requests))
	phase := c.phase.Load()
	phase.asked.Add(1)
	return job{&c.requests[index], phase, due}, true
}

// schedule hands out requests when they are due, however long earlier ones take.
func (c *client) schedule(jobs chan<- job) {
	begin := time.Now()
	for sent := 0; ; sent++ {
		due := begin.Add(time.Duration(float64(sent) / c.rate * float64(time.Second)))
		if wait := time.Until(due); wait > 100*time.Microsecond {
			time.Sleep(wait)
		}
		j, ok := c.job(due)
		if !ok {
			return
		}
		select {
		case jobs <- j:
		default:
			j.phase.fail("not asked: the queue is full", false)
		}
	}
}

// openAll opens the kept connections. One that fails is opened again when it is used.
func (c *client) openAll() []*connection {
	all := make([]*connection, c.connections)
	var opened sync.WaitGroup
	slots := make(chan struct{}, 16)
	for i := range all {
		all[i] = &connection{client: c}
		opened.Add(1)
		slots <- struct{}{}
		go func(kept *connection) {
			defer opened.Done()
			kept.open()
			<-slots
		}(all[i])
	}
	opened.Wait()
	return all
}

// keep sends one request after the other on one connection.
func (c *client) keep(connection *connection, jobs <-chan job) {
	for j := range jobs {
		if time.Since(j.due) > c.timeout {
			j.phase.fail("not asked in time", false)
			continue
		}
		connection.serve(j, false)
	}
}

// open sends one request on a new connection, repeatedly.
func (c *client) open() {
	for due := range time.Tick(c.fresh) {
		if !c.askOnNew(due) {
			return
		}
	}
}

// askOnNew sends one request on a new connection. false after the end.
func (c *client) askOnNew(due time.Time) bool {
	j, ok := c.job(due)
	if !ok {
		return false
	}
	j.phase.count(&j.phase.freshAsked)
	go func() {
		connection := connection{client: c}
		connection.serve(j, true)
		connection.close()
	}()
	return true
}

func (c *client) dial() (*tls.Conn, error) {
	dialer := net.Dialer{Timeout: c.timeout}
	if c.local != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(c.local)}
	}
	return tls.DialWithDialer(&dialer, "tcp", c.server, c.tls)
}
