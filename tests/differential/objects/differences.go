package main

// A difference that is meant. It applies to as few folders as can be told.
type difference struct {
	name    string
	reason  string
	applies func(c *folderCase, o outcome) bool
}

var differences = []difference{}
