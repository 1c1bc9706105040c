// Writes cli/fields/pod_api.txt: the fields of each Kubernetes kind that is or holds a pod, with their first and last release.
// They are read from the Go types in k8s.io/api of every release that winadmit knows.
//
//	go run . [-check] FILE
//
// -check fails if FILE differs from what would be written. The modules come from the Go proxy.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The minor versions, in this folder.
var oldest, newest = known("kOldestVersion"), known("kNewestVersion")

func known(name string) int {
	text, err := os.ReadFile("../../policy/rules/version.hpp")
	fail(err)
	found := regexp.MustCompile(name + `\{1, (\d+)\}`).FindSubmatch(text)
	if found == nil {
		log.Fatalf("policy/rules/version.hpp has no %s", name)
	}
	minor, err := strconv.Atoi(string(found[1]))
	fail(err)
	return minor
}

// The first three releases have no version tag that the proxy knows.
var untagged = map[int]string{
	14: "v0.0.0-20190313235455-40a48860b5ab",
	15: "v0.0.0-20190620084959-7cf5895f2711",
	16: "v0.0.0-20190918155943-95b840bb6a1f",
}

// The versions of a group have the same types. A field of one of them is a field of all.
var groups = map[string][]string{
	"core":  {"core/v1"},
	"apps":  {"apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1"},
	"batch": {"batch/v1", "batch/v1beta1", "batch/v2alpha1"},
}

var roots = []string{"core.Pod", "core.PodTemplate", "core.ReplicationController", "apps.DaemonSet", "apps.Deployment",
	"apps.ReplicaSet", "apps.StatefulSet", "batch.CronJob", "batch.Job"}

// Of k8s.io/apimachinery; the same in all releases.
var selector = map[string][]field{
	"meta.LabelSelector":            {{"matchLabels", "", shapeMap}, {"matchExpressions", "meta.LabelSelectorRequirement", shapeList}},
	"meta.LabelSelectorRequirement": {{"key", "", shapeOne}, {"operator", "", shapeOne}, {"values", "", shapeList}},
}

type shape int

const (
	shapeOne  shape = iota
	shapeList       // of values, or of the type
	shapeMap        // with keys that the API does not name, or not judged
)

type field struct {
	name, typ string // typ: group and Go name; "" for a scalar
	shape     shape
}

// The Go types of one release, by group and name.
type release map[string]ast.Expr

func fail(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func readRelease(minor int) release {
	version, ok := untagged[minor]
	if !ok {
		version = fmt.Sprintf("v0.%d.0", minor)
	}
	out, err := exec.Command("go", "mod", "download", "-json", "k8s.io/api@"+version).Output()
	if err != nil {
		log.Fatalf("k8s.io/api@%s: %v: %s", version, err, out)
	}
	var module struct{ Dir string }
	fail(json.Unmarshal(out, &module))
	types := release{}
	for group, folders := range groups {
		for _, folder := range folders {
			path := filepath.Join(module.Dir, folder, "types.go")
			if _, err := os.Stat(path); os.IsNotExist(err) {
				continue // batch/v2alpha1 of newer releases
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			fail(err)
			types.add(group, file)
		}
	}
	return types
}

// Names the packages of other groups as the keys of groups do.
func nameGroups(file *ast.File) {
	groupOf := map[string]string{}
	for _, each := range file.Imports {
		path := strings.Split(strings.Trim(each.Path.Value, `"`), "/")
		name := path[len(path)-1]
		if each.Name != nil {
			name = each.Name.Name
		}
		if strings.HasPrefix(strings.Join(path, "/"), "k8s.io/") && len(path) > 2 {
			groupOf[name] = path[len(path)-2]
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if from, ok := selector.X.(*ast.Ident); ok {
				from.Name = groupOf[from.Name]
			}
		}
		return true
	})
}

func (types release) add(group string, file *ast.File) {
	nameGroups(file)
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.TypeSpec)
			name := group + "." + spec.Name.Name
			mine, isStruct := spec.Type.(*ast.StructType)
			if known, ok := types[name].(*ast.StructType); ok && isStruct {
				merged := *known.Fields
				merged.List = append(slices.Clone(known.Fields.List), mine.Fields.List...)
				types[name] = &ast.StructType{Fields: &merged}
			} else {
				types[name] = spec.Type
			}
		}
	}
}

// The fields of a struct, those of embedded ones included.
func (types release) fields(name string) []field {
	if known, ok := selector[name]; ok {
		return known
	}
	group, _, _ := strings.Cut(name, ".")
	var found []field
	for _, each := range types[name].(*ast.StructType).Fields.List {
		tag, _, _ := strings.Cut(reflect.StructTag(strings.Trim(each.Tag.Value, "`")).Get("json"), ",")
		switch made := types.fieldOf(group, tag, each.Type); {
		case tag == "-":
		case tag != "":
			found = append(found, made)
		case len(each.Names) > 0:
			log.Fatalf("%s: a field without a name", name)
		case made.typ == "":
			found = append(found, field{"apiVersion", "", shapeOne}, field{"kind", "", shapeOne}) // TypeMeta
		default:
			found = append(found, types.fields(made.typ)...)
		}
	}
	return found
}

func (types release) fieldOf(group, name string, expr ast.Expr) field {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return types.fieldOf(group, name, expr.X)
	case *ast.ArrayType:
		return field{name, types.fieldOf(group, name, expr.Elt).typ, shapeList}
	case *ast.MapType:
		return field{name, "", shapeMap}
	case *ast.SelectorExpr:
		return types.named(name, expr.X.(*ast.Ident).Name+"."+expr.Sel.Name)
	case *ast.Ident:
		return types.named(name, group+"."+expr.Name)
	}
	log.Fatalf("%s: a type of an unknown form", name)
	return field{}
}

func (types release) named(name, typ string) field {
	if typ == "meta.ObjectMeta" || (strings.HasSuffix(typ, "Status") && name == "status") {
		return field{name, "", shapeMap}
	}
	if selector[typ] != nil {
		return field{name, typ, shapeOne}
	}
	switch types[typ].(type) {
	case *ast.StructType:
		return field{name, typ, shapeOne}
	case *ast.MapType:
		return field{name, "", shapeMap}
	}
	return field{name, "", shapeOne} // also TypeMeta, Time, Quantity and IntOrString
}

// A type over the releases. Go types were renamed; it has the newest name.
type history map[int]map[string]bool // release -> Go types

type member struct {
	field
	first, last int
}

// The members of a type, with the Go types that each had.
func (h history) members(releases map[int]release) ([]member, map[string]history) {
	all := map[string]*member{}
	types := map[string]history{}
	for minor := oldest; minor <= newest; minor++ {
		for typ := range h[minor] {
			for _, each := range releases[minor].fields(typ) {
				known, ok := all[each.name]
				if !ok {
					known = &member{first: minor}
					all[each.name] = known
					types[each.name] = history{}
				}
				known.field, known.last = each, minor
				types[each.name].add(minor, each.typ)
			}
		}
	}
	var sorted []member
	for _, each := range all {
		sorted = append(sorted, *each)
	}
	slices.SortFunc(sorted, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return sorted, types
}

// Whether the type is new in that release.
func (h history) add(minor int, typ string) bool {
	if typ == "" || h[minor][typ] {
		return false
	}
	if h[minor] == nil {
		h[minor] = map[string]bool{}
	}
	h[minor][typ] = true
	return true
}

func collect(releases map[int]release) map[string]history {
	found := map[string]history{}
	var pending []string
	add := func(name string, minor int, typ string) {
		if found[name] == nil {
			found[name] = history{}
		}
		if found[name].add(minor, typ) {
			pending = append(pending, name)
		}
	}
	for minor, types := range releases {
		for _, root := range roots {
			if types[root] != nil {
				add(root, minor, root)
			}
		}
	}
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		members, types := found[next].members(releases)
		for _, each := range members {
			for minor, names := range types[each.name] {
				for typ := range names {
					add(each.typ, minor, typ)
				}
			}
		}
	}
	return found
}

// "core.Container" as "Container". No two types have the same name.
func short(typ string) string { return typ[strings.Index(typ, ".")+1:] }

func (m member) line() string {
	line := "  " + m.name
	switch m.shape {
	case shapeList:
		line += " []" + short(m.typ)
	case shapeMap:
		line += " {}"
	case shapeOne:
		if m.typ != "" {
			line += " " + short(m.typ)
		}
	}
	if m.first != oldest || m.last != newest {
		line += fmt.Sprintf(" 1.%d", m.first)
	}
	if m.last != newest {
		line += fmt.Sprintf("-1.%d", m.last)
	}
	return line + "\n"
}

func write(releases map[int]release) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# Written by tools/pod-api: the fields of Kubernetes 1.%d-1.%d that winadmit knows.\n", oldest, newest)
	text.WriteString("# [] is a list, {} has any members. A release is the first one; without one, all have the field.\n")
	found := collect(releases)
	seen := map[string]string{}
	var names []string
	for name := range found {
		if other, ok := seen[short(name)]; ok {
			log.Fatalf("%s and %s have the same name", name, other)
		}
		seen[short(name)] = name
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(short(a), short(b)) })
	for _, name := range names {
		text.WriteString(short(name) + "\n")
		members, _ := found[name].members(releases)
		for _, each := range members {
			text.WriteString(each.line())
		}
	}
	return text.String()
}

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: go run . [-check] FILE")
	}
	releases := map[int]release{}
	for minor := oldest; minor <= newest; minor++ {
		releases[minor] = readRelease(minor)
	}
	text := write(releases)
	if !*check {
		fail(os.WriteFile(flag.Arg(0), []byte(text), 0o644))
		return
	}
	known, err := os.ReadFile(flag.Arg(0))
	fail(err)
	if string(known) != text {
		log.Fatalf("%s differs from the types in k8s.io/api. Run tools/pod-api, read the changes, and commit them.", flag.Arg(0))
	}
	fmt.Println("1 passed, 0 failed")
}
