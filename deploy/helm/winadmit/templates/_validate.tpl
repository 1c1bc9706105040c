{{/* Refuses values that the API server or the server would refuse later, or that would silently do something else. */}}
{{- define "winadmit.validate" -}}
{{- include "winadmit.validateNames" . -}}
{{- include "winadmit.validateAvailability" . -}}
{{- include "winadmit.validateConfiguration" . -}}
{{- include "winadmit.validateCertificates" . -}}
{{- include "winadmit.validateFlags" . -}}
{{- end -}}

{{- define "winadmit.validateNames" -}}
{{- $name := include "winadmit.fullname" . -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- fail (printf "%s cannot be the name of a Service: choose a release name or a fullnameOverride of small letters, digits and hyphens that begins with a letter" $name) -}}
{{- end -}}
{{- with .Values.nameOverride -}}
{{- if not (regexMatch "^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$" .) -}}
{{- fail (printf "nameOverride %s cannot be the value of a label" .) -}}
{{- end -}}
{{- end -}}
{{- with .Values.namespaceOverride -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" .) -}}
{{- fail (printf "namespaceOverride %s cannot be the name of a namespace" .) -}}
{{- end -}}
{{- end -}}
{{- $sets := dict "commonLabels" .Values.commonLabels "podLabels" .Values.podLabels "service.labels" .Values.service.labels "webhookLabels" .Values.webhookLabels -}}
{{- range $name, $labels := $sets -}}
{{- range list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" "app.kubernetes.io/version" "app.kubernetes.io/managed-by" "helm.sh/chart" -}}
{{- if hasKey $labels . -}}
{{- fail (printf "%s must not have %s, which the chart sets" $name .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name, $annotations := dict "commonAnnotations" .Values.commonAnnotations "podAnnotations" .Values.podAnnotations "webhookAnnotations" .Values.webhookAnnotations -}}
{{- range list "winadmit.dev/match-conditions" "checksum/config" "kubectl.kubernetes.io/default-container" -}}
{{- if hasKey $annotations . -}}
{{- fail (printf "%s must not have %s, which the chart sets" $name .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $port := .Values.service.targetPort -}}
{{- if and (kindIs "string" $port) (not (has $port (list "https" "admin"))) (not .Values.extraContainers) -}}
{{- fail (printf "service.targetPort %s is a port of no container: add the container with extraContainers" $port) -}}
{{- end -}}
{{- range .Values.extraMatchConditions -}}
{{- if has .name (list "changes-something" "may-be-windows" "may-be-windows-by-default" "selects-no-os") -}}
{{- fail (printf "extraMatchConditions must not have the name %s, which the chart sets" .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "winadmit.validateAvailability" -}}
{{- with .Values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "autoscaling.minReplicas %d is larger than autoscaling.maxReplicas %d" (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- $replicas := int (.Values.autoscaling.enabled | ternary .Values.autoscaling.minReplicas .Values.replicaCount) -}}
{{- with .Values.podDisruptionBudget -}}
{{- $minAvailable := toString .minAvailable -}}
{{- $maxUnavailable := toString .maxUnavailable -}}
{{- if and $minAvailable $maxUnavailable -}}
{{- fail "podDisruptionBudget: set minAvailable or maxUnavailable, not both" -}}
{{- end -}}
{{- /* Kubernetes rounds percentages up. */}}
{{- $needed := int (trimSuffix "%" $minAvailable) -}}
{{- if hasSuffix "%" $minAvailable -}}
{{- $needed = div (add (mul $needed $replicas) 99) 100 | int -}}
{{- end -}}
{{- if and .enabled $minAvailable (ge $needed $replicas) -}}
{{- fail (printf "podDisruptionBudget.minAvailable %s of %d replicas would block the drain of every node" $minAvailable $replicas) -}}
{{- end -}}
{{- if and .enabled (has $maxUnavailable (list "0" "0%")) -}}
{{- fail "podDisruptionBudget would block the drain of every node: at least one replica must be allowed to stop" -}}
{{- end -}}
{{- end -}}
{{- range $name := list "startupProbe" "livenessProbe" "readinessProbe" -}}
{{- range list "httpGet" "exec" "tcpSocket" "grpc" -}}
{{- if hasKey (get $.Values $name | default dict) . -}}
{{- fail (printf "%s must not have %s: the chart sets its handler" $name .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $drain := int .Values.drainDelaySeconds -}}
{{- $request := max .Values.mutating.timeoutSeconds .Values.validating.timeoutSeconds | int -}}
{{- if le (int .Values.terminationGracePeriodSeconds) (add $drain $request | int) -}}
{{- fail (printf "terminationGracePeriodSeconds %d must be longer than drainDelaySeconds %d and the longest timeoutSeconds of the webhooks, %d, together" (int .Values.terminationGracePeriodSeconds) $drain $request) -}}
{{- end -}}
{{- if eq (int .Values.ports.webhook) (int .Values.ports.admin) -}}
{{- fail (printf "ports.webhook and ports.admin are both %d" (int .Values.ports.admin)) -}}
{{- end -}}
{{- end -}}

{{- define "winadmit.validateConfiguration" -}}
{{- if eq .Values.engine "policies" -}}
{{- range list "serviceMonitor" "grafanaDashboard" -}}
{{- if (get $.Values .).enabled -}}
{{- fail (printf "%s.enabled has no effect with engine policies: the API server alone has metrics of them" .) -}}
{{- end -}}
{{- end -}}
{{- if .Values.existingConfigMap -}}
{{- fail "existingConfigMap has no effect with engine policies: use config" -}}
{{- end -}}
{{- end -}}
{{- if .Values.existingConfigMap -}}
{{- range list "config" "platform" -}}
{{- if get $.Values . -}}
{{- fail (printf "existingConfigMap and %s are mutually exclusive: set %s in the ConfigMap" . (eq . "config" | ternary "its keys" "it")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A duration such as 2160h30m in seconds. */}}
{{- define "winadmit.seconds" -}}
{{- $seconds := 0 -}}
{{- range regexFindAll "[0-9]+[hms]" . -1 -}}
{{- $unit := get (dict "h" 3600 "m" 60 "s" 1) (regexFind "[hms]" .) -}}
{{- $seconds = add $seconds (mul (regexFind "[0-9]+" . | int64) $unit) -}}
{{- end -}}
{{- $seconds -}}
{{- end -}}

{{- define "winadmit.validateCertificates" -}}
{{- if and .Values.certManager.transition (not .Values.certManager.enabled) -}}
{{- fail "certManager.transition requires certManager.enabled" -}}
{{- end -}}
{{- with .Values.certManager -}}
{{- if ge (include "winadmit.seconds" .renewBefore | int64) (include "winadmit.seconds" .duration | int64) -}}
{{- fail (printf "certManager.renewBefore %s must be shorter than certManager.duration %s" .renewBefore .duration) -}}
{{- end -}}
{{- with .usages -}}
{{- if not (or (has "server auth" .) (has "any" .)) -}}
{{- fail "certManager.usages must have server auth: the API server accepts no other certificate" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with .Values.caBundle -}}
{{- $pem := contains "-----BEGIN" . | ternary . (b64dec (regexReplaceAll "\\s" . "")) -}}
{{- if not (regexMatch "-----BEGIN CERTIFICATE-----\\s[A-Za-z0-9+/=\\s]+-----END CERTIFICATE-----" $pem) -}}
{{- fail "caBundle is neither PEM with a CERTIFICATE nor base64 of it: use --set-file caBundle=ca.crt" -}}
{{- end -}}
{{- if contains "PRIVATE KEY-----" $pem -}}
{{- fail "caBundle has a private key, which everyone who reads the webhook configurations would see" -}}
{{- end -}}
{{- end -}}
{{- with .Values.clientAuth -}}
{{- if and .secret .configMap -}}
{{- fail "clientAuth: set secret or configMap, not both" -}}
{{- end -}}
{{- if and .names (not .secret) (not .configMap) -}}
{{- fail "clientAuth.names requires clientAuth.secret or clientAuth.configMap" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A flag must not be given twice, and a flag wins over its environment variable. */}}
{{- define "winadmit.validateFlags" -}}
{{- $flags := dict
  "admin-listen" "ports.admin"
  "client-ca" "clientAuth.secret or clientAuth.configMap"
  "client-name" "clientAuth.names"
  "config" "config or existingConfigMap"
  "drain-delay" "drainDelaySeconds"
  "kubernetes-version" "config.kubernetesVersion"
  "listen" "ports.webhook"
  "log-format" "logFormat"
  "log-level" "logLevel"
  "match-conditions" "matchConditions"
  "platform" "platform"
  "threads" "threads"
  "tls-cert" "existingSecret"
  "tls-key" "existingSecret" -}}
{{- range .Values.extraArgs -}}
{{- $flag := regexFind "^--[a-z-]+" . | trimPrefix "--" -}}
{{- if eq $flag "dev" -}}
{{- fail "extraArgs: --dev contradicts --tls-cert, which the chart sets" -}}
{{- end -}}
{{- with get $flags $flag -}}
{{- fail (printf "extraArgs: --%s is set by the chart: use the value %s" $flag .) -}}
{{- end -}}
{{- end -}}
{{- $ofJob := dict
  "secret" "fullnameOverride"
  "service" "fullnameOverride" -}}
{{- range .Values.certs.extraArgs -}}
{{- $flag := regexFind "^--[a-z-]+" . | trimPrefix "--" -}}
{{- with get $ofJob $flag -}}
{{- fail (printf "certs.extraArgs: --%s is set by the chart: use the value %s" $flag .) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- $name := .name | default "" -}}
{{- if eq $name "WINADMIT_DEV" -}}
{{- fail "extraEnv: WINADMIT_DEV contradicts --tls-cert, which the chart sets" -}}
{{- end -}}
{{- range $flag, $value := $flags -}}
{{- if eq $name (printf "WINADMIT_%s" (upper $flag | replace "-" "_")) -}}
{{- fail (printf "extraEnv: %s is set by the chart, as the flag --%s: use the value %s" $name $flag $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
