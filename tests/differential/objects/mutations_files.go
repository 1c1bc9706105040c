package main

import (
	"path/filepath"
	"strings"
)

// fileNames has no Chart.yaml: check leaves the templates beside it out, and says so.
var fileNames = []string{
	"a.yml", "a.json", "a.YAML", "a.Yml", "a.JSON", ".hidden.yaml", ".yaml", ".yml", ".json", "..yaml", "a.yaml.bak", "a.yaml~", "a.yaml.", "a.yaml ",
	"a yaml", "a", "a.txt", "a.b.yaml", "a\nb.yaml", "a\r.json", "a\tb.yml", "\xff.yaml", "\xc3\xa9.json", "\u2028.yaml", "-.yaml", "--.yaml", "-R.yaml",
	"#a.yaml", "#a.yaml#", "*.yaml", "[a].yaml", "a?.json", "~.yaml", "$HOME.yaml", "::error::.yaml", "%0A.yaml", "\x1b[31m.yaml", "<a>&\".yaml", "a\\b.yaml",
	"values.yaml", "kustomization.yaml", "package.json", "templates.yaml",
}

var folderNames = []string{
	"sub", "sub/sub", ".hidden", ".git", "x.yaml", "x.json", "templates", "node_modules", "a b", "a\nb", "\xff", "-", "*", "...", ".yaml", "charts/x/templates",
}

func renameFile(c *folderCase) {
	f := &c.files[c.random.IntN(len(c.files))]
	folder, _, _ := strings.Cut(f.path, "/")
	f.path = c.path(folder)
}

func (c *folderCase) path(folder string) string {
	if c.oneIn(2) {
		folder += "/" + pick(c, folderNames)
	}
	return folder + "/" + pick(c, fileNames)
}

func addNamedFile(c *folderCase) { c.add(c.path("in"), c.documents()) }

// nameFiles names files instead of the folder, or the folder in another way.
func nameFiles(c *folderCase) {
	switch c.random.IntN(4) {
	case 0:
		c.recursive = false
	case 1:
		c.args = []string{pick(c, []string{"in/", "in/.", "in/../in", "in//", "./in"})}
	default:
		c.args = nil
		c.skipsOthers = c.oneIn(2)
		for _, each := range c.files {
			c.args = append(c.args, each.path)
		}
	}
}

func linkToFile(c *folderCase) {
	name := pick(c, []string{"a.txt", "a.yaml", "b.json"})
	c.add("out/"+name, c.documents())
	c.link("in/"+pick(c, []string{"l.yaml", "l.json", "l.txt", "l", "sub/.yaml"}), "../out/"+name)
}

func linkToFolder(c *folderCase) {
	c.add("out/deep/"+pick(c, fileNames), c.documents())
	c.link("in/"+pick(c, []string{"l", "l.yaml", "l.d", "sub/l.json"}), pick(c, []string{"../out", "../out/deep", "../../out/"}))
}

// linkAround has links that lead to themselves, up, nowhere, or to a file that is read anyway.
func linkAround(c *folderCase) {
	name := pick(c, []string{"l.yaml", "l.yml", "l", "l.txt", "sub/l.yaml"})
	c.link("in/"+name, pick(c, []string{filepath.Base(name), "nowhere", "nowhere.yaml", ".", "..", "a.yaml", "../in/a.yaml", "../a.yaml", "b.yaml", "/dev/null"}))
}

// nameLink names a link.
func nameLink(c *folderCase) {
	c.link("l.yaml", pick(c, []string{"in", "in/a.yaml", "nowhere", "l.yaml", "out"}))
	c.args = []string{pick(c, []string{"l.yaml", "l.yaml/"})}
}
