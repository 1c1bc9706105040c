package e2e

import (
	"fmt"
	"strings"

	"winadmit/tests/e2e/cluster"
)

func oddJSONPreamble() string {
	return `# Odd JSON

<!-- Written by tests/e2e/odd_json_test.go. To update it: WINADMIT_UPDATE_GOLDEN=1 tests/e2e/run.sh . -run OddJSON -->

A client may send a pod with duplicate keys, with escaped or upper-case keys, with unusual numbers, or with bytes that
are not JSON. The API server decodes the pod before it calls a webhook, and sends the webhook its own encoding of the
decoded object. So winadmit judges the object that is stored. The test posts each pod to a real API server, with and
without winadmit, and checks for each row:

- If the API server would store a Windows pod with a forbidden field, winadmit refuses it.
- Any other Windows pod is allowed and placed. The stored spec is the spec that winadmit allowed.
- What the API server itself refuses is never stored, and no validating webhook is called for it.

"API server" is its response without winadmit: the status code, and its warnings about fields. "strict" is the code with
fieldValidation=Strict, which kubectl sends, if it differs. "Not asked" is winadmit if the pod is refused before the
webhooks, or if it is not a Windows pod: the matchConditions of the webhooks exclude those. Each pod has a container with
an image, which is not shown. "W" stands for ` + "`" + `"nodeSelector":{"kubernetes.io/os":"windows"}` + "`" + ` and "L" for the same with
linux. Kubernetes ` + cluster.NewestRelease() + `.
`
}

// oddPod is a request body, and how the table shows it. NAME in the body is replaced by the name of the pod.
type oddPod struct{ shown, body string }

type oddGroup struct {
	title string
	pods  []oddPod
}

const (
	windowsSelector = `"nodeSelector":{"kubernetes.io/os":"windows"}`
	linuxSelector   = `"nodeSelector":{"kubernetes.io/os":"linux"}`
	oneContainer    = `"containers":[{"name":"a","image":"registry.example/app:1"}]`
)

func oddGroups() []oddGroup {
	return []oddGroup{
		{"Plain", specs(`W`, `W,"hostPID":true`, `"hostPID":true`, `L,"hostPID":true`)},
		{"Duplicate keys", append(specs(
			`W,"hostPID":false,"hostPID":true`, `W,"hostPID":true,"hostPID":false`, `W,"hostPID":true,"hostPID":null`,
			`W,L,"hostPID":true`, `L,W,"hostPID":true`, `W,"nodeSelector":{},"hostPID":true`, `W,"nodeSelector":null,"hostPID":true`,
			`W,"nodeSelector":{"disk":"ssd"},"hostPID":true`,
			`"nodeSelector":{"kubernetes.io/os":"linux","kubernetes.io/os":"windows"},"hostPID":true`,
			`"nodeSelector":{"kubernetes.io/os":"windows","kubernetes.io/os":"linux"},"hostPID":true`,
			`W,"containers":[{"name":"a","IMAGE","securityContext":{"privileged":true}}],"containers":[{"name":"a","IMAGE"}]`,
			`W,"containers":[{"name":"a","IMAGE"}],"containers":[{"name":"a","IMAGE","securityContext":{"privileged":true}}]`,
			`W,"containers":[{"name":"a","IMAGE","securityContext":{"privileged":true}}],"containers":[{"name":"b","IMAGE"}]`,
			`W,"containers":[{"name":"a","IMAGE","securityContext":{"privileged":true},"securityContext":{"privileged":false}}]`,
			`W,"containers":[{"name":"a","IMAGE","securityContext":{"privileged":false,"privileged":true}}]`,
			`W,"securityContext":{"runAsUser":1000},"securityContext":{"fsGroup":2000}`,
			`W,"securityContext":{"runAsUser":1000},"securityContext":{"runAsNonRoot":true}`,
			`W,"securityContext":{"runAsUser":1000},"securityContext":null`,
			`W,"hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":true},"windowsOptions":{"hostProcess":false}}`,
			`W,"hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":false},"windowsOptions":{"hostProcess":true}}`,
			`W,"hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":true,"hostProcess":false}}`,
			`W,"hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":true},"windowsOptions":{"runAsUserName":"ContainerUser"}}`,
			`W,"hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":true},"windowsOptions":null}`,
			`W,"hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":true}},"securityContext":{"windowsOptions":{"hostProcess":false}}`,
		),
			oddPod{"`spec` twice: `{\"hostPID\":true}`, then W", whole(`"spec":{"hostPID":true},"spec":{` + windowsSelector + `,` + oneContainer + `}`)},
			oddPod{"`spec` twice: W, then `{\"hostPID\":true}`", whole(`"spec":{` + windowsSelector + `,` + oneContainer + `},"spec":{"hostPID":true}`)},
			oddPod{"`spec` twice: W with `\"hostPID\":true`, then null", whole(`"spec":{` + windowsSelector + `,"hostPID":true,` + oneContainer + `},"spec":null`)},
			oddPod{"`kind` twice: ConfigMap, then Pod", whole(`"kind":"ConfigMap","kind":"Pod","spec":{` + windowsSelector + `,"hostPID":true,` + oneContainer + `}`)},
			oddPod{"`kind` twice: Pod, then ConfigMap", whole(`"kind":"ConfigMap","spec":{` + windowsSelector + `,"hostPID":true,` + oneContainer + `}`)},
			oddPod{"`apiVersion` twice: v1, then apps/v1", whole(`"apiVersion":"apps/v1","spec":{` + windowsSelector + `,"hostPID":true,` + oneContainer + `}`)},
		)},
		{"Escaped keys and values", specs(
			`W,"host\u0050ID":true`, `W,"\u0068\u006f\u0073\u0074\u0050\u0049\u0044":true`, `W,"hostPID":false,"host\u0050ID":true`,
			`W,"host\u0050ID":true,"hostPID":false`, `"nodeSelector":{"kubernetes.io\/os":"windows"},"hostPID":true`,
			`"nodeSelector":{"kubernetes.io/os":"win\u0064ows"},"hostPID":true`, `"node\u0053elector":{"kubernetes\u002eio/os":"windows"},"hostPID":true`,
			`"nodeSelector":{"kubernetes.io/os":"linux","kubernetes.io\u002fos":"windows"},"hostPID":true`,
			`"nodeSelector":{"kubernetes.io/os":"windows","kubernetes.io\u002fos":"linux"},"hostPID":true`,
			`"nodeSelector":{"kubernetes.io/os":"windows\u0000"},"hostPID":true`, `"nodeSelector":{"kubernetes.io/os\u0000":"windows"},"hostPID":true`,
			`W,"hostPID\u0000":true`, `W,"host\x50ID":true`, `W,"host\u00zzID":true`,
			`W,"containers":[{"name":"a","IMAGE","securityContext":{"privile\u0067ed":true}}]`,
		)},
		{"Case of keys and values", specs(
			`W,"HostPID":true`, `W,"HOSTPID":true`, `W,"hostpid":true`, `W,"hostPID":false,"HostPID":true`, `W,"hostPID":true,"HostPID":false`,
			`W,"ho\u017ftPID":true`, `"NodeSelector":{"kubernetes.io/os":"windows"},"hostPID":true`, `"nodeSelector":{"Kubernetes.io/OS":"windows"},"hostPID":true`,
			`"nodeSelector":{"kubernetes.io/os":"Windows"},"hostPID":true`, `W,"containers":[{"name":"a","IMAGE","SecurityContext":{"privileged":true}}]`,
			`W,"hostPID":True`, `W,"hostPID":TRUE`,
		)},
		{"Numbers", specs(
			`W,"securityContext":{"runAsUser":1000}`, `W,"securityContext":{"runAsUser":1000.0}`, `W,"securityContext":{"runAsUser":1e3}`,
			`W,"securityContext":{"runAsUser":1000.5}`, `W,"securityContext":{"runAsUser":0}`, `W,"securityContext":{"runAsUser":-0}`,
			`W,"securityContext":{"runAsUser":9007199254740993}`, `W,"securityContext":{"runAsUser":1e400}`, `W,"securityContext":{"runAsUser":"1000"}`,
			`W,"terminationGracePeriodSeconds":1.0`, `W,"terminationGracePeriodSeconds":1e0`, `W,"terminationGracePeriodSeconds":-0`,
			`W,"terminationGracePeriodSeconds":0.0`, `W,"terminationGracePeriodSeconds":9007199254740993`,
			`W,"terminationGracePeriodSeconds":9223372036854775807`, `W,"terminationGracePeriodSeconds":9223372036854775808`,
			`W,"terminationGracePeriodSeconds":1e400`, `W,"terminationGracePeriodSeconds":01`, `W,"terminationGracePeriodSeconds":+1`,
			`W,"terminationGracePeriodSeconds":0x1`, `W,"terminationGracePeriodSeconds":.5`, `W,"terminationGracePeriodSeconds":1.`,
			`W,"terminationGracePeriodSeconds":NaN`, `W,"terminationGracePeriodSeconds":Infinity`,
			`W,"hostPID":1`, `W,"hostPID":0`, `W,"hostPID":"true"`, `W,"hostPID":1e0`,
		)},
		{"Null", append(specs(
			`W,"hostPID":null`, `"nodeSelector":null,"hostPID":true`, `"nodeSelector":{"kubernetes.io/os":null},"hostPID":true`, `W,"securityContext":null`,
			`W,"securityContext":{"runAsUser":null}`, `W,"securityContext":{"windowsOptions":null}`, `W,"hostNetwork":true,"securityContext":{"windowsOptions":{"hostProcess":null}}`,
			`W,"containers":[{"name":"a","IMAGE","securityContext":null}]`, `W,"containers":[{"name":"a","IMAGE"},null]`, `W,"containers":null`,
			`W,"initContainers":null,"hostPID":true`, `W,"tolerations":[null],"hostPID":true`, `W,"volumes":[null]`,
		),
			oddPod{"`\"spec\":null`", whole(`"spec":null`)},
			oddPod{"`null` alone", `null`},
		)},
		{"Not quite JSON", malformedJSON()},
	}
}

// specs returns pods with these specs. W, L and IMAGE are abbreviations. A spec without containers gets one.
func specs(texts ...string) []oddPod {
	var pods []oddPod
	for _, text := range texts {
		spec := strings.ReplaceAll(text, `"IMAGE"`, `"image":"registry.example/app:1"`)
		for short, long := range map[string]string{"W": windowsSelector, "L": linuxSelector} {
			if spec == short || strings.HasPrefix(spec, short+",") {
				spec = long + spec[1:]
			}
			spec = strings.Replace(spec, ","+short+",", ","+long+",", 1)
		}
		if !strings.Contains(spec, `"containers"`) {
			spec += "," + oneContainer
		}
		shown := strings.ReplaceAll(text, `,"IMAGE"`, "")
		pods = append(pods, oddPod{"`" + shown + "`", whole(`"spec":{` + spec + `}`)})
	}
	return pods
}

// whole returns a pod with these members at the top level.
func whole(members string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},%s}`, members)
}
