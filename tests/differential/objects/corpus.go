package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

const windowsPod = `apiVersion: v1
kind: Pod
metadata:
  name: NAME
  labels: {app: web}
spec:
  hostPID: true
  nodeSelector:
    kubernetes.io/os: windows
  containers:
  - name: c
    image: example.com/c:1
`

var ownDocuments = []string{
	windowsPod,
	windowsPod,
	`# A comment
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: shop}
spec:
  template:
    metadata: {labels: {app: NAME}}
    spec:
      os: {name: windows}
      hostNetwork: true
      hostIPC: true
      containers: [{name: c, image: 'example.com/c:1', args: ["--- a", '{"kind": "x"}']}]
`,
	`kind: ConfigMap
metadata:
  name: NAME
data:
  a: |
    apiVersion: v1
    kind: Pod
apiVersion: v1
`,
	`metadata:
  name: NAME
spec:
  containers:
  - image: example.com/c:1
    name: c
  os:
    name: linux
kind: Pod
apiVersion: v1
`,
	`apiVersion: example.com/v1
kind: Playlist
metadata:
  name: NAME
spec: {a: [1, 2, {b: ~}]}
`,
}

// tooSpecial are comments that suppress findings, and objects that say something about others in the same run.
var tooSpecial = regexp.MustCompile(`(?m)winadmit[:.]|AdmissionReview|^\s*kind: (Namespace|RuntimeClass)|\{\{`)

// readCorpus returns documents of YAML, with NAME as the name of the object.
func readCorpus(root string) ([]string, error) {
	documents := ownDocuments
	names, err := filepath.Glob(filepath.Join(root, "tests/data/check/*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, each := range strings.Split(string(text), "\n---\n") {
			if !tooSpecial.MatchString(each) && isObject(each) {
				documents = append(documents, strings.TrimRight(each, "\n")+"\n")
			}
		}
	}
	if len(documents) == len(ownDocuments) {
		return nil, fmt.Errorf("no documents in %s", root)
	}
	return documents, nil
}

func isObject(document string) bool {
	var object struct{ APIVersion, Kind string }
	return yaml.Unmarshal([]byte(document), &object) == nil && object.APIVersion != "" && object.Kind != ""
}

// object is a document of the corpus as a value.
func (c *folderCase) object() map[string]any {
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(c.document()), &object); err != nil {
		panic(err)
	}
	return object
}

func toJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func toYAML(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// asJSON is the first document of a text as JSON, or the text if it is no YAML.
func asJSON(text string) string {
	first, _, _ := strings.Cut(text, "\n---")
	var value any
	if yaml.Unmarshal([]byte(first), &value) != nil {
		return text
	}
	return toJSON(value)
}
