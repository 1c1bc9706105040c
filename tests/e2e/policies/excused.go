package policies

import "strings"

// excused says why the engines may differ for a request, "" if they may not. Every reason is in docs/policies.md.
func excused(name string, fromWebhook, fromPolicies outcome) string {
	// The API server encodes an object again after a mutating policy, and so drops an empty list before it validates it.
	if strings.HasPrefix(name, "supplemental-groups/deny.empty-with-spec-os") &&
		fromWebhook.code == 422 && fromPolicies.code == 201 {
		return "a mutating policy drops empty lists"
	}
	return ""
}
