package cluster

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// ExportPolicies returns what `winadmit export policy` prints: policies and bindings.
func ExportPolicies(flags ...string) ([]Object, error) {
	args := append([]string{"export", "policy", "-o", "json"}, flags...)
	if minor := os.Getenv("K8S_VERSION"); minor != "" { // see build-tools.sh
		args = append(args, "--kubernetes-version", minor)
	}
	return exported(args)
}

// ScopePolicies limits the bindings of exported policies to the namespaces of an instance.
func ScopePolicies(objects []Object, instance string) {
	for _, o := range objects {
		if !strings.HasSuffix(o["kind"].(string), "Binding") {
			continue
		}
		selector := At(o, "spec", "matchResources", "namespaceSelector").(Object)
		selector["matchExpressions"] = append(selector["matchExpressions"].([]any),
			Object{"key": InstanceLabel, "operator": "In", "values": []any{instance}})
	}
}

// collections of the kinds that are exported.
var exportedKinds = map[string]string{
	"ValidatingAdmissionPolicy":        "validatingadmissionpolicies",
	"ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
	"MutatingAdmissionPolicy":          "mutatingadmissionpolicies",
	"MutatingAdmissionPolicyBinding":   "mutatingadmissionpolicybindings",
}

func collectionOf(o Object) string {
	return "/apis/" + o["apiVersion"].(string) + "/" + exportedKinds[o["kind"].(string)]
}

// DeletePolicies deletes exported objects.
func (a *API) DeletePolicies(objects []Object) error {
	for _, o := range objects {
		at := collectionOf(o) + "/" + Text(o, "metadata", "name")
		if reply, err := a.Do("DELETE", at, nil); err != nil || reply.Code != 200 {
			return fmt.Errorf("%s: %d %s: %v", at, reply.Code, reply.Message(), err)
		}
	}
	return nil
}

// ApplyPolicies creates exported objects, or replaces those with the same name.
func (a *API) ApplyPolicies(objects []Object) error {
	for _, o := range objects {
		reply, err := a.createOrReplace(collectionOf(o), o)
		if err == nil && !reply.Created() {
			err = fmt.Errorf("%d %s", reply.Code, reply.Message())
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", o["kind"], Text(o, "metadata", "name"), err)
		}
	}
	return nil
}

// HasMutatingPolicies reports whether exported objects place pods.
func HasMutatingPolicies(objects []Object) bool {
	return slices.ContainsFunc(objects, func(o Object) bool { return o["kind"] == "MutatingAdmissionPolicy" })
}
