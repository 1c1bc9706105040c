package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/resource"
)

const noVersion = "apiVersion not set"

// versionCheck is the part of kubectl's validation that needs no API server (k8s.io/kubectl pkg/validation,
// paramVerifyingSchema). It notes the document instead of ending the file, as --validate=ignore reads on.
type versionCheck struct{ hasVersion bool }

func (v *versionCheck) ValidateBytes(document []byte) error {
	var object map[string]any
	err := json.Unmarshal(document, &object)
	_, hasText := object["apiVersion"].(string)
	v.hasVersion = err != nil || hasText
	return nil
}

// kubectlObjects reads as kubectl create and apply do.
func kubectlObjects(paths []string, recursive bool) (objects []map[string]any, errs []error) {
	check := versionCheck{hasVersion: true}
	err := resource.NewLocalBuilder().Unstructured().Schema(&check).ContinueOnError().
		FilenameParam(false, &resource.FilenameOptions{Filenames: paths, Recursive: recursive}).
		Flatten().Do().
		Visit(func(info *resource.Info, err error) error {
			if err != nil {
				return err
			}
			if !check.hasVersion {
				return errors.New(noVersion)
			}
			if object, ok := info.Object.(*unstructured.Unstructured); ok {
				objects = append(objects, object.Object)
			}
			return nil
		})
	if all, ok := err.(utilerrors.Aggregate); ok {
		return objects, utilerrors.Flatten(all).Errors()
	}
	if err != nil {
		errs = append(errs, err)
	}
	return objects, errs
}

// plainText has one document for each object, in a form that no reader takes for something else. So it has no items, which
// an object in a list may have.
func plainText(objects []map[string]any) (string, error) {
	var text strings.Builder
	for _, each := range objects {
		object := maps.Clone(each)
		delete(object, "items")
		document, err := json.Marshal(object)
		if err != nil {
			return "", err
		}
		text.WriteString("---\n")
		for _, character := range string(document) {
			if character < 0x7f {
				text.WriteRune(character)
			} else {
				fmt.Fprintf(&text, `\U%08x`, character)
			}
		}
		text.WriteString("\n")
	}
	return text.String(), nil
}
