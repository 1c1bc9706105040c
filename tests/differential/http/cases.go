package main

import (
	"fmt"
	"strings"
)

// testCase is the bytes that are sent on one connection.
type testCase struct {
	name  string
	bytes []byte
	cuts  []int // offsets at which a new segment starts
}

func (c testCase) segments() [][]byte {
	var all [][]byte
	begin := 0
	for _, cut := range c.cuts {
		all = append(all, c.bytes[begin:cut])
		begin = cut
	}
	return append(all, c.bytes[begin:])
}

// review returns an AdmissionReview of a Windows pod that is refused.
func review(uid string) string {
	return fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"%s",`+
		`"kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},`+
		`"operation":"CREATE","namespace":"default","object":{"spec":{"nodeSelector":{"kubernetes.io/os":"windows"},`+
		`"hostPID":true,"containers":[{"name":"a","image":"b"}]}}}}`, uid)
}

var (
	body = review("5f0c2f3e-93a2-4c7d-8d7a-0a54b6f1c9e2")
	// marker is a request that follows the bytes of every case. It has its own uid.
	marker = postSized(len(review("the-marker")), "Connection: close") + review("the-marker")
	other  = review("another-request")
)

// head returns the head of a request with lines that end in CRLF.
func head(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n\r\n" }

// post returns the head of a POST of a review, with additional fields before Content-Length.
func post(fields ...string) string { return postSized(len(body), fields...) }

func postSized(size int, fields ...string) string {
	return postUnsized(append(fields, fmt.Sprintf("Content-Length: %d", size))...)
}

// postUnsized returns the head of a POST with these fields and without Content-Length.
func postUnsized(fields ...string) string {
	return head(append([]string{"POST /validate HTTP/1.1", "Host: localhost", "Content-Type: application/json"}, fields...)...)
}

// chunk returns one chunk of a body.
func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// inChunks returns a body of three chunks with the last chunk.
func inChunks(text string) string {
	return chunk(text[:7]) + chunk(text[7:100]) + chunk(text[100:]) + "0\r\n\r\n"
}

// newCase returns a case that sends a text in one segment.
func newCase(name, text string) testCase { return testCase{name: name, bytes: []byte(text)} }

// cases returns the table of cases.
func cases() []testCase {
	var all []testCase
	for _, group := range [][]testCase{
		legalCases(), contentLengthCases(), transferEncodingCases(), chunkCases(), lineCases(),
		hostCases(), targetCases(), methodCases(), versionCases(), expectCases(), connectionCases(), sizeCases(),
	} {
		all = append(all, group...)
	}
	return all
}

// each returns a case for every value, with the name "group: value".
func each(group string, values []string, text func(value string) string) []testCase {
	var all []testCase
	for _, value := range values {
		all = append(all, newCase(fmt.Sprintf("%s: %.60q", group, value), text(value)))
	}
	return all
}
