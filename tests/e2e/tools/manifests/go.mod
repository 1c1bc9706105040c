// Public Helm charts and custom resource definitions that the e2e tests install: Go modules that carry
// them in their tree. Nothing here is compiled; `go mod download` fetches the files and go.sum pins them.
module winadmit/tests/e2e/tools/manifests

go 1.24.11

require (
	github.com/prometheus-operator/prometheus-operator v0.85.0
	sigs.k8s.io/external-dns v0.19.0
	sigs.k8s.io/secrets-store-csi-driver v1.5.5
)
