package main

import (
	"fmt"
	"strings"
)

func lineCases() []testCase {
	all := each("field", []string{
		"A: b", "A:b", "A:\tb", "A:  b  ", "A:", "A: ", "A : b", "A\t: b", " A: b", "\tA: b", "A", "A b", ": b", ":", "=", "A=b", "A;: b",
		"A(: b", "A\"b: c", "A/b: c", "A[]: b", "A{}: b", "A@: b", "A\\: b", "A,: b", "A?: b", "A<: b", "!#$%&'*+-.^_`|~09: b", "A\x00: b",
		"A\x01: b", "A\x7f: b", "A\x80: b", "\u00c4: b", "A: \x00", "A: b\x00c", "A: \x01", "A: \x08", "A: \x0b", "A: \x0c", "A: \x1f",
		"A: \x7f", "A: \x80\xff", "A: \u00e4\u2028", "A: b\tc", "A: b\rc", "A: b\r", "\rA: b", "A\r: b", "A:\r\n b", "A: b\r\n c",
		"A: b\r\n\tc", "A: b\r\n ", "A: b\r\n \r\n", "A: b\r\n ;charset=utf-8", "A: b\n c", "A: b\nC: d", "A: b\n", "\nA: b", "A: b:c",
		"A:: b", "A: \"b", "A: b,c;d=e", "-: b", "_: b", "1: b", "Content_Length: 5", "Content-Length\x00: 5", "Content-Length : 5",
		"Content-Type: text/plain", "content-TYPE: application/json", "Content-Encoding: gzip", "Upgrade: h2c", "Upgrade: websocket",
		"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA", "Proxy-Connection: close", "Keep-Alive: timeout=5", "TE: trailers", "Trailer: Content-Length",
		"Range: bytes=0-1", "Accept: *", "X-Forwarded-For: 10.0.0.1", "Date: never",
	}, func(value string) string { return post(value) + body })
	for _, value := range []string{"application/json; charset=utf-8", "APPLICATION/JSON", "application/json ;charset=utf-8",
		"application/json\r\n ;charset=utf-8", "application/json,text/plain", "text/json", "", "application/jso", "application/json\x00"} {
		all = append(all, newCase(fmt.Sprintf("Content-Type: %q", value), head("POST /validate HTTP/1.1", "Host: localhost",
			"Content-Type: "+value, fmt.Sprintf("Content-Length: %d", len(body)))+body))
	}
	lines := func(name, text string) testCase { return newCase("lines: "+name, text) }
	return append(all,
		lines("all end in LF", strings.ReplaceAll(post(), "\r\n", "\n")+body),
		lines("the last ends in LF", strings.TrimSuffix(post(), "\r\n")+"\n"+body),
		lines("the last two end in LF", strings.TrimSuffix(post(), "\r\n\r\n")+"\n\n"+body),
		lines("the first ends in LF", strings.Replace(post(), "\r\n", "\n", 1)+body),
		lines("all end in CR", strings.ReplaceAll(post(), "\r\n", "\r")+body),
		lines("all end in LF CR", strings.ReplaceAll(post(), "\r\n", "\n\r")+body),
		lines("one ends in CR CR LF", strings.Replace(post("A: b"), "A: b\r\n", "A: b\r\r\n", 1)+body),
		lines("the empty one is CR CR LF", strings.TrimSuffix(post(), "\r\n")+"\r\r\n"+body),
		lines("the empty one has a space", strings.TrimSuffix(post(), "\r\n")+" \r\n"+body),
		lines("CR LF in front", "\r\n"+post()+body),
		lines("LF in front", "\n"+post()+body),
		lines("four empty ones in front", "\r\n\r\n\r\n\r\n"+post()+body),
		lines("CR LF between requests", post()+body+"\r\n"+postSized(len(other))+other),
		lines("CR LF CR LF between requests", post()+body+"\r\n\r\n"+postSized(len(other))+other),
		lines("CR LF thrice between requests", post()+body+"\r\n\r\n\r\n"+postSized(len(other))+other),
		lines("LF between requests", post()+body+"\n"+postSized(len(other))+other),
		lines("a space between requests", post()+body+" "+postSized(len(other))+other),
		lines("CR LF after a GET", head("GET / HTTP/1.1", "Host: localhost")+"\r\n"+postSized(len(other))+other),
		lines("a space in front", " "+post()+body),
		lines("a byte order mark in front", "\xef\xbb\xbf"+post()+body),
		lines("NUL in front", "\x00"+post()+body),
		lines("a folded first field", "POST /validate HTTP/1.1\r\n Host: localhost\r\n"+strings.SplitN(post(), "\r\n", 2)[1]+body),
		lines("no field", "POST /validate HTTP/1.1\r\n\r\n"+body),
		lines("only an empty one", "\r\n\r\n"),
		lines("no HTTP", "hello\r\n\r\n"),
		lines("a ClientHello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
		lines("nothing", ""),
	)
}

func hostCases() []testCase {
	at := func(lines ...string) string {
		return head(append(append([]string{"POST /validate HTTP/1.1"}, lines...),
			"Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body)))...) + body
	}
	all := each("Host", []string{
		"localhost", "localhost:8443", "LOCALHOST", "127.0.0.1", "[::1]:8443", "[::1", "::1", "", " ", "a b", "a,b", "a/b", "a?b", "a#b", "a@b",
		"a\\b", "a\"b", "a<b>", "a|b", "a^b", "a`b", "a{b}", "a'b", "a(b)", "a;b", "a=b", "a%20b", "a%zz", "a\x00b", "a\x01b", "a\x7fb", "a\tb",
		"\xff", "\u00e4", "localhost:", "localhost:port", ":8443", "localhost:99999", "winadmit.winadmit-system.svc:443", "a_b", "http://localhost",
		strings.Repeat("a", 300), strings.Repeat("a.", 2000),
	}, func(value string) string { return at("Host: " + value) })
	return append(all,
		newCase("Host: none", at()),
		newCase("Host: none, HTTP/1.0", strings.Replace(at(), "HTTP/1.1", "HTTP/1.0", 1)),
		newCase("Host: the same twice", at("Host: localhost", "Host: localhost")),
		newCase("Host: two that differ", at("Host: localhost", "Host: other")),
		newCase("Host: twice, HTTP/1.0", strings.Replace(at("Host: localhost", "Host: other"), "HTTP/1.1", "HTTP/1.0", 1)),
		newCase("Host: bad and good", at("Host: a b", "Host: localhost")),
		newCase("Host: empty and good", at("Host:", "Host: localhost")),
	)
}

func targetCases() []testCase {
	return each("target", []string{
		"/validate", "/validate?timeout=10s", "/validate?", "/validate?a=b&timeout=10s", "/validate#a", "/validate/", "//validate", "/./validate",
		"/%76alidate", "/validate%", "/validate%zz", "/validate?%zz", "/validate?a=%00", "/validate\x00", "/validate\x01", "/validate\x7f",
		"/validate\x80", "/validate\xff", "/validate\u00e4", "/validate?\u00e4", "/validate?\x7f", "/validate\t", "/validate?a\tb", "/validate;a=b",
		"/validate\"", "/validate<>", "/validate\\", "/validate^", "/validate`", "/validate{}", "/validate|", "/validate?\"<>\\^`{|}", "/validate?a[]=b",
		"/validate?a b", "/ /validate", "", " ", "*", "validate", "?a", "#", "/", "http://localhost/validate", "https://localhost:8443/validate?timeout=10s",
		"HTTP://LOCALHOST/validate", "http://other/validate", "http:///validate", "http:/validate", "http:validate", "http://user@localhost/validate",
		"http://localhost", "http://localhost?a", "http://[::1]/validate", "http://[::1/validate", "http://a b/validate", "http://localhost:x/validate",
		"ftp://localhost/validate", "://localhost/validate", "localhost:443", "//localhost/validate", "///", "../validate", "/mutate", "/healthz",
		"/" + strings.Repeat("a", 4000), "/validate?" + strings.Repeat("a", 8000), "/validate?" + strings.Repeat("a=b&", 100) + "timeout=10s",
	}, func(value string) string { return strings.Replace(post(), "/validate", value, 1) + body })
}

func methodCases() []testCase {
	all := each("method", []string{
		"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "post", "Post", "get", "POSTS", "POS", "M-SEARCH", "FOO", "foo",
		"F!#$%&'*+-.^_`|~9", "", " POST", "POST ", "POST\t", "PO ST", "PO\x00ST", "P\u00d6ST", "POST\x7f", "(POST)", "\"POST\"", "POST/", "POST,",
		"PRI", strings.Repeat("A", 300), strings.Repeat("A", 9000),
	}, func(value string) string { return value + strings.TrimPrefix(post(), "POST") + body })
	return append(all,
		newCase("method: GET without a body", head("GET /validate HTTP/1.1", "Host: localhost")),
		newCase("method: HEAD without a body", head("HEAD /validate HTTP/1.1", "Host: localhost")),
		newCase("method: OPTIONS *", head("OPTIONS * HTTP/1.1", "Host: localhost")),
		newCase("method: POST *", head("POST * HTTP/1.1", "Host: localhost", "Content-Length: 0")),
		newCase("method: CONNECT", head("CONNECT localhost:443 HTTP/1.1", "Host: localhost:443")),
		newCase("method: CONNECT without a host", head("CONNECT localhost:443 HTTP/1.1")),
		newCase("method: CONNECT of a path without a host", head("CONNECT /validate HTTP/1.1")),
		newCase("method: HEAD with a folded line", head("HEAD /validate HTTP/1.1", "Host: localhost", "A: b", " c")),
		newCase("method: CONNECT of a path", head("CONNECT /validate HTTP/1.1", "Host: localhost")),
		newCase("method: PRI of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
		newCase("method: TRACE without a body", head("TRACE / HTTP/1.1", "Host: localhost")),
	)
}

func versionCases() []testCase {
	return each("version", []string{
		"HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/1.9", "HTTP/2.0", "HTTP/2", "HTTP/3.0", "HTTP/0.9", "HTTP/0.0", "HTTP/9.9", "HTTP/1.10", "HTTP/1.01",
		"HTTP/01.1", "HTTP/11", "HTTP/1", "HTTP/1.", "HTTP/.1", "HTTP/", "HTTP", "http/1.1", "Http/1.1", "HTTPS/1.1", "HTTP 1.1", "HTTP/1.1 ",
		" HTTP/1.1", "\tHTTP/1.1", "HTTP/1.1\t", "HTTP/1.1 x", "HTTP/1,1", "HTTP/+1.1", "HTTP/-1.1", "HTTP/1.1\x00", "HTTP/a.b", "HTTP/1.\u0661", "", "ICY/1.1",
		"HTTP\\1.1", "HTTP//1.1",
	}, func(value string) string { return strings.Replace(post(), "HTTP/1.1", value, 1) + body })
}
