package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// rawObject takes a document as kubectl's runtime.RawExtension does.
type rawObject []byte

func (r *rawObject) UnmarshalJSON(text []byte) error {
	*r = bytes.Clone(text)
	return nil
}

// reference reads as kubectl: k8s.io/cli-runtime pkg/resource, StreamVisitor.
func reference(text []byte) result {
	const bufferSize = 4096
	r := result{Documents: []json.RawMessage{}}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), bufferSize)
	for {
		var object rawObject
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return r
		}
		if err != nil {
			r.Error = err.Error()
			return r
		}
		object = bytes.TrimSpace(object)
		if len(object) > 0 && !bytes.Equal(object, []byte("null")) {
			r.Documents = append(r.Documents, json.RawMessage(object))
		}
	}
}
