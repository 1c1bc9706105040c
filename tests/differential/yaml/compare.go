package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

type report struct {
	show   int
	save   string
	passed int
	failed int
	meant  map[string]int
}

func (r *report) add(text []byte, ours, theirs result) {
	problem := compare(ours, theirs)
	if problem == "" {
		r.passed++
		return
	}
	for _, d := range differences {
		if d.applies(text, ours, theirs) {
			r.meant[d.name]++
			r.passed++
			return
		}
	}
	r.failed++
	if r.save != "" {
		if err := os.WriteFile(filepath.Join(r.save, fmt.Sprintf("%d.yaml", r.failed)), text, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "differential:", err)
		}
	}
	if r.failed <= r.show {
		fmt.Printf("FAIL %s\n  text     %q\n  winadmit %s\n  kubectl  %s\n", problem, clip(text), ours.text(), theirs.text())
	}
}

func (r *report) print() int {
	for _, name := range slices.Sorted(maps.Keys(r.meant)) {
		fmt.Printf("meant: %-24s %6d\n", name, r.meant[name])
	}
	fmt.Printf("%d passed, %d failed\n", r.passed, r.failed)
	if r.failed > 0 {
		return 1
	}
	return 0
}

func (r result) text() string {
	text := ""
	for _, each := range r.Documents {
		text += string(each) + " "
	}
	if r.Error != "" {
		text += "error: " + r.Error
	}
	return string(clip([]byte(text)))
}

func clip(text []byte) []byte {
	const most = 400
	return text[:min(len(text), most)]
}

// compare returns "" if both read the same documents and then both or neither refuse.
func compare(ours, theirs result) string {
	switch {
	case (ours.Error == "") != (theirs.Error == ""):
		return "one refuses"
	case len(ours.Documents) != len(theirs.Documents):
		return "another number of documents"
	}
	for i := range ours.Documents {
		if !equal(ours.Documents[i], theirs.Documents[i]) {
			return "another document"
		}
	}
	return ""
}

func equal(a, b json.RawMessage) bool {
	x, errX := decode(a)
	y, errY := decode(b)
	return errX == nil && errY == nil && equalValues(x, y)
}

func decode(text json.RawMessage) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	return value, err
}

func equalValues(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		other, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, other, equalValues)
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, equalValues)
	case json.Number:
		other, ok := b.(json.Number)
		return ok && equalNumbers(a.String(), other.String())
	}
	return a == b
}

func equalNumbers(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}
