package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// file is a manifest, or a link if target is set.
type file struct {
	path   string
	text   string
	target string
}

// folderCase is a folder "in" that is read, beside a folder "out" that links may lead to.
type folderCase struct {
	number    int
	classes   []string
	files     []file
	args      []string
	recursive bool
	// skipsOthers is for files that are named, as the hook of pre-commit names them.
	skipsOthers bool

	random *rand.Rand
	corpus []string
	names  int
}

func makeCase(corpus []string, mutations []mutation, seed uint64, number int) *folderCase {
	c := &folderCase{
		number:    number,
		args:      []string{"in"},
		recursive: true,
		random:    rand.New(rand.NewPCG(seed, uint64(number))),
		corpus:    corpus,
	}
	c.add("in/a.yaml", c.documents())
	if c.oneIn(3) {
		c.add("in/b.yaml", c.documents())
	}
	for range pick(c, []int{1, 1, 1, 2, 2, 3}) {
		m := pick(c, mutations)
		m.apply(c)
		if !slices.Contains(c.classes, m.class) {
			c.classes = append(c.classes, m.class)
		}
	}
	slices.Sort(c.classes)
	return c
}

func (c *folderCase) oneIn(n int) bool { return c.random.IntN(n) == 0 }

func pick[T any](c *folderCase, from []T) T { return from[c.random.IntN(len(from))] }

func (c *folderCase) add(path, text string) { c.files = append(c.files, file{path: path, text: text}) }

func (c *folderCase) link(path, target string) {
	c.files = append(c.files, file{path: path, target: target})
}

// change replaces the text of one of the files.
func (c *folderCase) change(to func(text string) string) {
	f := &c.files[c.random.IntN(len(c.files))]
	if f.target == "" {
		f.text = to(f.text)
	}
}

// documents are one or two documents of the corpus.
func (c *folderCase) documents() string {
	text := c.document()
	if c.oneIn(3) {
		text += "---\n" + c.document()
	}
	return text
}

// document is one document of the corpus as a block of YAML, with a name that no other object has.
func (c *folderCase) document() string {
	return strings.ReplaceAll(pick(c, c.corpus), "NAME", c.name())
}

func (c *folderCase) name() string {
	c.names++
	return fmt.Sprintf("o%d", c.names)
}

// write leaves out what a file system cannot hold, such as a file where a folder is.
func (c *folderCase) write(root string) error {
	for _, each := range []string{"in", "out"} {
		if err := os.MkdirAll(filepath.Join(root, each), 0o755); err != nil {
			return err
		}
	}
	for _, each := range c.files {
		path := filepath.Join(root, each.path)
		if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
			continue
		}
		if each.target != "" {
			_ = os.Symlink(each.target, path)
			continue
		}
		_ = os.WriteFile(path, []byte(each.text), 0o644)
	}
	return nil
}

func (c *folderCase) paths(root string) []string {
	var paths []string
	for _, each := range c.args {
		paths = append(paths, root+"/"+each)
	}
	return paths
}

// flags are those that check and fix have.
func (c *folderCase) flags() []string {
	flags := []string{"--no-project"}
	if c.recursive {
		flags = append(flags, "-R")
	}
	if c.skipsOthers {
		flags = append(flags, "--skip-others")
	}
	return flags
}

// text is what the differences look at: all texts of the case.
func (c *folderCase) text() string {
	var all strings.Builder
	for _, each := range c.files {
		all.WriteString(each.text + "\n")
	}
	return all.String()
}

func (c *folderCase) String() string {
	var all strings.Builder
	for _, each := range c.files {
		if each.target != "" {
			fmt.Fprintf(&all, "  %q -> %q\n", each.path, each.target)
		} else {
			fmt.Fprintf(&all, "  %q: %q\n", each.path, clip(each.text))
		}
	}
	return all.String()
}

func clip(text string) string {
	const most = 1200
	return text[:min(len(text), most)]
}
