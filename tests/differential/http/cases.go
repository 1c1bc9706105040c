package main

import (
	"fmt"
	"strings"
)

// testCase is what one connection sends.
type testCase struct {
	name  string
	bytes []byte
	cuts  []int // offsets at which a new segment begins
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

// review is an AdmissionReview whose answer shows the uid and the name of a Windows pod's container.
func review(uid string) string {
	return fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"%s",`+
		`"kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},`+
		`"operation":"CREATE","namespace":"default","object":{"spec":{"nodeSelector":{"kubernetes.io/os":"windows"},`+
		`"hostPID":true,"containers":[{"name":"a","image":"b"}]}}}}`, uid)
}

var (
	body = review("5f0c2f3e-93a2-4c7d-8d7a-0a54b6f1c9e2")
	// marker follows the bytes of every case. Its answer has a uid of its own.
	marker = postSized(len(review("the-marker")), "Connection: close") + review("the-marker")
	other  = review("another-request")
)

// head is a head of lines that end in CRLF.
func head(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n\r\n" }

// post is the head of a POST of a review, with further fields before its Content-Length.
func post(fields ...string) string { return postSized(len(body), fields...) }

func postSized(size int, fields ...string) string {
	return postUnsized(append(fields, fmt.Sprintf("Content-Length: %d", size))...)
}

// postUnsized is the head of a POST with the given fields and no framing of its own.
func postUnsized(fields ...string) string {
	return head(append([]string{"POST /validate HTTP/1.1", "Host: localhost", "Content-Type: application/json"}, fields...)...)
}

// chunk is one chunk of a body, with a size in lower-case hexadecimal.
func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// inChunks is the body in three chunks and its end.
func inChunks(text string) string {
	return chunk(text[:7]) + chunk(text[7:100]) + chunk(text[100:]) + "0\r\n\r\n"
}

// framed is a case by its whole bytes.
func framed(name, text string) testCase { return testCase{name: name, bytes: []byte(text)} }

// cases are the hand-written ones.
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

// each makes a case of every value: "group: value".
func each(group string, values []string, text func(value string) string) []testCase {
	var all []testCase
	for _, value := range values {
		all = append(all, framed(fmt.Sprintf("%s: %.60q", group, value), text(value)))
	}
	return all
}
