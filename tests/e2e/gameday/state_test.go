package gameday

import (
	"fmt"
	"strings"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/docs"
)

// What the steps ask of the documentation and of the cluster.

func (s *step) page(path string) *docs.Page {
	s.Helper()
	page, err := docs.Read(checkout, path)
	if err != nil {
		s.Fatal(err)
	}
	return page
}

// webhooks returns the webhooks of both configurations.
func (s *step) webhooks() []any {
	s.Helper()
	var all []any
	for _, name := range cluster.Configurations {
		all = append(all, list(s.get(cluster.Webhooks+"/"+name), "webhooks")...)
	}
	return all
}

// nothingIsLeft waits until no object of any kind has winadmit's label.
func (s *step) nothingIsLeft() {
	s.Helper()
	kinds := strings.Fields(s.sh("kubectl api-resources --verbs=list -o name"))
	s.eventually("nothing of winadmit is left", func() error {
		out, _, err := shared.API.Kubectl("", "get", strings.Join(kinds, ","), "-A", "-o", "name",
			"-l", "app.kubernetes.io/name=winadmit", "--ignore-not-found")
		if err == nil && strings.TrimSpace(out) != "" {
			err = fmt.Errorf("%s", out)
		}
		return err
	})
}

// logged returns how many lines of the logs of the replicas contain each of these texts.
func (s *step) logged(texts ...string) int {
	s.Helper()
	count := 0
	out := s.sh("kubectl -n " + system + " logs -l app.kubernetes.io/component=webhook --tail=-1")
	for _, line := range strings.Split(out, "\n") {
		has := true
		for _, text := range texts {
			has = has && strings.Contains(line, text)
		}
		if has {
			count++
		}
	}
	return count
}
