package main

import (
	"strings"
)

var listKinds = []any{"List", "PodList", "Pod", "ConfigMap", "DeploymentList", "Playlist", "list", "WishList", "XList", "", nil, 7}

var itemsKeys = []string{"items", "items", "items", "items", "Items", "ITEMS", "item"}

// wrapInList puts a list of any shape before, behind or instead of a text.
func wrapInList(c *folderCase) {
	c.change(func(text string) string {
		list := c.list(2)
		document := toYAML(list)
		if c.oneIn(2) {
			document = toJSON(list) + "\n"
		}
		switch c.random.IntN(3) {
		case 0:
			return document + "---\n" + text
		case 1:
			return text + "---\n" + document
		}
		return document
	})
}

// list is mostly one that kubectl takes for a list. levels limits the lists in it.
func (c *folderCase) list(levels int) map[string]any {
	list := map[string]any{"apiVersion": "v1", "kind": "List"}
	if c.oneIn(2) {
		list = c.object()
	}
	if c.oneIn(2) {
		list["kind"] = pick(c, listKinds)
	}
	if c.oneIn(20) {
		delete(list, pick(c, []string{"kind", "apiVersion"}))
	}
	if c.oneIn(3) {
		list["metadata"] = map[string]any{"name": c.name()}
	}
	if !c.oneIn(20) {
		list[pick(c, itemsKeys)] = c.items(levels)
	}
	return list
}

func (c *folderCase) items(levels int) any {
	if c.oneIn(6) {
		return pick(c, []any{nil, []any{}, map[string]any{}, "text", 7, map[string]any{"a": c.object()}, []any{nil}, []any{"text"}})
	}
	items := []any{}
	for range 1 + c.random.IntN(3) {
		items = append(items, c.item(levels))
	}
	return items
}

func (c *folderCase) item(levels int) any {
	if levels > 0 && c.oneIn(4) {
		return c.list(levels - 1)
	}
	item := c.object()
	if c.oneIn(3) {
		for _, member := range pick(c, [][]string{{"kind"}, {"apiVersion"}, {"kind", "apiVersion"}, {"kind", "apiVersion"}}) {
			if c.oneIn(4) {
				item[member] = pick(c, []any{nil, "", 7})
			} else {
				delete(item, member)
			}
		}
	}
	if c.oneIn(20) {
		return pick(c, []any{nil, "text", []any{item}, map[string]any{}})
	}
	return item
}

// repeatItems has two members items, one of which counts.
func repeatItems(c *folderCase) {
	kind := pick(c, []string{"List", "Pod"})
	first, second := "["+toJSON(c.object())+"]", pick(c, []string{"[" + toJSON(c.object()) + "]", "[]", "null"})
	if c.oneIn(2) {
		first, second = second, first
	}
	c.change(func(text string) string {
		return strings.Join([]string{`{"apiVersion": "v1", "kind": "`, kind, `", "items": `, first, `, "items": `, second, "}\n"}, "")
	})
}
