package e2e

import "testing"

func TestBothVersionsOfAdmissionReviewAreAnswered(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v1beta1"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			intercept(t, winadmit, "review-"+version, func(configuration Object) {
				for _, webhook := range list(configuration, "webhooks") {
					webhook.(Object)["admissionReviewVersions"] = []any{version}
				}
			})
			n := newNamespace(t, "", instance("review-"+version))
			n.eventually("winadmit is in effect", n.inEffect)
			reply := n.post(pod("bad", unsupported))
			if causes(reply)["spec.hostPID"] != "host-pid" {
				t.Errorf("refused with causes %v", causes(reply))
			}
		})
	}
}
