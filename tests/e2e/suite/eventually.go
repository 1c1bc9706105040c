package suite

import (
	"testing"
	"time"
)

// Patience is how long a cluster may take until a claim about it holds.
const Patience = 90 * time.Second

// Eventually waits until holds returns nil, and ends the test if it does not within Patience.
func Eventually(t testing.TB, claim string, holds func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if err = holds(); err == nil {
			return
		}
	}
	t.Fatalf("not within %s: %s: %v", Patience, claim, err)
}
