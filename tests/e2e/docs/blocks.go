// Package docs reads the commands of the documentation and runs them verbatim against a cluster. Its tests run the pages in
// order; package gameday takes its recoveries from them.
//
//	tests/e2e/run.sh ./docs
package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Block is a block of shell commands.
type Block struct {
	Page    string // relative to the root of the checkout
	Line    int    // of its first command
	Section string // the heading above it
	Text    string // without the indentation of the block
	File    string // the block is the content of this file, not commands: a YAML fence after "... `FILE`:"
}

// FirstLine returns the first command, or its first line. It is the name of the block.
func (b Block) FirstLine() string {
	line, _, _ := strings.Cut(b.Text, "\n")
	return line
}

func (b Block) String() string { return fmt.Sprintf("%s:%d: %s", b.Page, b.Line, b.FirstLine()) }

// Page is a page of the documentation: its commands, in order.
type Page struct {
	Path   string
	Blocks []Block
	Files  []Block // files that the commands need, with their content
	Inline []Block // commands in backticks in the prose
}

// A command in the prose, in backticks. Programs without arguments are only mentioned.
var inline = regexp.MustCompile("`((?:kubectl|helm|build/release/winadmit) [^`]+)`")

// The end of a sentence that names the file in the fence below it.
var fileName = regexp.MustCompile("`([A-Za-z0-9_.-]+\\.yaml)`:$")

// Read reads a page. A fence of another language than sh is no block of commands. Blocks that are only indented are
// commands if they begin with the name of a program.
func Read(root, path string) (*Page, error) {
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return nil, err
	}
	return parse(path, string(text)), nil
}

func parse(path, text string) *Page {
	page := &Page{Path: path}
	section, prose, proseLine, lastProse := "", "", 0, ""
	endProse := func() {
		if prose != "" {
			lastProse = prose
		}
		for _, match := range inline.FindAllStringSubmatch(prose, -1) {
			page.Inline = append(page.Inline, Block{Page: path, Line: proseLine, Section: section, Text: match[1]})
		}
		prose = ""
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		content := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(content)]
		if language, fence := strings.CutPrefix(content, "```"); fence {
			file := fileName.FindStringSubmatch(lastProse)
			endProse()
			start := i + 1
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
			}
			switch {
			case language == "sh":
				page.Blocks = append(page.Blocks, block(path, section, start, lines[start:i], indent))
			case language == "yaml" && file != nil:
				content := block(path, section, start, lines[start:i], indent)
				content.File = file[1]
				page.Files = append(page.Files, content)
			}
			continue
		}
		// An indented block follows an empty line. Text of a list may be indented as well.
		if indent == "    " && (i == 0 || strings.TrimSpace(lines[i-1]) == "") && isCommand(content) {
			endProse()
			start := i
			for i < len(lines) && (strings.HasPrefix(lines[i], indent) || strings.TrimSpace(lines[i]) == "") {
				i++
			}
			page.Blocks = append(page.Blocks, block(path, section, start, lines[start:i], indent))
			i--
			continue
		}
		switch {
		case strings.HasPrefix(line, "#"):
			endProse()
			lastProse = ""
			section = strings.TrimSpace(strings.TrimLeft(line, "#"))
		case content == "" || strings.HasPrefix(content, "- ") || strings.HasPrefix(content, "|"):
			endProse()
			prose, proseLine = content, i+1
		default:
			if prose == "" {
				proseLine = i + 1
			}
			prose = strings.TrimSpace(prose + " " + content) // a command may be broken over two lines
		}
	}
	endProse()
	return page
}

func block(path, section string, start int, lines []string, indent string) Block {
	var text []string
	for _, line := range lines {
		text = append(text, strings.TrimPrefix(line, indent))
	}
	return Block{Page: path, Line: start + 1, Section: section, Text: strings.TrimSpace(strings.Join(text, "\n"))}
}

func isCommand(line string) bool {
	return regexp.MustCompile(`^(kubectl|helm|make|build/release/winadmit|winadmit|[a-z]+) `).MatchString(line) &&
		!strings.HasSuffix(line, ".") && !regexp.MustCompile(`^[a-z]+ by \(|\(`).MatchString(line)
}

// Command returns the block, or else the command of the prose, of a section that contains each of these texts. "" stands for
// any section. There must be one.
func (p *Page) Command(section string, containing ...string) (Block, error) {
	for _, blocks := range [][]Block{p.Blocks, p.Inline} {
		var found []Block
		for _, block := range blocks {
			matches := section == "" || block.Section == section
			for _, text := range containing {
				matches = matches && strings.Contains(block.Text, text)
			}
			if matches {
				found = append(found, block)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return Block{}, fmt.Errorf("%s, section %q: %d commands contain %q: %v", p.Path, section, len(found), containing, found)
		}
	}
	return Block{}, fmt.Errorf("%s, section %q: no command contains %q", p.Path, section, containing)
}
