package e2e

import (
	"strings"
	"unicode/utf16"
)

// malformedJSON returns encodings of a Windows pod with hostPID that are not valid JSON, or valid in unusual ways.
func malformedJSON() []oddPod {
	refused := whole(`"spec":{` + windowsSelector + `,"hostPID":true,` + oneContainer + `}`)
	plain := whole(`"spec":{` + oneContainer + `}`)
	replace := func(old, new string) string { return strings.Replace(refused, old, new, 1) }
	units := utf16.Encode([]rune(refused))
	var utf16Text strings.Builder
	utf16Text.WriteString("\xff\xfe")
	for _, unit := range units {
		utf16Text.WriteByte(byte(unit))
		utf16Text.WriteByte(byte(unit >> 8))
	}
	depth := strings.Repeat(`{"a":`, 10001) + "1" + strings.Repeat("}", 10001)
	return []oddPod{
		{"white space around it", " \t\r\n" + refused + " \t\r\n"},
		{"the pod, then `}`", refused + "}"},
		{"the pod, then `,`", refused + ","},
		{"the pod, then `{}`", refused + "{}"},
		{"the pod, then a plain pod", refused + plain},
		{"a plain pod, then the pod", plain + refused},
		{"a plain pod, a line end, the pod", plain + "\n" + refused},
		{"a plain pod, `---`, the pod", plain + "\n---\n" + refused},
		{"the pod, then NUL", refused + "\x00"},
		{"the pod, then text", refused + "trailing"},
		{"the pod without its last `}`", refused[:len(refused)-1]},
		{"byte order mark in front", "\xef\xbb\xbf" + refused},
		{"UTF-16 with a byte order mark", utf16Text.String()},
		{"comment `/* */`", replace(`"hostPID"`, `/* x */"hostPID"`)},
		{"comment `//`", replace(`"hostPID"`, "// x\n"+`"hostPID"`)},
		{"comment `#`", replace(`"hostPID"`, "# x\n"+`"hostPID"`)},
		{"two commas", replace(`"hostPID":true,`, `"hostPID":true,,`)},
		{"comma at the end", refused[:len(refused)-1] + ",}"},
		{"single quotes", replace(`"hostPID"`, `'hostPID'`)},
		{"key without quotes", replace(`"hostPID"`, `hostPID`)},
		{"form feed as white space", replace(`"hostPID"`, "\f"+`"hostPID"`)},
		{"no-break space as white space", replace(`"hostPID"`, "\u00a0"+`"hostPID"`)},
		{"line end in a string", replace(`registry`, "regi\nstry")},
		{"byte ff in a value: `windows\\xff`", replace(`"windows"`, "\"windows\xff\"")},
		{"byte ff in a key: `hostPID\\xff`", replace(`"hostPID"`, "\"hostPID\xff\"")},
		{"byte ff in an annotation", replace(`"name":"NAME"`, "\"name\":\"NAME\",\"annotations\":{\"a\":\"\xff\"}")},
		{"overlong UTF-8 in a key: `hos\\xc1\\xb4PID`", replace(`"hostPID"`, "\"hos\xc1\xb4PID\"")},
		{"half a surrogate in an annotation: `\\ud800`", replace(`"name":"NAME"`, `"name":"NAME","annotations":{"a":"\ud800"}`)},
		{"half a surrogate in a key: `hostPID\\ud800`", replace(`"hostPID"`, `"hostPID\ud800"`)},
		{"an array of the pod", "[" + refused + "]"},
		{"YAML", "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME}\nspec: {" + windowsSelector + ", hostPID: true, " + oneContainer + "}\n"},
		{"unknown member 10,001 levels deep", whole(`"unknown":` + depth + `,"spec":{` + windowsSelector + `,"hostPID":true,` + oneContainer + `}`)},
		{"nothing", ""},
	}
}
