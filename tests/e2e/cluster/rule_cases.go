package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// RuleCase is a pod of tests/data/rules.
type RuleCase struct {
	Name string // host-pid/deny.true
	Pod  Object
}

// RuleCases returns the cases of tests/data/rules, whose README.md describes them.
func RuleCases() ([]RuleCase, error) {
	files, err := filepath.Glob(filepath.Join(Root(), "tests/data/rules/*.json"))
	if err != nil {
		return nil, err
	}
	var minimal any
	if err := readJSON(filepath.Join(Root(), "tests/data/minimal-pod.json"), &minimal); err != nil {
		return nil, err
	}
	var all []RuleCase
	for _, file := range files {
		var cases []struct {
			Case, Release, Verdict string
			Pod                    Object
		}
		if err := readJSON(file, &cases); err != nil {
			return nil, err
		}
		rule := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, c := range cases {
			name := fmt.Sprintf("%s/%s.%s", rule, c.Verdict, c.Case)
			if c.Release != "" {
				name += "@" + c.Release
			}
			all = append(all, RuleCase{name, merged(Clone(minimal.(Object)), c.Pod).(Object)})
		}
	}
	return all, nil
}

// merged adds members to an object, and entries to a list, at every depth. Null is a value.
func merged(to, from any) any {
	switch from := from.(type) {
	case Object:
		if o, isObject := to.(Object); isObject {
			for key, value := range from {
				o[key] = merged(o[key], value)
			}
			return o
		}
	case []any:
		if list, isList := to.([]any); isList {
			for i, value := range from {
				if i < len(list) {
					list[i] = merged(list[i], value)
				} else {
					list = append(list, value)
				}
			}
			return list
		}
	}
	return from
}

func readJSON(file string, to any) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, to); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
