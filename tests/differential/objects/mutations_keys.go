package main

import (
	"fmt"
	"regexp"
	"strings"
)

const memberNames = `apiVersion|kind|items|metadata|name|spec|hostPID|nodeSelector`

var blockKey = regexp.MustCompile(`(?m)^([ -]*)(` + memberNames + `):( |$)`)

var jsonKey = regexp.MustCompile(`"(` + memberNames + `)":`)

var blockValue = regexp.MustCompile(`(?m)^([ -]*)(apiVersion|kind|name): (\w[\w/.]*)$`)

// spellKey writes a key, or all of them, in another way that YAML or JSON has.
func spellKey(c *folderCase) {
	every := c.oneIn(3)
	c.change(func(text string) string {
		if blockKey.MatchString(text) {
			return replaceSome(c, blockKey, text, every, func(m []string) string { return m[1] + c.blockKey(m[2]) + ":" + m[3] })
		}
		return replaceSome(c, jsonKey, text, every, func(m []string) string { return escapeOne(c, m[1], `\u%04x`) + ":" })
	})
}

func (c *folderCase) blockKey(key string) string {
	return pick(c, []func() string{
		func() string { return escapeOne(c, key, `\x%02x`) },
		func() string { return escapeOne(c, key, `\u%04x`) },
		func() string { return escapeOne(c, key, `\U%08x`) },
		func() string { return `"` + key + `"` },
		func() string { return `'` + key + `'` },
		func() string { return key + ` ` },
		func() string { return `!!str ` + key },
		func() string { return `! ` + key },
		func() string { return `&k ` + key },
		func() string { return `? ` + key + "\n" },
		func() string { return `? "` + key + "\"\n" },
		func() string { return `?  &k !!str ` + key + "\n" },
		func() string { return `!<tag:yaml.org,2002:str> ` + key },
		func() string { return `!!binary ` + key },
		func() string { return strings.ToUpper(key[:1]) + key[1:] },
		func() string { return `"` + key + `\` + "\n" + `"` },
	})()
}

// spellValue writes the value of apiVersion, kind or name in another way.
func spellValue(c *folderCase) {
	c.change(func(text string) string {
		return replaceSome(c, blockValue, text, c.oneIn(3), func(m []string) string {
			return m[1] + m[2] + ": " + c.blockValue(m[3], strings.Repeat(" ", len(m[1])+2))
		})
	})
}

func (c *folderCase) blockValue(value, indentation string) string {
	half := len(value) / 2
	return pick(c, []func() string{
		func() string { return escapeOne(c, value, `\x%02x`) },
		func() string { return `'` + value + `'` },
		func() string { return "|-\n" + indentation + value },
		func() string { return ">-\n" + indentation + value },
		func() string { return "|\n" + indentation + value },
		func() string { return "\n" + indentation + value },
		func() string { return `"` + value[:half] + "\\\n" + indentation + value[half:] + `"` },
		func() string { return `!!str ` + value },
		func() string { return `!x ` + value },
		func() string { return `!!binary ` + value },
		func() string { return `&v ` + value + " # comment" },
		func() string { return `"` + value + `"#` },
		func() string { return `*v` },
		func() string { return `` },
		func() string { return `~` },
		func() string { return `[` + value + `]` },
		func() string { return value + "\t" },
		func() string { return value + " " },
	})()
}

func escapeOne(c *folderCase, text, escape string) string {
	at := c.random.IntN(len(text))
	return `"` + text[:at] + fmt.Sprintf(escape, text[at]) + text[at+1:] + `"`
}

// replaceSome replaces one match, or every one.
func replaceSome(c *folderCase, pattern *regexp.Regexp, text string, every bool, to func(match []string) string) string {
	chosen := c.random.IntN(max(1, len(pattern.FindAllStringIndex(text, -1))))
	at := -1
	return pattern.ReplaceAllStringFunc(text, func(match string) string {
		at++
		if !every && at != chosen {
			return match
		}
		return to(pattern.FindStringSubmatch(match))
	})
}

var outerMember = regexp.MustCompile(`(?m)^(kind|apiVersion): (\w[\w/.]*)$`)

// mergeMembers takes apiVersion or kind of a document from an anchor.
func mergeMembers(c *folderCase) {
	anchored := pick(c, []string{
		"x-%[3]s: &m%[3]s {%[1]s: %[2]s}\n<<: *m%[3]s",
		"x-%[3]s: &m%[3]s {%[1]s: %[2]s}\n\"<<\": *m%[3]s",
		"x-%[3]s: &m%[3]s {%[1]s: %[2]s}\n!!merge <<: *m%[3]s",
		"x-%[3]s: &m%[3]s {%[1]s: %[2]s}\n<<: [{a: b}, *m%[3]s]",
		"x-%[3]s: &n%[3]s {%[1]s: %[2]s}\ny-%[3]s: &m%[3]s {<<: *n%[3]s}\n<<: *m%[3]s",
		"<<: {%[1]s: %[2]s}",
		"<<: {%[1]s: %[2]s, items: [{apiVersion: v1, kind: Pod, metadata: {name: %[3]s}}]}",
		"x-%[3]s: &v%[3]s %[2]s\n%[1]s: *v%[3]s",
		"x-%[3]s: &k%[3]s %[1]s\n*k%[3]s : %[2]s",
		"x-%[3]s: &k%[3]s %[1]s\n? *k%[3]s\n: %[2]s",
		"<<: {%[1]s: Other}\n%[1]s: %[2]s",
		"%[1]s: %[2]s\n<<: {%[1]s: Other}",
	})
	every := c.oneIn(2)
	c.change(func(text string) string {
		return replaceSome(c, outerMember, text, every, func(m []string) string {
			return fmt.Sprintf(anchored, m[1], m[2], c.name())
		})
	})
}

// mergeItems takes items, or an item, from an anchor.
func mergeItems(c *folderCase) {
	const chained, width = 190, 1000 // go-yaml refuses "excessive aliasing"
	first, second := toJSON(c.object()), toJSON(c.object())
	document := pick(c, []string{
		"apiVersion: v1\nkind: List\nx: &i [" + first + ", " + second + "]\nitems: *i\n",
		"apiVersion: v1\nkind: Pod\n<<: {items: [" + first + "]}\n",
		"apiVersion: v1\nkind: Pod\nx: &m {items: [" + first + "]}\n<<: *m\n",
		"apiVersion: v1\nkind: List\nitems:\n- &a " + first + "\n- <<: *a\n  metadata: {name: " + c.name() + "}\n- *a\n",
		"apiVersion: v1\nkind: List\nitems: &i\n- " + first + "\nx: *i\n<<: {items: [" + second + "]}\n",
		"apiVersion: v1\nkind: List\nitems: [<<: " + first + "]\n",
		"- " + first + "\n- " + second + "\n",
		"apiVersion: v1\nkind: List\nitems: *undefined\n",
		"apiVersion: v1\nkind: List\nitems: &loop\n- *loop\n",
	})
	if c.oneIn(25) {
		document = chainOfMerges(chained, width) + document
	}
	c.change(func(text string) string { return document + "---\n" + text })
}

func chainOfMerges(length, width int) string {
	var text strings.Builder
	text.WriteString("x0: &x0 {")
	for i := range width {
		fmt.Fprintf(&text, "a%d: 1, ", i)
	}
	text.WriteString("}\n")
	for i := range length {
		fmt.Fprintf(&text, "x%d: &x%d {<<: *x%d}\n", i+1, i+1, i)
	}
	return text.String()
}
