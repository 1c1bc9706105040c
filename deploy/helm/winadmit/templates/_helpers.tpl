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

{{/* Selector labels. They must not change between releases: selectors are immutable. */}}
{{- define "winadmit.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "winadmit.labels" -}}
{{ include "winadmit.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Metadata of an object: (list $ NAME SCOPE LABELS ANNOTATIONS). SCOPE is "cluster" for an object without a namespace, else "". */}}
{{- define "winadmit.metadata" -}}
{{- $ := index . 0 -}}
name: {{ index . 1 }}
{{- if ne (index . 2) "cluster" }}
namespace: {{ $.Release.Namespace }}
{{- end }}
labels:
  {{- include "winadmit.labels" $ | nindent 2 }}
  {{- with index . 3 }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
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
{{- if not (.Files.Get (printf "files/webhooks/%s.json" $platform)) -}}
{{- fail (printf "config.platform %s is unknown" $platform) -}}
{{- end -}}
{{- $platform -}}
{{- end -}}

{{/* The configuration file, with the value platform. */}}
{{- define "winadmit.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- with .Values.platform -}}
{{- $_ := set $config "platform" . -}}
{{- end -}}
{{- with $config -}}
{{- toYaml . -}}
{{- else -}}
# Empty: all defaults.
{{- end -}}
{{- end -}}

{{- define "winadmit.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
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

{{/* Each source has its own Secret, so that a change from one to another does not conflict with the old Secret. */}}
{{- define "winadmit.secretName" -}}
{{- $way := include "winadmit.certificates" . -}}
{{- if eq $way "secret" -}}{{ .Values.existingSecret }}
{{- else if eq $way "cert-manager" -}}{{ include "winadmit.fullname" . }}-serving
{{- else -}}{{ include "winadmit.fullname" . }}-tls
{{- end -}}
{{- end -}}

{{/* The pod and container settings that Pod Security level `restricted` requires. */}}
{{- define "winadmit.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}
{{- define "winadmit.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
