package main

import (
	"fmt"
	"strings"
)

func expectCases() []testCase {
	all := each("Expect", []string{
		"100-continue", "100-Continue", "100-CONTINUE", "banana", "", " ", "100-continue, banana", "100-continue,100-continue", "100-continue;a=b",
		"\"100-continue\"", "100", "200-ok", "100-continuex", "x100-continue",
	}, func(value string) string { return post("Expect: "+value) + body })
	return append(all,
		newCase("Expect: twice", post("Expect: 100-continue", "Expect: 100-continue")+body),
		newCase("Expect: good, then bad", post("Expect: 100-continue", "Expect: banana")+body),
		newCase("Expect: bad, then good", post("Expect: banana", "Expect: 100-continue")+body),
		newCase("Expect: in HTTP/1.0", strings.Replace(post("Expect: 100-continue"), "HTTP/1.1", "HTTP/1.0", 1)+body),
		newCase("Expect: bad in HTTP/1.0", strings.Replace(post("Expect: banana"), "HTTP/1.1", "HTTP/1.0", 1)+body),
		newCase("Expect: without a body", head("GET /validate HTTP/1.1", "Host: localhost", "Expect: 100-continue")),
		newCase("Expect: of a body of 0 bytes", postSized(0, "Expect: 100-continue")),
	)
}

func connectionCases() []testCase {
	values := []string{
		"close", "Close", "CLOSE", "keep-alive", "Keep-Alive", "close, keep-alive", "keep-alive, close", "keep-alive,close", "foo, close", "close,", ",close",
		"close;a", "\"close\"", "closed", "clos", "", "upgrade", "Upgrade, close", "\tclose", "close\t", "Content-Length", "Transfer-Encoding", "Host",
		"close close", "foo", "TE, close", "foo\tclose", "close\x01", "\u00e4, close",
	}
	all := each("Connection", values, func(value string) string {
		return post("Connection: "+value) + body
	})
	all = append(all, each("Connection in HTTP/1.0", values, func(value string) string {
		return strings.Replace(post("Connection: "+value), "HTTP/1.1", "HTTP/1.0", 1) + body
	})...)
	return append(all,
		newCase("Connection: twice", post("Connection: keep-alive", "Connection: close")+body),
		newCase("Connection: twice in HTTP/1.0", strings.Replace(post("Connection: foo", "Connection: keep-alive"), "HTTP/1.1", "HTTP/1.0", 1)+body),
		newCase("Connection: twice, close first", post("Connection: close", "Connection: keep-alive")+body),
		newCase("Connection: close in the first of two", post("Connection: close")+body+postSized(len(other))+other),
		newCase("Connection: Proxy-Connection", post("Proxy-Connection: close")+body),
		newCase("pipelining: ten", strings.Repeat(post()+body, 10)),
		newCase("pipelining: ten without bodies", strings.Repeat(head("GET /nothing HTTP/1.1", "Host: localhost"), 10)),
		newCase("pipelining: chunks and lengths", strings.Repeat(postUnsized("Transfer-Encoding: chunked")+inChunks(body)+post()+body, 4)),
		newCase("pipelining: the second is bad", post()+body+"nonsense\r\n\r\n"),
		newCase("pipelining: the second has two lengths", post()+body+postUnsized("Content-Length: 5", "Content-Length: 6")+body),
		newCase("pipelining: three that wait for 100", strings.Repeat(post("Expect: 100-continue")+body, 3)),
	)
}

// sizeCases have sizes around the limits of a head (16 KiB) and of a body (7 MiB).
func sizeCases() []testCase {
	var all []testCase
	for _, size := range []int{1000, 4000, 8000, 12000, 15000, 16000, 16383, 16384, 16385, 17000, 20000, 60000} {
		all = append(all, newCase(fmt.Sprintf("head of %d bytes", size), sizedHead(size)+body))
	}
	for _, count := range []int{10, 100, 500, 1500} {
		all = append(all, newCase(fmt.Sprintf("head of %d fields", count), post(strings.Split(strings.Repeat("A: b,", count), ",")[:count]...)+body))
	}
	for _, size := range []int{16 << 10, 64 << 10, maxBody, maxBody + 1} {
		text := body + strings.Repeat(" ", size-len(body))
		all = append(all,
			newCase(fmt.Sprintf("body of %d bytes", size), postSized(size)+text),
			newCase(fmt.Sprintf("body of %d bytes in chunks", size), postUnsized("Transfer-Encoding: chunked")+chunk(text[:size/2])+chunk(text[size/2:])+"0\r\n\r\n"))
	}
	return all
}

// sizedHead returns a head of this size.
func sizedHead(size int) string {
	return post("Authorization: Bearer " + strings.Repeat("t", size-len(post("Authorization: Bearer "))))
}
