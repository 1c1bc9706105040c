// Package verbatim runs every block of commands of the documentation as it stands there, in order, with a real shell, on a
// real API server, with a registry. The current folder is a clone of the checkout. It needs root.
//
//	tests/e2e/run.sh ./docs/verbatim
package verbatim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/docs"
)

// The pages that a reader follows one after the other come first, in their order.
var inOrder = []string{"README.md", "docs/install.md", "docs/rollout.md", "docs/configuration.md", "docs/operations.md",
	"deploy/observability/runbook.md", "docs/compatibility.md"}

// pages returns the pages with commands: those in order, then the others.
func pages(root string) ([]*docs.Page, error) {
	paths := slices.Clone(inOrder)
	for _, folder := range []string{"docs", "deploy"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry os.DirEntry, err error) error {
			relative, _ := filepath.Rel(root, path)
			if err == nil && strings.HasSuffix(path, ".md") && !slices.Contains(paths, relative) {
				paths = append(paths, relative)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var all []*docs.Page
	for _, path := range paths {
		page, err := docs.Read(root, path)
		if err != nil {
			return nil, err
		}
		all = append(all, page)
	}
	return all, nil
}

// reasonNotToRun returns why a block is in notRun, or "".
func reasonNotToRun(b docs.Block) string {
	for _, each := range notRun {
		if b.Page == each.page && strings.HasPrefix(b.Text+"\n", each.firstLine+"\n") {
			return each.reason
		}
	}
	return ""
}

func TestEveryBlockThatIsNotRunIsStillThere(t *testing.T) {
	all, err := pages(cluster.Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range notRun {
		count := 0
		for _, page := range all {
			for _, block := range page.Blocks {
				if block.Page == each.page && strings.HasPrefix(block.Text+"\n", each.firstLine+"\n") {
					count++
				}
			}
		}
		if count != 1 {
			t.Errorf("%s has %d blocks that begin with %q", each.page, count, each.firstLine)
		}
	}
}

var makeTarget = regexp.MustCompile(`(?m)^make ((?:[a-z0-9-]+ ?)+)`)

// Every target of make that a page names exists, also in blocks that are not run.
func TestEveryMakeTargetOfThePagesExists(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(cluster.Root(), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := pages(cluster.Root())
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, page := range all {
		for _, block := range page.Blocks {
			for _, match := range makeTarget.FindAllStringSubmatch(block.Text, -1) {
				for _, target := range strings.Fields(match[1]) {
					checked++
					if !regexp.MustCompile(`(?m)^` + target + `:`).Match(makefile) {
						t.Errorf("%s: no target %s", block, target)
					}
				}
			}
		}
	}
	if checked == 0 {
		t.Error("no page has a target of make")
	}
}

// Commands that exit with 1 because a manifest is refused, as docs/manifests.md says.
var judges = regexp.MustCompile(`(^|/|\| )winadmit (check|fix|review) `)

// expected reports whether a failure is what the page says.
func expected(failure docs.Failure) bool {
	return failure.Code == "1" && judges.MatchString(failure.Command)
}

func TestOnlyFindingsMayFail(t *testing.T) {
	for _, each := range []struct {
		failure docs.Failure
		want    bool
	}{
		{docs.Failure{Code: "1", Command: "build/release/winadmit check -f x"}, true},
		{docs.Failure{Code: "1", Command: "winadmit fix -f x"}, true},
		{docs.Failure{Code: "1", Command: "winadmit review x"}, true},
		{docs.Failure{Code: "2", Command: "winadmit fix -f x"}, false},
		{docs.Failure{Code: "1", Command: "kubectl apply -f winadmit check"}, false},
	} {
		if expected(each.failure) != each.want {
			t.Errorf("%v", each)
		}
	}
}

// failures returns the failures in an error that a page does not announce.
func failures(err error) []string {
	var all []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			all = append(all, failures(each)...)
		}
		return all
	}
	if failure, ok := err.(docs.Failure); ok && expected(failure) {
		return nil
	}
	if err != nil {
		all = append(all, fmt.Sprint(err))
	}
	return all
}
