package gameday

import (
	"fmt"
	"strings"
	"time"

	"winadmit/tests/e2e/stream"
)

// table is the report of the day: a row for each step.
type table struct{ rows []string }

func (t *table) add(s *step, counts []stream.Counts, took time.Duration) {
	result := "ok"
	switch {
	case s.Skipped():
		result = "skipped"
	case s.Failed():
		result = "FAILED"
	}
	row := []string{fmt.Sprintf("%s (%s, %.0f s)", s.name, result, took.Seconds())}
	for i := range s.streams {
		if counts == nil {
			row = append(row, "")
			continue
		}
		c := counts[i]
		row = append(row, fmt.Sprintf("%d/%d/%d/%d", c.OK, c.Failed, c.Unplaced, c.Slow))
	}
	t.rows = append(t.rows, strings.Join(append(row, strings.Join(s.seen, "; ")), " | "))
}

func (t table) String() string {
	return "\nok/failed/unplaced/slow creates (slow: more than " + stream.SlowAfter.String() + ")\n\n" +
		"| step | Linux pods | Windows pods | unsupported pods | seen |\n| --- | --- | --- | --- | --- |\n| " +
		strings.Join(t.rows, " |\n| ") + " |\n"
}
