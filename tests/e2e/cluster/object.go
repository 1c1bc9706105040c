package cluster

// At walks members and, by number, elements; nil where the path ends early.
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

// List is At where a list is expected; nil where there is none.
func List(value any, path ...any) []any {
	a, _ := At(value, path...).([]any)
	return a
}

// Text is At where a string is expected; "" where there is none.
func Text(value any, path ...any) string {
	s, _ := At(value, path...).(string)
	return s
}
