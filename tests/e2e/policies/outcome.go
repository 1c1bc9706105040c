package policies

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"winadmit/tests/e2e/cluster"
)

// outcome is what a request led to, in terms that do not depend on the engine.
type outcome struct {
	code   int
	ids    []string // of all findings, sorted; the policies give no advice
	object string   // the object without what each request gets anew
}

func outcomeOf(reply Reply, audited []string) outcome {
	o := outcome{code: reply.Code, ids: idsOf(reply)}
	o.ids = slices.DeleteFunc(append(o.ids, audited...), func(id string) bool { return strings.HasPrefix(id, "advice-") })
	o.ids = slices.Compact(slices.Sorted(slices.Values(o.ids)))
	if reply.Created() {
		o.object = normalized(reply.Body)
	}
	return o
}

func (o outcome) String() string {
	return fmt.Sprintf("%d %v", o.code, o.ids)
}

var (
	lastID   = regexp.MustCompile(`\(([a-z0-9]+(?:-[a-z0-9]+)*)\)$`)
	onlyID   = regexp.MustCompile(`\(([a-z0-9]+(?:-[a-z0-9]+)*)\)(?: All \d+ problems: (.*))?$`)
	ours     = regexp.MustCompile(`^Validation failed for ValidatingAdmissionPolicy 'winadmit-|^spec|^metadata|^template`)
	volatile = regexp.MustCompile(`kube-api-access-[a-z0-9]{5}`)
)

// idsOf returns the rule ids of a refusal and of the warnings.
func idsOf(reply Reply) []string {
	var ids []string
	message := reply.Message()
	if strings.Contains(message, "ValidatingAdmissionPolicy 'winadmit-") {
		if found := onlyID.FindStringSubmatch(message); found != nil {
			ids = append(ids, found[1])
			ids = append(ids, idsOfList(found[2])...)
		} else {
			ids = append(ids, "unreadable: "+message)
		}
	} else if strings.Contains(message, "admission webhook") {
		for _, cause := range cluster.List(reply.Body, "details", "causes") {
			ids = append(ids, cluster.Text(cause, "reason"))
		}
	}
	for _, warning := range reply.Warnings {
		if !ours.MatchString(warning) {
			continue
		}
		if found := lastID.FindStringSubmatch(warning); found != nil {
			ids = append(ids, found[1])
		} else if strings.Contains(warning, "winadmit-") {
			ids = append(ids, "unreadable: "+warning)
		}
	}
	return ids
}

// idsOfList returns the ids of "ID: PLACES; ID: PLACES".
func idsOfList(text string) []string {
	var ids []string
	for _, each := range strings.Split(text, "; ") {
		if id, _, found := strings.Cut(each, ": "); found {
			ids = append(ids, id)
		}
	}
	return ids
}

// idsOfAudit returns the rule ids that an event of the audit log has.
func idsOfAudit(annotations map[string]string) []string {
	var ids []string
	for key, value := range annotations {
		if strings.HasPrefix(key, "winadmit-") && strings.HasSuffix(key, "/findings") {
			ids = append(ids, idsOfList(value)...)
		} else if before, id, found := strings.Cut(key, "winadmit.dev/"); found && strings.HasSuffix(before, ".") {
			ids = append(ids, id)
		}
	}
	return ids
}

// normalized returns an object as text, without what differs between two requests for the same object.
func normalized(o Object) string {
	o = cluster.Clone(o)
	metadata := o["metadata"].(Object)
	for _, key := range []string{"namespace", "uid", "creationTimestamp", "managedFields", "resourceVersion", "generation"} {
		delete(metadata, key)
	}
	if annotations, isMap := metadata["annotations"].(Object); isMap { // of its controller, some time after the creation
		delete(annotations, "deployment.kubernetes.io/revision")
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	if metadata["generateName"] != nil {
		delete(metadata, "name")
	}
	delete(o, "status")
	text, _ := json.Marshal(o) // keys are sorted
	return volatile.ReplaceAllString(string(text), "kube-api-access")
}

// difference says how two outcomes differ, "" if they do not.
func difference(a, b outcome) string {
	switch {
	case a.code != b.code:
		return fmt.Sprintf("%d and %d", a.code, b.code)
	case !reflect.DeepEqual(a.ids, b.ids):
		return fmt.Sprintf("ids %v and %v", without(a.ids, b.ids), without(b.ids, a.ids))
	case a.object != b.object:
		return "objects: " + firstDifference(a.object, b.object)
	}
	return ""
}

func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(id string) bool { return slices.Contains(b, id) })
}

func firstDifference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	show := func(s string) string { return s[max(0, at-60):min(len(s), at+80)] }
	return show(a) + "\n      and " + show(b)
}

// table counts outcomes by setting.
type table struct {
	rows map[string]*row
}

type row struct{ compared, admitted, refused, warned, placed, invalid int }

func (t *table) add(setting string, o outcome, tolerates bool) {
	if t.rows == nil {
		t.rows = map[string]*row{}
	}
	r := t.rows[setting]
	if r == nil {
		r = &row{}
		t.rows[setting] = r
	}
	r.compared++
	switch {
	case o.code < 300:
		r.admitted++
	case o.code == 403 && len(o.ids) > 0:
		r.refused++
	default:
		r.invalid++
	}
	if o.code < 300 && len(o.ids) > 0 {
		r.warned++
	}
	if tolerates {
		r.placed++
	}
}

func (t *table) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-24s %9s %9s %9s %9s %9s %9s\n", "", "compared", "admitted", "with ids", "refused", "invalid", "tolerate")
	for _, setting := range slices.Sorted(maps.Keys(t.rows)) {
		r := t.rows[setting]
		fmt.Fprintf(&out, "%-24s %9d %9d %9d %9d %9d %9d\n", setting, r.compared, r.admitted, r.warned, r.refused, r.invalid, r.placed)
	}
	return out.String()
}
