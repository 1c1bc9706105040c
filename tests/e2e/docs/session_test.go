package docs

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func session(t *testing.T) *Session {
	t.Helper()
	s, err := NewSession(t.TempDir(), t.TempDir(), []string{"FROM_TEST=yes"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestBlocksShareTheirFolderAndEnvironment(t *testing.T) {
	s := session(t)
	if out, err := s.Run("mkdir sub; cd sub\nexport A=\"$FROM_TEST\"", time.Minute); err != nil || out != "" {
		t.Fatal(out, err)
	}
	out, err := s.Run("basename \"$PWD\"; echo $A; cat", time.Minute) // there is nothing to read
	if err != nil || out != "sub\nyes\n" {
		t.Errorf("%q %v", out, err)
	}
}

func TestEveryFailureIsReportedAndTheRestIsRun(t *testing.T) {
	s := session(t)
	out, err := s.Run("(exit 3)\nfalse | true\nif false; then :; fi\ntrue\necho end", time.Minute)
	if out != "end\n" || err == nil || !strings.Contains(err.Error(), "exit code 3: ") || strings.Count(err.Error(), "exit code") != 2 {
		t.Errorf("%q %v", out, err)
	}
	if out, err := s.Run("echo again", time.Minute); err != nil || out != "again\n" {
		t.Errorf("%q %v", out, err)
	}
}

func TestTheFailureOfTheLastCommandIsReportedOnce(t *testing.T) {
	if _, err := session(t).Run("true\n(exit 3)", time.Minute); err == nil || strings.Count(err.Error(), "exit code") != 1 {
		t.Error(err)
	}
}

func TestABlockThatDoesNotEndIsKilled(t *testing.T) {
	s := session(t)
	start := time.Now()
	if _, err := s.Run("sleep 100", 100*time.Millisecond); err == nil || time.Since(start) > 5*time.Second {
		t.Error(err)
	}
}

func TestASyntaxErrorIsAFailure(t *testing.T) {
	var failure Failure
	if out, err := session(t).Run("topk(5, sum by (rule))", time.Minute); !errors.As(err, &failure) {
		t.Errorf("%q %v", out, err)
	}
}
