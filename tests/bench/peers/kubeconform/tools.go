//go:build tools

// Package tools pins the version of kubeconform that is measured.
package tools

import _ "github.com/yannh/kubeconform/cmd/kubeconform"
