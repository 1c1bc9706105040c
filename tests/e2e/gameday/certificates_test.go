package gameday

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

const serviceName = "winadmit." + system + ".svc"

// trust sets the caBundle of every webhook.
func (s *step) trust(ca []byte) {
	s.Helper()
	for _, name := range cluster.Configurations {
		s.sh(fmt.Sprintf(`kubectl get %[1]s -o json |
  jq '[range(.webhooks | length) | {op: "add", path: "/webhooks/\(.)/clientConfig/caBundle", value: "%[2]s"}]' >"$HOME/patch.json"
kubectl patch %[1]s --type=json --patch-file "$HOME/patch.json"`,
			name, base64.StdEncoding.EncodeToString(ca)))
	}
}

func wrongBundle(s *step) {
	s.mayLose("the API server does not trust winadmit", windowsPods, unsupportedPods)
	dir := s.TempDir()
	if err := cluster.IssuePair(dir, serviceName); err != nil {
		s.Fatal(err)
	}
	before := s.handshakeFailures("untrusted")
	s.trust(s.read(dir, "ca.crt"))
	s.eventually("creates fail", s.windowsPodsFail())
	s.countsAndLogs("untrusted", before, "caBundle")
	s.paste(runbook, "WinadmitNotTrusted", "create job", "repair")
	s.recovered()
}

// The replicas serve a pair that ends while they run. They loaded it when it was valid, so they keep it.
func servingPairExpires(s *step) {
	if testing.Short() {
		s.Skip("waits for the end of a certificate")
	}
	s.mayLose("the pair is replaced by one that ends, and ends", windowsPods, unsupportedPods)
	end := time.Now().Add(20 * time.Second)
	dir := s.TempDir()
	if err := cluster.IssuePairUntil(dir, end, serviceName); err != nil {
		s.Fatal(err)
	}
	encoded := func(name string) string { return base64.StdEncoding.EncodeToString(s.read(dir, name)) }
	ca := s.read(dir, "ca.crt")
	s.trust(ca)
	s.sh(fmt.Sprintf(`kubectl -n %s patch secret winadmit-tls --type=merge -p '{"data": {"tls.crt": "%s", "tls.key": "%s"}}'`,
		system, encoded("tls.crt"), encoded("tls.key")))
	s.eventually("the replicas serve it", works)
	time.Sleep(time.Until(end))
	// The API server keeps its connections, which were made in time. It makes new ones for another caBundle.
	s.trust(append(ca, '\n'))
	s.eventually("creates fail", s.windowsPodsFail())
	s.countsAndLogs("expired", 0, "expired")
	s.paste(runbook, "WinadmitRotationFailing", "create job")
	s.recovered()
}

// countsAndLogs waits until more handshakes have failed for the reason than before, and until the log has the word.
func (s *step) countsAndLogs(reason string, before float64, word string) {
	s.Helper()
	s.eventually("the metric counts it", func() error {
		if now := s.handshakeFailures(reason); now <= before {
			return fmt.Errorf("still %v", now)
		}
		return nil
	})
	s.eventually("the log says it", func() error {
		if s.logged(word) == 0 {
			return fmt.Errorf("no line has the word %s", word)
		}
		return nil
	})
	s.sawf("%d lines of the log have the word %s", s.logged(word), word)
}

func (s *step) handshakeFailures(reason string) float64 {
	s.Helper()
	return s.metrics(`winadmit_tls_handshake_failures_total{reason="` + reason + `"}`)
}

func (s *step) read(elements ...string) []byte {
	s.Helper()
	content, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		s.Fatal(err)
	}
	return content
}

// windowsPodsFail returns a condition: more Windows pods are lost than now.
func (s *step) windowsPodsFail() func() error {
	before := s.lost(windowsPods)
	return func() error {
		if s.lost(windowsPods) <= before {
			return fmt.Errorf("none has failed")
		}
		return nil
	}
}
