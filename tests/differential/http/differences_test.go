package main

import (
	"slices"
	"testing"
)

func TestEachDifferenceHasACase(t *testing.T) {
	all := cases()
	for _, d := range append(slices.Clone(stricter), laxer...) {
		if !slices.ContainsFunc(all, func(c testCase) bool { return d.applies(requestAt(c.bytes, 0)) || d.applies(requestAt(c.bytes, 1)) }) {
			t.Errorf("no case of %q", d.name)
		}
	}
}

func TestNoDifferenceExcusesALegalRequest(t *testing.T) {
	for _, c := range legalCases() {
		r := requestAt(c.bytes, 0)
		if name := stricterBy(r) + laxerBy(r); name != "" {
			t.Errorf("%s: %s", c.name, name)
		}
	}
}

func TestRequestAtFindsTheRequestBehindABody(t *testing.T) {
	for _, first := range []string{
		post() + body, postUnsized("Transfer-Encoding: chunked") + inChunks(body), head("GET / HTTP/1.1", "Host: localhost"),
	} {
		got := requestAt([]byte(first+marker+"rest"), 1)
		if got.head+got.rest != marker+"rest" || got.head != postSized(len(review("the-marker")), "Connection: close") {
			t.Errorf("behind %.60q: head %q, rest %q", first, got.head, got.rest)
		}
	}
}

func TestMutationsAreTheSameForTheSameSeed(t *testing.T) {
	first, second := mutate(cases(), 200, 1), mutate(cases(), 200, 1)
	for i := range first {
		if string(first[i].bytes) != string(second[i].bytes) || !slices.Equal(first[i].cuts, second[i].cuts) {
			t.Fatalf("%s differs", first[i].name)
		}
	}
	if other := mutate(cases(), 200, 2); string(other[0].bytes) == string(first[0].bytes) && string(other[1].bytes) == string(first[1].bytes) {
		t.Error("another seed makes the same")
	}
}
