package cluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Programs maps a program's name to its path.
type Programs map[string]string

// FindPrograms runs build-tools.sh for some programs, or for all programs of a cluster. It builds missing ones, with its
// progress on stderr.
func FindPrograms(names ...string) (Programs, error) {
	script := exec.Command(filepath.Join(sourceDir(), "..", "build-tools.sh"), names...)
	script.Stderr = os.Stderr
	out, err := script.Output()
	if err != nil {
		return nil, fmt.Errorf("build-tools.sh: %w", err)
	}
	programs := Programs{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		name, path, _ := strings.Cut(lines.Text(), " ")
		programs[name] = path
	}
	return programs, nil
}

// Module returns the folder of a Go module that tools/FOLDER/go.mod pins, after downloading it if necessary.
func Module(folder, path string) (string, error) {
	download := exec.Command("go", "mod", "download", "-json", path)
	download.Dir = filepath.Join(sourceDir(), "..", "tools", folder)
	out, err := download.Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &module); err != nil || jsonErr != nil {
		return "", fmt.Errorf("go mod download %s: %w %s", path, errors.Join(err, jsonErr), module.Error)
	}
	return module.Dir, nil
}

// NewestRelease returns the release of the newest control plane under tools/, the default of build-tools.sh.
func NewestRelease() string {
	found, _ := filepath.Glob(filepath.Join(sourceDir(), "..", "tools", "kubernetes-*"))
	_, release, _ := strings.Cut(filepath.Base(found[len(found)-1]), "-")
	return release
}

// IsNewest returns whether the tests run on that release.
func IsNewest() bool {
	release := os.Getenv("K8S_VERSION")
	return release == "" || release == NewestRelease()
}

// Root returns the root of the checkout.
func Root() string { return filepath.Join(sourceDir(), "..", "..", "..") }

// WinadmitBinary returns the path of the binary: the environment variable WINADMIT, or the release build.
func WinadmitBinary() string {
	if path := os.Getenv("WINADMIT"); path != "" {
		return path
	}
	return filepath.Join(Root(), "build", "release", "winadmit")
}

func sourceDir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}
