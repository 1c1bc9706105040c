package deploy

// at walks members and, by number, elements; nil where the path ends early.
func at(value any, path ...any) any {
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

func list(value any, path ...any) []any {
	a, _ := at(value, path...).([]any)
	return a
}

func text(value any, path ...any) string {
	s, _ := at(value, path...).(string)
	return s
}
