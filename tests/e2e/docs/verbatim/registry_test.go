package verbatim

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/deploy"
)

// registryHost is the registry that the pages use as an example.
const registryHost = "registry.example"

// registry is a local registry (Debian's docker-registry) without TLS. Its address is one of loopback, and registryHost has
// that address in the shells of the test only.
type registry struct {
	dir, address string

	mutex  sync.Mutex
	pulled map[string]*deploy.Image // by digest
}

// startRegistry starts it. home is the HOME of the shells: skopeo and buildah read there that the registry has no TLS.
func startRegistry(c *cluster.Cluster, home string) (*registry, error) {
	r := &registry{dir: filepath.Join(c.Dir, "registry"), address: fmt.Sprintf("127.77.%d.%d", os.Getpid()/250%250, 1+os.Getpid()%250),
		pulled: map[string]*deploy.Image{}}
	for name, content := range map[string]string{
		filepath.Join(r.dir, "config.yml"): fmt.Sprintf("version: 0.1\nlog: {level: warn, accesslog: {disabled: true}}\n"+
			"http: {addr: %q, secret: any}\nstorage: {filesystem: {rootdirectory: %q}}\n", r.address+":80", filepath.Join(r.dir, "data")),
		filepath.Join(r.dir, "hosts"): "127.0.0.1 localhost\n" + r.address + " " + registryHost + "\n",
		filepath.Join(home, ".config/containers/registries.conf"): fmt.Sprintf(
			"[[registry]]\nprefix = %[1]q\nlocation = %[1]q\ninsecure = true\n", registryHost),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
			return nil, err
		}
	}
	process, err := c.Run("registry", "docker-registry", "serve", filepath.Join(r.dir, "config.yml"))
	if err != nil {
		return nil, err
	}
	return r, process.Await(10*time.Second, func() bool {
		response, err := http.Get("http://" + r.address + "/v2/")
		if err == nil {
			response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	})
}

// wrapper runs a program in a mount namespace in which registryHost has the address of the registry.
func (r *registry) wrapper() []string {
	return []string{"unshare", "--mount", "sh", "-c", `mount --bind "$1" /etc/hosts && shift && exec "$@"`, "sh", filepath.Join(r.dir, "hosts")}
}

// pull returns an image that was pushed, as a kubelet would get it.
func (r *registry) pull(name string) (*deploy.Image, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	path, ok := strings.CutPrefix(name, registryHost+"/")
	if !ok {
		return nil, fmt.Errorf("%s is not in the registry", name)
	}
	from := "docker://" + r.address + ":80/" + path
	digest, err := skopeo("inspect", "--tls-verify=false", "--format", "{{.Digest}}", from)
	if err != nil {
		return nil, err
	}
	if image := r.pulled[digest]; image != nil {
		return image, nil
	}
	archive := filepath.Join(r.dir, fmt.Sprintf("%d.tar", len(r.pulled)))
	if _, err := skopeo("copy", "--src-tls-verify=false", from, "oci-archive:"+archive); err != nil {
		return nil, err
	}
	image, err := deploy.Unpack(archive, strings.TrimSuffix(archive, ".tar"))
	if err == nil {
		r.pulled[digest] = image
	}
	return image, err
}

func skopeo(arguments ...string) (string, error) {
	command := exec.Command("skopeo", arguments...)
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("skopeo %s: %w\n%s", strings.Join(arguments, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
