package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

type source struct {
	name string
	read func() ([][]byte, error)
}

func sources(root string) []source {
	return []source{
		{"go-yaml tests", goTests},
		{"tests/data", func() ([][]byte, error) { return files(root) }},
		{"reviews", func() ([][]byte, error) { return reviews(filepath.Join(root, "tests/data/reviews")) }},
	}
}

// goTests returns the string literals in the tests of Go's YAML modules, which are in the module cache.
func goTests() ([][]byte, error) {
	var texts [][]byte
	for _, module := range []string{"go.yaml.in/yaml/v2", "sigs.k8s.io/yaml", "k8s.io/apimachinery"} {
		folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", module, err)
		}
		pattern := "*_test.go"
		if module == "k8s.io/apimachinery" {
			pattern = "pkg/util/yaml/*_test.go"
		}
		names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(folder)), pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			literals, err := stringLiterals(name)
			if err != nil {
				return nil, err
			}
			texts = append(texts, literals...)
		}
	}
	return texts, nil
}

func stringLiterals(name string) ([][]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				texts = append(texts, []byte(text))
			}
		}
		return true
	})
	return texts, nil
}

// files returns the YAML and JSON files that the tests and the samples have.
func files(root string) ([][]byte, error) {
	var texts [][]byte
	for _, folder := range []string{"tests/data/yaml", "tests/data/check", "tests/data/fix", "tests/data/config", "samples", "deploy"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			extension := filepath.Ext(name)
			if err != nil || entry.IsDir() || (extension != ".yaml" && extension != ".json") {
				return err
			}
			text, err := os.ReadFile(name)
			texts = append(texts, text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// reviews returns the objects of captured reviews in several styles.
func reviews(folder string) ([][]byte, error) {
	var texts [][]byte
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var review struct {
			Request struct{ Object json.RawMessage }
		}
		if err := json.Unmarshal(text, &review); err != nil {
			return err
		}
		styles, err := stylesOf(review.Request.Object)
		texts = append(texts, styles...)
		return err
	})
	return texts, err
}

func stylesOf(object json.RawMessage) ([][]byte, error) {
	var value any
	if err := json.Unmarshal(object, &value); err != nil {
		return nil, err
	}
	block, err := yaml.Marshal(value)
	if err != nil {
		return nil, err
	}
	indented, err := json.MarshalIndent(value, "", "    ")
	if err != nil {
		return nil, err
	}
	text := string(block)
	commented := strings.ReplaceAll(text, ":\n", ":  # comment\n")
	return [][]byte{
		block,
		indented,
		object,
		[]byte("---\n" + string(object) + "\n---\n" + text),
		[]byte(string(object) + string(indented) + "\n" + string(object)),
		[]byte(strings.ReplaceAll(text, "\n", "\r\n")),
		[]byte("\ufeff# comment\n" + commented + "...\n"),
		[]byte("apiVersion: v1\nkind: List\nitems:\n- &first " + string(object) + "\n- *first\n- <<: *first\n  kind: Other\n"),
	}, nil
}

// tokens mean something to YAML or JSON.
var tokens = []string{
	"---\n", "--- # c\n", "---", "...\n", "\n", "\r\n", "\r", "\t", " ", "  ", ": ", ":", "- ", "-", "? ", "# c", "#", "&a ", "*a", "<<: ",
	"<<: *a\n", "!!str ", "!!int ", "!!float ", "!!bool ", "!!binary ", "!!null ", "!t ", "! ", "{", "}", "[", "]", ", ", ",", "'", "\"",
	"\\", "\\u00e9", "\\x41", "\\ud83d\\ude00", "|\n", "|-\n", "|+\n", ">\n", "|2\n", "%YAML 1.1\n", "@", "`", "~", "null", "yes", "on", "010",
	"0x1F", "0b11", "0o17", "1_000", "1e3", ".5", "1.", ".inf", "-.inf", ".nan", "12:30:45", "2001-12-14", "9223372036854775808",
	"18446744073709551616", "-9223372036854775809", "1e400", "\u00e9", "\u0085", "\u2028", "\ufeff", "\U0001F600", "\x00", "\x7f", "\xff", "=",
}

// mutate returns texts with a few random changes, none of them large.
func mutate(seeds [][]byte, count int, seed uint64) [][]byte {
	const largest = 4000
	random := rand.New(rand.NewPCG(seed, 0))
	texts := make([][]byte, 0, count)
	for len(texts) < count {
		text := append([]byte{}, seeds[random.IntN(len(seeds))]...)
		text = text[:min(len(text), largest)]
		for range 1 + random.IntN(4) {
			text = change(text, seeds, random)
		}
		texts = append(texts, text)
	}
	return texts
}

func change(text []byte, seeds [][]byte, random *rand.Rand) []byte {
	at := random.IntN(len(text) + 1)
	end := min(len(text), at+1+random.IntN(8))
	insert := func(what []byte) []byte {
		return append(append(append([]byte{}, text[:at]...), what...), text[at:]...)
	}
	switch random.IntN(6) {
	case 0:
		return append(append([]byte{}, text[:at]...), text[end:]...)
	case 1:
		return insert(text[at:end])
	case 2:
		other := seeds[random.IntN(len(seeds))]
		from := random.IntN(len(other) + 1)
		return insert(other[from:min(len(other), from+random.IntN(30))])
	case 3:
		if at < len(text) {
			text[at] ^= 1 << random.IntN(8)
		}
		return text
	}
	return insert([]byte(tokens[random.IntN(len(tokens))]))
}
