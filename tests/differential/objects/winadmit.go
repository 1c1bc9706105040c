package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// unreadable stands for what check cannot read.
const unreadable = "an error"

// checked is what one run of check tells. objects are sets, by the name of the file.
type checked struct {
	exitCode int
	objects  map[string]set
	stderr   string
}

type set map[string]bool

// The names of an object, the rules that it breaks, and whether it is judged, are enough to tell it from others.
type testSuites struct {
	Cases []struct {
		Name    string `xml:"name,attr"`
		File    string `xml:"classname,attr"`
		Failure *struct {
			Rules string `xml:"message,attr"`
		} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
	} `xml:"testsuite>testcase"`
}

func runCheck(program string, flags, paths []string) (checked, error) {
	args := slices.Concat([]string{"check", "-o", "junit"}, flags, []string{"--"}, paths)
	command := exec.Command(program, args...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return checked{}, err
	}
	c := checked{exitCode: command.ProcessState.ExitCode(), objects: map[string]set{}, stderr: stderr.String()}
	var suites testSuites
	if err := xml.Unmarshal(stdout, &suites); err != nil && c.exitCode != 2 {
		return c, fmt.Errorf("%s %v: exit code %d, %w: %s", program, args, c.exitCode, err, stderr.String())
	}
	for _, each := range suites.Cases {
		object := each.Name
		if each.Error != nil {
			object = unreadable
		}
		if each.Failure != nil {
			rules := strings.Split(each.Failure.Rules, ", ")
			slices.Sort(rules)
			object += " breaks " + strings.Join(rules, ", ")
		}
		if each.Skipped != nil {
			object += " not judged"
		}
		if c.objects[each.File] == nil {
			c.objects[each.File] = set{}
		}
		c.objects[each.File][object] = true
	}
	return c, nil
}

func (c checked) all() set {
	all := set{}
	for _, objects := range c.objects {
		for each := range objects {
			all[each] = true
		}
	}
	return all
}
