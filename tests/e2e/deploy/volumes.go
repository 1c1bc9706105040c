package deploy

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// mount writes the content of every volume, and updates it like the kubelet: by replacing a symbolic link.
func (c *container) mount() error {
	for _, item := range list(c.pod, "spec", "volumes") {
		files, err := c.content(item.(Object))
		if err != nil {
			return err
		}
		for _, mount := range list(c.spec(), "volumeMounts") {
			if text(mount, "name") == text(item, "name") {
				if err := c.write(filepath.Join(c.root, text(mount, "mountPath")), files); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

var errNotFound = errors.New("not found")

// content returns the files of a volume: {name: text}.
func (c *container) content(volume Object) (map[string]string, error) {
	namespace := "/api/v1/namespaces/" + text(c.pod, "metadata", "namespace")
	source, collection, name := Object{}, "", ""
	switch {
	case volume["secret"] != nil:
		source, collection = volume["secret"].(Object), "/secrets/"
		name = text(source, "secretName")
	case volume["configMap"] != nil:
		source, collection = volume["configMap"].(Object), "/configmaps/"
		name = text(source, "name")
	case volume["projected"] != nil:
		return c.token(namespace)
	}
	reply, err := c.kubelet.cluster.API.Do("GET", namespace+collection+name, nil)
	if err != nil {
		return nil, err
	}
	if reply.Code != http.StatusOK {
		return nil, errNotFound
	}
	data, _ := reply.Body["data"].(Object)
	keys := map[string]string{}
	for key := range data {
		keys[key] = key
	}
	if items := list(source, "items"); items != nil {
		keys = map[string]string{}
		for _, item := range items {
			keys[text(item, "key")] = text(item, "path")
		}
	}
	files := map[string]string{}
	for key, path := range keys {
		value, found := data[key].(string)
		if !found {
			return nil, errNotFound
		}
		if collection == "/secrets/" {
			plain, err := base64.StdEncoding.DecodeString(value)
			if err != nil {
				return nil, err
			}
			value = string(plain)
		}
		files[path] = value
	}
	return files, nil
}

// token returns the files of a service account token volume.
func (c *container) token(namespace string) (map[string]string, error) {
	api := c.kubelet.cluster.API
	reply, err := api.Do("POST", namespace+"/serviceaccounts/"+text(c.pod, "spec", "serviceAccountName")+"/token",
		Object{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": Object{"expirationSeconds": 3600}})
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(api.CAFile())
	return map[string]string{"token": text(reply.Body, "status", "token"), "ca.crt": string(ca),
		"namespace": path.Base(namespace)}, err
}

// write replaces the files of a folder at once, if they have changed.
func (c *container) write(folder string, files map[string]string) error {
	same := true
	for name, content := range files {
		old, err := os.ReadFile(filepath.Join(folder, name))
		same = same && err == nil && (string(old) == content || name == "token")
	}
	if same {
		return nil
	}
	version := fmt.Sprintf("..%d", time.Now().UnixNano())
	if err := os.MkdirAll(filepath.Join(folder, version), 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(folder, version, name), []byte(files[name]), 0o644); err != nil {
			return err
		}
		os.Symlink(filepath.Join("..data", name), filepath.Join(folder, name)) // fails if it exists, after the first time
	}
	next := filepath.Join(folder, "..data_tmp")
	return errors.Join(os.Symlink(version, next), os.Rename(next, filepath.Join(folder, "..data")))
}
