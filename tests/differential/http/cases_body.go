package main

import (
	"fmt"
	"strings"
)

// legalCases returns valid requests. Most mutations start with one of them.
func legalCases() []testCase {
	return []testCase{
		newCase("legal: length", post()+body),
		newCase("legal: timeout of the API server", head("POST /validate?timeout=10s HTTP/1.1", "Host: localhost:8443",
			"User-Agent: kube-apiserver-admission", fmt.Sprintf("Content-Length: %d", len(body)),
			"Accept: application/json, */*", "Content-Type: application/json", "Accept-Encoding: gzip")+body),
		newCase("legal: mutate", head("POST /mutate HTTP/1.1", "Host: localhost", "Content-Type: application/json",
			fmt.Sprintf("Content-Length: %d", len(body)))+body),
		newCase("legal: chunks", postUnsized("Transfer-Encoding: chunked")+inChunks(body)),
		newCase("legal: one chunk", postUnsized("Transfer-Encoding: chunked")+chunk(body)+"0\r\n\r\n"),
		newCase("legal: extensions and trailers", postUnsized("Transfer-Encoding: chunked", "Trailer: Checksum")+
			fmt.Sprintf("%x;name=value;other=\"a b\"\r\n%s\r\n", len(body), body)+"0;last\r\nChecksum: 1\r\n\r\n"),
		newCase("legal: continue", post("Expect: 100-continue")+body),
		newCase("legal: continue with chunks", postUnsized("Expect: 100-continue", "Transfer-Encoding: chunked")+inChunks(body)),
		newCase("legal: two in a row", post()+body+postSized(len(other))+other),
		newCase("legal: chunks, then length", postUnsized("Transfer-Encoding: chunked")+inChunks(body)+postSized(len(other))+other),
		newCase("legal: no body", head("GET /validate HTTP/1.1", "Host: localhost")),
		newCase("legal: unknown path", head("POST /nothing HTTP/1.1", "Host: localhost", "Content-Length: 3")+"abc"),
		newCase("legal: other type", head("POST /validate HTTP/1.1", "Host: localhost", "Content-Type: text/plain", "Content-Length: 3")+"abc"),
		newCase("legal: HTTP/1.0", head("POST /validate HTTP/1.0", "Content-Type: application/json",
			fmt.Sprintf("Content-Length: %d", len(body)))+body),
		newCase("legal: close", post("Connection: close")+body),
		newCase("legal: empty body", postSized(0)),
		newCase("legal: not a review", postSized(2)+"{}"),
	}
}

func contentLengthCases() []testCase {
	n := fmt.Sprint(len(body))
	all := each("Content-Length", []string{
		"+" + n, "-" + n, "0x" + fmt.Sprintf("%x", len(body)), n + ".0", n + "e0", "0" + n, "0000000000000000000000" + n,
		n + " ", " " + n, "\t" + n + "\t", n + ",", "," + n, n + ", " + n, n + "," + n, n + ", 5", n + ";", n + " " + n,
		n + "a", "a" + n, "", " ", "-0", "-1", "+0", "00", "1_000", "\"" + n + "\"", "'" + n, n + "\x0b", "\x0c" + n, n + "\x00",
		"18446744073709551615", "18446744073709551616", "9223372036854775807", "9223372036854775808",
		"36893488147419103232", "99999999999999999999999999999999", "7340032", "7340033", "\u0661", "\uff15",
	}, func(value string) string { return postUnsized("Content-Length:"+value) + body })
	two := func(name string, fields ...string) testCase {
		return newCase("Content-Length twice: "+name, postUnsized(fields...)+body)
	}
	return append(all,
		two("the same", "Content-Length: "+n, "Content-Length: "+n),
		two("the same, apart", "Content-Length: "+n, "Accept: */*", "content-length: "+n),
		two("shorter first", "Content-Length: 5", "Content-Length: "+n),
		two("longer first", "Content-Length: "+n, "Content-Length: 5"),
		two("a zero in front", "Content-Length: "+n, "Content-Length: 0"+n),
		two("zero and a length", "Content-Length: 0", "Content-Length: "+n),
		two("empty and a length", "Content-Length:", "Content-Length: "+n),
		two("three times", "Content-Length: "+n, "Content-Length: "+n, "Content-Length: "+n),
		newCase("Content-Length: none", postUnsized()+body),
		newCase("Content-Length: none, and no body", postUnsized()),
		newCase("Content-Length: too short", postSized(len(body)-1)+body),
		newCase("Content-Length: too long", postSized(len(body)+1)+body),
		newCase("Content-Length: of a GET", head("GET /validate HTTP/1.1", "Host: localhost", "Content-Length: "+n)+body),
		newCase("Content-Length: hides a request", postSized(len(body)+len(post())+len(other))+body+post()+other),
	)
}

func transferEncodingCases() []testCase {
	all := each("Transfer-Encoding", []string{
		"chunked", "Chunked", "CHUNKED", "chunked ", "\tchunked\t", "identity", "gzip", "xchunked", "chunkedx", "chunke", "",
		" ", ",", ",chunked", "chunked,", "chunked, identity", "identity, chunked", "chunked, chunked", "gzip, chunked",
		"chunked, gzip", "chunked;q=1", "chunked ;a=b", "\"chunked\"", "chun\tked", "\x0bchunked", "chunked\x0b", "chunked\x00",
		"chunked\x01", "\u00a0chunked", "cow", "deflate", "compress", "trailers", "chunked chunked", "\x7fchunked", "chunKED",
		"\u212achunked", "chun\u212aed",
	}, func(value string) string { return postUnsized("Transfer-Encoding: "+value) + inChunks(body) })
	for _, value := range []string{"identity", "gzip", "cow", "", "chunked, identity", "chunked, chunked", "xchunked"} {
		// Request smuggling: the body is handled as a second request.
		all = append(all, newCase(fmt.Sprintf("Transfer-Encoding: %q before a request", value),
			postUnsized("Transfer-Encoding: "+value)+postSized(len(other))+other))
	}
	n := fmt.Sprint(len(body))
	with := func(name string, fields ...string) testCase {
		return newCase("Transfer-Encoding: "+name, postUnsized(fields...)+inChunks(body))
	}
	return append(all,
		with("twice", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
		with("identity, then chunked", "Transfer-Encoding: identity", "Transfer-Encoding: chunked"),
		with("chunked, then identity", "Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
		with("chunked, then empty", "Transfer-Encoding: chunked", "Transfer-Encoding:"),
		with("before a length", "Transfer-Encoding: chunked", "Content-Length: "+n),
		with("after a length", "Content-Length: "+n, "Transfer-Encoding: chunked"),
		with("and length 0", "Content-Length: 0", "Transfer-Encoding: chunked"),
		with("and a bad length", "Content-Length: x", "Transfer-Encoding: chunked"),
		with("and two lengths", "Content-Length: 5", "Content-Length: 6", "Transfer-Encoding: chunked"),
		with("identity and a length", "Transfer-Encoding: identity", "Content-Length: "+n),
		with("name with a space", "Transfer-Encoding : chunked"),
		with("name with an underscore", "Transfer_Encoding: chunked", "Content-Length: "+n),
		with("name folded", "Transfer-Encoding:\r\n chunked"),
		with("name folded, with a length", "Content-Length: "+n, "Transfer-Encoding:\r\n chunked"),
		with("hidden in a value", "X: y\rTransfer-Encoding: chunked", "Content-Length: "+n),
		newCase("Transfer-Encoding: in HTTP/1.0", head("POST /validate HTTP/1.0", "Content-Type: application/json",
			"Transfer-Encoding: chunked")+inChunks(body)),
		newCase("Transfer-Encoding: in HTTP/1.0 with keep-alive", head("POST /validate HTTP/1.0", "Content-Type: application/json",
			"Connection: keep-alive", "Transfer-Encoding: chunked")+inChunks(body)),
		newCase("Transfer-Encoding: in HTTP/1.0 with a length", head("POST /validate HTTP/1.0", "Connection: keep-alive",
			"Content-Type: application/json", "Content-Length: "+n, "Transfer-Encoding: chunked")+inChunks(body)),
		newCase("Transfer-Encoding: of a GET", head("GET /validate HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked")+inChunks(body)),
		newCase("Transfer-Encoding: body of a length", postUnsized("Transfer-Encoding: chunked")+body),
	)
}

func chunkCases() []testCase {
	size := fmt.Sprintf("%x", len(body))
	all := each("chunk size", []string{
		size, strings.ToUpper(size), "0" + size, "00000000" + size, "0000000000000" + size, "00000000000000" + size,
		"000000000000000000000" + size, size + " ", size + "\t", size + "   ", " " + size, "\t" + size, "+" + size, "-" + size,
		"0x" + size, size + ";", size + ";a", size + ";a=b", size + ";a=\"b;c\"", size + ";a=\"b\r\n\"", size + ";a=\"b\n\"",
		size + ";a=\"\\\n\"", size + ";a=\"b\r\"", size + " ;a", size + "; a = b",
		size + ";\x00", size + ";\x01", size + ";\x7f", size + ";\xff", size + ";a\rb", size + ",", size + "g", "g", "", " ", ";a",
		"1" + strings.Repeat("0", 15) + size, "1" + strings.Repeat("0", 16), "ffffffffffffffff", "fffffffffffffffff",
		"7fffffffffffffff", "8000000000000000", "-1", "\x00" + size, size + "\x00", size + "\x0b", size + "\r",
		size + ";" + strings.Repeat("a", 200), size + ";" + strings.Repeat("a", 5000), size + "\u00a0", "\uff11", "700001", "700000",
	}, func(value string) string {
		return postUnsized("Transfer-Encoding: chunked") + value + "\r\n" + body + "\r\n0\r\n\r\n"
	})
	ends := each("last chunk", []string{
		"0\r\n\r\n", "00\r\n\r\n", "0000000000000000\r\n\r\n", "00000000000000000\r\n\r\n", "0 \r\n\r\n", "0;a\r\n\r\n", "-0\r\n\r\n", "0\n\n",
		"0\n\r\n", "0\r\n\n", "0\r\r\n\r\n", "0\r\n\r\r\n", "\r\n0\r\n\r\n", "0\r\n", "0", "", "1\r\nx\r\n0\r\n\r\n", "1\r\n \r\n0\r\n\r\n",
		"1\r\n\n\r\n0\r\n\r\n", "2\r\n\r\n\r\n0\r\n\r\n", "0x0\r\n\r\n", "0\r\n0\r\n\r\n",
	}, func(value string) string {
		return postUnsized("Transfer-Encoding: chunked") + chunk(body) + value
	})
	trailers := each("trailer", []string{
		"A: b", "A: b\r\nC: d", "Content-Length: 5", "Transfer-Encoding: chunked", "Host: other", "Content-Type: text/plain",
		"Connection: close", "Expect: 100-continue", "A", ": b", "A : b", "A\x00: b", "A: \x00", "A: b\r\n c", " A: b", "A: b\rc", "A:", "A: " +
			strings.Repeat("b", 3000), "A: " + strings.Repeat("b", 20000), "A: b\nC: d", "\x7f: b", "A: \x7f", "Trailer: A", "Authorization: x",
	}, func(value string) string {
		return postUnsized("Transfer-Encoding: chunked") + chunk(body) + "0\r\n" + value + "\r\n\r\n"
	})
	between := each("end of a chunk", []string{"", "\n", "\r", "\r\r\n", " \r\n", "x\r\n", "\r\n\r\n", "\n\r", "\x00\r\n", "xx"},
		func(value string) string {
			return postUnsized("Transfer-Encoding: chunked") +
				fmt.Sprintf("7\r\n%s%s%x\r\n%s\r\n0\r\n\r\n", body[:7], value, len(body)-7, body[7:])
		})
	tiny := postUnsized("Transfer-Encoding: chunked")
	for i := range body {
		tiny += chunk(body[i : i+1])
	}
	all = append(append(append(all, ends...), trailers...), between...)
	return append(all,
		newCase("chunks: one for each byte", tiny+"0\r\n\r\n"),
		newCase("chunks: size line ends in LF", postUnsized("Transfer-Encoding: chunked")+size+"\n"+body+"\r\n0\r\n\r\n"),
		newCase("chunks: all lines end in LF", strings.ReplaceAll(postUnsized("Transfer-Encoding: chunked")+chunk(body)+"0\r\n\r\n", "\r\n", "\n")),
		newCase("chunks: empty body", postUnsized("Transfer-Encoding: chunked")+"0\r\n\r\n"),
		newCase("chunks: a request in the body", postUnsized("Transfer-Encoding: chunked")+chunk(postSized(len(other))+other)+"0\r\n\r\n"),
		newCase("chunks: 15 KiB of extensions", postUnsized("Transfer-Encoding: chunked")+extensionsOf(250)),
		newCase("chunks: 60 KiB of extensions", postUnsized("Transfer-Encoding: chunked")+extensionsOf(1000)),
	)
}

// extensionsOf returns the body after a number of one-byte chunks with an extension of 60 bytes each.
func extensionsOf(count int) string {
	return strings.Repeat("1;"+strings.Repeat("a", 60)+"\r\n \r\n", count) + chunk(body) + "0\r\n\r\n"
}
