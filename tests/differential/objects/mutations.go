package main

import "slices"

// mutation changes a case. A class has several, and the more it has the more often it is chosen.
type mutation struct {
	class string
	apply func(c *folderCase)
}

var mutations = slices.Concat(
	class("lists", wrapInList, wrapInList, wrapInList, repeatItems),
	class("keys", spellKey, spellKey, spellValue),
	class("merges", mergeMembers, mergeItems),
	class("names", renameFile, addNamedFile, addNamedFile, nameFiles),
	class("links", linkToFile, linkToFolder, linkAround, nameLink),
	class("encodings", markBytes, insertBytes, insertBytes, endLines),
	class("marks", insertMark, insertMark, appendValue, dashesInText),
	class("depth", nestDeeply),
	class("duplicates", repeatKey),
	class("templates", insertTemplate),
	class("bytes", changeBytes, changeBytes),
	class("styles", writeJSON),
)

func class(name string, changes ...func(c *folderCase)) []mutation {
	var all []mutation
	for _, each := range changes {
		all = append(all, mutation{name, each})
	}
	return all
}

// mutationsOf are those of a class, or all.
func mutationsOf(class string) []mutation {
	return slices.DeleteFunc(slices.Clone(mutations), func(m mutation) bool { return class != "" && m.class != class })
}
