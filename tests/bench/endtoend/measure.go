package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync"
	"time"
)

// sample is one measurement of a scenario. CPU time is in microseconds per create.
type sample struct {
	apiServerCPU, webhookCPU float64
	p50, p99                 time.Duration
}

// measure creates pods on several connections for the CPU time, then one at a time for the latency, which then includes no
// queueing.
func measure(t *target, s scenario, options Options) (sample, error) {
	if _, err := load(t, s, options.Connections, 300*time.Millisecond); err != nil {
		return sample{}, err
	}
	apiServer, webhook := cpu(t.pid), cpu(s.webhook)
	loaded, err := load(t, s, options.Connections, seconds(options.Seconds))
	if err != nil {
		return sample{}, err
	}
	each := func(before, after time.Duration) float64 {
		return float64((after - before).Nanoseconds()) / 1e3 / float64(len(loaded))
	}
	taken := sample{apiServerCPU: each(apiServer, cpu(t.pid)), webhookCPU: each(webhook, cpu(s.webhook))}
	alone, err := load(t, s, 1, seconds(options.Seconds/2))
	if err != nil {
		return sample{}, err
	}
	sort.Slice(alone, func(i, j int) bool { return alone[i] < alone[j] })
	taken.p50, taken.p99 = alone[len(alone)/2], alone[len(alone)*99/100]
	return taken, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// load keeps n creates in flight and returns the duration of each.
func load(t *target, s scenario, n int, duration time.Duration) ([]time.Duration, error) {
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: n}}
	defer client.CloseIdleConnections()
	var mutex sync.Mutex
	var all []time.Duration
	var failed error
	var workers sync.WaitGroup
	end := time.Now().Add(duration)
	for range n {
		workers.Add(1)
		go func() {
			defer workers.Done()
			var mine []time.Duration
			for time.Now().Before(end) {
				start := time.Now()
				if err := createPod(client, t, s); err != nil {
					mutex.Lock()
					failed = err
					mutex.Unlock()
					return
				}
				mine = append(mine, time.Since(start))
			}
			mutex.Lock()
			all = append(all, mine...)
			mutex.Unlock()
		}()
	}
	workers.Wait()
	if failed == nil && len(all) == 0 {
		failed = fmt.Errorf("no create within %s", duration)
	}
	return all, failed
}

// createPod creates one pod and checks whether it was placed.
func createPod(client *http.Client, t *target, s scenario) error {
	request, err := http.NewRequest("POST", t.url+createPath(s.namespace), bytes.NewReader(s.body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+t.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusCreated {
		return fmt.Errorf("%s: %s", response.Status, content)
	}
	if bytes.Contains(content, []byte(`"Win1809"`)) != s.places {
		return fmt.Errorf("placed is not %v", s.places)
	}
	return nil
}

// cpu returns the CPU time of a process so far, 0 without a process.
func cpu(pid int) time.Duration {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	text := string(content)
	fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
	var user, system int64
	fmt.Sscan(fields[11], &user)
	fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond // USER_HZ is 100 on every Linux
}
