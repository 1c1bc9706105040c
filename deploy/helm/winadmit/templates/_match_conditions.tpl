{{/*
The matchConditions of the webhooks are made from the configuration of the server: a pod that only the configuration makes a Windows
pod must reach winadmit. files/webhooks.json has the output of `winadmit export webhook` for a configuration of placeholders, see
deploy/helm/generate.py. Here each placeholder is replaced by the JSON literal of its values. Which values those are follows
config: a key of the configuration replaces that of the platform.
*/}}

{{/* "true", or nothing: whether the webhooks have matchConditions. They need Kubernetes 1.28, and a configuration that the chart knows. */}}
{{- define "winadmit.hasMatchConditions" -}}
{{- if and .Values.matchConditions (not .Values.existingConfigMap) (semverCompare ">=1.28.0-0" .Capabilities.KubeVersion.Version) -}}
true
{{- end -}}
{{- end -}}

{{/* An expression with the values of the configuration: (list $ EXPRESSION). */}}
{{- define "winadmit.expression" -}}
{{- $ := index . 0 -}}
{{- index . 1
    | replace "{\"winadmit.dev/placeholder\":[\"label\"]}" (include "winadmit.windowsLabelValues" $)
    | replace "{\"winadmit.dev/placeholder\":[\"taint\"]}" (include "winadmit.windowsTaints" $)
    | replace "[\"placeholder\"]" ($.Values.config.windowsRuntimeClasses | default list | toRawJson) -}}
{{- end -}}

{{/* {"LABEL":["VALUE",...],...} */}}
{{- define "winadmit.windowsLabelValues" -}}
{{- $all := dict -}}
{{- range $label, $builds := include "winadmit.windowsLabels" . | fromJson -}}
{{- $_ := set $all $label (keys $builds | sortAlpha) -}}
{{- end -}}
{{- toRawJson $all -}}
{{- end -}}

{{/* {"LABEL":{"VALUE":"BUILD",...},...}: a label of the configuration replaces the same label of the platform. */}}
{{- define "winadmit.windowsLabels" -}}
{{- $labels := (include "winadmit.platformSettings" . | fromJson).windowsLabels -}}
{{- range $label, $values := .Values.config.windowsLabels -}}
{{- $builds := dict -}}
{{- range $values -}}
{{- $builds = merge $builds (kindIs "map" . | ternary . (dict (toString .) "")) -}}
{{- end -}}
{{- $_ := set $labels $label $builds -}}
{{- end -}}
{{- toRawJson $labels -}}
{{- end -}}

{{/* {"TAINT":["VALUE",...],...}: tolerations of the configuration replace all of the platform, tolerationsByBuild those of builds. */}}
{{- define "winadmit.windowsTaints" -}}
{{- $platform := include "winadmit.platformSettings" . | fromJson -}}
{{- $tolerations := list -}}
{{- $taints := dict -}}
{{- if hasKey .Values.config "tolerations" -}}
{{- $tolerations = .Values.config.tolerations -}}
{{- else -}}
{{- $taints = $platform.taints -}}
{{- end -}}
{{- if hasKey .Values.config "tolerationsByBuild" -}}
{{- range .Values.config.tolerationsByBuild -}}
{{- $tolerations = concat $tolerations . -}}
{{- end -}}
{{- else if not (hasKey .Values.config "tolerations") -}}
{{- range $taint, $values := $platform.taintsByBuild -}}
{{- $_ := set $taints $taint (concat (get $taints $taint | default list) $values | uniq | sortAlpha) -}}
{{- end -}}
{{- end -}}
{{- range $tolerations -}}
{{- $_ := set $taints .key (append (get $taints .key | default list) (hasKey . "value" | ternary .value "" | toString) | uniq | sortAlpha) -}}
{{- end -}}
{{- toRawJson $taints -}}
{{- end -}}

{{- define "winadmit.platformSettings" -}}
{{- get (.Files.Get "files/platforms.json" | fromJson) (include "winadmit.platform" .) | toRawJson -}}
{{- end -}}

{{/*
For which configuration the webhooks are: the SHA-256 of the expression that has its values and of the default OS, or "off". The server gets it from the
annotation of its pod, and compares it with its own.
*/}}
{{- define "winadmit.matchConditionsHash" -}}
{{- if include "winadmit.hasMatchConditions" . -}}
{{- range (index (.Files.Get "files/webhooks.json" | fromJson).items 0).webhooks -}}
{{- if eq .name "place.winadmit.dev" -}}
{{- range .matchConditions -}}
{{- if eq .name "may-be-windows" -}}
{{- print (include "winadmit.expression" (list $ .expression)) (include "winadmit.defaultOs" $) | sha256sum -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- else -}}
off
{{- end -}}
{{- end -}}
