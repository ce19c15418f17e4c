{{- /* What the pods of both forms have in common. */ -}}
{{- define "proxy.podMetadata" -}}
labels: {{- include "proxy.labels" . | nindent 2 }}
{{- with .Values.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "proxy.podSettings" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "proxy.container" -}}
name: proxy
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
args: [serve]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - { name: SERVICE_DATA, value: /data }
  - { name: SERVICE_LISTEN, value: "0.0.0.0:8080" }
  - { name: SERVICE_REQUIRE_MCP_AUTH, value: "true" }
  {{- with .Values.publicUrl }}
  - { name: SERVICE_PUBLIC_URL, value: {{ . | quote }} }
  {{- end }}
  {{- with .Values.trustedProxies }}
  - { name: SERVICE_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
  {{- end }}
  {{- if .Values.cluster.existingSecret }}
  - { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
  {{- range list "DATABASE_URL" "PROXY_CLUSTER_KEY" "SERVICE_API_KEY" }}
  - { name: {{ . }}, valueFrom: { secretKeyRef: { name: {{ $.Values.cluster.existingSecret | quote }}, key: {{ . }} } } }
  {{- end }}
  # References, so that the values themselves are in no configuration.
  - { name: SERVICE_CLUSTER_DATABASE_URL, value: "${env:DATABASE_URL}" }
  - { name: SERVICE_CLUSTER_ENCRYPTION_KEYS, value: {{ .Values.cluster.encryptionKeys | quote }} }
  - { name: SERVICE_CLUSTER_REPLICA_LISTEN, value: "0.0.0.0:9443" }
  - { name: SERVICE_CLUSTER_REPLICA_ADDRESS, value: "$(POD_IP):9443" }
  - { name: SERVICE_ENABLE_SOCKET, value: "true" }
  {{- end }}
  {{- range $name, $value := .Values.env }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
{{- with .Values.existingSecret }}
envFrom: [{ secretRef: { name: {{ . | quote }} } }]
{{- end }}
ports:
  - { name: http, containerPort: 8080 }
  {{- if .Values.cluster.existingSecret }}
  - { name: replicas, containerPort: 9443 }
  {{- end }}
  {{- with .Values.metrics.port }}
  - { name: metrics, containerPort: {{ . }} }
  {{- end }}
startupProbe: { httpGet: { path: /healthz, port: http }, failureThreshold: 30, periodSeconds: 2 }
livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 20, timeoutSeconds: 5 }
readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 5, timeoutSeconds: 5 }
resources: {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}
