package deploy

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// The repository of the last release's image in the values of its chart.
const previousRepository = "registry.example/previous"

// previousImage is what the kubelet runs for that repository. The upgrade test sets it.
var previousImage atomic.Pointer[Image]

// pullPreviousOr returns a Pull of the last release's image by its repository, and of an image for every other name.
func pullPreviousOr(image *Image) Pull {
	return func(name string) (*Image, error) {
		if !strings.HasPrefix(name, previousRepository+":") {
			return image, nil
		}
		if previous := previousImage.Load(); previous != nil {
			return previous, nil
		}
		return nil, errors.New("the image of the last release was not built")
	}
}

// buildPrevious makes the image of the last release available, and returns its chart. It skips the test if the checkout has no
// history.
func buildPrevious(t *testing.T) string {
	t.Helper()
	build := exec.Command(filepath.Join(cluster.Root(), "tests/e2e/build-previous.sh"))
	var progress strings.Builder
	build.Stderr = &progress
	out, err := build.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skip(strings.TrimSpace(progress.String()))
	}
	if err != nil {
		t.Fatalf("build-previous.sh: %v\n%s", err, progress.String())
	}
	folder := strings.TrimSpace(string(out))
	image, err := Unpack(filepath.Join(folder, "winadmit.oci.tar"), filepath.Join(shared.Dir, "previous"))
	if err != nil {
		t.Fatal(err)
	}
	previousImage.Store(image)
	return filepath.Join(folder, "chart")
}

// expectImages fails the test unless all replicas run the image of a repository. Replicas that drain do not count.
func expectImages(t *testing.T, repository string) {
	t.Helper()
	running := 0
	for _, pod := range servers(t) {
		if at(pod, "metadata", "deletionTimestamp") != nil {
			continue
		}
		running++
		if image := text(pod, "spec", "containers", 0, "image"); !strings.HasPrefix(image, repository+":") {
			t.Errorf("%s runs %s, not %s", text(pod, "metadata", "name"), image, repository)
		}
	}
	if running != 2 {
		t.Errorf("%d replicas", running)
	}
}

// Upgrades from the last release as docs/rollout.md says, rolls back to it, and upgrades again.
func TestUpgradeFromTheLastReleaseAndBackFailsNoRequest(t *testing.T) {
	oldChart := buildPrevious(t)
	createNamespace(t)
	helm(t, "install", "winadmit", oldChart, "--namespace", system, "--set", "image.repository="+previousRepository,
		"--wait", "--wait-for-jobs", "--timeout=90s")
	rolledOut(t)
	expectImages(t, previousRepository)
	ca := secret(t, "winadmit-tls", "ca.crt")

	const ours = "registry.example/winadmit"
	upgrade := func() {
		release(t, "upgrade", "--reset-then-reuse-values", "--wait", "--wait-for-jobs", "--timeout=90s")
	}
	for _, step := range []struct {
		name, repository string
		do               func()
	}{
		{"Upgrade", ours, upgrade},
		{"RollBack", previousRepository, func() {
			helm(t, "rollback", "winadmit", "--namespace", system, "--wait", "--timeout=90s")
		}},
		{"UpgradeAgain", ours, upgrade},
	} {
		t.Run(step.name, func(t *testing.T) {
			streams := startStreams(t)
			step.do()
			rolledOut(t)
			streams.stop()
			expectImages(t, step.repository)
			if secret(t, "winadmit-tls", "ca.crt") != ca {
				t.Error("the CA has changed")
			}
			if all := bundles(t); len(all) != 1 || all[0] != ca {
				t.Errorf("not every webhook has the caBundle of the Secret: %.80q", all)
			}
		})
	}
	uninstallRelease(t)
}
