package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// fixed is without a problem if kubectl reads the same objects from what fix prints, or from the folder that fix has written.
type fixed struct{ problem, details string }

func runFix(program, root string, c *folderCase, before []map[string]any, errs []error) (fixed, error) {
	flags := c.flags()
	inPlace := c.number%2 == 0
	if inPlace {
		flags = append(flags, "--in-place")
	} else if len(errs) > 0 {
		return fixed{}, nil // one error of kubectl ends what is printed in one stream
	}
	command := exec.Command(program, slices.Concat([]string{"fix"}, flags, []string{"--"}, c.paths(root))...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fixed{}, err
	}
	code := command.ProcessState.ExitCode()
	if code != 0 && code != 1 && code != 2 {
		return fixed{fixCrashes, fmt.Sprintf("exit code %d: %q", code, stderr.String())}, nil
	}
	paths := c.paths(root)
	if !inPlace {
		if code == 2 {
			return fixed{}, nil
		}
		paths = []string{filepath.Join(root, "printed.yaml")}
		if err := os.WriteFile(paths[0], stdout, 0o644); err != nil {
			return fixed{}, err
		}
	}
	after, afterErrs := kubectlObjects(paths, c.recursive)
	if maps.Equal(identities(before), identities(after)) && len(errs) == len(afterErrs) {
		return fixed{}, nil
	}
	details := fmt.Sprintf("%v: exit code %d, before %q %q, after %q %q", flags, code, sorted(identities(before)), errs,
		sorted(identities(after)), afterErrs)
	return fixed{fixChanges, details}, nil
}

func identities(objects []map[string]any) set {
	all := set{}
	for _, each := range objects {
		metadata, _ := each["metadata"].(map[string]any)
		all[fmt.Sprint(each["apiVersion"], " ", each["kind"], " ", metadata["namespace"], "/", metadata["name"])] = true
	}
	return all
}
