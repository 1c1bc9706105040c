// Package deploy installs winadmit with kustomize and Helm on a real API server, and runs the image of `make image`. There
// is no kubelet, so Kubelet replaces it for the pods of winadmit: each container has the root file system and the user of
// the image, and a network namespace with its own address. Needs root.
//
//	tests/e2e/run.sh ./deploy -run Overlay
package deploy

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"winadmit/tests/e2e/cluster"
)

// Image is an unpacked OCI image.
type Image struct {
	Root       string // folder of the root file system
	User       string // "65532:65532"
	Entrypoint []string
}

// BuildImage builds the image of the tested binary as `make image` does, and unpacks it into dir.
func BuildImage(dir string) (*Image, error) {
	build := exec.Command(filepath.Join(cluster.Root(), "deploy/image/build.py"),
		"--binary", cluster.WinadmitBinary(), "--output", dir, "--version", "e2e")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build.py: %w\n%s", err, out)
	}
	return Unpack(filepath.Join(dir, "winadmit.oci.tar"), filepath.Join(dir, "rootfs"))
}

type descriptor struct{ Digest string }

// Unpack unpacks an OCI archive into root.
func Unpack(archive, root string) (*Image, error) {
	layout := strings.TrimSuffix(root, "/") + ".layout"
	file, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := extract(file, layout); err != nil {
		return nil, err
	}
	blob := func(d descriptor) string {
		return filepath.Join(layout, "blobs/sha256", strings.TrimPrefix(d.Digest, "sha256:"))
	}
	var index struct{ Manifests []descriptor }
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	var config struct {
		Config struct {
			User       string
			Entrypoint []string
		}
	}
	if err := readJSON(filepath.Join(layout, "index.json"), &index); err != nil {
		return nil, err
	}
	if err := readJSON(blob(index.Manifests[0]), &manifest); err != nil {
		return nil, err
	}
	if err := readJSON(blob(manifest.Config), &config); err != nil {
		return nil, err
	}
	for _, layer := range manifest.Layers {
		packed, err := os.Open(blob(layer))
		if err != nil {
			return nil, err
		}
		defer packed.Close()
		plain, err := gzip.NewReader(packed)
		if err != nil {
			return nil, err
		}
		if err := extract(plain, root); err != nil {
			return nil, err
		}
	}
	return &Image{Root: root, User: config.Config.User, Entrypoint: config.Config.Entrypoint}, nil
}

// extract unpacks a tar stream. Only folders and files are allowed.
func extract(from io.Reader, to string) error {
	for archive := tar.NewReader(from); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(to, filepath.Clean("/"+header.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		switch header.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, header.FileInfo().Mode())
		case tar.TypeReg:
			var content []byte
			if content, err = io.ReadAll(archive); err == nil {
				err = os.WriteFile(path, content, header.FileInfo().Mode())
			}
		default:
			err = fmt.Errorf("%s: neither a file nor a folder", header.Name)
		}
		if err != nil {
			return err
		}
	}
}

func readJSON(path string, to any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
