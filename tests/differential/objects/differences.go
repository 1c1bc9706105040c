package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A difference that is meant. It applies to as few folders as can be told, and never to an object that check missed.
type difference struct {
	name    string
	reason  string
	problem string
	applies func(c *folderCase, o outcome, err string) bool
}

var malformedMetadata = regexp.MustCompile(`into Go struct field \w+\.metadata`)

var noObject = regexp.MustCompile(`Object 'Kind' is missing|cannot unmarshal \w+ into Go value of type (unstructured\.detector|map)|` +
	`decodeList\.items|unable to get type info|is not a list`)

var otherLineEnds = regexp.MustCompile(`\r([^\n]|$)|[\x{85}\x{2028}\x{2029}]`)

var differences = []difference{
	{
		name:    "link-to-folder",
		problem: kubectlRefuses,
		reason:  "kubectl opens a link to a folder as if it were a file; check follows one that is named, and leaves those in a folder alone",
		applies: func(_ *folderCase, _ outcome, err string) bool { return strings.HasSuffix(err, "is a directory") },
	},
	{
		name:    "malformed-metadata",
		problem: kubectlRefuses,
		reason:  "kubectl cannot decode the metadata; check judges the pod all the same",
		applies: func(_ *folderCase, _ outcome, err string) bool { return malformedMetadata.MatchString(err) },
	},
	{
		name:    "no-object",
		problem: kubectlRefuses,
		reason:  "a folder also has YAML of other programs, which check counts and skips; it may have items",
		applies: func(_ *folderCase, o outcome, err string) bool { return noObject.MatchString(err) && o.hasSkipped() },
	},
	{
		name:    "template",
		problem: kubectlRefuses,
		reason:  "a folder also has templates, which check counts and skips",
		applies: func(c *folderCase, o outcome, err string) bool {
			return strings.HasPrefix(err, "error parsing") && strings.Contains(c.textAt(err), "{{") && o.hasSkipped()
		},
	},
	{
		name:    "no-api-version",
		problem: kubectlRefuses,
		reason:  "kubectl takes an object without apiVersion with --validate=ignore only; in a folder, check counts and skips it",
		applies: func(_ *folderCase, o outcome, err string) bool { return err == noVersion && o.hasSkipped() },
	},
	{
		name:    "line-ends",
		problem: checkInvents,
		reason:  "a carriage return alone and the line ends of Unicode are line ends for YAML, and none where kubectl looks for ---, so it reads the first document only",
		applies: func(c *folderCase, _ outcome, _ string) bool { return otherLineEnds.MatchString(c.text()) },
	},
	{
		name:    "byte-order-mark",
		problem: kubectlRefuses,
		reason:  "kubectl takes a byte order mark behind the beginning of a file for text; check skips it at the beginning of a document",
		applies: func(c *folderCase, _ outcome, err string) bool {
			return strings.LastIndex(c.textAt(err), "\ufeff") > 0
		},
	},
	{
		name:    "two-byte-order-marks",
		problem: fixChanges,
		reason:  "kubectl reads a file with two of them at its beginning, and refuses what fix prints, where a comment is before the second",
		applies: func(c *folderCase, _ outcome, _ string) bool { return strings.Contains(c.text(), "\ufeff\ufeff") },
	},
}

// isMeant is true if each error of kubectl is, or what else is the problem.
func (o outcome) isMeant(c *folderCase, problem string) (names []string, isMeant bool) {
	errs := []string{""}
	if problem == kubectlRefuses {
		errs = nil
		for _, each := range o.theirErrors {
			errs = append(errs, each.Error())
		}
	}
	for _, err := range errs {
		name := o.nameOf(c, problem, err)
		if name == "" {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

func (o outcome) nameOf(c *folderCase, problem, err string) string {
	for _, each := range differences {
		if each.problem == problem && each.applies(c, o, err) {
			return each.name
		}
	}
	return ""
}

// hasSkipped is true if check said that it left something out.
func (o outcome) hasSkipped() bool { return strings.Contains(o.ours.stderr, "skipped:") }

// textAt is the text of the file that an error names; of all files if that is a link.
func (c *folderCase) textAt(err string) string {
	for _, each := range c.files {
		if each.target == "" && strings.Contains(err, fmt.Sprintf("/%d/%s", c.number, each.path)) {
			return each.text
		}
	}
	return c.text()
}
