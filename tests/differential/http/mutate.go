package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Bytes and pieces of HTTP that mutations insert.
var (
	oddBytes = "\x00\t\n\r\x0b\x0c !\"#%&'()*+,-./0159:;<=>?@AZ[\\]^_`az{|}~\x7f\x80\xa0\xff"
	pieces   = []string{
		"\r\n", "\n", "\r", "\r\n ", "\r\n\t", "\r\n\r\n", "0", "0\r\n\r\n", ", ", ",", ";", " ", "\t", "\x00", "chunked", "identity", "close", "keep-alive",
		"100-continue", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: identity\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n",
		"Connection: close\r\n", "Connection: keep-alive\r\n", "Expect: 100-continue\r\n", "Expect: banana\r\n", "Host: other\r\n", "Host:\r\n",
		"X: y\r\n", "X\r\n", " X: y\r\n", "HTTP/1.0", "HTTP/1.1", "POST ", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "ffffffff", "1\r\nx\r\n", ";a=b",
	}
)

// mutate returns changed and split variants of the cases. They depend only on the seed.
func mutate(table []testCase, count int, seed uint64) []testCase {
	random := rand.New(rand.NewPCG(seed, 0))
	var small, legal []testCase
	for _, c := range table {
		if len(c.bytes) == 0 || len(c.bytes) > 4096 {
			continue
		}
		small = append(small, c)
		if strings.HasPrefix(c.name, "legal") {
			legal = append(legal, c)
		}
	}
	all := make([]testCase, count)
	for i := range all {
		from := small
		if random.IntN(10) < 6 {
			from = legal
		}
		base := from[random.IntN(len(from))]
		text := slices.Clone(base.bytes)
		for range 1 + random.IntN(3) {
			text = mutateOnce(random, text)
		}
		all[i] = testCase{fmt.Sprintf("mutation %d of %s", i, base.name), text, randomCuts(random, len(text))}
	}
	return all
}

func mutateOnce(random *rand.Rand, text []byte) []byte {
	if len(text) == 0 {
		return []byte(pieces[random.IntN(len(pieces))])
	}
	at := random.IntN(len(text))
	if end := bytes.Index(text, []byte("\r\n\r\n")); end > 0 && random.IntN(10) < 7 {
		at = random.IntN(end + 4) // in the head
	}
	insert := func(at int, what string) []byte { return slices.Insert(text, at, []byte(what)...) }
	switch random.IntN(10) {
	case 0:
		text[at] ^= 1 << random.IntN(8)
	case 1, 2:
		text[at] = oddBytes[random.IntN(len(oddBytes))]
	case 3:
		return insert(at, string(oddBytes[random.IntN(len(oddBytes))]))
	case 4:
		return insert(at, pieces[random.IntN(len(pieces))])
	case 5:
		return slices.Delete(text, at, min(len(text), at+1+random.IntN(4)))
	case 6: // insert a piece at the start of a line
		return insert(beginOfLine(text, at), pieces[random.IntN(len(pieces))])
	case 7: // duplicate a line
		begin := beginOfLine(text, at)
		return insert(begin, string(lineAt(text, begin)))
	case 8: // move a line
		begin := beginOfLine(text, at)
		line := string(lineAt(text, begin))
		text = slices.Delete(text, begin, begin+len(line))
		if len(text) == 0 {
			return []byte(line)
		}
		return insert(beginOfLine(text, random.IntN(len(text))), line)
	case 9: // delete a line
		begin := beginOfLine(text, at)
		return slices.Delete(text, begin, begin+len(lineAt(text, begin)))
	}
	return text
}

func beginOfLine(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// lineAt returns the line that starts at begin, with its line end.
func lineAt(text []byte, begin int) []byte {
	if end := bytes.IndexByte(text[begin:], '\n'); end >= 0 {
		return text[begin : begin+end+1]
	}
	return text[begin:]
}

// randomCuts splits half of the cases, at up to four offsets.
func randomCuts(random *rand.Rand, size int) []int {
	if size < 2 || random.IntN(2) == 0 {
		return nil
	}
	var cuts []int
	for range 1 + random.IntN(4) {
		cuts = append(cuts, 1+random.IntN(size-1))
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}
