{{/*
The policies: what `winadmit export policy` prints. files/policies.json has them for every value that it can express, see
deploy/helm/generate.py: each object once, with the variables that differ between variants, modes and platforms. For any other value
`policies` has the export, and it must be made from the values of the release.
*/}}

{{/* The objects: {"objects": [...]}. */}}
{{- define "winadmit.policyObjects" -}}
{{- if semverCompare "<1.30.0-0" .Capabilities.KubeVersion.Version -}}
{{- fail (printf "engine %s needs Kubernetes 1.30, the first release with ValidatingAdmissionPolicy v1: this cluster has %s" .Values.engine .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- include "winadmit.validateConfiguration" . -}}
{{- range list "byAnnotation" "findings" -}}
{{- if get ($.Values.config.exempt | default dict) . -}}
{{- fail (printf "engine %s: policies cannot express config.exempt.%s, and would refuse what it exempts: remove it, or use engine webhook" $.Values.engine .) -}}
{{- end -}}
{{- end -}}
{{- $objects := list -}}
{{- $api := include "winadmit.mutatingPolicyApi" . -}}
{{- range (include (empty .Values.policies | ternary "winadmit.renderedPolicies" "winadmit.givenPolicies") . | fromJson).objects -}}
{{- if hasPrefix "Mutating" .kind -}}
{{- $_ := set . "apiVersion" (printf "admissionregistration.k8s.io/%s" $api) -}}
{{- end -}}
{{- if or $api (not (hasPrefix "Mutating" .kind)) -}}
{{- $objects = append $objects . -}}
{{- end -}}
{{- end -}}
{{- dict "objects" $objects | toJson -}}
{{- end -}}

{{/* The version of MutatingAdmissionPolicy, or nothing. Before 1.36 it is off by default: the API server serves it if it is turned on. */}}
{{- define "winadmit.mutatingPolicyApi" -}}
{{- if semverCompare ">=1.36.0-0" .Capabilities.KubeVersion.Version -}}v1
{{- else if .Capabilities.APIVersions.Has "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy" -}}v1beta1
{{- else if .Capabilities.APIVersions.Has "admissionregistration.k8s.io/v1alpha1/MutatingAdmissionPolicy" -}}v1alpha1
{{- end -}}
{{- end -}}

{{/* What the policies are made from, as the annotation of an export says it. */}}
{{- define "winadmit.exportedFrom" -}}
{{- $config := omit .Values.config "platform" "kubernetesVersion" "defaultOs" "defaultOsMode" -}}
{{- with .Values.config.exempt -}}
{{- $_ := set $config "exempt" (omit . "namespaces") -}}
{{- end -}}
{{- if not $config.exempt -}}
{{- $_ := unset $config "exempt" -}}
{{- end -}}
{{- dict
    "config" (toRawJson $config | sha256sum)
    "defaultMode" .Values.defaultMode
    "defaultOs" (include "winadmit.defaultOs" . | regexFind "^(linux|windows)$")
    "exemptNamespaces" (include "winadmit.exemptNamespaces" . | fromJsonArray | sortAlpha)
    "kubernetesVersion" (include "winadmit.release" .)
    "optIn" .Values.optIn
    "platform" (include "winadmit.platform" .) | toRawJson -}}
{{- end -}}

{{- define "winadmit.newestRelease" -}}
{{- last (.Files.Get "files/config.schema.json" | fromJson).properties.kubernetesVersion.examples -}}
{{- end -}}

{{/* The release whose rules hold: the newest that winadmit knows, if the configuration names a newer one. */}}
{{- define "winadmit.release" -}}
{{- $newest := include "winadmit.newestRelease" . -}}
{{- $named := .Values.config.kubernetesVersion | default $newest -}}
{{- semverCompare (printf ">%s" $newest) $named | ternary $newest $named -}}
{{- end -}}

{{/* The command whose output is made from the values. */}}
{{- define "winadmit.exportCommand" -}}
winadmit export policy
{{- if or .Values.config .Values.existingConfigMap }} --config config.yaml{{ end }}
{{- with .Values.platform }} --platform {{ . }}{{ end }}
{{- if ne .Values.defaultMode "enforce" }} --default-mode {{ .Values.defaultMode }}{{ end }}
{{- if .Values.optIn }} --opt-in{{ end }}
{{- with .Values.defaultOs }}{{ if eq . (include "winadmit.defaultOs" $) }} --default-os {{ . }}{{ end }}{{ end }}
{{- range append .Values.exemptNamespaces (include "winadmit.namespace" .) | uniq }} --exempt-namespace {{ . }}{{ end }} >policies.yaml
{{- if .Values.existingConfigMap }} (config.yaml is that of the ConfigMap){{ else if .Values.config }} (config.yaml has the value config){{ end -}}
, then --set-file policies=policies.yaml
{{- end -}}

{{/* From files/. */}}
{{- define "winadmit.renderedPolicies" -}}
{{- $keys := keys (omit .Values.config "platform" "kubernetesVersion" "defaultOs" "defaultOsMode" "windowsLabels" "windowsRuntimeClasses" "unplaced" "setOs" "exempt") -}}
{{- range keys (omit (.Values.config.exempt | default dict) "namespaces" "byAnnotation" "findings") -}}
{{- $keys = append $keys (printf "exempt.%s" .) -}}
{{- end -}}
{{- if ne (include "winadmit.release" .) (include "winadmit.newestRelease" .) -}}
{{- $keys = append $keys "kubernetesVersion" -}}
{{- end -}}
{{- if or $keys .Values.existingConfigMap -}}
{{- fail (printf "engine %s needs an export of the policies for %s: %s" .Values.engine (empty .Values.existingConfigMap | ternary (printf "config.%s" (sortAlpha $keys | join ", config.")) "existingConfigMap") (include "winadmit.exportCommand" .)) -}}
{{- end -}}
{{- $labels := include "winadmit.windowsLabels" . | fromJson -}}
{{- $file := .Files.Get "files/policies.json" | fromJson -}}
{{- $variables := merge (dict
    "windowsLabels" (toRawJson $labels)
    "windowsLabelKeys" (keys $labels | sortAlpha | toRawJson)
    "windowsRuntimeClasses" (.Values.config.windowsRuntimeClasses | default list | toRawJson))
    (get $file.platforms (include "winadmit.platform" .)) (get $file.modes .Values.defaultMode) -}}
{{- $annotations := dict "winadmit.dev/exported-from" (include "winadmit.exportedFrom" .) -}}
{{- $objects := list -}}
{{- range $object := $file.objects -}}
{{- range $variant := $object.variants | default (list dict) -}}
{{- $made := deepCopy (omit $object "variants") -}}
{{- $_ := set $made.metadata "annotations" $annotations -}}
{{- if $variant -}}
{{- $_ := set $made.metadata "name" $variant.name -}}
{{- range $made.spec.variables -}}
{{- $_ := set . "expression" (get $variables .name | default (get $variant.variables .name) | default .expression) -}}
{{- end -}}
{{- $conditions := list -}}
{{- range $made.spec.matchConditions -}}
{{- if has .name $variant.conditions -}}
{{- $conditions = append $conditions (set . "expression" (include "winadmit.expression" (list $ .expression))) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $made.spec "matchConditions" $conditions -}}
{{- else -}}
{{- $_ := set $made.spec.matchResources "namespaceSelector" (include "winadmit.namespaceSelector" (list $ $made.metadata.name) | fromJson) -}}
{{- end -}}
{{- $objects = append $objects $made -}}
{{- end -}}
{{- end -}}
{{- dict "objects" $objects | toJson -}}
{{- end -}}

{{/* From the value policies. */}}
{{- define "winadmit.givenPolicies" -}}
{{- $expected := include "winadmit.exportedFrom" . | fromJson -}}
{{- /* The chart does not know the ConfigMap, which may set more than the values. */ -}}
{{- if .Values.existingConfigMap -}}
{{- $expected = pick $expected "defaultMode" "optIn" (empty .Values.defaultOs | ternary "optIn" "defaultOs") -}}
{{- end -}}
{{- $objects := list -}}
{{- range $index, $text := regexSplit "(?m)^---[ \\t]*(#.*)?$" (replace "\r\n" "\n" .Values.policies) -1 -}}
{{- $object := fromYaml $text -}}
{{- if hasKey $object "Error" -}}
{{- fail (printf "policies: document %d is not YAML: %s" (add $index 1) $object.Error) -}}
{{- end -}}
{{- if not (hasSuffix "AdmissionPolicy" (trimSuffix "Binding" (toString $object.kind))) -}}
{{- fail (printf "policies: document %d is a %s, not what winadmit export policy of this release prints as YAML: export the policies again" (add $index 1) (toString $object.kind)) -}}
{{- end -}}
{{- $found := get ($object.metadata.annotations | default dict) "winadmit.dev/exported-from" | default "{}" | fromJson -}}
{{- $differing := list -}}
{{- range $name, $value := $expected -}}
{{- if ne (toRawJson $value) (get $found $name | toRawJson) -}}
{{- $differing = append $differing $name -}}
{{- end -}}
{{- end -}}
{{- if $.Values.existingConfigMap -}}
{{- range include "winadmit.exemptNamespaces" $ | fromJsonArray -}}
{{- if not (has . ($found.exemptNamespaces | default list)) -}}
{{- $differing = append $differing "exemptNamespaces" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with uniq $differing -}}
{{- fail (printf "policies were exported with another %s than the values have: %s" (join ", " .) (include "winadmit.exportCommand" $)) -}}
{{- end -}}
{{- $objects = append $objects $object -}}
{{- end -}}
{{- $kinds := dict -}}
{{- range $objects -}}
{{- $_ := set $kinds .kind true -}}
{{- end -}}
{{- range list "ValidatingAdmissionPolicyBinding" "MutatingAdmissionPolicyBinding" -}}
{{- if and (not (hasKey $kinds .)) (or (hasPrefix "Validating" .) (include "winadmit.mutatingPolicyApi" $)) -}}
{{- fail (printf "policies: there is no %s, so it is not the whole output of: %s" . (include "winadmit.exportCommand" $)) -}}
{{- end -}}
{{- end -}}
{{- dict "objects" $objects | toJson -}}
{{- end -}}
