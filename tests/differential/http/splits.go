package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// checkSplits sends each legal request split at every byte. The responses must be the same as without a split.
func checkSplits(s *servers, r *report, o options) {
	all := append(legalCases(), newCase("split: target with scheme and host",
		strings.Replace(post(), "/validate", "http://localhost/validate", 1)+body))
	for _, c := range selected(all, o.run) {
		whole, err := send(s.winadmit.address, [][]byte{c.bytes})
		if err != nil || whole.hung {
			r.fail(c.name, "split: no answer to the whole", fmt.Sprintln("   ", err))
			continue
		}
		positions := make(chan int)
		var done sync.WaitGroup
		for range o.workers {
			done.Add(1)
			go func() {
				defer done.Done()
				for at := range positions {
					checkSplit(s, r, c, at, whole.bytes)
				}
			}()
		}
		for at := 1; at < len(c.bytes); at++ {
			positions <- at
		}
		close(positions)
		done.Wait()
	}
}

func checkSplit(s *servers, r *report, c testCase, at int, want []byte) {
	c.cuts = []int{at}
	got, err := send(s.winadmit.address, c.segments())
	switch {
	case err != nil:
		r.fail(c.name, "split: no connection", fmt.Sprintln("   ", err))
	case got.hung:
		r.fail(c.name, "split: no end of the connection", fmt.Sprintf("    at byte %d\n", at))
	case !bytes.Equal(got.bytes, want):
		r.fail(c.name, "split: another answer than to the whole",
			fmt.Sprintf("    at byte %d: %.100q + %.40q\n    whole %s\n    split %s\n", at,
				c.bytes[max(0, at-100):at], c.bytes[at:], short(want), short(got.bytes)))
	default:
		r.pass()
	}
}
