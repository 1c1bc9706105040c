package policies

import (
	"slices"
	"strings"
)

// excused says why the engines may differ for a request, "" if they may not. Every reason is in docs/policies.md.
func excused(name string, fromWebhook, fromPolicies outcome) string {
	// The API server encodes an object again after a mutating policy, and so drops an empty list before it validates it.
	if strings.HasPrefix(name, "pod-supplemental-groups/deny.empty-with-spec-os.json") &&
		fromWebhook.code == 422 && fromPolicies.code == 201 {
		return "a mutating policy drops empty lists"
	}
	// Only with a configuration that turns this advice on: iis-ltsc2019 and others ask for "800m" of memory.
	if strings.HasPrefix(name, "windows/") && fromWebhook.code == fromPolicies.code &&
		slices.Equal(without(fromPolicies.ids, fromWebhook.ids), []string{"advice-memory"}) {
		return "the policies do not round amounts of memory up to whole bytes"
	}
	return ""
}
