package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// request has the bytes of a request and of everything after it.
type request struct {
	head string // with the empty line
	rest string
}

// requestAt returns request i of the bytes of a connection, as Go frames them.
func requestAt(all []byte, i int) request {
	source := bytes.NewReader(all)
	reader := bufio.NewReader(source)
	for range i {
		skipEmptyLines(reader)
		one, err := http.ReadRequest(reader)
		if err != nil {
			break
		}
		io.Copy(io.Discard, one.Body)
	}
	text := string(all[len(all)-source.Len()-reader.Buffered():])
	if end := endOfHead.FindStringIndex(strings.TrimLeft(text, "\r\n")); end != nil {
		at := end[1] + len(text) - len(strings.TrimLeft(text, "\r\n"))
		return request{head: text[:at], rest: text[at:]}
	}
	return request{head: text}
}

// skipEmptyLines skips the empty lines that Go ignores between requests.
func skipEmptyLines(reader *bufio.Reader) {
	for range 4 {
		next, err := reader.Peek(1)
		if err != nil || next[0] != '\r' && next[0] != '\n' {
			return
		}
		reader.Discard(1)
	}
}

var (
	lastChunk = regexp.MustCompile(`(^|\n)0+([ \t;][^\n]*)?\r\n`)
	endOfHead = regexp.MustCompile(`\r?\n\r?\n`)
)

// values returns the values of a field of the head, in lower case.
func (r request) values(name string) []string {
	var values []string
	for line := range strings.SplitSeq(strings.ToLower(r.head), "\n") {
		if value, found := strings.CutPrefix(line, name+":"); found {
			values = append(values, strings.TrimSpace(value))
		}
	}
	return values
}

func (r request) count(name string) int { return len(r.values(name)) }

func (r request) isChunked() bool { return r.has("transfer-encoding") }

// trailer returns the lines after the last chunk, with the empty line.
func (r request) trailer() string {
	last := lastChunk.FindStringIndex(r.rest)
	if last == nil || !r.isChunked() {
		return ""
	}
	text := r.rest[last[1]:]
	for _, end := range []string{"\r\n", "\n"} {
		if strings.HasPrefix(text, end) {
			return end
		}
	}
	if end := endOfHead.FindStringIndex(text); end != nil {
		return text[:end[1]]
	}
	return text
}

func (r request) has(name string) bool { return r.count(name) > 0 }
