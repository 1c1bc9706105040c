package main

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// difference is an intended difference between winadmit and Go's server.
type difference struct {
	name    string // what is sent
	reason  string // with the section of the RFC that allows it
	applies func(request request) bool
}

// stricter lists what Go serves and winadmit refuses, with a response or by closing the connection.
var stricter = []difference{
	{
		name:    "bare LF in the head or a trailer",
		reason:  "RFC 9112 2.2: a recipient MAY take a single LF as the end of a line. No client sends it.",
		applies: func(r request) bool { return bareLF.MatchString(r.head) || bareLF.MatchString(r.trailer()) },
	},
	{
		name:    "folded line in the head or a trailer",
		reason:  "RFC 9112 5.2: a server MUST reject obs-fold or replace it. No client sends it.",
		applies: func(r request) bool { return fold.MatchString(r.head) || fold.MatchString(r.trailer()) },
	},
	{
		name:    "head over 16 KiB",
		reason:  "RFC 9110 5.4: a server MAY refuse fields larger than it wishes to process; --help tells the limit.",
		applies: func(r request) bool { return len(r.head) > 16*1024 },
	},
	{
		name:    "Content-Length beside Transfer-Encoding",
		reason:  "RFC 9112 6.1: a server MAY reject such a request, as it might be an attempt at smuggling.",
		applies: func(r request) bool { return r.has("content-length") && r.has("transfer-encoding") },
	},
	{
		name:    "Transfer-Encoding in HTTP/1.0",
		reason:  "RFC 9112 6.1: its framing MUST be treated as faulty; Go ignores the field.",
		applies: func(r request) bool { return r.has("transfer-encoding") && http10.MatchString(r.head) },
	},
	{
		name:    "Content-Length twice with the same value",
		reason:  "RFC 9112 6.3: a recipient MUST reject it or use the one value. No client sends it.",
		applies: func(r request) bool { return r.count("content-length") > 1 },
	},
	{
		name:    "Content-Type twice",
		reason:  "RFC 9110 5.3: it is no list. Go takes the first; which one counts has no say in the framing.",
		applies: func(r request) bool { return r.count("content-type") > 1 },
	},
	{
		name:    "malformed chunk extension",
		reason:  "RFC 9112 7.1.1: a name after each semicolon, white space only beside it. Go reads none of it.",
		applies: func(r request) bool { return r.isChunked() && hasOddExtension(r.rest) },
	},
	{
		name:    "framing field in a trailer",
		reason:  "RFC 9110 6.5.1: a sender MUST NOT generate it. Go drops it.",
		applies: func(r request) bool { return framingField.MatchString(r.trailer()) },
	},
	{
		name:    "malformed Connection field",
		reason:  "RFC 9110 7.6.1: a list of tokens. Go looks for the ones that it knows.",
		applies: func(r request) bool { return oddConnection.MatchString(r.head) },
	},
	{
		name:    "empty line before a request",
		reason:  "RFC 9112 2.2: a server SHOULD ignore one. Go does so after a POST alone; no client sends it.",
		applies: headMatches(`^[\r\n]`),
	},
	{
		name:    "minor version above 1",
		reason:  "RFC 9110 2.5: a server MAY refuse; there is no HTTP/1.2 or above.",
		applies: headMatches(`^[^\n]* HTTP/1\.[2-9]\r?(\n|$)`),
	},
	{
		name:    "target that is no path",
		reason:  "RFC 9112 3.2.3, 3.2.4: these forms are for CONNECT and OPTIONS, which are not served.",
		applies: headMatches(`^[^ ]+ [^/ ][^ ]* `),
	},
	{
		name:    "CONNECT without Host",
		reason:  "RFC 9112 3.2: a server MUST refuse any request of HTTP/1.1 without it. Go excepts CONNECT.",
		applies: func(r request) bool { return strings.HasPrefix(r.head, "CONNECT ") && !r.has("host") },
	},
	{
		name:   "Expect other than 100-continue",
		reason: "RFC 9110 10.1.1: a server MAY answer 417 to an expectation that it does not know.",
		applies: func(r request) bool {
			return slices.ContainsFunc(r.values("expect"), func(value string) bool { return value != "100-continue" })
		},
	},
	{
		name:    "Proxy-Connection",
		reason:  "RFC 9112 C.2.2: it means nothing to a server. To close as it asks for does no harm.",
		applies: func(r request) bool { return r.has("proxy-connection") },
	},
	{
		name:    "preface of HTTP/2",
		reason:  "RFC 9113 3.4: only for servers of HTTP/2.",
		applies: headMatches(`^PRI \* HTTP/2\.0\r?(\n|$)`),
	},
}

// laxer lists what Go refuses and winadmit serves. The RFC allows each, and the end of the request is unambiguous.
var laxer = []difference{
	{
		name:    "chunk size of more than 16 digits",
		reason:  "RFC 9112 7.1: zeros in front are allowed. A size that does not fit is refused.",
		applies: func(r request) bool { return r.isChunked() && longSize.MatchString(r.rest) },
	},
	{
		name:    "space before a chunk extension",
		reason:  "RFC 9112 7.1.1: BWS is allowed before the semicolon.",
		applies: func(r request) bool { return r.isChunked() && spacedExtension.MatchString(r.rest) },
	},
	{
		name:    "chunk line over 4 KiB",
		reason:  "RFC 9112 7.1.1: the limit is the server's choice. Of winadmit it is that of a head.",
		applies: func(r request) bool { return r.isChunked() && longLine.MatchString(r.rest) },
	},
	{
		name:   "Connection twice in HTTP/1.0",
		reason: "RFC 9110 5.3: the lines are one list. Go looks for keep-alive in the first line.",
		applies: func(r request) bool {
			return r.count("connection") > 1 && http10.MatchString(r.head)
		},
	},
	{
		name:   "target that is no URI",
		reason: "RFC 9112 3: a server SHOULD answer 400; winadmit compares the target with its few paths and answers 404.",
		applies: func(r request) bool {
			parts := strings.SplitN(r.head, " ", 3)
			if len(parts) < 3 {
				return false
			}
			target := parts[1]
			if parts[0] == "CONNECT" && !strings.HasPrefix(target, "/") {
				target = "http://" + target
			}
			_, err := url.ParseRequestURI(target)
			return err != nil
		},
	},
}

func stricterBy(r request) string { return nameOf(stricter, r) }

func laxerBy(r request) string { return nameOf(laxer, r) }

func nameOf(list []difference, r request) string {
	for _, d := range list {
		if d.applies(r) {
			return d.name
		}
	}
	return ""
}

// Patterns of heads, of lines of chunks, and of trailers.
var (
	http10          = regexp.MustCompile(` HTTP/1\.0\r?(\n|$)`)
	bareLF          = regexp.MustCompile(`[^\r]\n|^\n`)
	fold            = regexp.MustCompile(`(?m)^[ \t]`)
	chunkLine       = regexp.MustCompile(`(?m)^[0-9a-fA-F]+([ \t;][^\r\n]*)\r$`)
	extensions      = regexp.MustCompile("^([ \\t]*;[ \\t]*" + token + "([ \\t]*=[ \\t]*(" + token + `|"[\t !#-\[\]-~]*"))?)*$`)
	longSize        = regexp.MustCompile(`(^|\n)0[0-9a-fA-F]{16,}[;\r]`)
	spacedExtension = regexp.MustCompile(`(^|\n)[0-9a-fA-F]+[ \t]+;`)
	longLine        = regexp.MustCompile(`(^|\n)[0-9a-fA-F]+;[^\n]{1000}[^\n]{1000}[^\n]{1000}[^\n]{1000}`)
	framingField    = regexp.MustCompile(`(?im)^(content-length|transfer-encoding)[ \t]*:`)
	oddConnection   = regexp.MustCompile(`(?i)\nconnection:[^\n]*([^-a-z, \t\r\n]|[a-z][ \t]+[a-z])`)
)

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"

// hasOddExtension reports whether a line starts like a chunk and continues with a malformed extension.
func hasOddExtension(text string) bool {
	for _, line := range chunkLine.FindAllStringSubmatch(text, -1) {
		if !extensions.MatchString(line[1]) {
			return true
		}
	}
	return false
}

func headMatches(pattern string) func(request) bool {
	compiled := regexp.MustCompile(pattern)
	return func(r request) bool { return compiled.MatchString(r.head) }
}
