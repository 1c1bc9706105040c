package cluster

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// Webhooks is the path of the API group of webhook configurations.
const Webhooks = "/apis/admissionregistration.k8s.io/v1"

// Configurations are those of an installation, as kubectl and paths name them. Removed in this order, they refuse no pod.
var Configurations = []string{"validatingwebhookconfigurations/winadmit", "mutatingwebhookconfigurations/00-winadmit"}

// InstanceLabel on a namespace selects the winadmit that serves it. Namespaces without it have the shared one.
const InstanceLabel = "e2e.winadmit.dev/instance"

// Scope limits a webhook configuration to the namespaces of an instance, and appends the instance to its name. "" stands
// for namespaces without the label.
func Scope(configuration Object, instance string) {
	requirement := Object{"key": InstanceLabel, "operator": "DoesNotExist"}
	if instance != "" {
		requirement = Object{"key": InstanceLabel, "operator": "In", "values": []any{instance}}
		metadata := configuration["metadata"].(Object)
		metadata["name"] = metadata["name"].(string) + "-" + instance
	}
	for _, webhook := range configuration["webhooks"].([]any) {
		selector, _ := webhook.(Object)["namespaceSelector"].(Object)
		if selector == nil {
			selector = Object{}
			webhook.(Object)["namespaceSelector"] = selector
		}
		expressions, _ := selector["matchExpressions"].([]any)
		selector["matchExpressions"] = append(expressions, requirement)
	}
}

// Apply creates a webhook configuration, or replaces the one with that name.
func (a *API) Apply(configuration Object) error {
	collection := Webhooks + "/mutatingwebhookconfigurations"
	if configuration["kind"] == "ValidatingWebhookConfiguration" {
		collection = Webhooks + "/validatingwebhookconfigurations"
	}
	reply, err := a.createOrReplace(collection, configuration)
	if err == nil && (!reply.Created() || len(reply.Warnings) > 0) {
		err = fmt.Errorf("%s: %d %s %q", Text(configuration, "metadata", "name"), reply.Code, reply.Message(), reply.Warnings)
	}
	return err
}

// createOrReplace creates an object of a collection, or replaces the one with that name.
func (a *API) createOrReplace(collection string, o Object) (Reply, error) {
	reply, err := a.Do("POST", collection, o)
	if err != nil || reply.Code != http.StatusConflict {
		return reply, err
	}
	at := collection + "/" + Text(o, "metadata", "name")
	present, err := a.Do("GET", at, nil)
	if err != nil {
		return present, err
	}
	o["metadata"].(Object)["resourceVersion"] = Text(present.Body, "metadata", "resourceVersion")
	return a.Do("PUT", at, o)
}

// PodWebhook returns a configuration of one webhook that is called for the creation of pods, at a URL with the CA in dir.
// kind is Mutating or Validating.
func PodWebhook(kind, name, url, dir string) (Object, error) {
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return nil, err
	}
	return Object{"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind + "WebhookConfiguration",
		"metadata": Object{"name": name},
		"webhooks": []any{Object{
			"name": "pods.example.com", "sideEffects": "None", "admissionReviewVersions": []any{"v1"},
			"failurePolicy": "Fail", "timeoutSeconds": 10,
			"clientConfig": Object{"url": url, "caBundle": base64.StdEncoding.EncodeToString(ca)},
			"rules": []any{Object{"apiGroups": []any{""}, "apiVersions": []any{"v1"},
				"resources": []any{"pods"}, "operations": []any{"CREATE"}}},
		}}}, nil
}
