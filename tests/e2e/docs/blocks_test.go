package docs

import (
	"fmt"
	"strings"
	"testing"
)

const example = `# Page

Run ` + "`kubectl get pods -o" + `
wide` + "`" + ` first, and never ` + "`kubectl`" + ` alone.

` + "```sh" + `
make image
kubectl apply \
  -f x
` + "```" + `

## In a list

1. Do this:

   ` + "```sh" + `
   kubectl label namespace --all a=b
   ` + "```" + `

` + "```yaml" + `
kind: List
` + "```" + `

An example, ` + "`config.yaml`" + `:

` + "```yaml" + `
platform: aks
` + "```" + `

- ` + "`reason`: run `helm test winadmit`" + `

## Indented

    kubectl get secret |
      base64 -d

Text.

    image/   a folder
    topk(5, sum by (rule) (rate(x[1h])))
`

func TestEveryBlockOfCommandsIsFoundWithItsSection(t *testing.T) {
	page := parse("page.md", example)
	want := []string{"page.md:7:Page:make image\nkubectl apply \\\n  -f x", "page.md:17:In a list:kubectl label namespace --all a=b",
		"page.md:34:Indented:kubectl get secret |\n  base64 -d"}
	var got []string
	for _, b := range page.Blocks {
		got = append(got, strings.Join([]string{b.Page, fmt.Sprint(b.Line), b.Section, b.Text}, ":"))
	}
	if strings.Join(got, "\n\n") != strings.Join(want, "\n\n") {
		t.Errorf("blocks:\n%s", strings.Join(got, "\n\n"))
	}
	if len(page.Files) != 1 || page.Files[0].File != "config.yaml" || page.Files[0].Text != "platform: aks" {
		t.Errorf("files: %v", page.Files)
	}
	if len(page.Inline) != 2 || page.Inline[0].Text != "kubectl get pods -o wide" || page.Inline[1].Text != "helm test winadmit" {
		t.Errorf("in the prose: %v", page.Inline)
	}
}

func TestACommandIsTakenByItsTextAndMustBeOne(t *testing.T) {
	page := parse("page.md", example)
	if b, err := page.Command("Indented", "secret"); err != nil || !strings.HasPrefix(b.Text, "kubectl get secret |") {
		t.Error(b, err)
	}
	if b, err := page.Command("", "helm test"); err != nil || b.Section != "In a list" {
		t.Error(b, err)
	}
	for _, missing := range []string{"no such command", "kubectl"} {
		if b, err := page.Command("", missing); err == nil {
			t.Errorf("%q: %v", missing, b)
		}
	}
}
