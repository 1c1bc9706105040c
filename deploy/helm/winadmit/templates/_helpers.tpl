{{/* The name of every object: the release name, followed by the chart name unless it contains it. At most 45 characters, because a
CronJob name is limited to 52 and "-certs" is appended. */}}
{{- define "winadmit.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The namespace of every object. */}}
{{- define "winadmit.namespace" -}}
{{ .Values.namespaceOverride | default .Release.Namespace }}
{{- end -}}

{{/* Selector labels. They must not change between releases: selectors are immutable. */}}
{{- define "winadmit.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The labels of an object: (list $ LABELS). LABELS come before those of the values, and these before those of the chart. */}}
{{- define "winadmit.labels" -}}
{{- $ := index . 0 -}}
{{- $own := merge (include "winadmit.selectorLabels" $ | fromYaml) (dict "app.kubernetes.io/version" $.Chart.AppVersion
    "app.kubernetes.io/managed-by" $.Release.Service
    "helm.sh/chart" (printf "%s-%s" $.Chart.Name $.Chart.Version | replace "+" "_")) -}}
{{ merge (dict) (index . 1 | default dict) $.Values.commonLabels $own | toYaml }}
{{- end -}}

{{/* The labels of a pod that selectors of the chart select: (list $ COMPONENT). */}}
{{- define "winadmit.podLabels" -}}
{{- $ := index . 0 -}}
{{- $selected := merge (dict "app.kubernetes.io/component" (index . 1)) (include "winadmit.selectorLabels" $ | fromYaml) -}}
{{- include "winadmit.labels" (list $ (merge $selected $.Values.podLabels)) -}}
{{- end -}}

{{/* Metadata of an object: (list $ NAME SCOPE LABELS ANNOTATIONS). SCOPE is "cluster" for an object without a namespace, "" for one in the
namespace of the chart, else another namespace. */}}
{{- define "winadmit.metadata" -}}
{{- $ := index . 0 -}}
name: {{ index . 1 | quote }}
{{- if ne (index . 2) "cluster" }}
namespace: {{ index . 2 | default (include "winadmit.namespace" $) | quote }}
{{- end }}
labels:
  {{- include "winadmit.labels" (list $ (index . 3)) | nindent 2 }}
{{- with merge (dict) (index . 4) $.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The platform of the Windows nodes, of the value or of the configuration. */}}
{{- define "winadmit.platform" -}}
{{- $configured := .Values.config.platform -}}
{{- if and .Values.platform $configured (ne .Values.platform $configured) -}}
{{- fail (printf "platform %s contradicts config.platform %s" .Values.platform $configured) -}}
{{- end -}}
{{- $platform := .Values.platform | default $configured | default "kep" -}}
{{- if not (hasKey (.Files.Get "files/platforms.json" | fromJson) $platform) -}}
{{- fail (printf "config.platform %s is unknown" $platform) -}}
{{- end -}}
{{- $platform -}}
{{- end -}}

{{/* The default OS of the values or of the configuration: "linux", "audit-linux" if it is only audited, or nothing. */}}
{{- define "winadmit.defaultOs" -}}
{{- $configured := .Values.config.defaultOs -}}
{{- if and .Values.defaultOs $configured (ne .Values.defaultOs $configured) -}}
{{- fail (printf "defaultOs %s contradicts config.defaultOs %s" .Values.defaultOs $configured) -}}
{{- end -}}
{{- with .Values.defaultOs | default $configured -}}
{{- eq ($.Values.config.defaultOsMode | default $.Values.defaultOsMode) "audit" | ternary "audit-" "" -}}{{- . -}}
{{- end -}}
{{- end -}}

{{/* The configuration file, with the values platform and defaultOs. Where a webhook can refuse with failurePolicy Fail, it refuses a pod that was not
placed, because the webhook that places has failurePolicy Ignore: the pod would stay Pending, and its controller creates it again. */}}
{{- define "winadmit.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- with .Values.platform -}}
{{- $_ := set $config "platform" . -}}
{{- end -}}
{{- with .Values.defaultOs | default $config.defaultOs -}}
{{- $_ := set $config "defaultOs" . -}}
{{- if not (hasKey $config "defaultOsMode") -}}
{{- $_ := set $config "defaultOsMode" $.Values.defaultOsMode -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.validating.failurePolicy "Fail") (not (hasKey $config "unplaced")) -}}
{{- $_ := set $config "unplaced" "deny" -}}
{{- end -}}
{{- with $config -}}
{{- toYaml . -}}
{{- else -}}
# Empty: all defaults.
{{- end -}}
{{- end -}}

{{/* The image. A registry of the values replaces that of the repository: the first part, if it has a dot or a port. */}}
{{- define "winadmit.image" -}}
{{- $repository := .Values.image.repository -}}
{{- with .Values.global.imageRegistry | default .Values.image.registry -}}
{{- $repository = printf "%s/%s" (trimSuffix "/" .) (regexReplaceAll "^([^/]*[.:][^/]*|localhost)/" $repository "") -}}
{{- end -}}
{{- with .Values.image -}}
{{ $repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{/* imagePullSecrets of a pod, or nothing. Other charts take names in global, too. */}}
{{- define "winadmit.imagePullSecrets" -}}
{{- $secrets := list -}}
{{- range concat .Values.global.imagePullSecrets .Values.imagePullSecrets -}}
{{- $secrets = append $secrets (kindIs "string" . | ternary (dict "name" .) .) -}}
{{- end -}}
{{- with uniq $secrets -}}
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{/* The affinity of a pod, or nothing: (list $ AFFINITY). Each required term also asks for one of the architectures of the image. */}}
{{- define "winadmit.affinity" -}}
{{- $affinity := deepCopy (index . 1) -}}
{{- with (index . 0).Values.architectures -}}
{{- $architecture := dict "key" "kubernetes.io/arch" "operator" "In" "values" . -}}
{{- $node := $affinity.nodeAffinity | default dict -}}
{{- $required := $node.requiredDuringSchedulingIgnoredDuringExecution | default dict -}}
{{- $terms := list -}}
{{- range $required.nodeSelectorTerms | default (list dict) -}}
{{- $terms = append $terms (set . "matchExpressions" (append (.matchExpressions | default list) $architecture)) -}}
{{- end -}}
{{- $_ := set $node "requiredDuringSchedulingIgnoredDuringExecution" (dict "nodeSelectorTerms" $terms) -}}
{{- $_ := set $affinity "nodeAffinity" $node -}}
{{- end -}}
{{- with $affinity -}}
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{- define "winadmit.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default (include "winadmit.fullname" .) }}
{{- end -}}

{{/* The source of the certificate: self-managed, cert-manager or secret. */}}
{{- define "winadmit.certificates" -}}
{{- if and .Values.certManager.enabled .Values.existingSecret -}}
{{- fail "certManager.enabled and existingSecret are mutually exclusive: set only one" -}}
{{- end -}}
{{- if and .Values.caBundle (not .Values.existingSecret) -}}
{{- fail "caBundle requires existingSecret" -}}
{{- end -}}
{{- if .Values.certManager.enabled -}}cert-manager
{{- else if .Values.existingSecret -}}secret
{{- else -}}self-managed
{{- end -}}
{{- end -}}

{{/* The namespaces that the webhooks leave out, as a JSON list. kube-system is never sent, whatever the values are. */}}
{{- define "winadmit.exemptNamespaces" -}}
{{- $configured := (.Values.config.exempt | default dict).namespaces | default list -}}
{{- concat (list "kube-system") .Values.exemptNamespaces (list (include "winadmit.namespace" .)) $configured | uniq | toRawJson -}}
{{- end -}}

{{/*
The namespaceSelector of a webhook or of a policy's binding: (list $ NAME), a name of files/namespace-selectors.json. There
deploy/helm/generate.py has written which namespaces it selects for each value. Nothing if none of the namespaces is for it.
*/}}
{{- define "winadmit.namespaceSelector" -}}
{{- $ := index . 0 -}}
{{- $name := index . 1 -}}
{{- $selectors := $.Files.Get "files/namespace-selectors.json" | fromJson -}}
{{- with get (get $selectors.defaultOs (include "winadmit.defaultOs" $)) $name -}}
{{- $all := list (dict "key" "kubernetes.io/metadata.name" "operator" "NotIn" "values" (include "winadmit.exemptNamespaces" $ | fromJsonArray)) -}}
{{- $all = append $all (get (get $selectors.modes $.Values.defaultMode) $name) -}}
{{- $all = append $all . -}}
{{- if $.Values.optIn -}}
{{- $all = append $all (dict "key" "winadmit.dev/mode" "operator" "Exists") -}}
{{- end -}}
{{- dict "matchExpressions" $all | toJson -}}
{{- end -}}
{{- end -}}

{{/* The Secret whose pair is served. Each source has its own one, so that a change from one to another does not conflict with the old. */}}
{{- define "winadmit.secretName" -}}
{{- $way := include "winadmit.certificates" . -}}
{{- if eq $way "secret" -}}{{ .Values.existingSecret }}
{{- else if and (eq $way "cert-manager") (ne .Values.certManager.transition "trust") -}}{{ include "winadmit.certManagerSecret" . }}
{{- else -}}{{ include "winadmit.ownSecret" . }}
{{- end -}}
{{- end -}}
{{- define "winadmit.certManagerSecret" -}}{{ include "winadmit.fullname" . }}-serving{{- end -}}
{{- define "winadmit.ownSecret" -}}{{ include "winadmit.fullname" . }}-tls{{- end -}}

{{/* The resources of the server. A thread has buffers of up to 8 MiB. */}}
{{- define "winadmit.resources" -}}
{{- $resources := deepCopy (.Values.resources | default dict) -}}
{{- $limits := $resources.limits | default dict -}}
{{- if and (hasKey $limits "memory") (kindIs "invalid" $limits.memory) -}}
{{- $_ := unset $limits "memory" -}}
{{- else if not (hasKey $limits "memory") -}}
{{- $_ := set $limits "memory" (printf "%dMi" (add 192 (mul 8 (sub (max 8 (int .Values.threads)) 8)))) -}}
{{- end -}}
{{- set $resources "limits" $limits | toYaml -}}
{{- end -}}

{{/* The security context of the server's pods. On OpenShift the SCC restricted-v2 assigns user and group, and refuses fixed ones. */}}
{{- define "winadmit.serverPodSecurityContext" -}}
{{- $context := deepCopy (.Values.podSecurityContext | default dict) -}}
{{- if or (eq (include "winadmit.platform" .) "openshift") (.Capabilities.APIVersions.Has "security.openshift.io/v1") -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if eq (int (get $context .)) 65532 -}}
{{- $_ := unset $context . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end -}}

{{/* The same for pods that read no Secret. */}}
{{- define "winadmit.podSecurityContext" -}}
{{- omit (include "winadmit.serverPodSecurityContext" . | fromYaml) "fsGroup" | toYaml -}}
{{- end -}}

{{- define "winadmit.securityContext" -}}
{{- toYaml .Values.securityContext -}}
{{- end -}}
