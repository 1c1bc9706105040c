package cluster

import "encoding/json"

// Object is a Kubernetes object as JSON.
type Object = map[string]any

// At returns the value at a path of member names and list indexes, or nil.
func At(value any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			o, _ := value.(Object)
			value = o[step]
		case int:
			a, _ := value.([]any)
			if step >= len(a) {
				return nil
			}
			value = a[step]
		}
	}
	return value
}

// List returns the list at a path, or nil.
func List(value any, path ...any) []any {
	a, _ := At(value, path...).([]any)
	return a
}

// Text returns the string at a path, or "".
func Text(value any, path ...any) string {
	s, _ := At(value, path...).(string)
	return s
}

// Clone returns a deep copy.
func Clone(o Object) Object {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	var copied Object
	if err := json.Unmarshal(text, &copied); err != nil {
		panic(err)
	}
	return copied
}

// Tolerates reports whether a pod tolerates the taint os=VALUE; "" stands for any value.
func Tolerates(pod Object, value string) bool {
	for _, toleration := range List(pod, "spec", "tolerations") {
		if Text(toleration, "key") == "os" && (value == "" || Text(toleration, "value") == value) {
			return true
		}
	}
	return false
}
