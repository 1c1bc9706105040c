package stream

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"winadmit/tests/e2e/cluster"
)

// The pods of the streams: one for Linux, one for Windows, and one for Windows with a field that Windows lacks.
var (
	Linux       = Pod(`{"kubernetes.io/os": "linux"}`, "")
	Windows     = Pod(`{"kubernetes.io/os": "windows"}`, "")
	Unsupported = Pod(`{"kubernetes.io/os": "windows"}`, `"hostPID": true,`)
)

// Pod returns a pod with a node selector and more members of its spec, each followed by a comma.
func Pod(nodeSelector, more string) []byte {
	return fmt.Appendf(nil, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {%s
		"nodeSelector": %s, "containers": [{"name": "main", "image": "registry.example/app:1"}]}}`, more, nodeSelector)
}

// Want returns an error if a response is not the wanted one.
type Want func(cluster.Reply) error

// ErrUnplaced is the error of a Windows pod that was admitted without a toleration. It would stay Pending.
var ErrUnplaced = errors.New("admitted without a toleration")

// Accepted wants the pod to be accepted, also with the warning that it is not placed: during an installation one webhook may be
// called before the other, and on a busy machine a call may end at its timeout.
func Accepted(reply cluster.Reply) error {
	if !reply.Created() {
		return fmt.Errorf("%d %s %q", reply.Code, reply.Message(), reply.Warnings)
	}
	return nil
}

// Admitted wants the pod to be accepted without a warning.
func Admitted(reply cluster.Reply) error {
	if !reply.Created() || len(reply.Warnings) > 0 {
		return fmt.Errorf("%d %s %q", reply.Code, reply.Message(), reply.Warnings)
	}
	return nil
}

// Placed wants a Windows pod to be accepted, with a toleration.
func Placed(reply cluster.Reply) error {
	if reply.Created() && !cluster.Tolerates(reply.Body, "") {
		return fmt.Errorf("%w: %v %q", ErrUnplaced, cluster.At(reply.Body, "spec", "tolerations"), reply.Warnings)
	}
	return Admitted(reply)
}

// Refused wants the pod Unsupported to be refused by winadmit.
func Refused(reply cluster.Reply) error {
	if reply.Code == http.StatusForbidden && strings.Contains(reply.Message(), "(host-pid)") {
		return nil
	}
	return fmt.Errorf("not refused: %d %s", reply.Code, reply.Message())
}

// Works returns an error unless the API server calls both webhooks of winadmit: a Windows pod is placed, and an unsupported
// one refused. It creates each so many times, so that several replicas are probably called.
func Works(create Create, times int) error {
	for _, each := range []struct {
		body []byte
		want Want
	}{{Windows, Placed}, {Unsupported, Refused}} {
		for range times {
			reply, err := create(each.body)
			if err == nil {
				err = each.want(reply)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
