package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var oddTag = regexp.MustCompile(`!\S*[,\[\]]`)

var loneCarriageReturn = regexp.MustCompile(`\r([^\n]|$)`)

var unicodeSeparator = regexp.MustCompile(`(?m)^---[\t ]*[\x{85}\x{a0}\x{2028}\x{2029}]`)

// A difference that is meant. It applies to as few texts as can be told.
type difference struct {
	name    string
	reason  string
	applies func(text []byte, ours, theirs result) bool
}

var differences = []difference{
	{
		name:   "duplicate-keys",
		reason: "kubectl takes the last one, and the API server warns or refuses (fieldValidation=Strict); winadmit says where, or what else is wrong in the first",
		applies: func(_ []byte, ours, theirs result) bool {
			return (strings.HasPrefix(ours.Error, "duplicate key '") || ours.Error == "a key must not be null") && samePrefix(ours, theirs)
		},
	},
	{
		name:   "depth",
		reason: "go-yaml and encoding/json stop at 10,000 levels; winadmit at 200, more than any Kubernetes API has",
		applies: func(_ []byte, ours, theirs result) bool {
			return strings.HasPrefix(ours.Error, "has more than 200 levels") && samePrefix(ours, theirs) && depth(next(ours, theirs)) > 200
		},
	},
	{
		name:   "behind-first-value",
		reason: "kubectl ignores what follows the first value between two ---, such as a line with too little indentation; winadmit reads it, or says that it cannot",
		applies: func(text []byte, ours, theirs result) bool {
			if ignoresEnd(text, theirs) {
				return true
			}
			isAtStart := strings.HasPrefix(ours.Error, "did not find expected <document start>")
			return ours.Error != "" && samePrefix(ours, theirs) && (isAtStart || ignoresEndOfAPart(text))
		},
	},
	{
		name:   "no-object",
		reason: "kubectl stops at a document that is not a mapping, and winadmit reports it; what follows on the same line of JSON is read differently",
		applies: func(text []byte, ours, theirs result) bool {
			return looksLikeJSON(text) && compare(untilNoObject(ours), untilNoObject(theirs)) == ""
		},
	},
	{
		name:   "before-bad-separator",
		reason: "kubectl loses the document before a --- with text behind it; both refuse",
		applies: func(_ []byte, ours, theirs result) bool {
			return strings.HasPrefix(ours.Error, "only a comment may follow ---") && strings.Contains(theirs.Error, "invalid Yaml document separator") &&
				len(ours.Documents) == len(theirs.Documents)+1 && samePrefix(result{Documents: theirs.Documents}, ours)
		},
	},
	{
		name:   "utf-16",
		reason: "kubectl ends lines of UTF-16 by one byte: it refuses the text, or reads other characters",
		applies: func(text []byte, ours, _ result) bool {
			return ours.Error == "is UTF-16; save it as UTF-8" &&
				(bytes.HasPrefix(text, []byte("\xfe\xff")) || bytes.HasPrefix(text, []byte("\xff\xfe")))
		},
	},
	{
		name:   "tag-flow-indicator",
		reason: "since 0.2.5 libyaml refuses commas and brackets in a tag, as YAML 1.2 does, and ends the tag ! before them",
		applies: func(text []byte, ours, theirs result) bool {
			const endOfTag = "did not find expected whitespace or line break"
			return oddTag.Match(text) &&
				(strings.HasSuffix(ours.Error, " a tag") || ours.Error == "" || strings.HasSuffix(theirs.Error, endOfTag))
		},
	},
	{
		name:   "behind-json",
		reason: "behind a JSON value, kubectl goes on with JSON, and fails if that is not JSON; winadmit goes on with YAML, if a line ends there",
		applies: func(text []byte, ours, theirs result) bool {
			return looksLikeJSON(text) && strings.Contains(theirs.Error, "invalid character") && samePrefix(untilNoObject(theirs), ours)
		},
	},
	{
		name:   "bytes-behind-first-value",
		reason: "kubectl does not look at bytes that no text has where it has read enough; winadmit reports them",
		applies: func(_ []byte, ours, theirs result) bool {
			return (ours.Error == "control characters are not allowed" || strings.Contains(ours.Error, "UTF-8")) &&
				samePrefix(ours, theirs)
		},
	},
	{
		name:   "json-error-ignored",
		reason: "a text that begins like JSON and is not: kubectl reads its first value as YAML, and ignores the rest",
		applies: func(text []byte, ours, theirs result) bool {
			return looksLikeJSON(text) && ours.Error != "" && len(ours.Documents) == 0 && ignoresEndOfFirst(text, theirs)
		},
	},
	{
		name:   "unicode-space",
		reason: "a byte order mark inside of a text, and Unicode's line ends before it: libyaml and go-yaml skip them differently",
		applies: func(text []byte, _, _ result) bool {
			return bytes.HasPrefix(bytes.TrimLeft(text, " \r\n"), []byte("\u0085")) || bytes.LastIndex(text, []byte("\ufeff")) > 0
		},
	},
	{
		name:   "colon-in-flow",
		reason: "libyaml 0.2.5 refuses a plain scalar in brackets that ends with a colon; winadmit reads it as go-yaml does if it is in one line",
		applies: func(_ []byte, ours, theirs result) bool {
			return strings.HasPrefix(ours.Error, "found unexpected ':'; quote the text") && samePrefix(ours, theirs)
		},
	},
	{
		name:   "escapes",
		reason: "in double quotes go-yaml takes \\', and libyaml refuses it, as YAML 1.2 and JSON do",
		applies: func(text []byte, ours, _ result) bool {
			return bytes.Contains(text, []byte(`\'`)) && strings.Contains(ours.Error, "unknown escape character")
		},
	},
	{
		name:   "not-a-timestamp",
		reason: "go-yaml refuses a text with the tag !!timestamp that is no time; winadmit reads the text, as no field of a pod is a timestamp of YAML",
		applies: func(text []byte, ours, theirs result) bool {
			return ours.Error == "" && bytes.Contains(text, []byte("!!timestamp")) && strings.HasSuffix(theirs.Error, "as a !!timestamp")
		},
	},
	{
		name:   "carriage-returns",
		reason: "a carriage return alone is a line end for YAML, and none where kubectl looks for ---; before a line end it is none for go-yaml",
		applies: func(text []byte, _, _ result) bool {
			return loneCarriageReturn.Match(text)
		},
	},
	{
		name:   "space-behind-separator",
		reason: "a vertical tab or a form feed behind ---: kubectl passes it on to its YAML reader, which refuses it",
		applies: func(text []byte, ours, theirs result) bool {
			return ours.Error == "" && bytes.ContainsAny(text, "\v\f") && strings.Contains(theirs.Error, "control characters are not allowed")
		},
	},
	{
		name:   "unicode-space-behind-separator",
		reason: "kubectl trims every space of Unicode behind ---, winadmit those of ASCII",
		applies: func(text []byte, ours, theirs result) bool {
			return strings.HasPrefix(ours.Error, "only a comment may follow ---") && unicodeSeparator.Match(text) && samePrefix(ours, theirs)
		},
	},
	{
		name:   "number-beyond-float64",
		reason: "kubectl passes numbers of JSON on as they are; winadmit has no number for one beyond a float64, and the API server refuses it",
		applies: func(text []byte, _, _ result) bool {
			return looksLikeJSON(text) && regexp.MustCompile(`[0-9][eE]\+?[0-9]{3,}`).Match(text)
		},
	},
	{
		name:   "binary-utf8",
		reason: "a !!binary that is not UTF-8 becomes U+FFFD in JSON; winadmit refuses it",
		applies: func(text []byte, ours, theirs result) bool {
			return ours.Error == "is not UTF-8" && bytes.Contains(text, []byte("binary")) && theirs.Error == ""
		},
	},
	{
		name:   "json-utf8",
		reason: "encoding/json replaces bytes that are not UTF-8 by U+FFFD; winadmit refuses them, as both do in YAML",
		applies: func(text []byte, ours, _ result) bool {
			return ours.Error == "is not UTF-8" && !utf8.Valid(text)
		},
	},
}

// samePrefix: what winadmit read before its error is what kubectl read.
func samePrefix(ours, theirs result) bool {
	return len(ours.Documents) <= len(theirs.Documents) &&
		compare(result{Documents: ours.Documents}, result{Documents: theirs.Documents[:len(ours.Documents)]}) == ""
}

// next is the document of kubectl that winadmit refuses.
func next(ours, theirs result) json.RawMessage {
	if len(ours.Documents) < len(theirs.Documents) {
		return theirs.Documents[len(ours.Documents)]
	}
	return nil
}

func depth(document json.RawMessage) int {
	deepest, now := 0, 0
	inString, escaped := false, false
	for _, c := range document {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped, inString = c == '\\', c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// ignoresEnd: kubectl reads the same with more text that is not YAML at the end.
func ignoresEnd(text []byte, theirs result) bool {
	longer := reference(append(bytes.Clone(text), "\n]: }{ @\n"...))
	return theirs.Error == "" && compare(longer, theirs) == ""
}

// ignoresEndOfFirst: the same, of the text before the first ---.
func ignoresEndOfFirst(text []byte, theirs result) bool {
	first, _, _ := bytes.Cut(text, []byte("\n---"))
	return ignoresEnd(first, reference(first)) && len(theirs.Documents) > 0
}

// ignoresEndOfAPart: the same, of a text between two ---.
func ignoresEndOfAPart(text []byte) bool {
	return slices.ContainsFunc(bytes.Split(text, []byte("\n---")), func(part []byte) bool { return ignoresEnd(part, reference(part)) })
}

func looksLikeJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
}

// untilNoObject counts a document that is not a mapping as an error.
func untilNoObject(r result) result {
	for i, each := range r.Documents {
		if !bytes.HasPrefix(each, []byte("{")) {
			return result{Documents: r.Documents[:i], Error: "not an object"}
		}
	}
	return r
}
