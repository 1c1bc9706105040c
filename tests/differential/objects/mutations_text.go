package main

import (
	"regexp"
	"strings"
	"unicode/utf16"
)

func insertAt(text, what string, at int) string { return text[:at] + what + text[at:] }

func (c *folderCase) insertAnywhere(text, what string) string {
	return insertAt(text, what, c.random.IntN(len(text)+1))
}

// insertLine adds a line before one of the lines, or behind the last.
func (c *folderCase) insertLine(text, line string) string {
	lines := strings.SplitAfter(text, "\n")
	at := c.random.IntN(len(lines))
	return strings.Join(lines[:at], "") + line + "\n" + strings.Join(lines[at:], "")
}

// markBytes writes a text in another encoding, or with a mark of one.
func markBytes(c *folderCase) {
	c.change(func(text string) string {
		switch c.random.IntN(7) {
		case 0:
			return "\ufeff" + text
		case 1:
			return c.insertAnywhere(text, "\ufeff")
		case 2:
			return "\xff\xfe" + inUTF16(text, 0, 1)
		case 3:
			return "\xfe\xff" + inUTF16(text, 1, 0)
		case 4:
			return inUTF16(text, 0, 1)
		case 5:
			return "\ufeff\ufeff" + text
		}
		return strings.ReplaceAll(text, "---\n", "---\n\ufeff")
	})
}

func inUTF16(text string, low, high int) string {
	var encoded strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		bytes := [2]byte{}
		bytes[low], bytes[high] = byte(unit), byte(unit>>8)
		encoded.Write(bytes[:])
	}
	return encoded.String()
}

var oddBytes = []string{
	"\xff", "\xe9", "\xc3\x28", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\x00", "\x07", "\x1b[0m", "\x7f", "\u0080", "\u0085", "\u00a0", "\u2028", "\u2029",
	"\ufeff", "\ufffd", "\ufffe", "\U0001F600", "\v", "\f", "\x1a",
}

// insertBytes puts odd bytes in a comment, a value, a key, or anywhere.
func insertBytes(c *folderCase) {
	odd := pick(c, oddBytes)
	c.change(func(text string) string {
		switch c.random.IntN(6) {
		case 0:
			return "# " + odd + "\n" + text
		case 1:
			return c.insertLine(text, "# "+odd)
		case 2:
			return text + "# " + odd
		case 3:
			return "x-" + odd + ": 1\n" + text
		case 4:
			return text + "x: \"" + odd + "\"\n"
		}
		return c.insertAnywhere(text, odd)
	})
}

func endLines(c *folderCase) {
	end := pick(c, []string{"\r\n", "\r", "\n\r", "\u0085", "\u2028", "\n\n", "\r\r\n"})
	every := c.oneIn(2)
	c.change(func(text string) string {
		return replaceSome(c, lineEnd, text, every, func([]string) string { return end })
	})
}

var lineEnd = regexp.MustCompile(`\n`)

var marks = []string{
	"---", "--- ", "---\t", "--- # c", "---# c", "--- text", "---text", "----", "--- |", "--- >-", "--- !!map", "--- &a", "--- {}", "---\r", "...", "... # c",
	"... text", "%YAML 1.1", "%YAML 1.2\n---", "%YAML 2.0\n---", "%TAG ! tag:a,2000:\n---", "%x", " ---", "  ...", "\ufeff---", "---\u0085", "---\n---", "---\n# c\n---",
	"...\n---", "---\n...", "---\n...\n---", "-- -", "+++", "{}", "[]", "null", "~", "text", "]: }{ @", "\t", "---\v", "---\u00a0",
}

func insertMark(c *folderCase) {
	mark := pick(c, marks)
	document := c.document()
	c.change(func(text string) string {
		switch c.random.IntN(5) {
		case 0:
			return mark + "\n" + text
		case 1:
			return text + mark + "\n" + document
		case 2:
			return strings.Replace(text, "---\n", mark+"\n", 1)
		case 3:
			return text + mark
		}
		return c.insertLine(text, mark)
	})
}

// appendValue lets values of JSON, and texts of YAML, follow each other.
func appendValue(c *folderCase) {
	separator := pick(c, []string{"", " ", "\n", "\n\n", ",", "\n,\n", "---\n", "\n---\n", "\n--- \n", "\n...\n", ";", "\r", " # c\n", "\n\x00", "]", "}", "null", "\n[]\n", " {} "})
	next := c.document()
	if !c.oneIn(3) {
		next = asJSON(next)
	}
	c.change(func(text string) string {
		if !c.oneIn(4) {
			text = asJSON(text)
		}
		return text + separator + next
	})
}

// dashesInText has marks in a text of several lines.
func dashesInText(c *folderCase) {
	inner := strings.ReplaceAll(c.document(), "\n", "\n    ")
	head := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + c.name() + "}\ndata:\n  a: "
	text := pick(c, []string{"|\n    ---\n    ", "|\n---\n    ", ">\n    a\n---\n    ", "\"\n---\n    \"\n  b: |\n    ", "|2\n    ", "'\n--- a'\n  b: |\n    ", "|\n    ...\n    "})
	c.change(func(rest string) string { return head + text + inner + "\n---\n" + rest })
}

var depths = []int{50, 150, 196, 197, 198, 199, 200, 201, 202, 250, 1000, 1500, 9990, 10001}

func nestDeeply(c *folderCase) {
	depth := pick(c, depths)
	open, end := "[", "]"
	if c.oneIn(2) {
		open, end = `{"a":`, "}"
	}
	nested := strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth)
	c.change(func(text string) string {
		if c.oneIn(5) {
			return nested + "\n---\n" + text
		}
		if strings.HasPrefix(text, "{") {
			return `{"x": ` + nested + "," + text[1:]
		}
		return text + "x-deep: " + nested + "\n"
	})
}

var wholeKey = regexp.MustCompile(`(?m)^( *)("?\w+"?): *(\S.*)$`)

// repeatKey gives a mapping the same key twice, which kubectl takes.
func repeatKey(c *folderCase) {
	other := pick(c, []string{"Other", "v1", "Pod", "[]", "{}", "~", "true", "false", "\"\"", "[{apiVersion: v1, kind: Pod, metadata: {name: x}}]"})
	c.change(func(text string) string {
		return replaceSome(c, wholeKey, text, false, func(m []string) string {
			key := m[2]
			if c.oneIn(3) {
				key = escapeOne(c, strings.Trim(key, `"`), `\x%02x`)
			}
			line := m[1] + key + ": " + other
			if c.oneIn(2) {
				return line + "\n" + m[0]
			}
			return m[0] + "\n" + line
		})
	})
}

var templates = []string{
	"# {{ .Values.x }}", "#{{", "{{- if .Values.x }}", "{{ include \"x\" . }}", "{{/* comment */}}", "x: {{ .Values.x }}", "x: \"{{ .Values.x }}\"", "x: '{{'", "{{ x }}: 1",
	"{{ x }}: {{ y }}", "x: {{{ y }}}", "x: |\n  {{ y }}", "# {{", "{{", "}}", "x: {{", "{{- range $i, $e := .x }}\n{{- end }}", "x: ${{ y }}", "? {{ x }}", "- {{ x }}", "{% if x %}",
}

func insertTemplate(c *folderCase) {
	template := pick(c, templates)
	c.change(func(text string) string {
		switch c.random.IntN(4) {
		case 0:
			return template + "\n" + text
		case 1:
			return text + template + "\n"
		case 2:
			return text + "---\n" + template + "\n---\n" + c.document()
		}
		return c.insertLine(text, template)
	})
}

// tokens mean something to YAML or JSON.
var tokens = []string{
	"\n", "\t", " ", "  ", ": ", ":", "- ", "-", "? ", "# ", "#", "&a ", "*a", "!!str ", "! ", "{", "}", "[", "]", ",", "'", "\"", "\\", "|\n", ">\n", "%", "@", "`", "~",
	"null", "kind", "kind: Pod\n", "apiVersion: v1\n", "items: []\n", "\"items\": [],", "List", "---\n", "...\n",
}

// changeBytes removes, repeats or adds a few bytes.
func changeBytes(c *folderCase) {
	const most = 12
	c.change(func(text string) string {
		at := c.random.IntN(len(text) + 1)
		end := min(len(text), at+1+c.random.IntN(most))
		switch c.random.IntN(4) {
		case 0:
			return text[:at] + text[end:]
		case 1:
			return insertAt(text, text[at:end], at)
		}
		return insertAt(text, pick(c, tokens), at)
	})
}

func writeJSON(c *folderCase) {
	c.change(func(text string) string {
		text = asJSON(text)
		if c.oneIn(3) {
			text = strings.ReplaceAll(text, ",", ",\n  ")
		}
		return text + pick(c, []string{"", "\n", " \n\n"})
	})
}
