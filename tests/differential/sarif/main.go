// Command sarif validates `winadmit check -o sarif` against the schema of SARIF 2.1.0, for every manifest of the test
// data and of the samples. The last line is "N passed, N failed".
//
//	tests/differential/run.sh
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var folders = []string{"samples", "tests/data/check", "tests/data/fix", "tests/data/reviews/windows"}

// schemaFile is the schema of OASIS, which another Go module has among its test data.
func schemaFile() (string, error) {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/securego/gosec/v2").Output()
	return filepath.Join(strings.TrimSpace(string(folder)), "report/sarif/testdata/sarif-schema-2.1.0.json"), err
}

func validate(schema *jsonschema.Schema, report []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// check returns the report on a file. A file with findings, or that cannot be read, has one, too.
func check(file string, flags ...string) ([]byte, error) {
	arguments := append([]string{"check", "-o", "sarif", "-f", file}, flags...)
	report, err := exec.Command(os.Getenv("WINADMIT"), arguments...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 2) {
		err = nil
	}
	return report, err
}

func manifests(root string) ([]string, error) {
	var files []string
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			switch filepath.Ext(path) {
			case ".yaml", ".yml", ".json":
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// faults are reports that must not be valid: the validation notices what it is for.
func faults(report []byte) map[string][]byte {
	replaced := func(old, by string) []byte { return bytes.Replace(report, []byte(old), []byte(by), 1) }
	return map[string][]byte{
		"another version":        replaced(`"version": "2.1.0"`, `"version": "2.2"`),
		"a level of no meaning":  replaced(`"level": "error"`, `"level": "deny"`),
		"a line before the file": replaced(`"startLine": `, `"startLine": -`),
		"an unknown member":      replaced(`"results": `, `"findings": [], "results": `),
	}
}

func main() {
	passed, failed := 0, 0
	count := func(name string, err error) {
		if err == nil {
			passed++
			return
		}
		failed++
		fmt.Printf("FAILED %s: %v\n", name, err)
	}
	root := "../../.."
	file, err := schemaFile()
	if err != nil {
		fmt.Println("no schema:", err)
		os.Exit(1)
	}
	schema, err := jsonschema.NewCompiler().Compile(file)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	files, err := manifests(root)
	if err != nil || len(files) == 0 {
		fmt.Println("no manifests:", err)
		os.Exit(1)
	}
	for _, file := range files {
		for _, flag := range []string{"--no-ignore", "--no-mutate"} {
			report, err := check(file, flag)
			if err == nil {
				err = validate(schema, report)
			}
			count(file+" "+flag, err)
		}
	}
	report, err := check(filepath.Join(root, "samples"))
	count("samples", err)
	for name, fault := range faults(report) {
		err = nil
		if bytes.Equal(fault, report) || validate(schema, fault) == nil {
			err = errors.New("is valid")
		}
		count(name, err)
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
