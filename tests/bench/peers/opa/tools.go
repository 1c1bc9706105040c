//go:build tools

// Package tools pins the version of OPA that is measured.
package tools

import _ "github.com/open-policy-agent/opa"
